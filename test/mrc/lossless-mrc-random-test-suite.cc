// SPDX-License-Identifier: GPL-2.0-only

// Random fabrics of one to four planes: MRC beside RoCE with PFC, trims, losses and cuts. Each
// message completes, each byte is delivered once, all buffers are empty in the end, and runs
// repeat, by several threads, too.

#include "captured-errors.h"
#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-fabric.h"
#include "wire-digest.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-run.h"
#include "ns3/object-factory.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using ns3::tests::Dice;

namespace
{

/// One fabric.
class RandomMrcTest : public FabricTestCase
{
  public:
    /// @param index number of the case
    explicit RandomMrcTest(uint32_t index)
        : FabricTestCase("Random fabric of MRC, " + std::to_string(index)),
          m_index(index)
    {
    }

  private:
    static constexpr uint32_t PFC_CLASS = 2; //!< of RoCE

    /// What a run shows: a digest, packets that were sent again, and all packets.
    using Shown = std::array<uint64_t, 3>;

    /// @param dice for the choices @param format of entropy values @return the attributes of the
    /// transport
    static std::string TransportOf(Dice& dice, RdmaMrc::Format format)
    {
        std::string text =
            "ns3::RdmaMrc[BaseRtt=30us|Active=" + std::to_string(dice.Between(4, 64));
        text += "|LossRule=" + std::string(dice.Pick({"Threshold", "PerEv", "Both"}));
        text += "|PlaneLead=" + std::to_string(dice.Between(1, 12));
        text += "|SackBytes=" + std::to_string(dice.Pick({0, 4096, 16384}));
        text += dice.Chance(20) ? "|TimeStamp=false" : "";
        text += dice.Chance(20) ? "|TransportAcks=false" : "";
        text += dice.Chance(20) ? "|TrimNack=false" : "";
        text += dice.Chance(30) ? "|ProbeInterval=20us" : "";
        text += format == RdmaMrc::UDP    ? ""
                : format == RdmaMrc::STEV ? "|Format=Stev"
                                          : "|Format=Srv6";
        return text + "]";
    }

    /// @param dice for the choices @return the fabric
    static Fabric Build(Dice& dice)
    {
        FabricHelper helper;
        const auto format = dice.Pick({RdmaMrc::UDP, RdmaMrc::STEV, RdmaMrc::SRV6});
        helper.SetMrc(MicroSeconds(30), format);
        helper.SetLosslessClasses({PFC_CLASS});
        helper.SetQueuePair("Transport", StringValue(TransportOf(dice, format)));
        helper.SetQueuePair("RetransmitTimeout", TimeValue(MicroSeconds(300)));
        helper.SetQueuePair("RetryLimit", UintegerValue(200));
        helper.SetIpVersion(format == RdmaMrc::UDP && dice.Chance(50) ? 4 : 6);
        if (dice.Chance(30))
        {
            helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("4MB"));
        }
        const auto planes = static_cast<uint32_t>(dice.Between(1, 4));
        const auto leaves = static_cast<uint32_t>(dice.Between(1, 3));
        const auto spines = static_cast<uint32_t>(dice.Between(1, 3));
        const auto hosts = static_cast<uint32_t>(dice.Between(2, 3));
        return helper.MultiPlane(planes, leaves, spines, hosts);
    }

    /// Losses, and cuts that are mended. @param dice for the choices @param fabric the fabric
    /// @param faults gets them
    static void AddFaults(Dice& dice, const Fabric& fabric, FaultHelper& faults)
    {
        const FabricTopology& topology = fabric.GetTopology();
        const auto links = static_cast<uint32_t>(topology.GetLinks().size());
        for (uint64_t left = dice.Below(3); left > 0; --left)
        {
            const NodeId node = topology.GetLink(LinkId(dice.Below(links))).b;
            faults.LoseRandomly(node, 0, dice.Pick({0.001, 0.01, 0.05}), Time(0));
        }
        for (uint64_t left = dice.Below(3); left > 0; --left)
        {
            faults.CutLink(LinkId(dice.Below(links)),
                           NanoSeconds(dice.Below(40000)),
                           MicroSeconds(dice.Between(1, 200)));
        }
    }

    /// @param dice for the choices @param fabric the fabric @param run gets the flows
    static void AddFlows(Dice& dice, const Fabric& fabric, FabricRun& run)
    {
        const uint32_t hosts = fabric.GetNHosts();
        for (uint64_t flows = dice.Between(3, 12); flows > 0; --flows)
        {
            const bool isMrc = dice.Chance(70);
            RdmaFlow flow;
            const auto source = static_cast<uint32_t>(dice.Below(hosts));
            const auto other = static_cast<uint32_t>(dice.Below(hosts - 1));
            flow.source = HostId(source);
            flow.destination = HostId(other + (other >= source));
            flow.bytes = dice.Chance(10) ? 0 : dice.Between(1, 400000);
            flow.start = NanoSeconds(dice.Below(20000));
            flow.verb = dice.Pick({RdmaVerb::WRITE, RdmaVerb::WRITE_IMM});
            flow.trafficClass = isMrc ? 3 : PFC_CLASS;
            run.Rdma().ResetQueuePair();
            run.Rdma().SetCongestionControl(ObjectFactory());
            if (!isMrc)
            {
                run.Rdma().SetQueuePair("Transport", StringValue("ns3::RdmaRc"));
                run.Rdma().SetCongestionControl(ObjectFactory("ns3::RdmaDcqcn"));
            }
            run.Rdma().Add(flow);
        }
    }

    /// @param threads of the run; 0: ns-3's simulator @return what it shows
    Shown Run(uint32_t threads)
    {
        Dice dice(m_index + 1);
        const CapturedErrors warnings; // of losses in lossless classes, that are asked for
        if (threads > 0)
        {
            SetSimulator(FabricSimulatorImpl::GetTypeId());
        }
        const Fabric fabric = Build(dice);
        std::optional<tests::WireDigest> digest;
        RunOptions options;
        options.progress = false;
        options.threads = threads > 0 ? threads : options.threads;
        if (threads == 0)
        {
            digest.emplace(fabric);
        }
        FabricRun run(fabric, options);
        AddFaults(dice, fabric, run.Faults());
        AddFlows(dice, fabric, run);
        uint64_t bytes = 0;
        uint64_t hadNoWay = 0; // a cut of the only way when a flow starts
        run.Rdma().OnEnd([&bytes, &hadNoWay](const RdmaFlowResult& result) {
            bytes += result.status == RdmaStatus::SUCCESS ? result.flow.bytes : 0;
            hadNoWay += result.status != RdmaStatus::SUCCESS && result.fct.IsZero();
        });
        const RunTotals totals = run.Execute().totals;
        NS_TEST_EXPECT_MSG_EQ(totals.flowsCompleted + hadNoWay, totals.flowsTotal, "all complete");
        NS_TEST_EXPECT_MSG_EQ(totals.rdma.payloadDelivered, bytes, "every byte once");
        RunUntil(Simulator::Now() + MilliSeconds(2)); // what was sent twice is on its way
        ExpectSettled(fabric);
        const Shown shown{digest ? digest->Get() : tests::DigestOfCounters(fabric),
                          totals.rdma.retransmitted,
                          totals.rdma.dataPackets};
        digest.reset();
        Simulator::Destroy();
        SetSimulator(DefaultSimulatorImpl::GetTypeId());
        return shown;
    }

    void DoRun() override
    {
        const Shown once = Run(0);
        if (m_index % 40 == 0)
        {
            NS_TEST_EXPECT_MSG_EQ((Run(0) == once), true, "the same bytes again");
            const Shown one = Run(1);
            for (const uint32_t threads : {2, 3, 7})
            {
                NS_TEST_EXPECT_MSG_EQ((Run(threads) == one), true, threads << " threads");
            }
        }
    }

    uint32_t m_index;
};

class RandomMrcTestSuite : public tests::PropertyTestSuite
{
  public:
    RandomMrcTestSuite()
        : PropertyTestSuite("lossless-mrc-random")
    {
        constexpr uint32_t CASES = 10000;
        AddCases(CASES, [](uint32_t index) { return new RandomMrcTest(index); });
    }
};

const RandomMrcTestSuite g_randomMrcTestSuite;

} // namespace
