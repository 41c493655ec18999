// SPDX-License-Identifier: GPL-2.0-only

// Flow sizes: the means and quantiles of the published workloads, and malformed files.

#include "helper-test-util.h"

#include "ns3/double.h"
#include "ns3/flow-size-distribution.h"

#include <limits>

using namespace ns3;

TEST(FlowSizeDistribution, WebSearchVectors)
{
    const auto sizes = FlowSizeDistribution::Load("websearch");
    EXPECT_NEAR(sizes.GetMean(), 1711250, 0.01);
    EXPECT_NEAR(sizes.GetQuantile(0.10), 6666.7, 0.05);
    EXPECT_NEAR(sizes.GetQuantile(0.50), 73076.9, 0.05);
    EXPECT_NEAR(sizes.GetQuantile(0.95), 8571428.6, 0.05);
    EXPECT_NEAR(sizes.GetQuantile(0.99), 23333333.3, 0.05);
}

TEST(FlowSizeDistribution, FbHadoopVectors)
{
    const auto sizes = FlowSizeDistribution::Load("fb-hadoop");
    EXPECT_NEAR(sizes.GetMean(), 120420.75, 0.01);
    EXPECT_NEAR(sizes.GetQuantile(0.10), 325, 1e-6);
    EXPECT_NEAR(sizes.GetQuantile(0.50), 700, 1e-6);
    EXPECT_NEAR(sizes.GetQuantile(0.95), 300000, 1e-6);
    EXPECT_NEAR(sizes.GetQuantile(0.99), 2000000, 1e-6);
}

TEST(FlowSizeDistribution, AllThatAreShippedLoad)
{
    const auto names = FlowSizeDistribution::Names();
    EXPECT_EQ(names,
              (std::vector<std::string>{"ali-storage", "fb-hadoop", "google-rpc", "websearch"}));
    for (const auto& name : names)
    {
        EXPECT_GT(FlowSizeDistribution::Load(name).GetMean(), 0) << name;
    }
}

TEST(FlowSizeDistribution, DrawsFollowIt)
{
    const auto sizes = FlowSizeDistribution::Load("fb-hadoop");
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(1);
    double sum = 0;
    uint32_t upTo700 = 0;
    constexpr uint32_t draws = 400000;
    for (uint32_t i = 0; i < draws; ++i)
    {
        const uint64_t size = sizes.Draw(uniform);
        ASSERT_GE(size, 1U);
        ASSERT_LE(size, 10000000U);
        sum += static_cast<double>(size);
        upTo700 += size <= 700;
    }
    EXPECT_NEAR(sum / draws, 120420.8, 120420.8 * 0.02); // standard error 0.7 %
    EXPECT_NEAR(upTo700 / double{draws}, 0.5, 0.005);
}

TEST(FlowSizeDistribution, EndsAndSteps)
{
    // A quantile of a step is its size, and a draw is rounded down to at least 1.
    const FlowSizeDistribution sizes({{0, 0}, {10, 50}, {100, 50}, {100, 100}});
    EXPECT_EQ(sizes.GetQuantile(0), 0);
    EXPECT_EQ(sizes.GetQuantile(0.25), 5);
    EXPECT_EQ(sizes.GetQuantile(0.75), 100);
    EXPECT_EQ(sizes.GetQuantile(1), 100);
    EXPECT_DOUBLE_EQ(sizes.GetMean(), 0.5 * 5 + 0.5 * 100);
    auto zero = CreateObject<ConstantRandomVariable>();
    zero->SetAttribute("Constant", DoubleValue(0));
    EXPECT_EQ(sizes.Draw(zero), 1U);
    EXPECT_EQ(FlowSizeDistribution::Constant(4096).Draw(zero), 4096U);
}

TEST(FlowSizeDistribution, SeparatorsAndHeading)
{
    ScratchFile comma("flow_bytes,cumulative_percent\n0,0\n100,100\n");
    ScratchFile blank("0 0\n100 100\n");
    EXPECT_EQ(FlowSizeDistribution::Load(comma.Path()).GetMean(), 50);
    EXPECT_EQ(FlowSizeDistribution::Load(blank.Path()).GetMean(), 50);
}

TEST(FlowSizeDistribution, MalformedFilesAreNamedByLine)
{
    const auto expect = [](const char* text, const char* message) {
        ScratchFile file(text);
        EXPECT_FABRIC_ERROR(FlowSizeDistribution::Load(file.Path()), file.Path() + message);
    };
    expect("", ": the distribution does not reach 100 percent");
    expect("0 0\n100 90\n", ":2: the distribution does not reach 100 percent");
    expect("0 0\n100\n", ":2: 1 field; expected 2");
    expect("0 0\n100 50 1\n", ":2: 3 fields; expected 2");
    expect("0 0\nlong 50\n", ":2: flow size in bytes is \"long\"");
    expect("0 0\n100 half\n", ":2: cumulative percentage is \"half\"");
    expect("0 0\n100 101\n", ":2: cumulative percentage is \"101\"");
    expect("0 0\n-5 50\n", ":2: flow size in bytes is \"-5\"");
    expect("0 0\n100 50\n90 100\n", ":3: the size is below the one before it");
    expect("0 0\n100 50\n200 40\n", ":3: the percentage is below the one before it");
    expect("0 10\n100 100\n", ":1: the first percentage is not 0");
    expect("0 0\n1.5 100\n", ":2: the size of 1.5 bytes is not whole; sizes are whole");
    expect("0 0\n0 40\n9 100\n", ":2: 40 percent of the flows have no bytes");
    EXPECT_FABRIC_ERROR(FlowSizeDistribution::Load("fb-hadop"), "did you mean fb-hadoop?");
    EXPECT_FABRIC_ERROR(FlowSizeDistribution::Load("/no/file"), "there is no file");
}

TEST(FlowSizeDistribution, PointsAreCheckedAsFilesAre)
{
    using Points = std::vector<FlowSizeDistribution::Point>;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto expect = [](const Points& points, const char* message) {
        EXPECT_FABRIC_ERROR(FlowSizeDistribution{points}, message);
    };
    expect({{-5, 0}, {10, 100}}, "the size is -5 bytes; sizes are whole");
    expect({{0, 0}, {0x1p41, 100}}, "the size is 2199023255552 bytes");
    expect({{0, 0}, {nan, 50}, {10, 100}}, "the size is nan bytes");
    expect({{0, 0}, {9, nan}, {10, 100}}, "the percentage is nan");
    expect({{0, 0}, {9.5, 100}}, "the size of 9.5 bytes is not whole");
    expect({{0, 0}, {0, 40}, {10, 100}}, "40 percent of the flows have no bytes");
}
