// SPDX-License-Identifier: GPL-2.0-only

// The files of the public HPCC simulator. Bad ones are tested with the program that reads them, in
// test/replay.

#include "helper-test-util.h"

#include "ns3/config.h"
#include "ns3/fabric-attributes.h"
#include "ns3/hpcc-config.h"
#include "ns3/hpcc-files.h"
#include "ns3/simulator.h"

#include <chrono>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Two hosts, 1 and 2, at switch 0 and an unconnected host 3.
const char* const TOPOLOGY = "4 1 2\n0\n1 0 100Gbps 0.001ms 0\n2 0 25Gbps 2us 0.01\n";

/// Types, each with an attribute and what its default must be.
using Defaults = std::vector<std::pair<std::string, std::pair<std::string, std::string>>>;

void
ExpectDefaults(const Defaults& expected)
{
    for (const auto& [type, attribute] : expected)
    {
        TypeId::AttributeInformation info;
        ASSERT_TRUE(TypeId::LookupByName(type).LookupAttributeByName(attribute.first, &info));
        std::string value = info.initialValue->SerializeToString(info.checker);
        if (info.checker->GetValueTypeName() == "ns3::TimeValue")
        {
            const auto time = DynamicCast<const TimeValue>(info.initialValue)->Get();
            value = "+" + std::to_string(time.GetPicoSeconds()) + "ps"; // whatever the resolution
        }
        EXPECT_EQ(value, attribute.second) << type << "::" << attribute.first;
    }
}

/// @param path of a configuration @param options of the program @return findings of rule config
std::vector<std::string>
WarningsOf(const std::string& path, const FabricOptions& options)
{
    Findings findings;
    HpccConfig(path, options).AddFindings(findings);
    std::vector<std::string> warnings;
    for (const Finding& finding : findings.Get())
    {
        if (finding.rule == "config")
        {
            warnings.push_back(finding.what);
        }
    }
    return warnings;
}

} // namespace

TEST(HpccFiles, Topology)
{
    ScratchFile file(TOPOLOGY);
    const auto topology = HpccFiles::ReadTopology(file.Path(), 0.5);
    EXPECT_EQ(topology.GetHosts(), (std::vector<NodeId>{1, 2, 3}));
    EXPECT_TRUE(topology.IsSwitch(0));
    ASSERT_EQ(topology.GetLinks().size(), 2U);
    EXPECT_EQ(topology.GetLink(0).spec.delay, MicroSeconds(1));
    EXPECT_EQ(topology.GetLink(0).spec.errorRate, 0.5); // the file says 0
    EXPECT_EQ(topology.GetLink(1).spec.errorRate, 0.01);
    EXPECT_EQ(topology.GetLink(1).spec.rate.GetBitRate(), 25000000000U);
}

TEST(HpccFiles, TopologiesOfForks)
{
    for (const char* first : {"3 1 1 2", "3 1 1 2 25000000000 100000000000"})
    {
        ScratchFile file(std::string(first) +
                         "\n0\n1 0 25000000000.0 1us 0\n2 0 100000000000.0 1000ns 0.000000\n");
        const auto topology = HpccFiles::ReadTopology(file.Path());
        ASSERT_EQ(topology.GetLinks().size(), 2U) << first;
        EXPECT_EQ(topology.GetLink(0).spec.rate, DataRate("25Gbps")) << first;
        EXPECT_EQ(topology.GetLink(1).spec.delay, MicroSeconds(1)) << first;
    }
    for (const char* first : {"3 1 0 1 2 H100", "3 1 0 1 2 A100 8"})
    {
        ScratchFile file(std::string(first) + "\n2\n");
        EXPECT_FABRIC_ERROR(HpccFiles::ReadTopology(file.Path()), ":1: a topology of SimAI");
    }
}

TEST(HpccFiles, SwitchNumbersMayStandOnSeveralLines)
{
    ScratchFile file("3 2 1\n0\n2\n0 1 1Gbps 1us 0\n");
    EXPECT_EQ(HpccFiles::ReadTopology(file.Path()).GetSwitches(), (std::vector<NodeId>{0, 2}));
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
    ScratchFile noPort("1\n2 1 3 5000 0.5\n");
    const HpccFiles::Flow flow = HpccFiles::ReadFlows(noPort.Path(), topology).at(0);
    EXPECT_EQ(flow.flow.bytes, 5000U);
    EXPECT_EQ(flow.flow.start, MilliSeconds(500));
}

TEST(HpccFiles, AddressesOfThatSimulator)
{
    EXPECT_EQ(HpccFiles::AddressOf(0), 0x0b000001U);
    EXPECT_EQ(HpccFiles::AddressOf(1), 0x0b000101U);
    EXPECT_EQ(HpccFiles::AddressOf(300), 0x0b012c01U);
}

TEST(HpccConfig, ValuesAndIgnoredKeys)
{
    ScratchFile file("CC_MODE 1\nSIMULATOR_STOP_TIME 2.5\nU_TARGET 0.95\nVAR_WIN 0\nPAUSE_TIME 5\n"
                     "LINK_DOWN 7 1 0\nBUFFER_SIZE 16\nBUFFER_SIZE 32\n");
    const HpccConfig config(file.Path());
    EXPECT_EQ(config.GetStop(), MilliSeconds(2500));
    EXPECT_EQ(config.GetNumber("BUFFER_SIZE", 0), 32); // the last one counts
    EXPECT_EQ(config.GetNumber("RP_TIMER", 900), 900);
    EXPECT_EQ(config.GetLinkDownTime(), Seconds(2) + MicroSeconds(7));
    EXPECT_EQ(config.GetIgnored(), (std::vector<std::string>{"PAUSE_TIME"}));
    ScratchFile nodes(TOPOLOGY);
    EXPECT_EQ(config.GetLinkDown(HpccFiles::ReadTopology(nodes.Path())), 0U);
}

TEST(HpccConfig, ForksHaveFurtherKeysAndNeverStop)
{
    ScratchFile file(
        "SIMULATOR_STOP_TIME 40000000000000.00\nMON_START 0\nPAUSE_TIM 5\nMON_START 1\n"
        "LINK_DOWN 7 1 0\nCC_MODE 1\nQLEN_MON_FILE q.txt\nQLEN_MON_START 2000000000\n");
    const HpccConfig config(file.Path(), FabricOptions(), true);
    EXPECT_TRUE(config.GetStop().IsZero());
    Findings findings;
    config.AddFindings(findings);
    ASSERT_EQ(findings.Get().size(), 1U); // and nothing begins after the end
    EXPECT_EQ(findings.Get()[0].rule, "unknown-keys");
    EXPECT_EQ(findings.Get()[0].what,
              file.Path() +
                  ": not known here: MON_START (QLEN_MON_START?), PAUSE_TIM (PAUSE_TIME?)");
}

TEST(HpccConfig, KeysBecomeDefaults)
{
    ScratchFile file("PACKET_PAYLOAD_SIZE 512\nBUFFER_SIZE 9\nENABLE_QCN 0\nCLAMP_TARGET_RATE 1\n"
                     "ALPHA_RESUME_INTERVAL 2\nRATE_DECREASE_INTERVAL 5\nRP_TIMER 350.5\n"
                     "EWMA_GAIN 0.25\nFAST_RECOVERY_TIMES 7\nRATE_AI 51Mb/s\nRATE_HAI 101Mb/s\n"
                     "MIN_RATE 99Mb/s\nL2_ACK_INTERVAL 3\nL2_CHUNK_SIZE 4000\nL2_BACK_TO_ZERO 1\n"
                     "ACK_HIGH_PRIO 1\nRATE_BOUND 0\n");
    HpccConfig(file.Path()).SetDefaults();
    const Defaults expected = {{"ns3::RdmaQueuePair", {"Mtu", "512"}},
                               {"ns3::RdmaQueuePair", {"AckInterval", "3"}},
                               {"ns3::RdmaQueuePair", {"AckClass", "-1"}},
                               {"ns3::RdmaQueuePair", {"AckQueue", "6"}},
                               {"ns3::RdmaQueuePair", {"PaceByRate", "false"}},
                               {"ns3::RdmaQueuePair", {"Repace", "Next"}},
                               {"ns3::RdmaQueuePair", {"TurnByNumber", "true"}},
                               {"ns3::RdmaTimely", {"UpdatePer", "RoundTrip"}},
                               {"ns3::RdmaTimely", {"CountBelowLow", "true"}},
                               {"ns3::RdmaTimely", {"SampleSerialisation", "true"}},
                               {"ns3::RdmaTimely", {"HyperIncreaseAfter", "6"}},
                               {"ns3::RdmaDcqcn", {"MarksInAcks", "true"}},
                               {"ns3::RdmaQueuePair", {"LossRecovery", "ns3::RdmaGoBack0[]"}},
                               {"ns3::RdmaGoBack0", {"ChunkBytes", "4000"}},
                               {"ns3::SwitchMmu", {"CellBytes", "1"}},
                               {"ns3::SwitchMmu", {"GuaranteedBytes", "4096"}},
                               {"ns3::SwitchMmu", {"XonOffset", "3072"}},
                               {"ns3::FabricSwitch", {"EcnEnabled", "false"}},
                               {"ns3::RdmaTimely", {"Delta", "51000000bps"}},
                               {"ns3::RdmaTimely", {"MinRate", "99000000bps"}},
                               {"ns3::RdmaTimely", {"StartAtLineRate", "true"}},
                               {"ns3::RdmaTimely", {"HyperIncreaseFactor", "2"}}, // 101 / 51
                               {"ns3::RdmaDcqcn", {"Dialect", "Nic"}},
                               {"ns3::RdmaDcqcn", {"InitialAlpha", "1"}},
                               {"ns3::RdmaDcqcn", {"CnpInterval", "+0ps"}},
                               {"ns3::RdmaDcqcn", {"ClampTarget", "true"}},
                               {"ns3::RdmaDcqcn", {"AlphaTimer", "+2000000ps"}},
                               {"ns3::RdmaDcqcn", {"DecreaseTimer", "+5000000ps"}},
                               {"ns3::RdmaDcqcn", {"IncreaseTimer", "+350500000ps"}},
                               {"ns3::RdmaDcqcn", {"Gain", "0.25"}},
                               {"ns3::RdmaDcqcn", {"FastRecoveryTimes", "7"}},
                               {"ns3::RdmaDcqcn", {"AiRate", "51000000bps"}},
                               {"ns3::RdmaDcqcn", {"HaiRate", "101000000bps"}},
                               {"ns3::RdmaDcqcn", {"MinRate", "99000000bps"}}};
    ExpectDefaults(expected);
    Config::Reset();
}

TEST(HpccConfig, SharedSpaceIsThatOfTheOriginal)
{
    // Ports of 100 Gb/s and 1 us, and of 25 Gb/s and 2 us: 37500 and 18750 bytes of headroom.
    ScratchFile nodes(TOPOLOGY);
    const auto topology = HpccFiles::ReadTopology(nodes.Path());
    ScratchFile file("BUFFER_SIZE 5\n");
    EXPECT_EQ(HpccConfig(file.Path()).GetSharedSpace(topology, NodeId(0), false),
              5U * 1048576 - 2 * 4096 - 37500 - 18750);
    ScratchFile small("BUFFER_SIZE 0.0625\n");
    EXPECT_EQ(HpccConfig(small.Path()).GetSharedSpace(topology, NodeId(0), false), 1094U);
    ScratchFile none("BUFFER_SIZE 0.06\n");
    EXPECT_THROW(HpccConfig(none.Path()).GetSharedSpace(topology, NodeId(0), false), FabricError);
    EXPECT_EQ(HpccConfig(none.Path()).GetSharedSpace(topology, NodeId(0), true), 0U);
}

TEST(HpccConfig, KeysOfHpcc)
{
    const std::string keys = "RATE_AI 40Mb/s\nMIN_RATE 1000Mb/s\nHAS_WIN 1\nVAR_WIN 1\n"
                             "FAST_REACT 0\nU_TARGET 0.9\nMI_THRESH 0\nINT_MULTI 4\n"
                             "MULTI_RATE 0\nSAMPLE_FEEDBACK 1\nPINT_LOG_BASE 1.01\n"
                             "PINT_PROB 0.5\n";
    for (const bool pint : {false, true})
    {
        ScratchFile file((pint ? "CC_MODE 10\n" : "CC_MODE 3\n") + keys);
        const HpccConfig config(file.Path());
        EXPECT_EQ(config.GetCongestionControl(), "ns3::RdmaHpcc");
        EXPECT_TRUE(config.HasOwnWindow());
        EXPECT_TRUE(config.GetIgnored().empty());
        config.SetDefaults();
        ExpectDefaults({{"ns3::RdmaHpcc", {"Telemetry", pint ? "Pint" : "Fixed"}},
                        {"ns3::RdmaHpcc", {"IncreaseRate", "40000000bps"}},
                        {"ns3::RdmaHpcc", {"MinRate", "1000000000bps"}},
                        {"ns3::RdmaHpcc", {"UseWindow", "true"}},
                        {"ns3::RdmaHpcc", {"VariableWindow", "true"}},
                        {"ns3::RdmaHpcc", {"FastReact", "false"}},
                        {"ns3::RdmaHpcc", {"Eta", "0.9"}},
                        {"ns3::RdmaHpcc", {"MaxStage", "0"}},
                        {"ns3::RdmaHpcc", {"Multiplier", "4"}},
                        {"ns3::IntStamper", {"Multiplier", "4"}},
                        {"ns3::RdmaHpcc", {"MultiRate", "false"}},
                        {"ns3::RdmaHpcc", {"SampleFeedback", "true"}},
                        {"ns3::RdmaHpcc", {"PintBase", "1.01"}},
                        {"ns3::IntStamper", {"PintBase", "1.01"}},
                        {"ns3::RdmaHpcc", {"PintProbability", "0.5"}}});
        Config::Reset();
    }
}

TEST(HpccConfig, HpccWithoutKeysIsAsTheOriginal)
{
    ScratchFile file("CC_MODE 3\n");
    HpccConfig(file.Path()).SetDefaults();
    ExpectDefaults({{"ns3::RdmaHpcc", {"MultiRate", "true"}},
                    {"ns3::RdmaHpcc", {"FastReact", "true"}},
                    {"ns3::RdmaHpcc", {"UseWindow", "true"}},
                    {"ns3::RdmaHpcc", {"VariableWindow", "false"}},
                    {"ns3::RdmaHpcc", {"MinRate", "100000000bps"}},
                    {"ns3::RdmaHpcc", {"MaxStage", "5"}}});
    Config::Reset();
}

TEST(HpccConfig, KeysOfDctcp)
{
    ScratchFile file("CC_MODE 8\nDCTCP_RATE_AI 615Mb/s\nEWMA_GAIN 0.0625\nMIN_RATE 1Gb/s\n"
                     "HAS_WIN 0\nVAR_WIN 1\n");
    const HpccConfig config(file.Path());
    EXPECT_EQ(config.GetIgnored(), std::vector<std::string>{"VAR_WIN"}); // there is none to vary
    config.SetDefaults();
    ExpectDefaults({{"ns3::RdmaDctcp", {"Increase", "615000000bps"}},
                    {"ns3::RdmaDctcp", {"Gain", "0.0625"}},
                    {"ns3::RdmaDctcp", {"MinRate", "1000000000bps"}},
                    {"ns3::RdmaDctcp", {"UseWindow", "false"}},
                    {"ns3::RdmaDctcp", {"VariableWindow", "true"}}});
    Config::Reset();
}

TEST(HpccConfig, HyperIncreaseOfTimely)
{
    const std::pair<const char*, const char*> expected[] = {
        {"RATE_AI 100Mb/s\n", "5"},
        {"RATE_HAI 70Mb/s\n", "5"},
        {"RATE_AI 20Mb/s\nRATE_HAI 200Mb/s\n", "10"},
        {"RATE_AI 20Mb/s\nRATE_HAI 70Mb/s\n", "4"}, // of 3.5
        {"RATE_AI 9Mb/s\nRATE_HAI 1Mb/s\n", "1"}};
    for (const auto& [keys, factor] : expected)
    {
        ScratchFile file(std::string("CC_MODE 7\nVAR_WIN 1\n") + keys);
        const HpccConfig config(file.Path());
        EXPECT_EQ(config.GetIgnored(), std::vector<std::string>());
        config.SetDefaults();
        ExpectDefaults({{"ns3::RdmaTimely", {"HyperIncreaseFactor", factor}}});
        Config::Reset();
    }
}

TEST(HpccConfig, VariableWindow)
{
    const std::pair<const char*, const char*> expected[] = {
        {"CC_MODE 1\nVAR_WIN 1\n", "true"},
        {"CC_MODE 7\nVAR_WIN 1\n", "true"},
        {"CC_MODE 7\nVAR_WIN 0\n", "false"},
        {"CC_MODE 1\n", "false"},
        {"CC_MODE 3\nVAR_WIN 1\n", "false"}}; // an attribute of HPCC
    for (const auto& [keys, variable] : expected)
    {
        ScratchFile file(keys);
        const HpccConfig config(file.Path());
        EXPECT_EQ(config.GetIgnored(), std::vector<std::string>()) << keys;
        config.SetDefaults();
        ExpectDefaults({{"ns3::RdmaQueuePair", {"VariableWindow", variable}}});
        Config::Reset();
    }
    const FabricOptions options;
    options.Add("ns3::RdmaQueuePair::CongestionControl", "ns3::RdmaSwift");
    ScratchFile file("CC_MODE 1\nVAR_WIN 1\n");
    EXPECT_EQ(HpccConfig(file.Path(), options).GetIgnored(), std::vector<std::string>{"VAR_WIN"});
    Config::Reset();
}

TEST(HpccConfig, KeysOfWindowsWithoutWindow)
{
    const FabricOptions swift;
    swift.Add("ns3::RdmaQueuePair::CongestionControl", "ns3::RdmaSwift");
    const FabricOptions none;
    using Names = std::vector<std::string>;
    const std::tuple<const char*, const FabricOptions*, Names> cases[] = {
        {"CC_MODE 1\nHAS_WIN 0\nVAR_WIN 1\nGLOBAL_T 0\n", &none, {"GLOBAL_T", "VAR_WIN"}},
        {"CC_MODE 1\nHAS_WIN 0\nVAR_WIN 0\nGLOBAL_T 1\n", &none, {}}, // ask for nothing
        {"CC_MODE 1\nHAS_WIN 1\nVAR_WIN 1\nGLOBAL_T 0\n", &none, {}},
        {"CC_MODE 3\nHAS_WIN 0\nVAR_WIN 1\nGLOBAL_T 0\n", &none, {"VAR_WIN"}}, // T of HPCC
        {"HAS_WIN 1\nVAR_WIN 1\nGLOBAL_T 0\n", &swift, {"HAS_WIN", "GLOBAL_T", "VAR_WIN"}},
        {"HAS_WIN 0\nVAR_WIN 0\nGLOBAL_T 1\n", &swift, {}}};
    for (const auto& [keys, options, ignored] : cases)
    {
        ScratchFile file(keys);
        EXPECT_EQ(HpccConfig(file.Path(), *options).GetIgnored(), ignored) << keys;
    }
    Config::Reset();
}

TEST(HpccConfig, RoundTripOfTheFabric)
{
    ScratchFile nodes("5 2 4\n3 4\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 4 100Gbps 1us 0\n"
                      "3 4 400Gbps 1us 0\n");
    const auto topology = HpccFiles::ReadTopology(nodes.Path());
    // 2 * 3 us + 2 * 80 ns + 20 ns
    const std::tuple<const char*, const char*, const char*, const char*> cases[] = {
        {"CC_MODE 3\n", "ns3::RdmaHpcc", "+6180000ps", "+6180000ps"},
        {"CC_MODE 3\nPACKET_PAYLOAD_SIZE 500\n", "ns3::RdmaHpcc", "+6090000ps", "+6090000ps"},
        {"CC_MODE 10\nGLOBAL_T 0\n", "ns3::RdmaHpcc", "+0ps", "+6180000ps"},
        {"CC_MODE 8\n", "ns3::RdmaDctcp", "+6180000ps", "+6180000ps"},
        {"CC_MODE 1\n", "ns3::RdmaHpcc", "+0ps", "+9000000ps"}};
    for (const auto& [keys, type, sender, stamper] : cases)
    {
        ScratchFile file(keys);
        HpccConfig(file.Path()).SetRoundTrip(topology);
        ExpectDefaults({{type, {"BaseRtt", sender}}, {"ns3::IntStamper", {"MaxRtt", stamper}}});
        Config::Reset();
    }
}

TEST(HpccConfig, ModesThatAreNotKnown)
{
    ScratchFile file("HAS_WIN 0\nCC_MODE 4\n");
    const FabricOptions options;
    const HpccConfig config(file.Path(), options);
    EXPECT_FABRIC_ERROR(config.GetCongestionControl(),
                        ":2: CC_MODE 4 is not known here; 1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 "
                        "(DCTCP) and 10 (HPCC-PINT) are");
    options.Add("ns3::RdmaQueuePair::CongestionControl", "ns3::RdmaFixedRate[Rate=1Gbps]");
    EXPECT_EQ(config.GetCongestionControl(), "ns3::RdmaFixedRate");
    EXPECT_FALSE(config.HasOwnWindow());
    Config::Reset();
}

TEST(HpccConfig, WhatIsProbablyNotMeantIsNamed)
{
    const FabricOptions options;
    ScratchFile fine("CC_MODE 1\nRATE_AI 20Mb/s\nRATE_HAI 20000000\nMIN_RATE 1kb/s\n");
    EXPECT_EQ(WarningsOf(fine.Path(), options), std::vector<std::string>());
    ScratchFile odd("HAS_WIN 0\nRATE_AI 20\nDATA_RATE 5\nMIN_RATE 99999\n");
    const std::string path = odd.Path();
    EXPECT_EQ(WarningsOf(path, options),
              (std::vector<std::string>{
                  path + ":2: RATE_AI is 20 bit/s; was 20Mb/s meant?",
                  path + ":4: MIN_RATE is 99999 bit/s; was 99999Mb/s meant?",
              }));
    ScratchFile noMarks("CC_MODE 1\nENABLE_QCN 0\n");
    for (const bool isOn : {false, true})
    {
        const FabricOptions some;
        some.Add("ns3::WredEcnMarker::Pmax", "1");
        some.Add("ns3::WredEcnMarker::Kmin", "10kB");
        if (isOn)
        {
            some.Add("ns3::FabricSwitch::EcnEnabled", "true");
        }
        const std::string none = " has no effect; ENABLE_QCN is 0: no switch marks";
        const std::string where = noMarks.Path() + ":2: --ns3::WredEcnMarker::";
        EXPECT_EQ(WarningsOf(noMarks.Path(), some),
                  isOn ? std::vector<std::string>()
                       : (std::vector<std::string>{where + "Kmin" + none, where + "Pmax" + none}));
        Config::Reset();
    }
    ScratchFile never("HAS_WIN 0\nSIMULATOR_STOP_TIME 0\n");
    EXPECT_FABRIC_ERROR(HpccConfig(never.Path(), FabricOptions()),
                        ":2: SIMULATOR_STOP_TIME is 0: nothing would run; it must be above 0");
}

TEST(HpccFiles, HostsThatCannotHaveLinksAreRefusedAtOnce)
{
    ScratchFile file("10000000 1 2\n0\n1 0 1Gbps 1us 0\n2 0 1Gbps 1us 0\n");
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FABRIC_ERROR(HpccFiles::ReadTopology(file.Path()),
                        ":1: 9999999 hosts and 2 links: 9999995 hosts or more have no link");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(HpccFiles, RatesThatNoPortHasAreRefused)
{
    ScratchFile slow("3 1 2\n0\n1 0 1kbps 1us 0\n2 0 999bps 1us 0\n");
    EXPECT_FABRIC_ERROR(HpccFiles::ReadTopology(slow.Path()),
                        ":4: rate is \"999bps\"; it must be at least 1kbps");
    ScratchFile fast("3 1 2\n0\n1 0 1.6Tbps 1us 0\n2 0 1.7Tbps 1us 0\n");
    EXPECT_FABRIC_ERROR(HpccFiles::ReadTopology(fast.Path()),
                        ":4: rate is \"1.7Tbps\"; it must be at most 1.6Tbps");
}

TEST(HpccConfig, Windows)
{
    ScratchFile nodes("5 2 4\n3 4\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 4 100Gbps 1us 0\n"
                      "3 4 400Gbps 1us 0\n");
    ScratchFile file("PACKET_PAYLOAD_SIZE 1000\n");
    const HpccConfig config(file.Path());
    const Fabric fabric = FabricHelper().FromTopology(HpccFiles::ReadTopology(nodes.Path()));
    // 2 * 2 us + 2 * 80 ns at 100G; 2 * 3 us + 2 * 80 ns + 20 ns at 100G.
    EXPECT_EQ(config.GetWindow(fabric, 0, 1), 52000U);
    EXPECT_EQ(config.GetWindow(fabric, 0, 2), 77250U);
    EXPECT_EQ(config.GetGlobalWindow(fabric), 77250U);
    Simulator::Destroy();
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
    EXPECT_EQ(config.GetOutput("FCT_OUTPUT_FILE", "out"), "out/fct.txt");
    ScratchFile above("FCT_OUTPUT_FILE ../../mix/fct.txt\nPFC_OUTPUT_FILE /tmp/pfc.txt\n");
    EXPECT_EQ(HpccConfig(above.Path()).GetOutput("FCT_OUTPUT_FILE", "out"), "out/mix/fct.txt");
    EXPECT_EQ(HpccConfig(above.Path()).GetOutput("PFC_OUTPUT_FILE", "out"), "/tmp/pfc.txt");
}
