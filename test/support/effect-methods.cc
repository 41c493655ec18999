// SPDX-License-Identifier: GPL-2.0-only

// How the effect of methods that set something on objects of a built fabric is observed, for the
// suite lossless-effects.

#include "effect-table.h"

#include "ns3/deadlock-detector.h"
#include "ns3/dwrr-scheduler.h"
#include "ns3/ecmp-load-balancer.h"
#include "ns3/fault-loss.h"
#include "ns3/inof-host-agent.h"
#include "ns3/inof-switch-agent.h"
#include "ns3/nic-receive-buffer.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/rdma-fixed-rate.h"
#include "ns3/strict-priority-scheduler.h"
#include "ns3/string.h"
#include "ns3/switch-cnp-sender.h"
#include "ns3/tagger.h"
#include "ns3/ttl-limiter.h"
#include "ns3/uinteger.h"
#include "ns3/wred-ecn-marker.h"

namespace ns3
{
namespace tests
{

namespace
{

constexpr auto WIRE = EffectSeen::WIRE;
constexpr auto LOG = EffectSeen::LOG;
constexpr auto REFUSAL = EffectSeen::REFUSAL;
constexpr uint32_t CLS = 3; //!< class of the flows, which go to host 0 at port 0

/// @return the first switch
Ptr<FabricSwitch>
SwitchOf(EffectRun& run)
{
    return run.GetFabric().GetSwitch(0);
}

/// @return its buffer
Ptr<SwitchMmu>
MmuOf(EffectRun& run)
{
    return SwitchOf(run)->GetMmu();
}

/// @param host of a star @return its port
Ptr<QbbNetDevice>
NicOf(EffectRun& run, uint32_t host)
{
    return run.GetFabric().GetRdma(host)->GetDevice(0);
}

/// @return a loss of every frame
Ptr<FrameLoss>
AllLost()
{
    return CreateObject<SilentLoss>();
}

/// Buffers of switches.
const std::vector<EffectMethod> MMU{
    {"SwitchMmu::SetAlpha", "incast", [](EffectRun& run) { MmuOf(run)->SetAlpha(1, CLS, 0.01); }},
    {"SwitchMmu::SetStaticThreshold",
     "incast",
     [](EffectRun& run) { MmuOf(run)->SetStaticThreshold(1, CLS, 9000); }},
    {"SwitchMmu::SetXonOffset",
     "incast",
     [](EffectRun& run) { MmuOf(run)->SetXonOffset(1, CLS, 30000); }},
    {"SwitchMmu::SetGuaranteed",
     "incast",
     [](EffectRun& run) { MmuOf(run)->SetGuaranteed(1, CLS, 60000); }},
    {"SwitchMmu::SetLossless",
     "incast",
     [](EffectRun& run) { MmuOf(run)->SetLossless(1, CLS, 300000); }},
    {"SwitchMmu::SetServicePool",
     "incast",
     [](EffectRun& run) { MmuOf(run)->SetServicePool(1, CLS, "small"); },
     WIRE,
     WIRE,
     "SwitchMmu::ServicePools=large any 90%, small any 10%"},
    {"SwitchMmu::SetPortLimit",
     "incast",
     [](EffectRun& run) { MmuOf(run)->SetPortLimit(1, 20000); }},
    {"SwitchMmu::SetEgressPortLimit",
     "lossy",
     [](EffectRun& run) { MmuOf(run)->SetEgressPortLimit(0, 20000); }},
    {"SwitchMmu::SetLossy", "incast", [](EffectRun& run) { MmuOf(run)->SetLossy(1, CLS); }},
    {"SwitchMmu::SetEgressAlpha",
     "lossy",
     [](EffectRun& run) { MmuOf(run)->SetEgressAlpha(0, 2, 0.01); }},
    {"SwitchMmu::SetEgressStaticThreshold",
     "lossy",
     [](EffectRun& run) { MmuOf(run)->SetEgressStaticThreshold(0, 2, 20000); }},
    {"SwitchMmu::SetEgressGuaranteed",
     "lossy",
     [](EffectRun& run) { MmuOf(run)->SetEgressGuaranteed(0, 2, 60000); },
     WIRE,
     WIRE,
     "SwitchMmu::EgressAlpha=0.01"},
};

/// Switches, their policies and extensions.
const std::vector<EffectMethod> SWITCH{
    {"WredEcnMarker::SetThresholds",
     "incast",
     [](EffectRun& run) { run.First<WredEcnMarker>()->SetThresholds(0, 1000, 5000, 1); }},
    {"FabricSwitch::SetEcnMarker",
     "incast",
     [](EffectRun& run) { SwitchOf(run)->SetEcnMarker(nullptr); }},
    {"FabricSwitch::SetLoadBalancer",
     "paths",
     [](EffectRun& run) {
         const auto balancer = CreateObject<EcmpLoadBalancer>();
         balancer->SetAttribute("Seed", StringValue("77"));
         SwitchOf(run)->SetLoadBalancer(balancer);
     }},
    {"FabricSwitch::AddExtension",
     "incast",
     [](EffectRun& run) {
         SwitchOf(run)->AddExtension(
             CreateObjectWithAttributes<TtlLimiter>("Limits", StringValue("3:16")));
     }},
    {"FabricSwitch::AddRoute",
     "incast",
     [](EffectRun& run) { SwitchOf(run)->AddRoute(run.GetFabric().GetAddress(0), {2}); }},
    {"Tagger::SetRule",
     "tags",
     [](EffectRun& run) { run.First<Tagger>()->SetRule(0, 0, 1, Tagger::LOSSY); }},
    {"Tagger::SetUpDown",
     "tags",
     [](EffectRun& run) {
         run.First<Tagger>()->SetUpDown(std::vector<Tagger::Direction>(3, Tagger::DOWN));
     }},
    {"PfcWatchdog::SetBigRedSwitch",
     "storm",
     [](EffectRun& run) { run.First<PfcWatchdog>()->SetBigRedSwitch(true); }},
    {"InofSwitchAgent::SetFault",
     "inof",
     [](EffectRun& run) { run.First<InofSwitchAgent>()->SetFault(0, InofReason::PORT_FAULT); },
     LOG,
     LOG},
    {"InofSwitchAgent::SetIdentity",
     "inof",
     [](EffectRun& run) {
         run.First<InofSwitchAgent>()->SetIdentity(9, Ipv4Address("172.16.0.9"), 0);
     },
     REFUSAL,
     REFUSAL},
    {"InofSwitchAgent::AddHostPort",
     "inof",
     [](EffectRun& run) { run.First<InofSwitchAgent>()->AddHostPort(99); },
     REFUSAL,
     REFUSAL},
    {"InofSwitchAgent::AddSession",
     "inof",
     [](EffectRun& run) {
         run.First<InofSwitchAgent>()->AddSession(1,
                                                  run.GetFabric().GetSwitchAddress(1),
                                                  InofSwitch::CLIENT);
     },
     REFUSAL,
     REFUSAL},
};

/// Links and ports.
const std::vector<EffectMethod> LINK{
    {"Fabric::SetLinkUp",
     "incast",
     [](EffectRun& run) { run.GetFabric().SetLinkUp(LinkId(1), false); },
     REFUSAL,
     WIRE},
    {"QbbChannel::SetUp",
     "incast",
     [](EffectRun& run) { run.GetFabric().GetChannel(LinkId(1))->SetUp(false); }},
    {"QbbChannel::SetDelay",
     "incast",
     [](EffectRun& run) { run.GetFabric().GetChannel(LinkId(1))->SetDelay(MicroSeconds(2)); }},
    {"QbbNetDevice::AddReceiveLoss",
     "incast",
     [](EffectRun& run) { NicOf(run, 0)->AddReceiveLoss(AllLost()); }},
    {"QbbNetDevice::RemoveReceiveLoss",
     "losses",
     [](EffectRun& run) {
         const auto device = NicOf(run, 0);
         const auto losses = device->GetReceiveLosses(); // a copy
         for (const auto& loss : losses)
         {
             device->RemoveReceiveLoss(loss);
         }
     },
     WIRE,
     WIRE,
     "IpIdLoss::Mask=15; IpIdLoss::Value=7"},
    {"QbbNetDevice::OverridePause",
     "incast",
     [](EffectRun& run) { NicOf(run, 0)->OverridePause(1U << CLS, 0); }},
    {"QbbNetDevice::SetPfcIgnored",
     "incast",
     [](EffectRun& run) { NicOf(run, 1)->SetPfcIgnored(1U << CLS); }},
    {"QbbNetDevice::SetScheduler",
     "classes",
     [](EffectRun& run) {
         SwitchOf(run)->GetPort(0)->SetScheduler(CreateObject<StrictPriorityScheduler>());
     }},
    {"DwrrScheduler::SetWeight",
     "classes",
     [](EffectRun& run) {
         for (const auto& scheduler : run.Find("DwrrScheduler"))
         {
             DynamicCast<DwrrScheduler>(scheduler)->SetWeight(4, 9);
         }
     }},
    {"TrafficClassMap::SetDscp",
     "sockets",
     [](EffectRun& run) {
         for (const auto& map : run.Find("TrafficClassMap"))
         {
             DynamicCast<TrafficClassMap>(map)->SetDscp(16, 5);
         }
     }},
    {"TrafficClassMap::SetQueue",
     "incast",
     [](EffectRun& run) {
         for (const auto& map : run.Find("TrafficClassMap"))
         {
             DynamicCast<TrafficClassMap>(map)->SetQueue(3, 5);
         }
     }},
    {"TrafficClassMap::SetPriorityGroup",
     "incast",
     [](EffectRun& run) {
         for (const auto& map : run.Find("TrafficClassMap"))
         {
             DynamicCast<TrafficClassMap>(map)->SetPriorityGroup(3, 1);
         }
     }},
    {"TrafficClassMap::SetPfcPriority",
     "incast",
     [](EffectRun& run) {
         for (const auto& map : run.Find("TrafficClassMap"))
         {
             DynamicCast<TrafficClassMap>(map)->SetPfcPriority(3, 1);
         }
     }},
    {"TrafficClassMap::SetPfcQueues",
     "incast",
     [](EffectRun& run) {
         for (const auto& map : run.Find("TrafficClassMap"))
         {
             DynamicCast<TrafficClassMap>(map)->SetPfcQueues(3, 2);
         }
     }},
    {"TrafficClassMap::SetPcp",
     "incast",
     [](EffectRun& run) { SwitchOf(run)->GetPort(1)->GetTrafficClassMap()->SetPcp(3, 5); },
     WIRE,
     WIRE,
     "TrafficClassMap::Trust=Dot1p"},
    {"QbbPortSettings::SetPfcRefreshInterval",
     "incast",
     [](EffectRun& run) { SwitchOf(run)->GetPort(1)->SetPfcRefreshInterval(MicroSeconds(1)); }},
};

/// NICs and queue pairs.
const std::vector<EffectMethod> RDMA{
    {"RdmaHw::SetReceiveBuffer",
     "incast",
     [](EffectRun& run) {
         run.GetFabric().GetRdma(0)->SetReceiveBuffer(0, CreateObject<NicReceiveBuffer>());
     }},
    {"RdmaHw::SetQueuePairAttribute",
     "latecomer",
     [](EffectRun& run) {
         for (const HostId host : run.GetFabric().Hosts())
         {
             run.GetFabric().GetRdma(host)->SetQueuePairAttribute("InitialTtl", UintegerValue(9));
         }
     }},
    {"NicReceiveBuffer::SetDead",
     "receiver",
     [](EffectRun& run) { run.First<NicReceiveBuffer>()->SetDead(true); }},
    {"InofHostAgent::SetRole",
     "inof",
     [](EffectRun& run) { run.First<InofHostAgent>()->SetRole(InofRole::DISK); },
     LOG,
     REFUSAL},
    {"InofHostAgent::SetPort",
     "inof",
     [](EffectRun& run) {
         run.First<InofHostAgent>()->SetPort(NicOf(run, 0), 77, run.GetFabric().GetAddress(0));
     },
     LOG,
     REFUSAL},
};

} // namespace

const std::vector<EffectMethod>&
GetEffectMethods()
{
    static const std::vector<EffectMethod> methods = [] {
        std::vector<EffectMethod> all;
        for (const auto* part : {&MMU, &SWITCH, &LINK, &RDMA})
        {
            all.insert(all.end(), part->begin(), part->end());
        }
        return all;
    }();
    return methods;
}

} // namespace tests
} // namespace ns3
