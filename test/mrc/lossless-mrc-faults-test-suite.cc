// SPDX-License-Identifier: GPL-2.0-only

// MRC where paths fail, are slow or are denied: when losses are found, which entropy values go and
// come back, and what that costs. The numbers are those of sheet 16, sections 4, 8 and 11.

#include "mrc-test-case.h"

#include "ns3/fabric-run.h"
#include "ns3/fault-helper.h"
#include "ns3/frame-loss.h"
#include "ns3/mrc-controller.h"
#include "ns3/mrc-endpoint.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Destroys the first transmission of one packet.
class LoseOnce : public FrameLoss
{
  public:
    /// @param psn of the packet
    explicit LoseOnce(uint64_t psn)
        : m_psn(psn)
    {
    }

    bool IsLost(const Frame& frame) override
    {
        return IsMrcWrite(frame.opcode) && frame.psn == m_psn && !frame.telemetry.mrc.repeated;
    }

  private:
    uint64_t m_psn;
};

/// What the hosts of a fabric send.
class MrcFaultTestCase : public MrcTestCase
{
  public:
    using MrcTestCase::MrcTestCase;

  protected:
    /// Look at each data packet that a host sends. @param fabric the fabric @param host the host
    /// @param look called with it
    static void OnSent(const Fabric& fabric,
                       uint32_t host,
                       const std::function<void(const Frame&)>& look)
    {
        const Callback<void, const QbbNetDevice&, const Frame&> sink(
            [look](const QbbNetDevice&, const Frame& frame) {
                if (IsMrcWrite(frame.opcode))
                {
                    look(frame);
                }
            });
        const NodeId node = fabric.GetTopology().NodeOf(HostId(host));
        for (uint32_t port = 0; port < fabric.GetTopology().GetLinksOf(node).size(); ++port)
        {
            fabric.GetDevice(node, port)->TraceConnectWithoutContext("FrameTx", sink);
        }
    }

    /// Look at each completion of a queue pair. @param end it @param trace which of its sources
    /// @param look called with it
    static void OnCompletion(const Ptr<RdmaQueuePair>& end,
                             const std::string& trace,
                             const std::function<void(const RdmaCompletion&)>& look)
    {
        const Callback<void, const RdmaCompletion&> sink(
            [look](const RdmaCompletion& what) { look(what); });
        end->TraceConnectWithoutContext(trace, sink);
    }

    /// @return microseconds of now
    static double NowUs()
    {
        return Simulator::Now().GetSeconds() * 1e6;
    }

    /// @param fabric a fabric @param host a host @return what its queue pairs have counted
    static MrcCounters CountersOf(const Fabric& fabric, uint32_t host)
    {
        return MrcEndpoint::GetCountersOf(*fabric.GetRdma(HostId(host))).value_or(MrcCounters());
    }
};

/// 16.7: how long after a packet its repeat leaves, if the packet is lost.
class MrcRepeatTimeTest : public MrcFaultTestCase
{
  public:
    /// A case.
    struct Case
    {
        const char* name;
        const char* transport; //!< attributes of RdmaMrc
        uint64_t psn;          //!< of the packet, of 256
        double least;          //!< us from its transmission to that of the repeat
        double most;           //!< likewise
    };

    explicit MrcRepeatTimeTest(const Case& which)
        : MrcFaultTestCase(which.name),
          m_case(which)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        helper.SetQueuePair("Transport", StringValue(m_case.transport));
        const Fabric fabric = Build(helper, 8);
        RdmaFlowHelper flows(fabric);
        flows.Add(Flow(0, 15, 256 * 4096));
        FaultHelper faults(fabric);
        const NodeId receiver = fabric.GetTopology().NodeOf(HostId(15));
        for (uint32_t port = 0; port < 8; ++port)
        {
            faults.LoseFrames(receiver, port, CreateObject<LoseOnce>(m_case.psn), Time(0));
        }
        double first = -1;
        double again = -1;
        OnSent(fabric, 0, [&](const Frame& frame) {
            if (frame.psn == m_case.psn)
            {
                (frame.telemetry.mrc.repeated ? again : first) = NowUs();
            }
        });
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1U, "the message is complete");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(HostId(0))->GetCounters().retransmitted,
                              1U,
                              "one repeat");
        NS_TEST_EXPECT_MSG_GT(again - first, m_case.least, "repeat after");
        NS_TEST_EXPECT_MSG_LT(again - first, m_case.most, "repeat after");
    }

    Case m_case;
};

/// 16.5 and 16.6: a link to the receiver's leaf, or a spine, fails and comes back.
class MrcPathFailsTest : public MrcFaultTestCase
{
  public:
    /// @param reboots whether the whole spine fails
    explicit MrcPathFailsTest(bool reboots)
        : MrcFaultTestCase(reboots ? "A spine reboots" : "A link behind the first switch fails"),
          m_reboots(reboots)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        helper.SetQueuePair("Transport",
                            StringValue("ns3::RdmaMrc[BaseRtt=12us|ProbeInterval=50us]"));
        const Fabric fabric = Build(helper, 8);
        RdmaFlowHelper flows(fabric);
        flows.Add(Flow(0, 15, 150000000));
        FaultHelper faults(fabric);
        faults.GetConvergence().SetUniform(Seconds(1)); // MRC alone: switches get no other routes
        const LinkId link = LinkToSpine(fabric, 15, 0, 1);
        const FabricTopology& topology = fabric.GetTopology();
        const NodeId leaf = LeafOf(fabric, 15);
        const NodeId spine = topology.GetLink(link).Peer(leaf);
        if (m_reboots)
        {
            faults.RebootSwitch(topology.SwitchAt(spine), MicroSeconds(300), MicroSeconds(300));
        }
        else
        {
            faults.CutLink(link, MicroSeconds(300), MicroSeconds(300));
        }
        const RdmaCounters& received = fabric.GetRdma(HostId(15))->GetCounters();
        std::vector<double> delivered;
        std::vector<MrcCounters> counted;
        for (const int us : {100, 300, 500, 600, 680, 860, 1060})
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                delivered.push_back(static_cast<double>(received.payloadDelivered));
                counted.push_back(CountersOf(fabric, 0));
            });
        }
        Simulator::Stop(MilliSeconds(4));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1U, "the message is complete");
        NS_TEST_EXPECT_MSG_GT(counted[2].evsLost, counted[1].evsLost, "values go");
        NS_TEST_EXPECT_MSG_EQ(counted[3].evsLost, counted[2].evsLost, "backups of theirs, too");
        if (!m_reboots) // else the leaves leave their dead ports out, and probes take other ways
        {
            NS_TEST_EXPECT_MSG_EQ(counted[4].evsBack, 0U, "none is back before three probes");
        }
        NS_TEST_EXPECT_MSG_EQ(counted[5].evsBack, counted[2].evsLost, "all are back then");
        const double whole = (delivered[1] - delivered[0]) / 200;
        NS_TEST_EXPECT_MSG_EQ_TOL((delivered[3] - delivered[2]) / 100 / whole, 1, 0.002, "goodput");
        NS_TEST_EXPECT_MSG_EQ_TOL((delivered[6] - delivered[5]) / 200 / whole, 1, 0.002, "goodput");
    }

    /// @param fabric a fabric @param host a host @return its leaf in the first plane
    static NodeId LeafOf(const Fabric& fabric, uint32_t host)
    {
        const NodeId node = fabric.GetTopology().NodeOf(HostId(host));
        return fabric.GetTopology().GetLink(fabric.GetTopology().GetLinksOf(node)[0]).Peer(node);
    }

    bool m_reboots;
};

/// 16.15: WRITE_IMMs while the packets of some entropy values come 50 us later.
class MrcSlowPathTest : public MrcFaultTestCase
{
  public:
    MrcSlowPathTest()
        : MrcFaultTestCase("WRITE_IMMs over a slow path end in order")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t MESSAGES = 100;
        constexpr uint16_t MOST = 8;
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        helper.SetQueuePair("Transport", StringValue("ns3::RdmaMrc[BaseRtt=12us|MaxWimm=8]"));
        helper.SetLink("Delay", TimeValue(NanoSeconds(500)));
        FabricLinkSpec link;
        link.rate = DataRate("100Gbps");
        link.delay = NanoSeconds(500);
        FabricTopology topology = FabricTopology::MultiPlane(2, 4, 4, 4, link, link);
        const Fabric plain = helper.FromTopology(topology);
        topology.SetLink(LinkToSpine(plain, 15, 0, 1).Value(), link.rate, MicroSeconds(50));
        const Fabric fabric = helper.FromTopology(topology);
        const auto ends = fabric.Connect(HostId(0), HostId(15));
        std::vector<uint64_t> received;
        uint64_t sent = 0;
        uint64_t completed = 0;
        uint64_t early = 0; // bytes placed beyond the message that ends next
        uint64_t most = 0;
        const RdmaCounters& counters = fabric.GetRdma(HostId(15))->GetCounters();
        OnCompletion(ends.destination, "MessageReceived", [&](const RdmaCompletion& what) {
            received.push_back(what.bytes);
            early = std::max(early, counters.payloadDelivered - Sum(received));
        });
        OnCompletion(ends.source, "RequestCompleted", [&](const RdmaCompletion&) { ++completed; });
        OnSent(fabric, 0, [&](const Frame& frame) {
            if (IsFirst(frame.opcode) && !frame.telemetry.mrc.repeated)
            {
                most = std::max(most, ++sent - completed);
            }
        });
        ends.destination->PostReceive(MESSAGES);
        for (uint32_t i = 0; i < MESSAGES; ++i)
        {
            ends.source->Post({RdmaVerb::WRITE_IMM, 65536 + i}); // each length once
        }
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(received.size(), MESSAGES, "all messages");
        NS_TEST_EXPECT_MSG_EQ(std::is_sorted(received.begin(), received.end()), true, "in order");
        NS_TEST_EXPECT_MSG_GT(early, 4 * 65536U, "data of later messages are placed before");
        NS_TEST_EXPECT_MSG_EQ(most, MOST, "MaxWimm");
    }

    /// @param values some @return their sum
    static uint64_t Sum(const std::vector<uint64_t>& values)
    {
        return std::accumulate(values.begin(), values.end(), uint64_t{0});
    }
};

/// 16.16: a receive window of 128 packets.
class MrcSmallWindowTest : public MrcFaultTestCase
{
  public:
    MrcSmallWindowTest()
        : MrcFaultTestCase("A receive window of 128 packets limits the rate")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        helper.SetQueuePair("Transport", StringValue("ns3::RdmaMrc[BaseRtt=12us|Mpr=1]"));
        const Fabric fabric = Build(helper, 8, NanoSeconds(1325));
        const auto ends = fabric.Connect(HostId(0), HostId(15));
        ends.source->Post({RdmaVerb::WRITE, 40000000});
        const RdmaCounters& received = fabric.GetRdma(HostId(15))->GetCounters();
        std::vector<double> delivered;
        for (const int us : {200, 800})
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                delivered.push_back(static_cast<double>(received.payloadDelivered));
            });
        }
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        const double gbps = (delivered[1] - delivered[0]) * 8 / 600e3;
        NS_TEST_EXPECT_MSG_LT(gbps, 128 * 4096 * 8 / 12e3, "128 packets in a round trip");
        NS_TEST_EXPECT_MSG_GT(gbps, 0.9 * 128 * 4096 * 8 / 12e3, "and no less by SACKs");
    }
};

/// 16.17: the receiver is gone.
class MrcReceiverGoneTest : public MrcFaultTestCase
{
  public:
    /// @param retries attribute ExpRetries @param fails whether the queue pair gives up
    MrcReceiverGoneTest(uint32_t retries, bool fails)
        : MrcFaultTestCase("The receiver is gone, ExpRetries " + std::to_string(retries)),
          m_retries(retries),
          m_fails(fails)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        helper.SetQueuePair("Transport",
                            StringValue("ns3::RdmaMrc[BaseRtt=12us|LinearRetries=3|ExpRetries=" +
                                        std::to_string(m_retries) + "]"));
        const Fabric fabric = Build(helper, 2);
        FaultHelper faults(fabric);
        faults.KillHost(HostId(15), Time(0));
        const auto ends = fabric.Connect(HostId(0), HostId(15));
        ends.source->Post({RdmaVerb::WRITE, 4096});
        double failed = 0;
        OnCompletion(ends.source, "RequestCompleted", [&](const RdmaCompletion& what) {
            failed = what.status == RdmaStatus::RETRY_EXCEEDED ? NowUs() : -1;
        });
        Simulator::Stop(MilliSeconds(200));
        Simulator::Run();
        // 4 x 65.536 + 131.072 + 262.144 us, and the line time of each repeat.
        NS_TEST_EXPECT_MSG_EQ_TOL(failed, (m_fails ? 655.36 : 0), 3, "RETRY_EXCEEDED, us");
    }

    uint32_t m_retries;
    bool m_fails;
};

/// The receiver is gone, nobody has told the run of a fault, and the sender does not give up.
class MrcEndlessTest : public MrcFaultTestCase
{
  public:
    MrcEndlessTest()
        : MrcFaultTestCase("A run of a queue pair that waits for ever ends")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        const Fabric fabric = Build(helper, 2);
        RunOptions options;
        options.progress = false;
        FabricRun run(fabric, options);
        run.Rdma().Add(Flow(0, 15, 1 << 20));
        Simulator::Schedule(MicroSeconds(5), [&] {
            for (const LinkId link :
                 fabric.GetTopology().GetLinksOf(fabric.GetTopology().NodeOf(HostId(15))))
            {
                fabric.SetLinkUp(link, false);
            }
        });
        NS_TEST_EXPECT_MSG_EQ((run.Execute().end == RunResults::End::STUCK), true, "");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(1), "soon");
    }
};

/// 16.18: SACKs are lost.
class MrcLostSacksTest : public MrcFaultTestCase
{
  public:
    MrcLostSacksTest()
        : MrcFaultTestCase("One SACK in twenty is lost")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        const Fabric fabric = Build(helper, 8);
        RdmaFlowHelper flows(fabric);
        flows.Add(Flow(0, 15, 60000000));
        FaultHelper faults(fabric);
        fabric.AssignStreams(1000);
        for (uint32_t port = 0; port < 8; ++port)
        {
            faults.LoseRandomly(fabric.GetTopology().NodeOf(HostId(0)), port, 0.05, Time(0));
        }
        faults.AssignStreams(5000);
        double us = 0;
        flows.OnEnd([&](const RdmaFlowResult& result) { us = result.fct.GetSeconds() * 1e6; });
        Simulator::Stop(MilliSeconds(4));
        Simulator::Run();
        const double alone = 60000000 * 8 / 776.125e3 + 5.4;
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1U, "the message is complete");
        NS_TEST_EXPECT_MSG_LT(us, alone / 0.99, "99 % of the goodput");
        NS_TEST_EXPECT_MSG_EQ(CountersOf(fabric, 0).spurious, 0U, "no repeat but by timers");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(HostId(0))->GetCounters().timeouts, 0U, "none");
    }
};

/// 16.19: a controller denies all values over one spine, before and during the traffic.
class MrcDeniedSpineTest : public MrcFaultTestCase
{
  public:
    MrcDeniedSpineTest()
        : MrcFaultTestCase("A controller denies a spine")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        helper.SetQueuePair("Transport", // without backups, which would stay in their slots
                            StringValue("ns3::RdmaMrc[BaseRtt=12us|Evs=128]"));
        const Fabric fabric = Build(helper, 4);
        RdmaFlowHelper flows(fabric);
        flows.Permutation(8 << 20, Time(0));
        const FabricTopology& topology = fabric.GetTopology();
        const NodeId spine = SpineOf(fabric, 0);
        const auto sent = [&] {
            uint64_t bytes = 0;
            for (uint32_t port = 0; port < topology.GetLinksOf(spine).size(); ++port)
            {
                bytes += fabric.GetDevice(spine, port)->GetCounters().txClassBytes[3];
            }
            return bytes;
        };
        MrcController controller(fabric);
        const auto denySpine = [&](bool deny) {
            for (const LinkId link : topology.GetLinksOf(spine))
            {
                deny ? controller.Deny(link) : controller.Allow(link);
            }
        };
        denySpine(true);
        std::vector<uint64_t> bytes;
        uint64_t apart = 0;
        const auto look = [&] {
            bytes.push_back(sent());
            for (uint32_t host = 0; host < 16; ++host)
            {
                apart = std::max(apart, Apart(*TransportOf(fabric, host), 4));
            }
        };
        Simulator::Schedule(MicroSeconds(50), look);
        Simulator::Schedule(MicroSeconds(60), [&] { denySpine(false); });
        Simulator::Schedule(MicroSeconds(100), look);
        Simulator::Schedule(MicroSeconds(101), [&] { denySpine(true); });
        Simulator::Schedule(MicroSeconds(120), look);
        Simulator::Schedule(MicroSeconds(150), look);
        Simulator::Stop(MilliSeconds(4));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 16U, "all messages");
        NS_TEST_EXPECT_MSG_EQ(bytes[0], 0U, "no data cross the spine");
        NS_TEST_EXPECT_MSG_GT(bytes[1], 500000U, "they do once that is allowed");
        NS_TEST_EXPECT_MSG_EQ(bytes[2], bytes[3], "and no more when that is denied");
        NS_TEST_EXPECT_MSG_EQ((apart <= 8), true, "planes stay equal: " << apart);
    }

    /// @param fabric a fabric @param plane a plane @return one of its spines
    static NodeId SpineOf(const Fabric& fabric, uint32_t plane)
    {
        const FabricTopology& topology = fabric.GetTopology();
        const NodeId host = topology.NodeOf(HostId(0));
        const NodeId leaf = topology.GetLink(topology.GetLinksOf(host)[plane]).Peer(host);
        return topology.GetLink(LinkToSpine(fabric, 0, plane, 2)).Peer(leaf);
    }
};

/// 16.20: some links are dead from the start.
class MrcDeadLinksTest : public MrcFaultTestCase
{
  public:
    /// What a controller is told.
    enum Told : uint8_t
    {
        NOTHING,
        LINKS, //!< which they are, before they go down
        KNOWN  //!< to look for links that are down
    };

    /// @param told what the controller is told @param name of the case
    MrcDeadLinksTest(Told told, const std::string& name)
        : MrcFaultTestCase(name),
          m_told(told)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        const Fabric fabric = Build(helper, 4);
        RdmaFlowHelper flows(fabric);
        for (uint32_t host = 0; host < 16; ++host)
        {
            flows.Add(Flow(host, (host + 4) % 16, 4 << 20, MicroSeconds(10)));
        }
        fabric.AssignStreams(flows.AssignStreams(1000) + 1000);
        MrcController controller(fabric);
        FaultHelper faults(fabric);
        faults.GetConvergence().SetUniform(Seconds(1));
        for (const uint32_t plane : {0U, 2U})
        {
            const LinkId link = LinkToSpine(fabric, 15, plane, plane);
            faults.CutLink(link, Time(0));
            if (m_told == LINKS)
            {
                controller.Deny(link);
            }
        }
        if (m_told == KNOWN)
        {
            controller.DenyKnown();
        }
        Simulator::Stop(MilliSeconds(4));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 16U, "all messages");
        const auto lost = [&](uint32_t host) { return CountersOf(fabric, host).lost; };
        uint64_t evs = 0;
        uint64_t packets = 0;
        for (uint32_t host = 0; host < 16; ++host)
        {
            const bool sendsToRack = host / 4 == 2; // to that of host 15, whose SACKs are lost, too
            const bool isWhole = host < 8 || m_told != NOTHING;
            NS_TEST_EXPECT_MSG_EQ((isWhole && lost(host) > 0), false, "no packet is lost");
            evs += sendsToRack ? CountersOf(fabric, host).evsLost : 0;
            packets += sendsToRack ? lost(host) : 0;
        }
        if (m_told == NOTHING)
        {
            // A quarter of the EVs of 2 of 4 planes meet a dead link, and as many of the backups
            // that take their places: 32 active ones in a plane lose 32 / 4 / (1 - 1/4), with a
            // standard deviation of 3.8.
            NS_TEST_EXPECT_MSG_EQ_TOL(evs, 8 * 32 / 3., 3 * std::sqrt(8.) * 3.8, "EVs are lost");
            NS_TEST_EXPECT_MSG_LT(packets, 8 * evs, "1 + detection / rotation packets for each");
        }
    }

    Told m_told;
};

/// The suite.
class LosslessMrcFaultsTestSuite : public TestSuite
{
  public:
    LosslessMrcFaultsTestSuite()
        : TestSuite("lossless-mrc-faults", UNIT)
    {
        // Packets of 42.22 ns, a round trip of 5.4 us, and a SACK for each 16 KiB.
        const MrcRepeatTimeTest::Case cases[] = {
            {"Lost, found after 100 packets",
             "ns3::RdmaMrc[BaseRtt=12us|LossRule=Threshold|ReorderThreshold=100]",
             100,
             100 * 0.04222 + 5.3,
             105 * 0.04222 + 5.6},
            {"Lost, found by a packet of the same EV",
             "ns3::RdmaMrc[BaseRtt=12us|LossRule=PerEv|Shuffle=false|Active=32]",
             100,
             32 * 0.04222 + 5.3,
             40 * 0.04222 + 5.6},
            {"The last one is lost, found by a probe",
             "ns3::RdmaMrc[BaseRtt=12us]",
             255,
             36 + 5.3,
             36 + 2 * 5.5},
            {"The last one is lost, found by the timer",
             "ns3::RdmaMrc[BaseRtt=12us|ProbeAfter=1s]",
             255,
             65.535,
             65.6}};
        for (const auto& each : cases)
        {
            AddTestCase(new MrcRepeatTimeTest(each));
        }
        AddTestCase(new MrcPathFailsTest(false));
        AddTestCase(new MrcPathFailsTest(true));
        AddTestCase(new MrcSlowPathTest);
        AddTestCase(new MrcSmallWindowTest);
        AddTestCase(new MrcReceiverGoneTest(2, true));
        AddTestCase(new MrcReceiverGoneTest(25, false));
        AddTestCase(new MrcEndlessTest);
        AddTestCase(new MrcLostSacksTest);
        AddTestCase(new MrcDeniedSpineTest);
        AddTestCase(new MrcDeadLinksTest(MrcDeadLinksTest::NOTHING, "Dead links"));
        AddTestCase(new MrcDeadLinksTest(MrcDeadLinksTest::LINKS, "Dead links that are denied"));
        AddTestCase(new MrcDeadLinksTest(MrcDeadLinksTest::KNOWN, "A controller finds dead links"));
    }
};

LosslessMrcFaultsTestSuite g_losslessMrcFaultsTestSuite; //!< the suite

} // namespace
