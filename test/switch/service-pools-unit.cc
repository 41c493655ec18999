// SPDX-License-Identifier: GPL-2.0-only
#include "mmu-test-util.h"
#include "refusal-of.h"

#include "ns3/string.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

/// @return 3 ports, 1000 cells shared, class 3 lossless at ports 0 and 1 with headroom 100
Ptr<SwitchMmu>
TwoPortMmu(const std::string& pools)
{
    auto mmu = MakeMmu(3, 1000 + 200);
    mmu->SetLossless(0, 3, 100);
    mmu->SetLossless(1, 3, 100);
    mmu->SetAttribute("ServicePools", StringValue(pools));
    return mmu;
}

} // namespace

TEST(ServicePools, Text)
{
    EXPECT_TRUE(ServicePool::Parse("").empty());
    const auto pools =
        ServicePool::Parse("roce lossless 60%;  bulk lossy 4MiB , rest any 1.5KB 10%;");
    ASSERT_EQ(pools.size(), 3U);
    EXPECT_EQ(pools[0].name, "roce");
    EXPECT_EQ(pools[0].size.Cells(1000, CellSize(1)), 600U);
    EXPECT_FALSE(pools[0].Takes(false));
    EXPECT_EQ(pools[1].size.Cells(0, CellSize(1024)), 4096U);
    EXPECT_FALSE(pools[1].Takes(true));
    EXPECT_EQ(pools[2].size.bytes, 1500U);
    EXPECT_EQ(pools[2].cap->Cells(50, CellSize(1)), 5U);
    EXPECT_TRUE(pools[2].Takes(true) && pools[2].Takes(false));
    for (const char* const size : {"64000", "64kB", "64KB", "64k", "62.5KiB", "62.5Ki"})
    {
        EXPECT_EQ(ServicePool::Parse(std::string("all any ") + size)[0].size.bytes, 64000U) << size;
    }
}

TEST(ServicePools, BadTextIsNamedOnOneLine)
{
    const std::pair<const char*, const char*> wrongs[] = {
        {"roce lossless", "\"roce lossless\" is not name, kind, size"},
        {"roce lossless 1 2 3", "is not name, kind, size"},
        {"roce lossles 60%", "pool roce is of kind \"lossles\"; it may be lossless, lossy or any"},
        {"roce lossless 60% 10%", "pool roce is lossless, and has a cap of lossy classes"},
        {"roce any 160%", "\"160%\" is no size"},
        {"roce any -1", "\"-1\" is no size"},
        {"roce any nan", "\"nan\" is no size"},
        {"roce any 4XB", "\"4XB\" is no size; such as 4MiB, 500000 or 60%"},
        {"roce any much", "\"much\" is no size"},
        {"a any 1; a any 2", "two pools are called a"},
        {"a any 1;b any 1;c any 1;d any 1;e any 1;f any 1;g any 1;h any 1;i any 1", "at most 8"}};
    for (const auto& [text, part] : wrongs)
    {
        const std::string message = RefusalOf([text = text] { ServicePool::Parse(text); });
        EXPECT_NE(message.find(part), std::string::npos) << text << ": " << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << text;
    }
}

TEST(ServicePools, ThresholdsAreOfTheFreeSpaceOfTheirPool)
{
    auto mmu = TwoPortMmu("roce lossless 60%; bulk lossy 30%; rest any 10%");
    mmu->SetAlpha(0, 3, 0.5);
    mmu->SetAlpha(1, 3, 0.5);
    mmu->SetServicePool(1, 3, "rest");
    mmu->Finalize();
    EXPECT_EQ(mmu->GetPoolCount(), 3U);
    EXPECT_EQ(mmu->GetSharedPool(), 1000U);
    EXPECT_EQ(mmu->GetThreshold(0, 3), 300U);
    EXPECT_EQ(mmu->GetThreshold(1, 3), 50U);
    EXPECT_EQ(mmu->GetThreshold(0, 0), 300U) << "lossy, alpha 1";

    // Lossy traffic fills its own pool, and no lossless class sees it.
    EXPECT_TRUE(mmu->Admit(0, 0, 2, 0, 150).accepted);
    EXPECT_EQ(mmu->Admit(0, 0, 2, 0, 151).reason, DropReason::INGRESS_LIMIT);
    EXPECT_EQ(mmu->GetThreshold(0, 3), 300U);
    EXPECT_EQ(mmu->GetThreshold(2, 1), 150U);

    // 50 of 100 cells of "rest" pause the class that draws from it; class 3 of port 0 goes on.
    EXPECT_TRUE(mmu->Admit(1, 3, 2, 3, 50).xoff);
    EXPECT_FALSE(mmu->Admit(0, 3, 2, 3, 150).xoff);
    EXPECT_EQ(mmu->GetPool(2).used, 50U);
    EXPECT_EQ(mmu->GetPool(2).peak, 50U);
    EXPECT_EQ(mmu->GetPool(0).used, 150U);
    EXPECT_EQ(mmu->GetSharedUsed(), 350U);
    EXPECT_EQ(mmu->GetSharedPeak(), 350U);
    EXPECT_EQ(mmu->CheckInvariants(), "");

    // What leaves another pool resumes nobody here.
    mmu->Release(0, 3, 2, 3, 150);
    EXPECT_TRUE(mmu->GetIngress(1, 3).paused);
    mmu->Release(1, 3, 2, 3, 50);
    EXPECT_FALSE(mmu->GetIngress(1, 3).paused);
    mmu->Release(0, 0, 2, 0, 150);
    EXPECT_TRUE(mmu->IsIdle());

    const auto marks = mmu->GetWatermarks(WatermarkView::USER);
    std::string pools;
    for (const Watermark& mark : marks)
    {
        pools += mark.pool.empty() ? "" : mark.pool + " " + std::to_string(mark.bytes) + "; ";
    }
    EXPECT_EQ(pools, "roce 150; bulk 150; rest 50; ");
}

TEST(ServicePools, ADepartureResumesAnotherClassOfTheSamePool)
{
    auto mmu = TwoPortMmu("roce lossless 500; bulk lossy 500");
    mmu->SetAlpha(0, 3, 1);
    mmu->SetAlpha(1, 3, 0.25);
    mmu->Finalize();
    EXPECT_FALSE(mmu->Admit(0, 3, 2, 3, 200).xoff);
    EXPECT_TRUE(mmu->Admit(1, 3, 2, 3, 75).xoff) << "T = 0.25 * 225 = 56";
    mmu->Release(0, 3, 2, 3, 200);
    EXPECT_FALSE(mmu->GetIngress(1, 3).paused) << "T = 0.25 * 425 = 106";
}

TEST(ServicePools, CapsOfLossyClasses)
{
    auto mmu = TwoPortMmu("a any 500 20%; b any 400; c lossy 100 10");
    mmu->SetServicePool(2, 0, "b");
    mmu->SetServicePool(2, 1, "c");
    mmu->SetAttribute("LossyAlpha", DoubleValue(8));
    mmu->Finalize();
    EXPECT_EQ(mmu->GetPool(0).lossyLimit, 100U) << "the cap";
    EXPECT_EQ(mmu->GetPool(1).lossyLimit, 400U) << "no lossless class draws from it";
    EXPECT_EQ(mmu->GetPool(2).lossyLimit, 10U);
    EXPECT_TRUE(mmu->Admit(0, 0, 1, 0, 100).accepted);
    EXPECT_EQ(mmu->Admit(0, 0, 1, 1, 1).reason, DropReason::INGRESS_LIMIT);
    EXPECT_EQ(mmu->Admit(2, 1, 1, 1, 11).reason, DropReason::INGRESS_LIMIT);
    EXPECT_TRUE(mmu->Admit(2, 1, 1, 1, 10).accepted);
    mmu->SetServicePool(1, 3, "b");
    EXPECT_EQ(mmu->GetPool(1).lossyLimit, 200U) << "LossyShare";
}

TEST(ServicePools, WhatCannotBeIsRefusedAndChangesNothing)
{
    auto mmu = TwoPortMmu("roce lossless 60%; bulk lossy 40%");
    RecordingSink sink;
    mmu->SetPauseSink(&sink);
    mmu->Finalize();
    sink.running = PeekPointer(mmu);
    const std::pair<std::function<void()>, const char*> wrongs[] = {
        {[&] { mmu->SetAttribute("ServicePools", StringValue("roce lossless 100%")); },
         "class 0 of port 0 is lossy, and none of ServicePools"},
        {[&] { mmu->SetAttribute("ServicePools", StringValue("bulk lossy 100%")); },
         "class 3 of port 0 is lossless, and none of ServicePools"},
        {[&] { mmu->SetAttribute("ServicePools", StringValue("a any 60%; b any 401")); },
         "ServicePools have 1 bytes more than the shared space of 1000 bytes"},
        {[&] { mmu->SetServicePool(0, 3, "rose"); },
         "the service pool \"rose\" of class 3 of port 0 is not among ServicePools \"roce"},
        {[&] { mmu->SetServicePool(0, 3, "bulk"); },
         "class 3 of port 0 is lossless, and its service pool bulk is not"},
        {[&] { mmu->SetServicePool(0, 0, "roce"); },
         "class 0 of port 0 is lossy, and its service"}};
    for (const auto& [change, part] : wrongs)
    {
        const std::string message = RefusalOf(change);
        EXPECT_NE(message.find(part), std::string::npos) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos);
        EXPECT_EQ(mmu->GetServicePools(), "roce lossless 60%; bulk lossy 40%");
        EXPECT_EQ(mmu->GetPool(0).size, 600U);
        EXPECT_FALSE(mmu->GetConfig(0, 3).pool);
    }
    auto plain = MakeMmu(1, 1000);
    plain->Finalize();
    EXPECT_NE(RefusalOf([&] { plain->SetServicePool(0, 0, "x"); }).find("is not among"),
              std::string::npos);
    EXPECT_EQ(plain->GetPoolName(0), "shared");
}

TEST(ServicePools, PoolsMayChangeWhileFramesAreStored)
{
    auto mmu = TwoPortMmu("");
    RecordingSink sink;
    mmu->SetPauseSink(&sink);
    mmu->SetAlpha(0, 3, 1);
    mmu->Finalize();
    sink.running = PeekPointer(mmu);
    EXPECT_FALSE(mmu->Admit(0, 3, 2, 3, 400).xoff);
    mmu->SetAttribute("ServicePools", StringValue("roce lossless 500; bulk lossy 500"));
    EXPECT_EQ(sink.paused.size(), 1U) << "T is 100 of a pool of 500 now";
    EXPECT_EQ(mmu->GetPool(0).used, 400U);
    mmu->SetAttribute("ServicePools", StringValue("bulk any 100; roce any 900"));
    EXPECT_EQ(mmu->GetPool(0).used, 400U) << "more than it has";
    EXPECT_EQ(mmu->GetPool(0).Free(), 0U);
    EXPECT_EQ(sink.paused.size(), 1U);
    mmu->SetServicePool(0, 3, "roce");
    EXPECT_EQ(mmu->GetPool(1).used, 400U);
    EXPECT_TRUE(sink.paused.empty()) << "T is 500";
    EXPECT_EQ(mmu->CheckInvariants(), "");
    mmu->Release(0, 3, 2, 3, 400);
    EXPECT_TRUE(mmu->IsIdle());
}
