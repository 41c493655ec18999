// SPDX-License-Identifier: GPL-2.0-only

// Who gets how much of a bottleneck: with DCQCN all the same and the line full; without
// congestion control what PFC makes of it, fair by ingress port and not by flow, and
// the harm to those who do not use the bottleneck.

#include "fabric-test-case.h"

#include "ns3/fabric-helper.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @param rate a rate @return it in Gb/s
double
Gbps(DataRate rate)
{
    return static_cast<double>(rate.GetBitRate()) / 1e9;
}

/// Long flows, and what each sends in a window of time.
class LongFlows
{
  public:
    /// @param fabric where they run
    explicit LongFlows(const Fabric& fabric)
        : m_fabric(fabric),
          m_flows(fabric)
    {
        fabric.AssignStreams(100);
    }

    /// @param source host, of one flow only @param destination host
    void Add(uint32_t source, uint32_t destination)
    {
        m_flows.Add({source, destination, uint64_t{1} << 40});
        m_sources.push_back(source);
    }

    /// Run, and measure from one time to another.
    /// @param from begin @param to end
    void Run(Time from, Time to)
    {
        Simulator::Schedule(from, [this] {
            m_sent = Sent();
            m_received = Received();
        });
        Simulator::Schedule(to, [this, to, from] {
            sent = Rates(m_sent, Sent(), to - from);
            received = Rates(m_received, Received(), to - from);
            Simulator::Stop();
        });
        Simulator::Run();
        for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
        {
            drops += m_fabric.GetSwitch(i)->GetLosslessDrops();
        }
    }

    /// @return Jain's index of what the flows send
    double Jain() const
    {
        double sum = 0;
        double squares = 0;
        for (const double rate : sent)
        {
            sum += rate;
            squares += rate * rate;
        }
        return sum * sum / (static_cast<double>(sent.size()) * squares);
    }

    std::vector<double> sent;     //!< by flow, Gb/s of wire bits
    std::vector<double> received; //!< by host, Gb/s of wire bits
    uint64_t drops{0};            //!< in lossless classes

  private:
    /// @param host a host @return the counters of its first port
    QbbNetDevice::Counters Port(uint32_t host) const
    {
        return m_fabric.GetDevice(m_fabric.GetTopology().GetHosts()[host], 0)->GetCounters();
    }

    /// @return wire bytes sent so far, by flow
    std::vector<uint64_t> Sent() const
    {
        std::vector<uint64_t> bytes;
        for (const uint32_t source : m_sources)
        {
            bytes.push_back(Port(source).txWireBytes);
        }
        return bytes;
    }

    /// @return wire bytes received so far, by host
    std::vector<uint64_t> Received() const
    {
        std::vector<uint64_t> bytes;
        for (uint32_t host = 0; host < m_fabric.GetNHosts(); ++host)
        {
            bytes.push_back(Port(host).rxWireBytes);
        }
        return bytes;
    }

    /// @param begin bytes at first @param end bytes at last @param time between them
    /// @return rates, Gb/s
    static std::vector<double> Rates(const std::vector<uint64_t>& begin,
                                     const std::vector<uint64_t>& end,
                                     Time time)
    {
        std::vector<double> rates;
        for (std::size_t i = 0; i < end.size(); ++i)
        {
            rates.push_back(8e-9 * static_cast<double>(end[i] - begin[i]) / time.GetSeconds());
        }
        return rates;
    }

    Fabric m_fabric;
    RdmaFlowHelper m_flows;
    std::vector<uint32_t> m_sources;
    std::vector<uint64_t> m_sent;
    std::vector<uint64_t> m_received;
};

/// N flows into one host.
class DcqcnTest : public FabricTestCase
{
  public:
    /// @param dialect of DCQCN @param flows how many @param rate of all links
    /// @param from begin of the window @param to its end
    DcqcnTest(const std::string& dialect,
              uint32_t flows,
              const std::string& rate,
              Time from,
              Time to)
        : FabricTestCase(std::to_string(flows) + " flows share " + rate + ", " + dialect),
          m_dialect(dialect),
          m_flows(flows),
          m_rate(rate),
          m_from(from),
          m_to(to)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue(m_rate), "Delay", StringValue("1us"));
        helper.SetCongestionControl("ns3::RdmaDcqcn", "Dialect", StringValue(m_dialect));
        if (m_dialect == "Paper")
        {
            helper.SetEcnThresholds(DataRate(m_rate), 5000, 200000, 0.01); // DCQCN paper
        }
        const Fabric fabric = helper.Star(m_flows + 1);
        LongFlows flows(fabric);
        for (uint32_t i = 1; i <= m_flows; ++i)
        {
            flows.Add(i, 0);
        }
        flows.Run(m_from, m_to);
        const double utilisation = flows.received[0] / Gbps(DataRate(m_rate));
        std::cout << GetName() << ": from " << m_from.As(Time::MS) << " to " << m_to.As(Time::MS)
                  << ", utilisation " << utilisation << ", Jain's index " << flows.Jain() << "\n";
        NS_TEST_EXPECT_MSG_GT_OR_EQ(utilisation, 0.95, "the line is full");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(flows.Jain(), 0.95, "all get the same");
        NS_TEST_EXPECT_MSG_EQ(flows.drops, 0, "no drop");
    }

    std::string m_dialect;
    uint32_t m_flows;
    std::string m_rate;
    Time m_from;
    Time m_to;
};

// ---- PFC alone

/// Hosts at leaf switches that hang on one switch, with the receiver there (parking lot).
class UnfairTest : public FabricTestCase
{
  public:
    /// @param leaves senders behind each port of the receiver's switch; the last is joined directly
    explicit UnfairTest(const std::vector<uint32_t>& leaves)
        : FabricTestCase("PFC without congestion control is fair by port, " +
                         std::to_string(leaves.size()) + " ports"),
          m_leaves(leaves)
    {
    }

  private:
    void DoRun() override
    {
        FabricLinkSpec link;
        link.rate = DataRate("40Gbps");
        FabricTopology topology;
        const NodeId top = topology.AddSwitch();
        topology.AddLink(topology.AddHost(), top, link); // the receiver
        std::vector<double> expected;
        for (const uint32_t senders : m_leaves)
        {
            const bool direct = &senders == &m_leaves.back();
            const NodeId leaf = direct ? top : topology.AddSwitch();
            if (!direct)
            {
                topology.AddLink(leaf, top, link);
            }
            for (uint32_t i = 0; i < senders; ++i)
            {
                topology.AddLink(topology.AddHost(), leaf, link);
                expected.push_back(40.0 / static_cast<double>(m_leaves.size() * senders));
            }
        }
        FabricHelper helper;
        helper.SetCongestionControl("none");
        const Fabric fabric = helper.FromTopology(topology);
        LongFlows flows(fabric);
        for (uint32_t host = 1; host < fabric.GetNHosts(); ++host)
        {
            flows.Add(host, 0);
        }
        flows.Run(MilliSeconds(5), MilliSeconds(10));
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            std::cout << "sender " << i + 1 << ": " << flows.sent[i] << " Gb/s, expected "
                      << expected[i] << "\n";
            NS_TEST_EXPECT_MSG_EQ_TOL(flows.sent[i], expected[i], 0.05 * expected[i], "its share");
        }
        NS_TEST_EXPECT_MSG_GT(flows.received[0], 0.999 * 40, "the line is full");
        NS_TEST_EXPECT_MSG_EQ(flows.drops, 0, "no drop");
    }

    std::vector<uint32_t> m_leaves;
};

/// A flow that shares a link with an incast, and not its bottleneck (victim flow).
class VictimTest : public FabricTestCase
{
  public:
    /// @param congestion congestion control
    explicit VictimTest(const std::string& congestion)
        : FabricTestCase("A victim beside an incast, congestion control " + congestion),
          m_congestion(congestion)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue("40Gbps"));
        helper.SetCongestionControl(m_congestion);
        const Fabric fabric = helper.Dumbbell(5, 2, DataRate("100Gbps"));
        LongFlows flows(fabric);
        for (uint32_t host = 0; host < 4; ++host)
        {
            flows.Add(host, 5);
        }
        flows.Add(4, 6); // there is room for it everywhere
        flows.Run(MilliSeconds(20), MilliSeconds(30));
        const double victim = flows.received[6];
        std::cout << GetName() << ": victim " << victim << " Gb/s, incast " << flows.received[5]
                  << " Gb/s\n";
        if (m_congestion == "none")
        {
            // The five share what the pause of the middle link leaves.
            NS_TEST_EXPECT_MSG_EQ_TOL(victim, 40.0 / 4, 1, "no more than one of the incast");
            NS_TEST_EXPECT_MSG_GT(flows.received[5], 0.999 * 40, "the line is full");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(victim, 0.95 * 40, "as if it were alone");
            NS_TEST_EXPECT_MSG_GT(flows.received[5], 0.95 * 40, "the line is full");
        }
        NS_TEST_EXPECT_MSG_EQ(flows.drops, 0, "no drop");
    }

    std::string m_congestion;
};

class FairnessTestSuite : public TestSuite
{
  public:
    FairnessTestSuite()
        : TestSuite("lossless-fairness", Type::SYSTEM)
    {
        for (const uint32_t flows : {2, 8, 16})
        {
            const Time nic = MilliSeconds(10);
            AddTestCase(new DcqcnTest("Nic", flows, "100Gbps", nic, nic + MilliSeconds(10)));
            const Time paper = MilliSeconds(15);
            AddTestCase(new DcqcnTest("Paper", flows, "40Gbps", paper, paper + MilliSeconds(10)));
        }
        AddTestCase(new UnfairTest({3, 1}));
        AddTestCase(new UnfairTest({2, 1, 1}));
        AddTestCase(new VictimTest("none"));
        AddTestCase(new VictimTest("ns3::RdmaDcqcn"));
    }
};

FairnessTestSuite g_fairnessTestSuite; //!< registers the suite

} // namespace
