// SPDX-License-Identifier: GPL-2.0-only

// Options of programs. Exit status and standard error are tested by running programs.

#include "helper-test-util.h"

#include "ns3/config.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-program.h"
#include "ns3/fabric-ranks.h"
#include "ns3/fabric-run.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// A program with an option of each kind.
struct Sample
{
    FabricProgram program{"A test."};
    std::string text{"results"};
    uint32_t count{16};
    double load{0.5};
    bool quiet{false};
    Time stop{MicroSeconds(1500)};
    DataRate rate{1000};
    uint64_t size{65536};
    std::string congestion{"none"};

    Sample()
    {
        program.AddOption("outDir", "folder", text);
        program.AddOption("count", "senders", count);
        program.AddOption("load", "load", load);
        program.AddOption("quiet", "say nothing", quiet);
        program.AddOption("stop", "end", stop);
        program.AddOption("rate", "speed", rate);
        program.AddSize("size", "bytes", size);
        program.AddCongestion(congestion);
    }
};

} // namespace

TEST(FabricProgram, OptionsTakeEffect)
{
    Sample sample;
    EXPECT_TRUE(sample.program.Parse({"--outDir=a b",
                                      "--count=3",
                                      "--load=0.25",
                                      "--quiet",
                                      "--stop=2ms",
                                      "--rate=25Gbps",
                                      "--size=1MiB",
                                      "--seed=5",
                                      "--run=9"}));
    EXPECT_EQ(sample.text, "a b");
    EXPECT_EQ(sample.count, 3U);
    EXPECT_EQ(sample.load, 0.25);
    EXPECT_TRUE(sample.quiet);
    EXPECT_EQ(sample.stop, MilliSeconds(2));
    EXPECT_EQ(sample.rate.GetBitRate(), 25000000000U);
    EXPECT_EQ(sample.size, 1048576U);
    EXPECT_EQ(RngSeedManager::GetSeed(), 5U);
    EXPECT_EQ(RngSeedManager::GetRun(), 9U);
    EXPECT_TRUE(sample.program.Parse({"--seed=1", "--run=1"}));
}

TEST(FabricProgram, MistakesAreNamed)
{
    Sample sample;
    const auto parse = [&](const char* argument) { sample.program.Parse({argument}); };
    EXPECT_FABRIC_ERROR(parse("--outdir=x"), "no option --outdir; did you mean --outDir?");
    EXPECT_FABRIC_ERROR(parse("outDir=x"), "options look like --name=value");
    EXPECT_FABRIC_ERROR(parse("--count"), "--count has no value");
    EXPECT_FABRIC_ERROR(parse("--count=many"), "--count is \"many\"");
    EXPECT_FABRIC_ERROR(parse("--count=4294967296"), "--count is ");
    EXPECT_FABRIC_ERROR(parse("--stop=-1s"), "--stop is \"-1s\"");
    EXPECT_FABRIC_ERROR(parse("--seed=0"),
                        "--seed is \"0\"; it must be a whole number from 1 to 4294944442");
    EXPECT_FABRIC_ERROR(parse("--seed=4294944443"), "--seed is \"4294944443\"");
    EXPECT_FABRIC_ERROR(parse("--RngSeed=4294967295"), "--RngSeed is \"4294967295\"");
    EXPECT_FABRIC_ERROR(parse("--PrintAttributes=ns3::RdmaQueuPair"), "did you mean");
    for (const char* argument : {"--PrintAttributes", "--PrintAttributes="})
    {
        EXPECT_FABRIC_ERROR(parse(argument), "no type; write --PrintAttributes=ns3::RdmaQueuePair");
    }
    EXPECT_FABRIC_ERROR(parse("--PrintThings"), "there is no option --PrintThings");
    EXPECT_FABRIC_ERROR(parse("--ns3::TcpSocket::SegmentSize"), "has no value");
    EXPECT_FABRIC_ERROR(parse("--ns3::TcpSockt::SegmentSize=1"), "did you mean ns3::TcpSocket?");
    EXPECT_FABRIC_ERROR(parse("--ns3::TcpSocket::SegmentSiz=1"), "did you mean SegmentSize?");
    EXPECT_FABRIC_ERROR(parse("--ns3::TcpSocket::SegmentSize=x"), "SegmentSize is \"x\"");
    EXPECT_TRUE(sample.program.Parse({"--seed=1"}));
}

TEST(FabricProgram, OptionsStandForAttributes)
{
    Sample sample;
    EXPECT_FABRIC_ERROR(sample.program.StandsFor("kount", {"ns3::SwitchMmu::Alpha"}),
                        "--kount that the program has not");
    EXPECT_FABRIC_ERROR(sample.program.StandsFor("count", {"ns3::SwitchMmu::Alfa"}),
                        "ns3::SwitchMmu has no attribute Alfa");
}

TEST(FabricProgram, OptionsOfManyPrograms)
{
    FabricProgram program("A test.");
    std::string congestion = "none";
    DataRate rate(1000);
    Time delay;
    uint64_t buffer = 1;
    program.AddCongestion(congestion);
    program.AddLinks(rate, delay);
    program.AddBuffer(buffer);
    const std::vector<std::string> given = {"--congestion=ns3::RdmaHpcc",
                                            "--rate=25Gbps",
                                            "--delay=2us",
                                            "--buffer=4KiB"};
    EXPECT_TRUE(program.Parse(given));
    EXPECT_EQ(congestion, "ns3::RdmaHpcc");
    EXPECT_EQ(rate.GetBitRate(), 25000000000U);
    EXPECT_EQ(delay, MicroSeconds(2));
    EXPECT_EQ(buffer, 4096U);
    const std::vector<std::string> attributes = {
        "--ns3::RdmaQueuePair::CongestionControl=ns3::RdmaSwift",
        "--ns3::QbbNetDevice::DataRate=1Gbps",
        "--ns3::QbbChannel::Delay=1us",
        "--ns3::SwitchMmu::BufferSize=1MiB"};
    for (std::size_t i = 0; i < given.size(); ++i)
    {
        EXPECT_FABRIC_ERROR(program.Parse({given[i], attributes[i]}),
                            given[i] + " and " + attributes[i] + " say different things");
    }
    Config::Reset();
}

TEST(FabricProgram, ListsAndTimesThatNeedNotBe)
{
    FabricProgram program("A test.");
    std::vector<std::string> files;
    std::optional<Time> patience;
    program.AddOption("files", "files", files);
    program.AddOption("patience", "patience", patience);
    EXPECT_TRUE(program.Parse({}));
    EXPECT_FALSE(patience);
    EXPECT_TRUE(program.Parse({"--files=fct,pfc", "--patience=3ms"}));
    EXPECT_EQ(files, (std::vector<std::string>{"fct", "pfc"}));
    EXPECT_EQ(*patience, MilliSeconds(3));
    EXPECT_FABRIC_ERROR(program.Parse({"--patience=long"}), "--patience is \"long\"");
}

TEST(FabricProgram, NamesAreNotEmpty)
{
    FabricProgram program("A sample.");
    std::string name;
    program.AddName("trace", "a file", name);
    EXPECT_TRUE(program.Parse({"--trace=a b"}));
    EXPECT_EQ(name, "a b");
    EXPECT_FABRIC_ERROR(program.Parse({"--trace="}), "--trace is empty; name one, or leave it out");
    EXPECT_EQ(name, "a b");
}

TEST(FabricProgram, KnowsWhatUsersOfCommandLineKnow)
{
    Sample sample;
    EXPECT_TRUE(sample.program.Parse({"--RngSeed=3", "--RngRun=4"}));
    EXPECT_EQ(RngSeedManager::GetSeed(), 3U);
    EXPECT_EQ(RngSeedManager::GetRun(), 4U);
    // As NS_GLOBAL_VALUE sets them.
    RngSeedManager::SetRun(6);
    FabricProgram other("A test.");
    EXPECT_TRUE(other.Parse({"--seed=1"}));
    EXPECT_EQ(RngSeedManager::GetRun(), 6U);
    EXPECT_FALSE(other.Parse({"--PrintHelp"}));
    EXPECT_TRUE(other.Parse({"--run=1"}));
    for (const char* option : {"--PrintAttributes=ns3::RdmaQueuePair",
                               "--PrintGroup=Lossless",
                               "--PrintGroups",
                               "--PrintTypeIds",
                               "--PrintGlobals"})
    {
        EXPECT_EXIT(other.Parse({option}), ::testing::ExitedWithCode(0), "") << option;
    }
}

TEST(FabricProgram, AnInterruptIsTheStatusOfTheSignal)
{
    Sample sample;
    std::string name = "sample";
    char* arguments[] = {name.data()};
    ::testing::internal::CaptureStderr();
    ::testing::internal::CaptureStdout();
    EXPECT_EQ(sample.program.Run(1,
                                 arguments,
                                 [] { throw FabricInterrupt(15, "interrupted", "the summary\n"); }),
              143);
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "the summary\n");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "sample: interrupted\n");
}

TEST(FabricProgram, AnErrorDestroysTheSimulation)
{
    Sample sample;
    bool destroyed = false;
    std::string name = "sample";
    char* arguments[] = {name.data()};
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(sample.program.Run(1,
                                 arguments,
                                 [&] {
                                     Simulator::ScheduleDestroy(
                                         std::function<void()>([&] { destroyed = true; }));
                                     throw FabricError("no luck");
                                 }),
              2);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "sample: no luck\n");
    EXPECT_TRUE(destroyed);
}

TEST(FabricProgram, OptionsForAttributesMustBeTaken)
{
    Sample sample;
    std::string name = "sample";
    std::string option = "--ns3::SwitchMmu::Alpha=0.25";
    char* arguments[] = {name.data(), option.data()};
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(sample.program.Run(2, arguments, [] { FabricHelper helper; }), 2);
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("FabricHelper with GetOptions()"),
              std::string::npos);
    EXPECT_EQ(
        sample.program.Run(2, arguments, [&] { FabricHelper helper(sample.program.GetOptions()); }),
        0);
    Config::Reset();
}

TEST(FabricProgram, TwoValuesOfOneOptionAreRefused)
{
    const std::vector<std::vector<std::string>> pairs = {
        {"--seed=1", "--seed=2"},
        {"--run=3", "--RngRun=4"},
        {"--RngSeed=5", "--seed=6"},
        {"--count=7", "--count=8"},
        {"--quiet", "--quiet=0"},
        {"--congestion=ns3::RdmaDcqcn", "--ns3::RdmaQueuePair::CongestionControl=ns3::RdmaHpcc"},
        {"--ns3::RdmaDcqcn::Gain=0.5", "--ns3::RdmaDcqcn::Gain=0.25"},
        {"--load=0.5", "--ns3::SwitchMmu::Alpha=0.25"},
        {"--ns3::NicWatchdog::TimeScale=0.25", "--load=0.5"},
        {"--load=0.5", "--load=0.25"}};
    Sample sample;
    sample.program.StandsFor("load", {"ns3::SwitchMmu::Alpha", "ns3::NicWatchdog::TimeScale"});
    for (const auto& pair : pairs)
    {
        const std::string error =
            pair[0] + " and " + pair[1] + " say different things; give one of them";
        EXPECT_FABRIC_ERROR(sample.program.Parse(pair), error);
    }
    EXPECT_FABRIC_ERROR(sample.program.Parse({"--load=0.5", "--ns3::SwitchMmu::Alpha=0.5"}),
                        "--load=0.5 and --ns3::SwitchMmu::Alpha=0.5 say the same; give one");
    EXPECT_TRUE(sample.program.Parse({"--seed=3", "--RngSeed=3", "--quiet", "--quiet=true"}));
    Config::Reset();
}

TEST(FabricProgram, NumbersSayTheirRange)
{
    Sample sample;
    uint32_t gpus = 8;
    sample.program.AddNumber("gpus", "of a host", gpus, 1, 64);
    EXPECT_TRUE(sample.program.Parse({"--gpus=64"}));
    EXPECT_EQ(gpus, 64U);
    for (const char* wrong : {"0", "65", "-1", "1.5", "many"})
    {
        EXPECT_FABRIC_ERROR(sample.program.Parse({std::string("--gpus=") + wrong}),
                            std::string("--gpus is \"") + wrong +
                                "\"; it must be a whole number from 1 to 64");
    }
    EXPECT_EQ(gpus, 64U);
}

TEST(FabricProgram, HelpNamesAllOptions)
{
    Sample sample;
    EXPECT_FALSE(sample.program.Parse({"--help"}));
    const std::string help = sample.program.Help("sample");
    for (const char* name : {"--outDir=",
                             "--count=",
                             "--load=",
                             "--quiet=",
                             "--stop=",
                             "--rate=",
                             "--size=",
                             "--seed=",
                             "--run=",
                             "--help"})
    {
        EXPECT_NE(help.find(name), std::string::npos) << name;
    }
    EXPECT_NE(help.find("folder [results]"), std::string::npos) << help;
}

TEST(FabricProgram, RanksAreAnOptionOfBuildsWithMpi)
{
    Sample sample;
    sample.program.AddMpi();
    EXPECT_EQ(sample.program.Help("sample").find("--mpi=") != std::string::npos,
              FabricRanks::IsBuilt());
    if (!FabricRanks::IsBuilt())
    {
        EXPECT_THROW(sample.program.Parse({"--mpi"}), FabricError);
    }
}
