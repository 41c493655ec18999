// SPDX-License-Identifier: GPL-2.0-only

// Where the time of a flow goes, as flow-hops.csv has it, against what can be worked out by hand
// on a star: serialisation, delay, queues, and pauses of known length.

#include "fabric-test-case.h"

#include "ns3/fabric-run.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Hosts 0 to 3 are nodes 0 to 3, and the switch is node 4. All lines have 100 Gb/s and 1 us.
class FlowTimesTestCase : public FabricTestCase
{
  protected:
    explicit FlowTimesTestCase(const std::string& name)
        : FabricTestCase(name)
    {
    }

    static constexpr uint32_t SWITCH = 4;
    static constexpr double DELAY = 1000;  //!< of a line, ns
    static constexpr uint32_t MTU = 1024;  //!< of RDMA
    static constexpr double RETH = 1.28;   //!< 16 bytes of the first frame alone, ns
    static constexpr double EXACT = 0.001; //!< ns; the table has three places

    /// @param payload bytes of a frame @return its time on a line, ns: Ethernet, IP, UDP, BTH and
    /// ICRC, and what is before and after it
    static double TimeOf(uint32_t payload)
    {
        return (payload + 18 + 20 + 8 + 12 + 4 + 20) * 8 / 100.0;
    }

    /// @param flows how many @param control of their congestion
    /// @return a run of a new star that explains all its flows
    std::unique_ptr<FabricRun> MakeRun(uint32_t flows,
                                       const std::string& control = "ns3::RdmaFixedRate")
    {
        FabricHelper helper;
        helper.SetLink("Delay", StringValue("1us"));
        helper.SetLink("DataRate", StringValue("100Gbps"));
        helper.SetCongestionControl(control);
        helper.SetQueuePair("Mtu", UintegerValue(MTU));
        RunOptions options;
        options.keep = {"flow-hops"};
        for (uint32_t flow = 0; flow < flows; ++flow)
        {
            options.explain.push_back(std::to_string(flow));
        }
        options.progress = false;
        auto run = std::make_unique<FabricRun>(helper.Star(4), options);
        m_fcts.clear();
        run->Rdma().OnEnd([this](const RdmaFlowResult& result) {
            m_fcts[result.index] = static_cast<double>(result.fct.GetPicoSeconds()) / 1e3;
        });
        return run;
    }

    /// Execute a run, whose flows complete; the parts of each add up.
    void Execute(FabricRun& run)
    {
        run.Execute();
        m_columns = run.GetTable("flow-hops").GetColumns();
        for (const auto& [flow, fct] : m_fcts)
        {
            double sum = 0;
            for (std::size_t row = 0; row < Whole(0).size(); ++row)
            {
                const bool isMine = Whole(0)[row] == static_cast<int64_t>(flow);
                sum += isMine && Text(1)[row] == "last" ? Real(5)[row] : 0;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(sum, fct, 0.02, "all parts of flow " << flow);
        }
    }

    /// @param flow its number @param part such as "line" @param node where; -1: the way back
    /// @param frame "last" or "mean" @return how long, ns
    double Part(int64_t flow,
                const std::string& part,
                int64_t node,
                const std::string& frame = "last") const
    {
        return Find(5, flow, part, node, frame);
    }

    /// As Part(). @return how much of it the port was paused, ns
    double PausedOf(int64_t flow, const std::string& part, int64_t node) const
    {
        return Find(6, flow, part, node, "last");
    }

  private:
    const std::vector<int64_t>& Whole(std::size_t column) const
    {
        return std::get<std::vector<int64_t>>(m_columns.at(column));
    }

    const std::vector<double>& Real(std::size_t column) const
    {
        return std::get<std::vector<double>>(m_columns.at(column));
    }

    const std::vector<std::string>& Text(std::size_t column) const
    {
        return std::get<std::vector<std::string>>(m_columns.at(column));
    }

    /// @return a value of the one row of a part; -1: there is none, or there are several
    double Find(std::size_t column,
                int64_t flow,
                const std::string& part,
                int64_t node,
                const std::string& frame) const
    {
        double value = -1;
        int rows = 0;
        for (std::size_t row = 0; row < Whole(0).size(); ++row)
        {
            if (Whole(0)[row] == flow && Text(1)[row] == frame && Text(2)[row] == part &&
                Whole(3)[row] == node)
            {
                value = Real(column)[row];
                ++rows;
            }
        }
        return rows == 1 ? value : -1;
    }

    void DoRun() override
    {
        Run();
    }

    /// The test.
    virtual void Run() = 0;

    std::map<uint64_t, double> m_fcts; //!< by flow, ns
    std::vector<RowSink::Column> m_columns;
};

class AloneTest : public FlowTimesTestCase
{
  public:
    AloneTest()
        : FlowTimesTestCase("A flow alone: serialisation and delay, and nothing else")
    {
    }

  private:
    void Run() override
    {
        constexpr uint32_t FRAMES = 10;
        auto run = MakeRun(1);
        run->Rdma().Add({HostId(0), HostId(1), FRAMES * MTU, Time(0)});
        Execute(*run);
        const double frame = TimeOf(MTU);
        NS_TEST_EXPECT_MSG_EQ_TOL(Part(0, "sending", 0),
                                  (FRAMES - 1) * frame + RETH,
                                  EXACT,
                                  "all frames but the last");
        for (const std::string part : {"paused", "window", "paced", "other"})
        {
            NS_TEST_EXPECT_MSG_EQ(Part(0, part, 0), 0, part);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(Part(0, "line", 0), DELAY + frame, EXACT, "of the host");
        NS_TEST_EXPECT_MSG_EQ_TOL(Part(0, "line", SWITCH), DELAY + frame, EXACT, "of the switch");
        // The first frame is longer, so that each later one finds its predecessor on the line.
        NS_TEST_EXPECT_MSG_EQ_TOL(Part(0, "queue", SWITCH), RETH, EXACT, "behind the first frame");
        NS_TEST_EXPECT_MSG_EQ_TOL(Part(0, "queue", SWITCH, "mean"),
                                  RETH * (FRAMES - 1) / FRAMES,
                                  EXACT,
                                  "the first frame does not wait");
        NS_TEST_EXPECT_MSG_EQ_TOL(Part(0, "line", 0, "mean"),
                                  DELAY + frame + RETH / FRAMES,
                                  EXACT,
                                  "the first frame is longer");
        NS_TEST_EXPECT_MSG_EQ(Part(0, "answer", 1), 0, "an ACK at once");
        // ACKs have 4 bytes of AETH in place of the data.
        NS_TEST_EXPECT_MSG_EQ_TOL(Part(0, "back", -1),
                                  2 * (DELAY + TimeOf(4)),
                                  EXACT,
                                  "two lines, and no queue");
    }
};

class QueueTest : public FlowTimesTestCase
{
  public:
    QueueTest()
        : FlowTimesTestCase("Frames that arrive together wait for those before them")
    {
    }

  private:
    void Run() override
    {
        auto run = MakeRun(3);
        for (const uint32_t source : {1, 2, 3})
        {
            run->Rdma().Add({HostId(source), HostId(0), MTU, Time(0)});
        }
        Execute(*run);
        const double frame = TimeOf(MTU) + RETH;
        std::vector<double> waits;
        for (int64_t flow = 0; flow < 3; ++flow)
        {
            waits.push_back(Part(flow, "queue", SWITCH));
            NS_TEST_EXPECT_MSG_EQ(PausedOf(flow, "queue", SWITCH), 0, "nobody is paused");
            NS_TEST_EXPECT_MSG_EQ(Part(flow, "sending", flow + 1), 0, "the first is the last");
        }
        std::sort(waits.begin(), waits.end());
        for (std::size_t place = 0; place < waits.size(); ++place)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(waits[place], place * frame, EXACT, "in turn");
        }
    }
};

class PauseTest : public FlowTimesTestCase
{
  public:
    PauseTest()
        : FlowTimesTestCase("Pauses of known length, at the source and in the switch")
    {
    }

  private:
    void Run() override
    {
        // Its switch port pauses host 1, and host 2 pauses the switch, from 5 to 25 us.
        constexpr uint8_t CLASS_3 = 1U << 3;
        auto run = MakeRun(2);
        run->Faults().StickXoff(NodeId(SWITCH), 1, CLASS_3, MicroSeconds(5), MicroSeconds(20));
        run->Faults().StickXoff(NodeId(2), 0, CLASS_3, MicroSeconds(5), MicroSeconds(20));
        run->Rdma().Add({HostId(1), HostId(0), MTU, MicroSeconds(10)});
        run->Rdma().Add({HostId(3), HostId(2), MTU, MicroSeconds(10)});
        Execute(*run);
        const double xon = 25000 + 84 * 8 / 100.0 + DELAY; // when it has arrived
        NS_TEST_EXPECT_MSG_EQ_TOL(Part(0, "paused", 1), xon - 10000, EXACT, "from posting to XON");
        NS_TEST_EXPECT_MSG_EQ(Part(0, "queue", SWITCH), 0, "and then none");
        const double arrival = 10000 + TimeOf(MTU) + RETH + DELAY;
        NS_TEST_EXPECT_MSG_EQ(Part(1, "paused", 3), 0, "not its own host");
        NS_TEST_EXPECT_MSG_EQ_TOL(Part(1, "queue", SWITCH), xon - arrival, EXACT, "until XON");
        NS_TEST_EXPECT_MSG_EQ_TOL(PausedOf(1, "queue", SWITCH), xon - arrival, EXACT, "all of it");
    }
};

class HeldTest : public FlowTimesTestCase
{
  public:
    HeldTest()
        : FlowTimesTestCase("A rate spaces the frames of a flow")
    {
    }

  private:
    void Run() override
    {
        constexpr uint32_t FRAMES = 8;
        auto run = MakeRun(1, "ns3::RdmaFixedRate[Rate=25Gbps]");
        run->Rdma().Add({HostId(0), HostId(1), FRAMES * MTU, Time(0)});
        Execute(*run);
        const double sending = (FRAMES - 1) * TimeOf(MTU) + RETH;
        NS_TEST_EXPECT_MSG_EQ_TOL(Part(0, "sending", 0), sending, EXACT, "a quarter of the time");
        NS_TEST_EXPECT_MSG_EQ_TOL(Part(0, "paced", 0), 3 * sending, 0.01 * sending, "the rest");
        NS_TEST_EXPECT_MSG_EQ(Part(0, "queue", SWITCH), 0, "frames come one by one");
    }
};

/// Where the time of flows goes.
class FlowTimesTestSuite : public TestSuite
{
  public:
    FlowTimesTestSuite()
        : TestSuite("lossless-flow-times", Type::UNIT)
    {
        AddTestCase(new AloneTest);
        AddTestCase(new QueueTest);
        AddTestCase(new PauseTest);
        AddTestCase(new HeldTest);
    }
};

FlowTimesTestSuite g_flowTimesTestSuite; //!< the suite

} // namespace
