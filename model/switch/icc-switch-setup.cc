// SPDX-License-Identifier: GPL-2.0-only

// Attributes and start of the ICC switch. The data path is in icc-switch.cc.

#include "ecmp-load-balancer.h"
#include "fabric-switch.h"
#include "icc-switch.h"

#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

#include <stdexcept>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IccSwitch);

TypeId
IccSwitch::GetTypeId()
{
    static TypeId tid = AddFlowAttributes(
        TypeId("ns3::IccSwitch")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<IccSwitch>()
            .AddAttribute("Feedback",
                          "How sources are told: Piggyback (in passing ACKs), SwitchAck (in ACKs "
                          "that the switch makes) or ReceiverEcho (in data, echoed by the "
                          "receiver); RdmaIcc::Feedback must be the same",
                          EnumValue(IccFeedback::PIGGYBACK),
                          MakeLosslessEnumAccessor<IccFeedback::Mode>(&IccSwitch::m_feedback),
                          IccFeedback::MakeChecker())
            .AddAttribute("ReportTimer",
                          "Time after which sources are told, congested or not",
                          TimeValue(MicroSeconds(15)),
                          MakeTimeAccessor(&IccSwitch::m_reportTimer),
                          MakeTimeChecker(NanoSeconds(100)))
            .AddAttribute("RecheckTimer",
                          "Time between the two looks at the growth of a queue; a shrinking one is "
                          "looked at once in this time",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&IccSwitch::m_recheckTimer),
                          MakeTimeChecker(NanoSeconds(100)))
            .AddAttribute("UtilisationThreshold",
                          "Utilisation from which on a link counts as busy, 0..1",
                          DoubleValue(0.7),
                          MakeDoubleAccessor(&IccSwitch::m_busyUtilisation),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("UtilisationWindow",
                          "Time over which the utilisation of a link is measured",
                          TimeValue(MicroSeconds(15)),
                          MakeTimeAccessor(&IccSwitch::m_utilisationWindow),
                          MakeTimeChecker(MicroSeconds(1), MilliSeconds(10)))
            .AddAttribute("Classes",
                          "Mask of the classes whose queues are watched",
                          UintegerValue(0xff),
                          MakeUintegerAccessor(&IccSwitch::m_classes),
                          MakeUintegerChecker<uint8_t>()));
    return tid;
}

TypeId
IccSwitch::AddFlowAttributes(TypeId tid)
{
    return tid
        .AddAttribute("FlowWindow",
                      "A flow that has sent to a queue within this time shares it",
                      TimeValue(MicroSeconds(30)),
                      MakeTimeAccessor(&IccSwitch::m_flowWindow),
                      MakeTimeChecker(NanoSeconds(100)))
        .AddAttribute("FlowCount",
                      "Number of flows that records tell, in place of the count; 0: the count",
                      UintegerValue(0),
                      MakeUintegerAccessor(&IccSwitch::m_forcedFlows),
                      MakeUintegerChecker<uint16_t>())
        .AddAttribute("MaxFlows",
                      "Flows that the switch can know at a time; others are told nothing",
                      UintegerValue(65536),
                      MakeUintegerAccessor(&IccSwitch::m_maxFlows),
                      MakeUintegerChecker<uint32_t>(1, 1U << 28))
        .AddAttribute("FlowTimeout",
                      "A flow that is silent for so long may be forgotten, and a report that is "
                      "older is not told",
                      TimeValue(MilliSeconds(1)),
                      MakeTimeAccessor(&IccSwitch::m_flowTimeout),
                      MakeTimeChecker(MicroSeconds(1)))
        .AddAttribute("TargetBytes",
                      "Length that sources shall keep a queue below, Qd, bytes; 0: TargetFraction",
                      UintegerValue(0),
                      MakeUintegerAccessor(&IccSwitch::m_targetBytes),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("TargetFraction",
                      "Qd as a share of the PFC threshold",
                      DoubleValue(0.5),
                      MakeDoubleAccessor(&IccSwitch::m_targetFraction),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("PfcThreshold",
                      "PFC threshold for TargetFraction, bytes; 0: that of the buffer now, at the "
                      "ingress of the latest frame",
                      UintegerValue(0),
                      MakeUintegerAccessor(&IccSwitch::m_pfcThreshold),
                      MakeUintegerChecker<uint32_t>());
}

IccSwitch::IccSwitch() = default;

IccSwitch::~IccSwitch() = default;

void
IccSwitch::DoDispose()
{
    m_queues.clear();
    m_flows.reset();
    m_owner = nullptr;
    SwitchExtension::DoDispose();
}

uint32_t
IccSwitch::GetHooks() const
{
    return m_feedback == IccFeedback::RECEIVER_ECHO
               ? static_cast<uint32_t>(ON_ENQUEUE) | static_cast<uint32_t>(ON_DEQUEUE)
               : static_cast<uint32_t>(ON_ENQUEUE) | static_cast<uint32_t>(ON_ARRIVAL);
}

bool
IccSwitch::NeedsSymmetricPaths() const
{
    return m_feedback != IccFeedback::RECEIVER_ECHO;
}

void
IccSwitch::RequireSymmetricPaths() const
{
    const auto ecmp = DynamicCast<EcmpLoadBalancer>(m_owner->GetLoadBalancer());
    if (m_owner->GetForwardingTable().HasChoice() && !(ecmp && ecmp->IsSymmetric()))
    {
        throw std::invalid_argument(
            "IccSwitch: ACKs may miss this switch, as its load balancer is not symmetric; use "
            "EcmpLoadBalancer with Symmetric true and one Seed a tier, or Feedback ReceiverEcho");
    }
}

void
IccSwitch::Start(FabricSwitch& owner)
{
    m_owner = &owner;
    if (NeedsSymmetricPaths())
    {
        RequireSymmetricPaths();
    }
    const auto node = owner.GetObject<Node>();
    m_nodeId = node ? node->GetId() : 0;
    constexpr int64_t PS_PER_SECOND = 1000000000000;
    const int64_t ticks = SimulationClock::TicksPerSecond();
    m_psPerTick = ticks < PS_PER_SECOND ? PS_PER_SECOND / ticks : 1;
    m_ticksPerPs = ticks > PS_PER_SECOND ? ticks / PS_PER_SECOND : 1;
    m_flowWindowPs = m_flowWindow.GetPicoSeconds();
    m_flowTimeoutPs = m_flowTimeout.GetPicoSeconds();
    m_parameters.busyUtilisation = m_busyUtilisation;
    m_parameters.recheckPs = m_recheckTimer.GetPicoSeconds();
    m_parameters.reportPs = m_reportTimer.GetPicoSeconds();
    m_parameters.utilisationPs = m_utilisationWindow.GetPicoSeconds();
    m_flows = std::make_unique<IccFlowTable>(m_maxFlows, m_flowTimeoutPs);
    m_generation = m_flows->GetGeneration();
    m_queues.clear();
    m_queues.resize(std::size_t{owner.GetNPorts()} * TRAFFIC_CLASSES);
}

} // namespace ns3
