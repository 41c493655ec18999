// SPDX-License-Identifier: GPL-2.0-only

// The files of the public HPCC simulator. Bad ones are tested with the program that reads them, in
// test/replay.

#include "helper-test-util.h"

#include "ns3/hpcc-config.h"
#include "ns3/hpcc-files.h"

using namespace ns3;

namespace
{

/// Two hosts, 1 and 2, at switch 0 and an unconnected host 3.
const char* const TOPOLOGY = "4 1 2\n0\n1 0 100Gbps 0.001ms 0\n2 0 25Gbps 2us 0.01\n";

} // namespace

TEST(HpccFiles, Topology)
{
    ScratchFile file(TOPOLOGY);
    const auto topology = HpccFiles::ReadTopology(file.Path(), 0.5);
    EXPECT_EQ(topology.GetHosts(), (std::vector<uint32_t>{1, 2, 3}));
    EXPECT_TRUE(topology.IsSwitch(0));
    ASSERT_EQ(topology.GetLinks().size(), 2U);
    EXPECT_EQ(topology.GetLinks()[0].spec.delay, MicroSeconds(1));
    EXPECT_EQ(topology.GetLinks()[0].spec.errorRate, 0.5); // the file says 0
    EXPECT_EQ(topology.GetLinks()[1].spec.errorRate, 0.01);
    EXPECT_EQ(topology.GetLinks()[1].spec.rate.GetBitRate(), 25000000000U);
}

TEST(HpccFiles, SwitchNumbersMayStandOnSeveralLines)
{
    ScratchFile file("3 2 1\n0\n2\n0 1 1Gbps 1us 0\n");
    EXPECT_EQ(HpccFiles::ReadTopology(file.Path()).GetSwitches(), (std::vector<uint32_t>{0, 2}));
}

TEST(HpccFiles, HostsWithoutASwitch)
{
    ScratchFile file("2 0 1\n\n0 1 1Gbps 1us 0\n");
    EXPECT_EQ(HpccFiles::ReadTopology(file.Path()).GetHosts().size(), 2U);
}

TEST(HpccFiles, Flows)
{
    ScratchFile nodes(TOPOLOGY);
    const auto topology = HpccFiles::ReadTopology(nodes.Path());
    ScratchFile file("3\n2 1 3 100 5000 2.000000001\n\n1 2 5 200 0 0.5\n1 2 5 200 0 0.5\n");
    const auto flows = HpccFiles::ReadFlows(file.Path(), topology);
    ASSERT_EQ(flows.size(), 3U);         // in any order, and repeated
    EXPECT_EQ(flows[0].flow.source, 1U); // node 2 is host 1
    EXPECT_EQ(flows[0].flow.destination, 0U);
    EXPECT_EQ(flows[0].flow.trafficClass, 3);
    EXPECT_EQ(flows[0].flow.destinationPort, 100);
    EXPECT_EQ(flows[0].flow.bytes, 5000U);
    EXPECT_EQ(flows[0].flow.start, Seconds(2) + NanoSeconds(1)); // exactly
    EXPECT_EQ(flows[1].line, 4U);
    EXPECT_EQ(flows[1].flow.bytes, 0U);
}

TEST(HpccFiles, AddressesOfThatSimulator)
{
    EXPECT_EQ(HpccFiles::AddressOf(0), 0x0b000001U);
    EXPECT_EQ(HpccFiles::AddressOf(1), 0x0b000101U);
    EXPECT_EQ(HpccFiles::AddressOf(300), 0x0b012c01U);
}

TEST(HpccConfig, ValuesAndIgnoredKeys)
{
    ScratchFile file("CC_MODE 1\nSIMULATOR_STOP_TIME 2.5\nU_TARGET 0.95\nVAR_WIN 0\nRATE_BOUND 0\n"
                     "LINK_DOWN 7 1 0\nBUFFER_SIZE 16\nBUFFER_SIZE 32\n");
    const HpccConfig config(file.Path());
    EXPECT_EQ(config.GetStop(), MilliSeconds(2500));
    EXPECT_EQ(config.GetNumber("BUFFER_SIZE", 0), 32); // the last one counts
    EXPECT_EQ(config.GetNumber("RP_TIMER", 900), 900);
    EXPECT_EQ(config.GetLinkDownTime(), Seconds(2) + MicroSeconds(7));
    EXPECT_EQ(config.GetIgnored(), (std::vector<std::string>{"U_TARGET", "RATE_BOUND"}));
    ScratchFile nodes(TOPOLOGY);
    EXPECT_EQ(config.GetLinkDown(HpccFiles::ReadTopology(nodes.Path())), 0U);
}

TEST(HpccConfig, PathsStartHereOrAtTheConfiguration)
{
    ScratchFile target("4\n");
    const auto name = std::filesystem::path(target.Path()).filename().string();
    ScratchFile file("FLOW_FILE " + name + "\nTOPOLOGY_FILE none.txt\nFCT_OUTPUT_FILE fct.txt\n");
    const HpccConfig config(file.Path());
    EXPECT_EQ(config.GetInput("FLOW_FILE"), target.Path());
    EXPECT_FABRIC_ERROR(config.GetInput("TOPOLOGY_FILE"), ":2: TOPOLOGY_FILE: there is no file");
    EXPECT_EQ(config.GetOutput("FCT_OUTPUT_FILE"), "fct.txt");
    EXPECT_EQ(config.GetOutput("PFC_OUTPUT_FILE"), "");
}
