// SPDX-License-Identifier: GPL-2.0-only

// One flow with the fabric for itself: its completion time to the picosecond, computed here packet
// by packet and independently of IdealFct; and the rate that its payload reaches.

#include "fabric-test-case.h"

#include "ns3/boolean.h"
#include "ns3/fabric-helper.h"
#include "ns3/fct-stats.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <vector>

#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#define LOSSLESS_HEAP_IN_USE
#endif
#endif

using namespace ns3;

namespace
{

/// What machines need beside the links, picoseconds.
struct Machine
{
    std::string name;     //!< for the case
    int64_t switchPs{0};  //!< SwitchDelay
    uint64_t cutBytes{0}; //!< CutThroughBytes; 0: no CutThrough
    int64_t txPs{0};      //!< TxDelay
    int64_t rxPs{0};      //!< RxDelay
};

/// Hosts 0 and 1 at the ends of a row of switches.
class Row
{
  public:
    /// @param gbps rates of the links, in order @param machine what switches and hosts need
    Row(const std::vector<uint64_t>& gbps, const Machine& machine)
        : m_gbps(gbps),
          m_machine(machine)
    {
        NodeId before = m_topology.AddHost();
        for (std::size_t i = 0; i < gbps.size(); ++i)
        {
            const bool last = i + 1 == gbps.size();
            const NodeId next = last ? m_topology.AddHost() : m_topology.AddSwitch();
            FabricLinkSpec link;
            link.rate = DataRate(gbps[i] * 1000000000);
            link.delay = NanoSeconds(Delay(i));
            m_topology.AddLink(before, next, link);
            before = next;
        }
    }

    /// @return the graph
    const FabricTopology& GetTopology() const
    {
        return m_topology;
    }

    /**
     * Completion of a WRITE with an ACK for each packet, by following every packet.
     * @param bytes length of the message @param mtu payload of a packet
     * @return picoseconds
     */
    int64_t Completion(uint64_t bytes, uint64_t mtu) const
    {
        const uint64_t packets = std::max<uint64_t>(1, (bytes + mtu - 1) / mtu);
        std::vector<int64_t> free(m_gbps.size(), 0);    // when each link is free, forwards
        std::vector<int64_t> ackFree(m_gbps.size(), 0); // and backwards
        int64_t completed = 0;
        for (uint64_t i = 0; i < packets; ++i)
        {
            const uint64_t payload = i + 1 < packets ? mtu : bytes - (packets - 1) * mtu;
            // Preamble and gap 20, Ethernet 18, IPv4 20, UDP 8, BTH 12, ICRC 4; RETH 16.
            const uint64_t wire = (payload + 3) / 4 * 4 + 82 + (i == 0 ? 16 : 0);
            int64_t at = 0;
            for (std::size_t hop = 0; hop < m_gbps.size(); ++hop)
            {
                at = Cross(hop, hop + 1, wire, at, free[hop]);
            }
            for (std::size_t hop = m_gbps.size(); hop-- > 0;)
            {
                at = Cross(hop, hop - 1, 86, at, ackFree[hop]); // 82 and AETH 4
            }
            completed = at;
        }
        return m_machine.txPs + completed + m_machine.rxPs;
    }

  private:
    /// @param hop number of a link @return its delay, ns
    static int64_t Delay(std::size_t hop)
    {
        return 1000 + 137 * static_cast<int64_t>(hop);
    }

    /// @param hop number of a link @param next the link behind it, of those that there are
    /// @param wire bytes @param at when the frame may start @param free when the link is free
    /// @return when it may start behind, or its last bit has arrived at the host
    int64_t Cross(std::size_t hop, std::size_t next, uint64_t wire, int64_t at, int64_t& free) const
    {
        const auto time = [&](uint64_t bytes) {
            return static_cast<int64_t>(bytes * 8 * 1000 / m_gbps[hop]);
        };
        const int64_t start = std::max(at, free);
        free = start + time(wire);
        if (next >= m_gbps.size())
        {
            return free + 1000 * Delay(hop);
        }
        const bool cuts = m_machine.cutBytes && m_gbps[next] <= m_gbps[hop];
        const uint64_t known = cuts ? std::min(wire, m_machine.cutBytes + 20) : wire;
        return start + time(known) + 1000 * Delay(hop) + m_machine.switchPs;
    }

    std::vector<uint64_t> m_gbps;
    Machine m_machine;
    FabricTopology m_topology;
};

class ClosedFormTest : public FabricTestCase
{
  public:
    /// @param gbps rates of the links, in order @param machine what switches and hosts need
    explicit ClosedFormTest(const std::vector<uint64_t>& gbps, const Machine& machine = {})
        : FabricTestCase("One flow takes as long as it must over " + Name(gbps) + machine.name),
          m_gbps(gbps),
          m_machine(machine)
    {
    }

  private:
    static std::string Name(const std::vector<uint64_t>& gbps)
    {
        std::string name = std::to_string(gbps.size() - 1) + " switches:";
        for (const uint64_t rate : gbps)
        {
            name += " " + std::to_string(rate);
        }
        return name + " Gbps";
    }

    void DoRun() override
    {
        for (const uint64_t mtu : {256, 1000, 1024, 4096})
        {
            for (const uint64_t bytes : {0, 1, 999, 1024, 1025, 8191, 50000, 500001})
            {
                Compare(mtu, bytes);
            }
        }
    }

    void Compare(uint64_t mtu, uint64_t bytes)
    {
        const Row row(m_gbps, m_machine);
        FabricHelper helper;
        helper.SetQueuePair("Mtu", UintegerValue(mtu));
        helper.SetQueuePair("TxDelay", TimeValue(PicoSeconds(m_machine.txPs)));
        helper.SetQueuePair("RxDelay", TimeValue(PicoSeconds(m_machine.rxPs)));
        helper.SetSwitch("ns3::FabricSwitch",
                         "SwitchDelay",
                         TimeValue(PicoSeconds(m_machine.switchPs)));
        helper.SetSwitch("ns3::FabricSwitch",
                         "CutThrough",
                         BooleanValue(m_machine.cutBytes > 0),
                         "CutThroughBytes",
                         UintegerValue(std::max<uint64_t>(m_machine.cutBytes, 64)));
        helper.SetCongestionControl("none"); // a slower link further on would mark
        const Fabric fabric = helper.FromTopology(row.GetTopology());
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, bytes, MicroSeconds(3)});
        RdmaFlowResult result;
        flows.OnEnd([&result](const RdmaFlowResult& end) { result = end; });
        Simulator::Run();
        Simulator::Destroy();
        const std::string what =
            std::to_string(bytes) + " bytes in packets of " + std::to_string(mtu);
        const int64_t expected = row.Completion(bytes, mtu);
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), 1, what);
        NS_TEST_EXPECT_MSG_EQ(result.fct.GetPicoSeconds(), expected, what);
        NS_TEST_EXPECT_MSG_EQ(result.ideal.GetPicoSeconds(), expected, "IdealFct, " << what);
    }

    std::vector<uint64_t> m_gbps;
    Machine m_machine;
};

/// One flow alone, with DCQCN: its payload takes what the headers leave of the line.
class LineRateTest : public FabricTestCase
{
  public:
    /// @param rate of all links @param mtu payload of a packet
    LineRateTest(const std::string& rate, uint32_t mtu)
        : FabricTestCase("Pitfall 3: one flow fills " + rate + " within 0.1 %, MTU " +
                         std::to_string(mtu)),
          m_rate(rate),
          m_mtu(mtu)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue(m_rate));
        helper.SetQueuePair("Mtu", UintegerValue(m_mtu));
        const Fabric fabric = helper.Dumbbell(1, 1, DataRate(m_rate));
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, uint64_t{1} << 40});
        const RdmaCounters& counters = fabric.GetRdma(1)->GetCounters();
        uint64_t begin = 0;
        uint64_t end = 0;
        Simulator::Schedule(MicroSeconds(100), [&] { begin = counters.payloadDelivered; });
        Simulator::Schedule(MicroSeconds(1100), [&] {
            end = counters.payloadDelivered;
            Simulator::Stop();
        });
        Simulator::Run();
        const double line = static_cast<double>(DataRate(m_rate).GetBitRate());
        const double achievable = line * m_mtu / (m_mtu + 82);
        const double reached = 8 * static_cast<double>(end - begin) / 1e-3;
        NS_TEST_EXPECT_MSG_EQ_TOL(reached, achievable, 0.001 * achievable, "payload rate");
    }

    std::string m_rate;
    uint32_t m_mtu;
};

#ifdef LOSSLESS_HEAP_IN_USE
/// Statistics take the same memory after a hundred flows and after a hundred thousand.
class BoundedMemoryTest : public FabricTestCase
{
  public:
    BoundedMemoryTest()
        : FabricTestCase("Pitfall 21: statistics do not grow with the run")
    {
    }

  private:
    /// Add results. @param stats to which @param count how many
    static void Add(FctStats& stats, uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            RdmaFlowResult result;
            result.index = i;
            result.flow.bytes = uint64_t{1} << (i % 24);
            result.ideal = MicroSeconds(10);
            result.fct = MicroSeconds(10 + i % 1000);
            stats.Add(result);
        }
    }

    void DoRun() override
    {
        FctStats stats;
        ReportFiles files(stats, {CreateTempDirFilename("fct.csv")});
        Add(stats, 24000);
        const auto before = mallinfo2();
        Add(stats, 100000);
        const auto after = mallinfo2();
        NS_TEST_EXPECT_MSG_LT_OR_EQ(after.uordblks + after.hblkhd,
                                    before.uordblks + before.hblkhd + 1024,
                                    "heap in use");
        files.Commit();
    }
};
#endif

class FctTestSuite : public TestSuite
{
  public:
    FctTestSuite()
        : TestSuite("lossless-fct", Type::UNIT)
    {
        using Rates = std::vector<uint64_t>;
        for (const Rates& gbps : {Rates{100},
                                  Rates{100, 100},
                                  Rates{100, 40},
                                  Rates{10, 400},
                                  Rates{100, 400, 100},
                                  Rates{100, 25, 800},
                                  Rates{40, 100, 10, 25},
                                  Rates{200, 100, 50, 400}})
        {
            AddTestCase(new ClosedFormTest(gbps));
            AddTestCase(
                new ClosedFormTest(gbps,
                                   {", slow switches and hosts", 725000, 0, 2500000, 1900000}));
            AddTestCase(new ClosedFormTest(gbps, {", cut-through", 0, 64}));
            AddTestCase(new ClosedFormTest(gbps, {", all of it", 450000, 128, 1300000, 1300000}));
        }
        AddTestCase(new LineRateTest("10Gbps", 1024));
        AddTestCase(new LineRateTest("100Gbps", 1000));
        AddTestCase(new LineRateTest("400Gbps", 4096));
        AddTestCase(new LineRateTest("800Gbps", 4096));
#ifdef LOSSLESS_HEAP_IN_USE
        AddTestCase(new BoundedMemoryTest);
#endif
    }
};

FctTestSuite g_fctTestSuite; //!< registers the suite

} // namespace
