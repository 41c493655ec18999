// SPDX-License-Identifier: GPL-2.0-only

// Topology files of SimAI, in which each GPU is a node.

#include "helper-test-util.h"

#include "ns3/fabric-error.h"
#include "ns3/simai-topology-reader.h"

#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Two servers of two GPUs, each GPU with two links to its NVSwitch and one to the leaf of its
/// rail.
const std::string RAILS = "9 2 2 3 12 H100\n"
                          "4 5 6 7 8\n"
                          "0 4 1440Gbps 0.000025ms 0\n"
                          "0 4 1440Gbps 0.000025ms 0\n"
                          "0 6 400Gbps 0.0005ms 0\n"
                          "1 4 2880Gbps 0.000025ms 0\n"
                          "1 7 400Gbps 0.0005ms 0\n"
                          "2 5 2880Gbps 0.000025ms 0\n"
                          "7 3 400Gbps 0.0005ms 0.001\n"
                          "3 5 2880Gbps 0.000025ms 0\n"
                          "2 6 400Gbps 0.0005ms 0\n"
                          "6 8 800Gbps 1us 0\n"
                          "7 8 800Gbps 1us 0\n"
                          "8 7 800Gbps 1us 0\n";

GpuCluster
ReadFile(const std::string& text)
{
    ScratchFile file(text);
    return SimAiTopologyReader::Read(file.Path());
}

/// Expect that a file is refused. @param text it @param message behind its path
void
ExpectRefused(const std::string& text, const std::string& message)
{
    ScratchFile file(text);
    EXPECT_EQ(ErrorOf([&] { SimAiTopologyReader::Read(file.Path()); }), file.Path() + message)
        << text;
}

/// @param what a part of RAILS @param with what is there instead @return the text
std::string
Changed(const std::string& what, const std::string& with)
{
    std::string text = RAILS;
    EXPECT_NE(text.find(what), std::string::npos) << what;
    return text.replace(text.find(what), what.size(), with);
}

} // namespace

TEST(SimAiTopology, ServersBecomeHosts)
{
    const GpuCluster cluster = ReadFile(RAILS);
    EXPECT_EQ(cluster.gpus, 2U);
    EXPECT_EQ(cluster.intraRate, DataRate("2880Gbps"));
    EXPECT_EQ(cluster.intraLatency, NanoSeconds(50)); // two links
    const FabricTopology& topology = cluster.topology;
    ASSERT_EQ(topology.GetHosts().size(), 2U);
    EXPECT_EQ(topology.GetSwitches().size(), 3U);
    EXPECT_EQ(topology.GetLinks().size(), 7U);
    for (const NodeId host : topology.GetHosts())
    {
        // Port 0 is that of GPU 0, whatever the order of the lines.
        const std::vector<LinkId> links = topology.GetLinksOf(host);
        ASSERT_EQ(links.size(), 2U);
        for (uint32_t gpu = 0; gpu < 2; ++gpu)
        {
            const FabricTopology::Link& link = topology.GetLink(links[gpu]);
            EXPECT_EQ(link.spec.rate, DataRate("400Gbps"));
            EXPECT_EQ(link.spec.delay, NanoSeconds(500));
            const NodeId leaf = link.a == host ? link.b : link.a;
            EXPECT_EQ(leaf, topology.GetSwitches()[gpu]) << "the leaf of the rail";
        }
    }
    const std::vector<LinkId> last = topology.GetLinksOf(topology.GetHosts()[1]);
    EXPECT_EQ(topology.GetLink(last[1]).spec.errorRate, 0.001);
}

TEST(SimAiTopology, IsKnownByItsFirstLine)
{
    ScratchFile simai(RAILS);
    EXPECT_TRUE(SimAiTopologyReader::Knows(simai.Path()));
    ScratchFile hpcc("3 1 2\n0\n1 0 100Gbps 1us 0\n2 0 100Gbps 1us 0\n");
    EXPECT_FALSE(SimAiTopologyReader::Knows(hpcc.Path()));
    EXPECT_EQ(ErrorOf([] { SimAiTopologyReader::Knows("/nowhere/topology"); }),
              "/nowhere/topology: cannot be read: No such file or directory");
}

TEST(SimAiTopology, NoNvSwitchNoSecondGpu)
{
    const GpuCluster cluster =
        ReadFile("3 1 0 1 2 A100 8\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n");
    EXPECT_EQ(cluster.gpus, 1U);
    EXPECT_EQ(cluster.topology.GetHosts().size(), 2U);
}

TEST(SimAiTopology, MistakesAreNamed)
{
    ExpectRefused(Changed("9 2 2 3", "9 2 2 4"),
                  ":1: 9 nodes without 2 NVSwitches and 4 switches are 3 GPUs; they must fill "
                  "servers of 2");
    ExpectRefused(Changed("9 2 2 3", "9 0 2 3"),
                  ":1: 9 nodes without 2 NVSwitches and 3 switches are 4 GPUs; they must fill "
                  "servers of 0");
    ExpectRefused("5 1 2 3 0 H100\n0 1 2 3 4\n",
                  ":1: 5 nodes without 2 NVSwitches and 3 switches are 0 GPUs; they must fill "
                  "servers of 1");
    ExpectRefused(Changed("12 H100", "13 H100"), ":14: the file ends here; expected link 13 of 13");
    ExpectRefused(Changed("12 H100", "11 H100"),
                  ":14: more links than announced; the first line says 11");
    ExpectRefused(Changed("0 6 400Gbps", "0 1 400Gbps"),
                  ":5: a link between GPU 0 and GPU 1; a GPU has links to NVSwitches of its server "
                  "and to switches, a switch to other switches");
    ExpectRefused(Changed("6 8 800", "5 8 800"),
                  ":12: a link between NVSwitch 5 and switch 8; a GPU has links to NVSwitches of "
                  "its server and to switches, a switch to other switches");
    ExpectRefused(Changed("2 5 2880", "2 4 2880"),
                  ":8: NVSwitch 4 joins GPUs of server 0 and of server 1; an NVSwitch belongs to "
                  "one server of 2 GPUs");
    ExpectRefused(Changed("1 4 2880Gbps 0.000025ms", "1 4 2880Gbps 0.000026ms"),
                  ":6: latency is \"0.000026ms\"; all links to NVSwitches must have the same");
    ExpectRefused(Changed("1 4 2880Gbps 0.000025ms 0", "1 4 2880Gbps 0.000025ms 0.1"),
                  ":6: error rate of a link within a server is \"0.1\"; it must be 0: messages "
                  "within a host are not lost");
    ExpectRefused(Changed("1 4 2880Gbps", "1 4 1440Gbps"),
                  ": GPU 1 has 1440 Gb/s to its NVSwitches, the first GPU has 2880; all GPUs have "
                  "the same");
    ExpectRefused(Changed("7 3 400Gbps", "7 8 400Gbps"),
                  ": GPU 3 has 0 links to switches; all GPUs have the same number, 1 or more");
    ExpectRefused(Changed("0 6 400Gbps", "0 6 2Tbps"),
                  ":5: rate is \"2Tbps\"; it must be at most 1.6Tbps");
}
