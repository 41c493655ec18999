// SPDX-License-Identifier: GPL-2.0-only

// MRC over the planes of a fabric: times of single messages, equal planes, cut ports, trimmed
// incasts, what is refused, and that runs repeat.

#include "mrc-test-case.h"
#include "rdma-port.h"
#include "wire-digest.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-run.h"
#include "ns3/fault-helper.h"
#include "ns3/rdma-mrc.h"
#include "ns3/rdma-nscc.h"
#include "ns3/result-table.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using ns3::tests::WireDigest;

namespace
{

/// 16.2: a message of 2 MiB alone, by planes, to 1 %.
class MrcAloneTest : public MrcTestCase
{
  public:
    MrcAloneTest(uint32_t planes, double us)
        : MrcTestCase("One message over " + std::to_string(planes) + " planes"),
          m_planes(planes),
          m_us(us)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        const Fabric fabric = Build(helper, m_planes);
        RdmaFlowHelper flows(fabric);
        flows.Add(Flow(0, 15, 2 << 20));
        double fct = 0;
        double ideal = 0;
        flows.OnEnd([&](const RdmaFlowResult& result) {
            fct = result.fct.GetSeconds() * 1e6;
            ideal = result.ideal.GetSeconds() * 1e6;
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(fct, m_us, m_us / 100, "last SACK, us");
        NS_TEST_EXPECT_MSG_EQ_TOL(ideal, m_us, m_us / 100, "ideal, us");
        const auto& counters = fabric.GetRdma(HostId(0))->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.dataPackets, 512U, "no packet is sent twice");
    }

    uint32_t m_planes;
    double m_us;
};

/// 16.3: planes stay within PlaneLead.
class MrcEqualPlanesTest : public MrcTestCase
{
  public:
    MrcEqualPlanesTest()
        : MrcTestCase("Planes are equal")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        const Fabric fabric = Build(helper, 4);
        RdmaFlowHelper flows(fabric);
        flows.Permutation(4 << 20, Time(0));
        uint64_t apart = 0;
        uint64_t looks = 0;
        for (Time at = MicroSeconds(5); at < MicroSeconds(300); at += MicroSeconds(5))
        {
            Simulator::Schedule(at, [&] {
                for (uint32_t host = 0; host < 16; ++host)
                {
                    if (const auto transport = TransportOf(fabric, host))
                    {
                        looks += transport->GetTurns()->GetSent(0) > 0;
                        apart = std::max(apart, Apart(*transport, 4));
                    }
                }
            });
        }
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 16U, "all messages");
        NS_TEST_EXPECT_MSG_GT(looks, 100U, "hosts were seen while they sent");
        NS_TEST_EXPECT_MSG_EQ((apart <= 8), true, "PlaneLead: " << apart);
    }
};

/// 16.4: a port of the sender, or of the receiver, is cut while a long message is sent.
class MrcCutPortTest : public MrcTestCase
{
  public:
    /// @param host whose port
    explicit MrcCutPortTest(uint32_t host)
        : MrcTestCase("A port of host " + std::to_string(host) + " is cut"),
          m_host(host)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        const Fabric fabric = Build(helper, 8);
        RdmaFlowHelper flows(fabric);
        flows.Add(Flow(0, 15, 200000000));
        FaultHelper faults(fabric);
        const FabricTopology& topology = fabric.GetTopology();
        const LinkId link = topology.GetLinksOf(topology.NodeOf(HostId(m_host)))[3];
        faults.CutLink(link, MicroSeconds(500), MicroSeconds(700));
        const RdmaCounters& received = fabric.GetRdma(HostId(15))->GetCounters();
        std::vector<double> delivered;
        for (const int us : {200, 400, 600, 1100, 1300, 1500})
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                delivered.push_back(static_cast<double>(received.payloadDelivered));
            });
        }
        std::vector<double> largest;
        for (const int us : {600, 1300})
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                const auto control = QueuePairOf(fabric, 0)->GetCongestionControl();
                largest.push_back(DynamicCast<RdmaNscc>(control)->GetWindow().GetMax());
            });
        }
        Simulator::Stop(MilliSeconds(4));
        Simulator::Run();
        const double whole = (delivered[1] - delivered[0]) / 200;
        NS_TEST_EXPECT_MSG_EQ_TOL(whole * 8e-3, 776.125, 1, "Gb/s of all planes");
        NS_TEST_EXPECT_MSG_EQ_TOL((delivered[3] - delivered[2]) / 500 / whole, 0.875, 0.01, "cut");
        NS_TEST_EXPECT_MSG_EQ_TOL((delivered[5] - delivered[4]) / 200 / whole, 1, 0.01, "mended");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1U, "the message is complete");
        NS_TEST_EXPECT_MSG_EQ_TOL(largest[0] / largest[1], 0.875, 1e-9, "max_cwnd of seven planes");
        const uint64_t again = fabric.GetRdma(HostId(0))->GetCounters().retransmitted;
        NS_TEST_EXPECT_MSG_EQ((again <= (m_host == 0 ? 3U : 16U)), true, "sent again: " << again);
    }

    uint32_t m_host;
};

/// 16.8: an incast of 15 to 1, and the same run twice.
class MrcIncastTest : public MrcTestCase
{
  public:
    /// @param marks whether ports to hosts mark, too, as in uet-htsim
    explicit MrcIncastTest(bool marks)
        : MrcTestCase(std::string("An incast is trimmed, and repeats") +
                      (marks ? ": marks at the last hop" : "")),
          m_marks(marks)
    {
    }

  private:
    /// @return end of the last message, us, and a digest of all packets
    std::pair<double, uint64_t> Once()
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        if (m_marks)
        {
            helper.At("leaf to host")
                .Set("ns3::WredEcnMarker::Kmin",
                     UintegerValue(30000),
                     "ns3::WredEcnMarker::Kmax",
                     UintegerValue(120000));
        }
        const Fabric fabric = Build(helper, 1);
        RdmaFlowHelper flows(fabric);
        flows.AssignStreams(7);
        fabric.AssignStreams(100000);
        flows.Incast(15, HostId(0), 2000000, Time(0));
        WireDigest digest(fabric);
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 15U, "all messages");
        uint64_t trims = 0;
        for (uint32_t host = 1; host < 16; ++host)
        {
            trims += fabric.GetRdma(HostId(host))->GetCounters().naksReceived;
        }
        NS_TEST_EXPECT_MSG_GT(trims, 100U, "packets are trimmed");
        const std::pair<double, uint64_t> result{flows.GetLastEnd().GetSeconds() * 1e6,
                                                 digest.Get()};
        Simulator::Destroy();
        return result;
    }

    void DoRun() override
    {
        const auto first = Once();
        NS_TEST_EXPECT_MSG_GT(first.first, 2473.9, "no faster than the line");
        if (m_marks)
        {
            NS_TEST_EXPECT_MSG_LT(first.first, 2473.9 * 1.035 + 12, "at most 3.5 % slower");
        }
        NS_TEST_EXPECT_MSG_EQ((first == Once()), true, "the same packets again");
    }

    bool m_marks;
};

/// Other congestion controls with a window.
class MrcControlTest : public MrcTestCase
{
  public:
    /// @param control type of the congestion control
    explicit MrcControlTest(const std::string& control)
        : MrcTestCase(control + " controls MRC"),
          m_control(control)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        helper.SetCongestionControl(m_control);
        const Fabric fabric = Build(helper, 2);
        RdmaFlowHelper flows(fabric);
        flows.Incast(7, HostId(0), 500000, Time(0));
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 7U, "all messages");
    }

    std::string m_control;
};

/// The class map of a port gives data another queue while a message is sent.
class MrcQueueTest : public MrcTestCase
{
  public:
    MrcQueueTest()
        : MrcTestCase("A queue pair follows its data to another queue")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        const Fabric fabric = Build(helper, 2);
        RdmaFlowHelper flows(fabric);
        flows.Add(Flow(0, 15, 4 << 20));
        const auto device = fabric.GetDevice(fabric.GetTopology().NodeOf(HostId(0)), 1);
        uint8_t queues = 0;
        Simulator::Schedule(MicroSeconds(20), [&] {
            device->GetTrafficClassMap()->SetQueue(3, 5);
            queues = fabric.GetRdma(HostId(0))->Port(1).Scheduler().ReadyMask();
        });
        uint64_t bytes = 0;
        Simulator::Schedule(MicroSeconds(40), [&] { bytes = SentOf(*device, 3); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1U, "the message");
        NS_TEST_EXPECT_MSG_EQ(+queues, 1U << 5, "waits in the new one");
        NS_TEST_EXPECT_MSG_EQ(SentOf(*device, 3), bytes, "and uses no other one");
        NS_TEST_EXPECT_MSG_GT(SentOf(*device, 5), 1000000U, "until the end");
    }

    /// @param device a port @param queue of it @return bytes that it has sent from the queue
    static uint64_t SentOf(const QbbNetDevice& device, uint32_t queue)
    {
        return device.GetCounters().txClassBytes[queue];
    }
};

/// 16.23: what MRC cannot do.
class MrcRefusalTest : public MrcTestCase
{
  public:
    MrcRefusalTest()
        : MrcTestCase("What MRC cannot do is refused")
    {
    }

  private:
    /// @param change of the settings @param text of the refusal
    template <typename Change>
    void Expect(Change change, const std::string& text)
    {
        FabricHelper helper;
        helper.SetQueuePair("Transport", StringValue("ns3::RdmaMrc"));
        helper.SetCongestionControl("ns3::RdmaNscc");
        helper.SetLosslessClasses({});
        helper.AllowLossy();
        change(helper);
        const Fabric fabric = Build(helper, 2);
        ExpectRefusal([&] { fabric.Connect(HostId(0), HostId(1)); }, text);
    }

    void DoRun() override
    {
        Expect([](FabricHelper& h) { h.SetLosslessClasses({3}); }, "class 3 has PFC");
        Expect([](FabricHelper& h) { h.SetCongestionControl("ns3::RdmaDcqcn"); }, "RdmaDcqcn");
        Expect([](FabricHelper& h) { h.SetCongestionControl("ns3::RdmaHpcc"); }, "RdmaHpcc");
        Expect([](FabricHelper& h) { h.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn")); },
               "LossRecovery");
        Expect(
            [](FabricHelper& h) { h.SetQueuePair("Entropy", StringValue("ns3::RdmaEntropyReps")); },
            "Entropy");
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12));
        const Fabric fabric = Build(helper, 2);
        const auto connection = fabric.Connect(HostId(0), HostId(1));
        for (const RdmaVerb verb : {RdmaVerb::READ, RdmaVerb::SEND})
        {
            ExpectRefusal([&] { connection.source->Post({verb, 1000}); }, ToString(verb));
        }
    }
};

/// The suite.
class LosslessMrcTestSuite : public TestSuite
{
  public:
    LosslessMrcTestSuite()
        : TestSuite("lossless-mrc", UNIT)
    {
        for (const auto& [planes, us] : {std::pair{8U, 26.67}, {7U, 30.05}, {1U, 177.99}})
        {
            AddTestCase(new MrcAloneTest(planes, us));
        }
        AddTestCase(new MrcEqualPlanesTest);
        AddTestCase(new MrcCutPortTest(0));
        AddTestCase(new MrcCutPortTest(15));
        AddTestCase(new MrcIncastTest(false));
        AddTestCase(new MrcIncastTest(true));
        for (const char* control :
             {"ns3::RdmaSwift", "ns3::RdmaFixedWindow[Window=100000]", "ns3::RdmaDctcp"})
        {
            AddTestCase(new MrcControlTest(control));
        }
        AddTestCase(new MrcQueueTest);
        AddTestCase(new MrcRefusalTest);
    }
};

LosslessMrcTestSuite g_losslessMrcTestSuite; //!< the suite

} // namespace
