// SPDX-License-Identifier: GPL-2.0-only

// Which pause caused which: parents and roots of scenes whose chains are known, and that each pause
// of pause.csv is in the tree once.

#include "fabric-test-case.h"
#include "run-scene.h"

#include "ns3/fabric-run.h"
#include "ns3/nic-receive-buffer.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using tests::ContentOf;
using tests::Rows;
using tests::RowsOf;

/// A run with a pause tree.
class PauseTreeTestCase : public FabricTestCase
{
  protected:
    explicit PauseTreeTestCase(const std::string& name)
        : FabricTestCase(name)
    {
    }

    /// Two leaves below one spine, four hosts each; the buffers are small.
    static Fabric Chain()
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("1MiB"));
        return helper.LeafSpine(2, 1, 4);
    }

    /// @param run gets flows of the hosts of leaf 1 to host 0
    static void AddFlows(FabricRun& run)
    {
        for (uint32_t host = 4; host < 8; ++host)
        {
            run.Rdma().Add({host, 0, 2000000});
        }
        run.Rdma().Add({1, 0, 4000000}); // so that the port to host 0 gets more than it can send
    }

    /// @param fabric of Chain() @param folder below that of the test @param tree of the options
    /// @param threads of the run; 0: not said @return the folder
    std::string Execute(const Fabric& fabric,
                        const std::string& folder,
                        bool tree,
                        uint32_t threads = 0)
    {
        RunOptions options;
        options.outDir = CreateTempDirFilename(folder);
        options.pauseTree = tree;
        if (threads > 0)
        {
            options.threads = threads;
        }
        FabricRun run(fabric, options);
        AddFlows(run);
        m_summary = run.Execute().Summary();
        return options.outDir;
    }

    /// Each pause of pause.csv is in pause-tree.csv once, and the other way. Parents were in force
    /// when the XOFF was sent, and have the same root.
    /// @param folder of a run @param way from an XOFF to its pause, ns @return rows of the tree
    Rows ExpectTree(const std::string& folder, int64_t way)
    {
        std::vector<std::string> pauses;
        for (auto& row : RowsOf(folder + "/pause.csv"))
        {
            pauses.push_back(row["start_ns"] + ' ' + row["node"] + ' ' + row["port"] + ' ' +
                             row["class"] + ' ' + row["duration_ns"]);
        }
        Rows rows = RowsOf(folder + "/pause-tree.csv");
        std::vector<std::string> found;
        std::map<std::string, std::map<std::string, std::string>> byId;
        for (auto& row : rows)
        {
            found.push_back(row["start_ns"] + ' ' + row["node"] + ' ' + row["port"] + ' ' +
                            row["class"] + ' ' + row["duration_ns"]);
            NS_TEST_EXPECT_MSG_EQ(byId.emplace(row["id"], row).second, true, "ids are unique");
        }
        std::sort(pauses.begin(), pauses.end());
        std::sort(found.begin(), found.end());
        NS_TEST_EXPECT_MSG_EQ((pauses == found), true, "the pauses of pause.csv, each once");
        NS_TEST_EXPECT_MSG_GT(rows.size(), 0, "pauses");
        for (auto& row : rows)
        {
            if (row["cause"] != "pause")
            {
                NS_TEST_EXPECT_MSG_EQ(row["parent"], "-1", "a root has no parent");
                NS_TEST_EXPECT_MSG_EQ(row["root"], row["id"], "a root is its own");
                continue;
            }
            auto& parent = byId[row["parent"]];
            const int64_t sent = std::stoll(row["start_ns"]) - way;
            const int64_t begin = std::stoll(parent["start_ns"]);
            NS_TEST_EXPECT_MSG_EQ(parent["node"], row["by_node"], "it paused who asks");
            NS_TEST_EXPECT_MSG_EQ(parent["port"], row["egress_port"], "in that queue");
            NS_TEST_EXPECT_MSG_EQ(parent["class"], row["egress_class"], "in that queue");
            NS_TEST_EXPECT_MSG_EQ(parent["root"], row["root"], "one tree");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(begin, sent + 1, "it had begun");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(begin + std::stoll(parent["duration_ns"]) + 1,
                                        sent,
                                        "it had not ended");
        }
        return rows;
    }

    std::string m_summary; //!< of the last run
};

class ChainTest : public PauseTreeTestCase
{
  public:
    ChainTest()
        : PauseTreeTestCase("pause-tree.csv: leaf, spine, leaf and hosts")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric plain = Chain();
        const std::string without = Execute(plain, "plain", false);
        NS_TEST_EXPECT_MSG_EQ(ContentOf(without + "/pause-tree.csv"), "", "not asked for");
        NS_TEST_EXPECT_MSG_EQ((m_summary.find("Pause tree") == std::string::npos), true, "no line");
        Simulator::Destroy();
        const Fabric fabric = Chain();
        const std::string folder = Execute(fabric, "tree", true);
        for (const char* file : {"/fct.csv", "/pfc.csv", "/pause.csv", "/queue.csv"})
        {
            NS_TEST_EXPECT_MSG_EQ((ContentOf(without + file) == ContentOf(folder + file)),
                                  true,
                                  file << " is the same with and without");
        }
        // Nodes: hosts 0 to 7, leaves 8 and 9, spine 10. Port 4 of a leaf is its uplink; ports 0
        // and 1 of the spine are those to the leaves. A PFC frame of 64 bytes takes 1 us and, at
        // the hosts' 100 Gb/s, 7 ns with preamble and gap; less on uplinks.
        Rows rows = ExpectTree(folder, 1007);
        std::map<std::string, uint32_t> seen;
        for (auto& row : rows)
        {
            const std::string who = row["by_node"] + " pauses " + row["node"];
            ++seen[who + ' ' + row["cause"]];
            const std::string expected = row["by_node"] == "8"    ? "0"  // to host 0
                                         : row["by_node"] == "10" ? "0"  // to leaf 0
                                                                  : "4"; // the uplink
            NS_TEST_EXPECT_MSG_EQ(row["egress_port"], expected, who);
            NS_TEST_EXPECT_MSG_EQ(row["share"], "1.0000", who);
            NS_TEST_EXPECT_MSG_EQ((row["by_node"] != "8" || row["cause"] == "queue"),
                                  true,
                                  "host 0 pauses nobody: what leaf 0 asks for is a root");
        }
        NS_TEST_EXPECT_MSG_GT(seen["8 pauses 10 queue"], 0, "leaf 0 pauses the spine");
        NS_TEST_EXPECT_MSG_GT(seen["8 pauses 1 queue"], 0, "and its host");
        NS_TEST_EXPECT_MSG_GT(seen["10 pauses 9 pause"], 0, "the spine pauses leaf 1");
        NS_TEST_EXPECT_MSG_GT(seen["9 pauses 4 pause"], 0, "leaf 1 pauses its hosts");
        NS_TEST_EXPECT_MSG_NE(m_summary.find("  leaf 0 port 0 class 3 (to host 0) is congested: "),
                              std::string::npos,
                              m_summary);
        NS_TEST_EXPECT_MSG_NE(m_summary.find("chains of up to 3"), std::string::npos, m_summary);
        Rows why = RowsOf(folder + "/pause-why.csv");
        NS_TEST_EXPECT_MSG_GT(why.size(), 6, "ports where frames arrived");
        NS_TEST_EXPECT_MSG_EQ(std::any_of(why.begin(),
                                          why.end(),
                                          [](auto& row) {
                                              return row["node"] == "9" && row["xoffs"] != "0" &&
                                                     row["why"].find("PFC fired: ") !=
                                                         std::string::npos;
                                          }),
                              true,
                              "leaf 1 says why");
    }
};

class SlowReceiverTest : public PauseTreeTestCase
{
  public:
    SlowReceiverTest()
        : PauseTreeTestCase("pause-tree.csv: a slow receiver is a root, and so is a fault")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("1MiB"));
        const Fabric fabric = helper.Star(3);
        auto buffer = CreateObject<NicReceiveBuffer>();
        fabric.GetRdma(1)->SetReceiveBuffer(0, buffer);
        // The port to host 2 pauses host 2 for a while, whatever the buffer holds.
        const auto port = fabric.GetDevice(fabric.GetTopology().NodeOf(SwitchId(0)), 2);
        Simulator::Schedule(MicroSeconds(20), [port] { port->OverridePause(1U << 3, 0); });
        Simulator::Schedule(MicroSeconds(40), [port] { port->OverridePause(0, 0); });
        RunOptions options;
        options.outDir = CreateTempDirFilename("slow");
        options.pauseTree = true;
        FabricRun run(fabric, options);
        run.Rdma().Add({0, 1, 8000000});
        const std::string summary = run.Execute().Summary();
        Rows rows = ExpectTree(options.outDir, 1007);
        std::map<std::string, uint32_t> seen;
        for (auto& row : rows)
        {
            ++seen[row["by_node"] + " pauses " + row["node"] + ' ' + row["cause"]];
        }
        NS_TEST_EXPECT_MSG_EQ(seen["3 pauses 2 forced"], 1, "the fault");
        NS_TEST_EXPECT_MSG_GT(seen["1 pauses 3 host"], 0, "the slow host");
        NS_TEST_EXPECT_MSG_GT(seen["3 pauses 0 pause"], 0, "the switch, because of it");
        NS_TEST_EXPECT_MSG_NE(
            summary.find("  host 1 port 0 class 3 (to leaf 0) does not keep up: "),
            std::string::npos,
            summary);
    }
};

class ThreadsTest : public PauseTreeTestCase
{
  public:
    ThreadsTest()
        : PauseTreeTestCase("pause-tree.csv: the same with several threads")
    {
    }

  private:
    void DoRun() override
    {
        std::string first;
        for (uint32_t threads : {1, 2})
        {
            SetSimulator(FabricSimulatorImpl::GetTypeId());
            const Fabric fabric = Chain();
            const std::string folder =
                Execute(fabric, "threads" + std::to_string(threads), true, threads);
            const std::string content = ContentOf(folder + "/pause-tree.csv");
            NS_TEST_EXPECT_MSG_GT(content.size(), 1000, "rows");
            NS_TEST_EXPECT_MSG_EQ((threads == 1 || content == first), true, "the same bytes");
            first = content;
            Simulator::Destroy();
        }
    }
};

class LinkLoadTest : public PauseTreeTestCase
{
  public:
    LinkLoadTest()
        : PauseTreeTestCase("link-load.csv: what ports of switches have sent")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = Chain();
        RunOptions options;
        options.keep = {"link-load"};
        FabricRun run(fabric, options);
        AddFlows(run);
        ExpectError([&] { run.Execute(); }, "a run has no table \"link-load\"");
        options.linkLoad = true;
        options.sample = MicroSeconds(5);
        run.Choose(options);
        run.Execute();
        const auto& columns = run.GetTable("link-load").GetColumns();
        const auto& times = std::get<std::vector<int64_t>>(columns[0]);
        const auto& rates = std::get<std::vector<double>>(columns[3]);
        double bytes = 0;
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            const int64_t begin = (times[i] - 1) / 5000 * 5000; // the last sample is at the end
            bytes += rates[i] * static_cast<double>(times[i] - begin) / 8e9;
        }
        double sent = 0;
        for (const SwitchId which : fabric.Switches())
        {
            for (uint32_t port = 0; port < fabric.GetSwitch(which)->GetNPorts(); ++port)
            {
                sent += static_cast<double>(
                    fabric.GetSwitch(which)->GetPort(port)->GetCounters().txWireBytes);
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(bytes, sent, sent * 1e-6, "all of it");
    }
};

class LosslessPauseTreeTestSuite : public TestSuite
{
  public:
    LosslessPauseTreeTestSuite()
        : TestSuite("lossless-pause-tree", Type::SYSTEM)
    {
        AddTestCase(new ChainTest);
        AddTestCase(new SlowReceiverTest);
        AddTestCase(new ThreadsTest);
        AddTestCase(new LinkLoadTest);
    }
};

LosslessPauseTreeTestSuite g_pauseTree;

} // namespace
