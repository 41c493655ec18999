// SPDX-License-Identifier: GPL-2.0-only
#include "mmu-test-util.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>

using namespace ns3;

namespace
{

using Statistic = WatermarkStatistic;
using Key = std::tuple<Statistic, int32_t, int32_t>;

/// @return the watermarks of a view that are not 0
std::map<Key, uint64_t>
Marks(const Ptr<SwitchMmu>& mmu, WatermarkView view)
{
    std::map<Key, uint64_t> marks;
    for (const Watermark& mark : mmu->GetWatermarks(view))
    {
        EXPECT_GT(mark.bytes, 0U);
        EXPECT_TRUE(marks.emplace(Key(mark.statistic, mark.port, mark.cls), mark.bytes).second);
    }
    return marks;
}

/// @return the MMU of the worked trace: 100 cells shared, guaranteed 4, headroom 25, alpha 1/4
Ptr<SwitchMmu>
TraceMmu()
{
    auto mmu = MakeMmu(2, 100 + 4 + 25);
    mmu->SetLossless(0, 3, 25);
    mmu->SetGuaranteed(0, 3, 4);
    mmu->SetAlpha(0, 3, 0.25);
    mmu->SetXonOffset(0, 3, 3);
    mmu->Finalize();
    return mmu;
}

} // namespace

TEST(BufferWatermarks, ViewsOfTheWorkedTrace)
{
    const auto mmu = TraceMmu();
    EXPECT_TRUE(Marks(mmu, WatermarkView::USER).empty());
    for (int i = 0; i < 10; ++i)
    {
        ASSERT_TRUE(mmu->Admit(0, 3, 1, 3, 5).accepted);
    }
    const std::map<Key, uint64_t> full = {{{Statistic::INGRESS_SHARED, 0, 3}, 21},
                                          {{Statistic::INGRESS_HEADROOM, 0, 3}, 25},
                                          {{Statistic::QUEUE_SHARED, 1, 3}, 50},
                                          {{Statistic::POOL, -1, -1}, 21},
                                          {{Statistic::POOL_HEADROOM, -1, -1}, 25}};
    for (auto view : {WatermarkView::USER, WatermarkView::PERSISTENT, WatermarkView::PERIODIC})
    {
        EXPECT_EQ(Marks(mmu, view), full);
    }
    // What is stored is in use after a clear, too.
    mmu->ClearWatermarks(WatermarkView::USER);
    EXPECT_EQ(Marks(mmu, WatermarkView::USER), full);
    for (int i = 0; i < 10; ++i)
    {
        mmu->Release(0, 3, 1, 3, 5);
    }
    EXPECT_EQ(Marks(mmu, WatermarkView::USER), full);
    mmu->ClearWatermarks(WatermarkView::USER);
    EXPECT_TRUE(Marks(mmu, WatermarkView::USER).empty());

    mmu->Admit(0, 3, 1, 3, 5);
    const std::map<Key, uint64_t> one = {{{Statistic::INGRESS_SHARED, 0, 3}, 1},
                                         {{Statistic::QUEUE_SHARED, 1, 3}, 5},
                                         {{Statistic::POOL, -1, -1}, 1}};
    EXPECT_EQ(Marks(mmu, WatermarkView::USER), one);
    EXPECT_EQ(Marks(mmu, WatermarkView::PERSISTENT), full);
    EXPECT_EQ(Marks(mmu, WatermarkView::PERIODIC), full);
    EXPECT_EQ(mmu->GetPeaks(0, 3).ingress, 50U) << "the run sees no clear but its own";
    EXPECT_EQ(mmu->GetPeaks(1, 3).queue, 50U);
    EXPECT_EQ(mmu->GetHeadroomPeak(), 25U);
    EXPECT_NE(mmu->Explain(0, 3).find("holds 5 B, peak 50 B; headroom 25 B, peak 25 B"),
              std::string::npos)
        << mmu->Explain(0, 3);

    mmu->ClearPeaks();
    EXPECT_EQ(mmu->GetPeaks(0, 3).ingress, 5U);
    EXPECT_EQ(mmu->GetSharedPeak(), 1U);
    EXPECT_EQ(mmu->GetHeadroomPeak(), 0U);
    EXPECT_EQ(Marks(mmu, WatermarkView::USER), one);
    EXPECT_EQ(Marks(mmu, WatermarkView::PERSISTENT), full);
}

TEST(BufferWatermarks, SharedAndHeadroomPeaksAreOfTheirOwnTimes)
{
    const auto mmu = TraceMmu();
    // Five frames fill guaranteed and shared space to the threshold; two more go to headroom.
    for (int i = 0; i < 7; ++i)
    {
        mmu->Admit(0, 3, 1, 3, 5);
    }
    for (int i = 0; i < 7; ++i)
    {
        mmu->Release(0, 3, 1, 3, 5);
    }
    const auto marks = Marks(mmu, WatermarkView::PERSISTENT);
    EXPECT_EQ(marks.at({Statistic::INGRESS_SHARED, 0, 3}), 21U);
    EXPECT_EQ(marks.at({Statistic::INGRESS_HEADROOM, 0, 3}), 10U);
}

TEST(BufferWatermarks, AChangedGuaranteeLeavesWhatWasBeyondTheOld)
{
    auto mmu = MakeMmu(2, 1000);
    mmu->SetEgressGuaranteed(1, 0, 10);
    mmu->Finalize();
    ASSERT_TRUE(mmu->Admit(0, 0, 1, 0, 12).accepted);
    mmu->Release(0, 0, 1, 0, 12);
    mmu->SetEgressGuaranteed(1, 0, 0);
    EXPECT_EQ(Marks(mmu, WatermarkView::USER).at({Statistic::QUEUE_SHARED, 1, 0}), 2U);
    EXPECT_EQ(mmu->GetPeaks(1, 0).queue, 12U);
    ASSERT_TRUE(mmu->Admit(0, 0, 1, 0, 7).accepted);
    EXPECT_EQ(Marks(mmu, WatermarkView::USER).at({Statistic::QUEUE_SHARED, 1, 0}), 7U);
    mmu->ClearWatermarks(WatermarkView::USER);
    mmu->Release(0, 0, 1, 0, 7);
    EXPECT_EQ(Marks(mmu, WatermarkView::USER).at({Statistic::QUEUE_SHARED, 1, 0}), 7U);
}

TEST(BufferWatermarks, BytesOutliveTheSizeOfCells)
{
    auto mmu = MakeMmu(2, 100000, 100);
    mmu->Finalize();
    mmu->Admit(0, 0, 1, 0, 250);
    mmu->Release(0, 0, 1, 0, 3);
    mmu->SetAttribute("CellBytes", UintegerValue(1000));
    EXPECT_EQ(Marks(mmu, WatermarkView::USER).at({Statistic::POOL, -1, -1}), 300U);
    EXPECT_EQ(mmu->GetPeaks(1, 0).queue, 300U);
}

TEST(BufferWatermarks, NamesOfSonic)
{
    EXPECT_STREQ(Watermark::NameOf(WatermarkView::USER), "USER_WATERMARKS");
    EXPECT_STREQ(Watermark::NameOf(WatermarkView::PERSISTENT), "PERSISTENT_WATERMARKS");
    EXPECT_STREQ(Watermark::NameOf(WatermarkView::PERIODIC), "PERIODIC_WATERMARKS");
    EXPECT_STREQ(Watermark::NameOf(Statistic::INGRESS_SHARED),
                 "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES");
    EXPECT_STREQ(Watermark::NameOf(Statistic::INGRESS_HEADROOM),
                 "SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES");
    EXPECT_STREQ(Watermark::NameOf(Statistic::QUEUE_SHARED),
                 "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES");
    EXPECT_STREQ(Watermark::NameOf(Statistic::POOL), "SAI_BUFFER_POOL_STAT_WATERMARK_BYTES");
    EXPECT_STREQ(Watermark::NameOf(Statistic::POOL_HEADROOM),
                 "SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES");
}
