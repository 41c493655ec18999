// SPDX-License-Identifier: GPL-2.0-only
#include "mmu-test-util.h"
#include "refusal-of.h"

#include "ns3/buffer-too-small.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

/// @return the message of the std::invalid_argument that Finalize() throws, or ""
std::string
Refusal(Ptr<SwitchMmu> mmu)
{
    return RefusalOf([&] { mmu->Finalize(); });
}

} // namespace

TEST(CellSize, KnownCells)
{
    const CellSize cell(208);
    const std::pair<uint32_t, uint32_t> vectors[] =
        {{64, 1}, {208, 1}, {209, 2}, {300, 2}, {1086, 6}, {1518, 8}, {4178, 21}, {9216, 45}};
    for (auto [bytes, cells] : vectors)
    {
        EXPECT_EQ(cell.OfFrame(bytes), cells) << bytes;
    }
}

TEST(CellSize, ExactForEveryFrameAndCell)
{
    for (uint32_t bytes : {1, 2, 3, 7, 64, 80, 144, 208, 255, 256, 1000, 4097, 65535, 65536})
    {
        const CellSize cell(bytes);
        for (uint32_t frame = 1; frame < (1U << 20); frame += frame < 20000 ? 1 : 1009)
        {
            ASSERT_EQ(cell.OfFrame(frame), (frame + bytes - 1) / bytes) << frame << " " << bytes;
        }
    }
}

TEST(MmuThreshold, FreeForIsTheLeastFreeSpace)
{
    for (double alpha : {1.0 / 128, 0.1, 0.125, 0.5, 1.0, 3.7, 8.0, 127.9})
    {
        const auto threshold = MmuThreshold::Dynamic(alpha);
        for (uint64_t cells = 1; cells < 3000; cells += 7)
        {
            const uint64_t free = threshold.FreeFor(cells);
            EXPECT_GE(threshold.Cells(free), cells);
            EXPECT_LT(threshold.Cells(free - 1), cells);
        }
    }
}

TEST(SwitchMmu, WorkedTrace)
{
    auto mmu = MakeMmu(2, 100 + 4 + 25);
    RecordingSink sink;
    mmu->SetPauseSink(&sink);
    mmu->SetLossless(0, 3, 25);
    mmu->SetGuaranteed(0, 3, 4);
    mmu->SetAlpha(0, 3, 0.25);
    mmu->SetXonOffset(0, 3, 3);
    mmu->Finalize();
    ASSERT_EQ(mmu->GetSharedPool(), 100U);

    struct Step
    {
        uint32_t g, s, h, threshold;
        bool paused;
    };

    const Step arrivals[] = {{4, 1, 0, 24, false},
                             {4, 6, 0, 23, false},
                             {4, 11, 0, 22, false},
                             {4, 16, 0, 21, false},
                             {4, 21, 0, 19, true},
                             {4, 21, 5, 19, true},
                             {4, 21, 10, 19, true},
                             {4, 21, 15, 19, true},
                             {4, 21, 20, 19, true},
                             {4, 21, 25, 19, true}};
    const Step departures[] = {{4, 21, 20, 19, true},
                               {4, 21, 15, 19, true},
                               {4, 21, 10, 19, true},
                               {4, 21, 5, 19, true},
                               {4, 21, 0, 19, true},
                               {4, 16, 0, 21, false},
                               {4, 11, 0, 22, false},
                               {4, 6, 0, 23, false},
                               {4, 1, 0, 24, false}};
    const MmuIngress& in = mmu->GetIngress(0, 3);
    auto expect = [&](const Step& step) {
        EXPECT_EQ(in.guaranteedUsed, step.g);
        EXPECT_EQ(in.sharedUsed, step.s);
        EXPECT_EQ(in.headroomUsed, step.h);
        EXPECT_EQ(mmu->GetThreshold(0, 3), step.threshold);
        EXPECT_EQ(in.paused, step.paused);
        EXPECT_EQ(sink.paused.size(), step.paused ? 1U : 0U);
        EXPECT_EQ(mmu->CheckInvariants(), "");
    };
    for (const auto& step : arrivals)
    {
        const MmuVerdict verdict = mmu->Admit(0, 3, 1, 3, 5);
        EXPECT_TRUE(verdict.accepted);
        EXPECT_EQ(verdict.cells, 5U);
        EXPECT_EQ(verdict.xoff, step.paused && step.h == 0);
        expect(step);
    }
    const MmuVerdict refused = mmu->Admit(0, 3, 1, 3, 5);
    EXPECT_FALSE(refused.accepted);
    EXPECT_EQ(refused.reason, DropReason::HEADROOM_FULL);
    EXPECT_EQ(mmu->GetDrops(0, 3, DropReason::HEADROOM_FULL), 1U);
    expect(arrivals[9]);
    for (const auto& step : departures)
    {
        mmu->Release(0, 3, 1, 3, 5);
        expect(step);
    }
    mmu->Release(0, 3, 1, 3, 5);
    EXPECT_TRUE(mmu->IsIdle());
    EXPECT_EQ(sink.calls, 2U);
    EXPECT_EQ(in.headroomPeak, 25U);
    EXPECT_EQ(in.peak, 50U);
    EXPECT_EQ(in.xoffCount, 1U);
    EXPECT_EQ(in.xonCount, 1U);
}

TEST(SwitchMmu, DynamicThresholdFixedPoints)
{
    struct Case
    {
        double alpha;
        uint32_t groups;
        uint64_t threshold;
    };

    // T = alpha * P / (1 + alpha * N), P = 5e6 bytes
    const Case cases[] = {{1.0 / 8, 1, 555556},
                          {1.0 / 8, 8, 312500},
                          {1.0 / 16, 1, 294118},
                          {1.0 / 2, 1, 1666667},
                          {1.0 / 2, 4, 833333}};
    for (const auto& c : cases)
    {
        auto mmu = MakeMmu(c.groups + 1, 5000000 + c.groups * 10000);
        for (uint32_t port = 0; port < c.groups; ++port)
        {
            mmu->SetLossless(port, 3, 10000);
            mmu->SetAlpha(port, 3, c.alpha);
        }
        mmu->Finalize();
        // All arrive in turn until the last of them is paused.
        bool filling = true;
        while (filling)
        {
            filling = false;
            for (uint32_t port = 0; port < c.groups; ++port)
            {
                if (!mmu->GetIngress(port, 3).paused)
                {
                    mmu->Admit(port, 3, c.groups, 3, 100);
                    filling = true;
                }
            }
        }
        EXPECT_NEAR(mmu->GetThreshold(0, 3), c.threshold, 100.0) << c.alpha << " " << c.groups;
        EXPECT_NEAR(mmu->GetIngress(0, 3).sharedUsed, c.threshold, 200.0);
    }
}

TEST(SwitchMmu, LossyQueueFixedPointAndTailDrop)
{
    // Egress alpha 1, one queue: half of the memory. Ingress alpha 8 does not bind.
    auto mmu = MakeMmu(2, 1000000);
    mmu->SetAlpha(0, 0, 8);
    mmu->Finalize();
    MmuVerdict verdict;
    do
    {
        verdict = mmu->Admit(0, 0, 1, 0, 100);
    } while (verdict.accepted);
    EXPECT_EQ(verdict.reason, DropReason::EGRESS_LIMIT);
    EXPECT_EQ(mmu->GetEgress(1, 0).used, 500000U);
    EXPECT_EQ(mmu->GetIngress(0, 0).sharedUsed, 500000U); // refused: neither side booked
    EXPECT_EQ(mmu->CheckInvariants(), "");
}

TEST(SwitchMmu, LossyIngressLimitAndGuaranteedSpace)
{
    auto mmu = MakeMmu(3, 100000);
    mmu->SetStaticThreshold(0, 0, 5000);
    mmu->SetGuaranteed(1, 6, 300);
    mmu->SetEgressGuaranteed(2, 6, 300);
    mmu->SetEgressStaticThreshold(2, 6, 0);
    mmu->SetStaticThreshold(1, 6, 0);
    mmu->Finalize();
    for (int i = 0; i < 5; ++i)
    {
        EXPECT_TRUE(mmu->Admit(0, 0, 2, 0, 1000).accepted);
    }
    EXPECT_EQ(mmu->Admit(0, 0, 2, 0, 1000).reason, DropReason::INGRESS_LIMIT);
    // A queue for notifications lives on its guaranteed space alone.
    EXPECT_EQ(mmu->Admit(1, 6, 2, 6, 100).region, MmuRegion::GUARANTEED);
    EXPECT_TRUE(mmu->Admit(1, 6, 2, 6, 200).accepted);
    EXPECT_EQ(mmu->Admit(1, 6, 2, 6, 100).reason, DropReason::INGRESS_LIMIT);
    EXPECT_EQ(mmu->GetDrops(0, 0, DropReason::INGRESS_LIMIT), 1U);
}

TEST(SwitchMmu, LosslessFrameHasNoEgressLimitUnlessTheQueueHasItsOwn)
{
    auto mmu = MakeMmu(3, 100000);
    mmu->SetAttribute("EgressAlpha", DoubleValue(0));
    mmu->SetLossless(0, 3, 1000);
    mmu->SetEgressPortLimit(1, 500);
    mmu->Finalize();
    EXPECT_TRUE(mmu->Admit(0, 3, 1, 3, 1000).accepted); // neither that of lossy queues nor a port's
    mmu->Release(0, 3, 1, 3, 1000);

    mmu->SetEgressGuaranteed(1, 3, 500);
    mmu->SetEgressStaticThreshold(1, 3, 2500);
    mmu->Finalize();
    for (int i = 0; i < 3; ++i)
    {
        EXPECT_TRUE(mmu->Admit(0, 3, 1, 3, 1000).accepted); // 500 of them guaranteed
    }
    const MmuVerdict verdict = mmu->Admit(0, 3, 1, 3, 1);
    EXPECT_EQ(verdict.reason, DropReason::EGRESS_LIMIT); // one cell more
    EXPECT_FALSE(verdict.accepted);
    EXPECT_FALSE(verdict.xoff);
    EXPECT_EQ(mmu->GetDrops(0, 3, DropReason::EGRESS_LIMIT), 1U);
    EXPECT_EQ(mmu->GetEgress(1, 3).used, 3000U);
    EXPECT_EQ(mmu->GetTotalUsed(), 3000U);
    EXPECT_TRUE(mmu->Admit(0, 3, 2, 3, 1000).accepted); // another queue
    mmu->Release(0, 3, 1, 3, 1000);
    EXPECT_EQ(mmu->Admit(0, 3, 1, 3, 1001).reason, DropReason::EGRESS_LIMIT);
    EXPECT_TRUE(mmu->Admit(0, 3, 1, 3, 1000).accepted);

    // A share of what is free: 500 + 97,000 / 64 = 2,015, before the frame.
    mmu->SetEgressAlpha(1, 3, 1.0 / 64);
    mmu->Finalize();
    mmu->Release(0, 3, 1, 3, 1000);
    mmu->Release(0, 3, 1, 3, 1000);
    EXPECT_EQ(mmu->GetPool(0).Free(), 97000U);
    EXPECT_EQ(mmu->Admit(0, 3, 1, 3, 1016).reason, DropReason::EGRESS_LIMIT);
    EXPECT_TRUE(mmu->Admit(0, 3, 1, 3, 1015).accepted);
    EXPECT_EQ(mmu->CheckInvariants(), "");
}

TEST(SwitchMmu, AFrameIsNeverSplitBetweenSharedSpaceAndHeadroom)
{
    auto mmu = MakeMmu(2, 11000);
    mmu->SetLossless(0, 3, 1000);
    mmu->SetStaticThreshold(0, 3, 150);
    mmu->Finalize();
    EXPECT_EQ(mmu->Admit(0, 3, 1, 3, 100).region, MmuRegion::SHARED);
    const MmuVerdict second = mmu->Admit(0, 3, 1, 3, 100);
    EXPECT_EQ(second.region, MmuRegion::HEADROOM);
    EXPECT_TRUE(second.xoff);
    // Once in headroom the class stays there, though 50 bytes would fit.
    EXPECT_EQ(mmu->Admit(0, 3, 1, 3, 50).region, MmuRegion::HEADROOM);
}

TEST(SwitchMmu, SharedHeadroomPool)
{
    auto mmu = MakeMmu(3, 1500 + 1000);
    mmu->SetAttribute("SharedHeadroomPool", UintegerValue(1500));
    mmu->SetLossless(0, 3, 1000);
    mmu->SetLossless(1, 3, 1000);
    mmu->SetStaticThreshold(0, 3, 0);
    mmu->SetStaticThreshold(1, 3, 0);
    mmu->Finalize();
    EXPECT_EQ(mmu->GetSharedPool(), 1000U);
    EXPECT_TRUE(mmu->Admit(0, 3, 2, 3, 1000).accepted);
    EXPECT_EQ(mmu->Admit(0, 3, 2, 3, 100).reason, DropReason::HEADROOM_FULL);
    EXPECT_TRUE(mmu->Admit(1, 3, 2, 3, 500).accepted);
    EXPECT_EQ(mmu->Admit(1, 3, 2, 3, 100).reason, DropReason::POOL_FULL);
    EXPECT_EQ(mmu->GetHeadroomPeak(), 1500U);
    EXPECT_EQ(mmu->CheckInvariants(), "");
}

TEST(SwitchMmu, HeadroomOversubscription)
{
    auto mmu = MakeMmu(3, 1500 + 1000);
    mmu->SetLossless(0, 3, 1001);
    mmu->SetLossless(1, 3, 1000);
    mmu->SetStaticThreshold(0, 3, 0);
    mmu->SetStaticThreshold(1, 3, 0);
    mmu->SetAttribute("HeadroomOversubscription", DoubleValue(1.5));
    RecordingSink sink;
    mmu->SetPauseSink(&sink);
    mmu->Finalize();
    sink.running = PeekPointer(mmu);
    EXPECT_EQ(mmu->GetHeadroomPool(), 1334U) << "2001 / 1.5, rounded up";
    EXPECT_EQ(mmu->GetSharedPool(), 1166U);
    EXPECT_TRUE(mmu->Admit(0, 3, 2, 3, 1000).accepted);
    EXPECT_TRUE(mmu->Admit(1, 3, 2, 3, 300).accepted);
    EXPECT_EQ(mmu->Admit(1, 3, 2, 3, 100).reason, DropReason::POOL_FULL);
    EXPECT_EQ(mmu->CheckInvariants(), "");
    // In a switch that runs, at once; and back.
    mmu->SetAttribute("HeadroomOversubscription", DoubleValue(1));
    EXPECT_EQ(mmu->GetHeadroomPool(), 2001U);
    EXPECT_TRUE(mmu->Admit(1, 3, 2, 3, 100).accepted);
    mmu->SetAttribute("HeadroomOversubscription", DoubleValue(0));
    EXPECT_EQ(mmu->GetHeadroomPool(), 0U);
    EXPECT_EQ(mmu->GetSharedPool(), 499U);
    EXPECT_THROW(mmu->SetAttribute("HeadroomOversubscription", DoubleValue(0.5)),
                 std::invalid_argument);
    EXPECT_EQ(mmu->GetSharedPool(), 499U) << "as before";
    mmu->SetAttribute("SharedHeadroomPool", UintegerValue(1500));
    EXPECT_EQ(RefusalOf([&] { mmu->SetAttribute("HeadroomOversubscription", DoubleValue(2)); }),
              "SwitchMmu: HeadroomOversubscription is 2, and SharedHeadroomPool is set, too; "
              "set one of them");
    EXPECT_EQ(mmu->GetHeadroomPool(), 1500U);
}

TEST(SwitchMmu, Pitfall01_02_HeadroomLargerThanTheBufferIsRefused)
{
    auto mmu = MakeMmu(4, 208000, 208);
    for (uint32_t port = 0; port < 4; ++port)
    {
        mmu->SetLossless(port, 3, 300 * 208);
    }
    // 1200 cells needed, 1000 there: the fourth does not fit, 200 cells are missing.
    const std::string message = Refusal(mmu);
    EXPECT_NE(message.find("port 3 class 3"), std::string::npos) << message;
    EXPECT_NE(message.find("41600 bytes short"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_FALSE(mmu->IsFinal());
    try
    {
        mmu->Finalize();
    }
    catch (const BufferTooSmall& error)
    {
        EXPECT_EQ(error.GetNeeded(), 1200U * 208);
    }
    mmu->SetLossless(3, 3, 100 * 208);
    EXPECT_EQ(Refusal(mmu), "");
    EXPECT_EQ(mmu->GetSharedPool(), 0U);
    // No shared space at all: nothing underflows, the class is paused from the first frame on.
    EXPECT_EQ(mmu->GetThreshold(0, 3), 0U);
    EXPECT_TRUE(mmu->Admit(0, 3, 1, 3, 208).xoff);
}

TEST(SwitchMmu, Pitfall02_ThresholdIsZeroWhenThePoolIsFull)
{
    auto mmu = MakeMmu(2, 1100);
    mmu->SetLossless(0, 3, 100);
    mmu->SetAlpha(0, 3, 8);
    mmu->SetAlpha(0, 0, 8);
    mmu->SetEgressAlpha(1, 0, 8);
    mmu->Finalize();
    while (mmu->Admit(0, 3, 1, 3, 10).region == MmuRegion::SHARED)
    {
    }
    EXPECT_LE(mmu->GetThreshold(0, 3), mmu->GetIngress(0, 3).sharedUsed);
    EXPECT_LE(mmu->GetSharedUsed(), mmu->GetSharedPool());
    EXPECT_EQ(mmu->CheckInvariants(), "");
}

TEST(SwitchMmu, ADepartureResumesItsOwnClassAloneIfAskedTo)
{
    auto mmu = MakeMmu(3, 1000 + 200);
    RecordingSink sink;
    mmu->SetPauseSink(&sink);
    mmu->SetAttribute("ResumeTest", StringValue("Departing"));
    mmu->SetLossless(0, 3, 100);
    mmu->SetLossless(1, 4, 100);
    mmu->SetAlpha(0, 3, 1);
    mmu->SetAlpha(1, 4, 0.25);
    mmu->Finalize();
    sink.running = PeekPointer(mmu);
    for (int i = 0; i < 40; ++i)
    {
        ASSERT_TRUE(mmu->Admit(0, 3, 2, 3, 10).accepted);
    }
    while (!mmu->GetIngress(1, 4).paused)
    {
        ASSERT_TRUE(mmu->Admit(1, 4, 2, 4, 10).accepted);
    }
    for (int i = 0; i < 39; ++i)
    {
        mmu->Release(0, 3, 2, 3, 10);
    }
    EXPECT_TRUE(mmu->GetIngress(1, 4).paused) << "nothing of its own has left";
    mmu->Release(1, 4, 2, 4, 10);
    EXPECT_FALSE(mmu->GetIngress(1, 4).paused);
    // What was passed over resumes when all may.
    mmu->Release(0, 3, 2, 3, 10);
    for (int i = 0; i < 40; ++i)
    {
        ASSERT_TRUE(mmu->Admit(0, 3, 2, 3, 10).accepted);
    }
    while (!mmu->GetIngress(1, 4).paused)
    {
        ASSERT_TRUE(mmu->Admit(1, 4, 2, 4, 10).accepted);
    }
    for (int i = 0; i < 40; ++i)
    {
        mmu->Release(0, 3, 2, 3, 10);
    }
    EXPECT_TRUE(mmu->GetIngress(1, 4).paused);
    mmu->SetAttribute("ResumeTest", StringValue("AllPaused"));
    EXPECT_FALSE(mmu->GetIngress(1, 4).paused);
}

TEST(SwitchMmu, Pitfall14_AllPausedClassesAreCheckedWhenSharedSpaceFrees)
{
    auto mmu = MakeMmu(3, 1000 + 200);
    RecordingSink sink;
    mmu->SetPauseSink(&sink);
    mmu->SetLossless(0, 3, 100);
    mmu->SetLossless(1, 4, 100);
    mmu->SetAlpha(0, 3, 1);
    mmu->SetAlpha(1, 4, 0.25);
    mmu->Finalize();
    // Port 0 takes 400 first, so that port 1 is paused at 0.25 * (600 - S); then only port 0
    // drains.
    for (int i = 0; i < 40; ++i)
    {
        ASSERT_TRUE(mmu->Admit(0, 3, 2, 3, 10).accepted);
    }
    while (!mmu->GetIngress(1, 4).paused)
    {
        ASSERT_TRUE(mmu->Admit(1, 4, 2, 4, 10).accepted);
    }
    const uint32_t held = mmu->GetIngress(1, 4).sharedUsed;
    ASSERT_EQ(held, 120U);
    for (int i = 0; i < 40 && mmu->GetIngress(1, 4).paused; ++i)
    {
        mmu->Release(0, 3, 2, 3, 10);
    }
    EXPECT_EQ(mmu->GetIngress(1, 4).sharedUsed, held); // no departure of its own
    EXPECT_FALSE(mmu->GetIngress(1, 4).paused);
    EXPECT_EQ(sink.paused.count({1, 4}), 0U);
    EXPECT_GE(mmu->GetThreshold(1, 4), held);
    EXPECT_LE(mmu->GetSharedPool() - mmu->GetSharedUsed(), 480U + 10U); // and not later
}

TEST(SwitchMmu, GuaranteedSpaceAloneIsNeverPaused)
{
    auto mmu = MakeMmu(3, 1000 + 100 + 200);
    mmu->SetLossless(0, 3, 200);
    mmu->SetGuaranteed(0, 3, 100);
    mmu->SetStaticThreshold(0, 3, 0);
    mmu->Finalize();
    EXPECT_FALSE(mmu->Admit(0, 3, 1, 3, 100).xoff);
    EXPECT_TRUE(mmu->Admit(0, 3, 1, 3, 100).xoff); // into headroom
}

TEST(SwitchMmu, ThresholdsMayChangeWhileFramesAreStored)
{
    auto mmu = MakeMmu(2, 10000 + 1000);
    RecordingSink sink;
    mmu->SetPauseSink(&sink);
    mmu->SetLossless(0, 3, 1000);
    mmu->SetStaticThreshold(0, 3, 100);
    mmu->Finalize();
    sink.running = PeekPointer(mmu);
    EXPECT_TRUE(mmu->Admit(0, 3, 1, 3, 100).xoff);
    mmu->SetStaticThreshold(0, 3, 200);
    EXPECT_TRUE(sink.paused.empty());
    mmu->SetStaticThreshold(0, 3, 100);
    EXPECT_EQ(sink.paused.size(), 1U) << "at once, not at the next frame";
    mmu->SetXonOffset(0, 3, 50);
    mmu->SetStaticThreshold(0, 3, 149);
    EXPECT_EQ(sink.paused.size(), 1U);
    mmu->SetXonOffset(0, 3, 49);
    EXPECT_TRUE(sink.paused.empty());
    mmu->Release(0, 3, 1, 3, 100);
    EXPECT_TRUE(mmu->IsIdle());
}

TEST(SwitchMmu, TheBufferMayBeDividedAnewWhileFramesAreStored)
{
    auto mmu = MakeMmu(2, 10000 + 1000);
    RecordingSink sink;
    mmu->SetPauseSink(&sink);
    mmu->SetLossless(0, 3, 1000);
    mmu->SetStaticThreshold(0, 3, 4000);
    mmu->Finalize();
    sink.running = PeekPointer(mmu);
    EXPECT_TRUE(mmu->Admit(0, 3, 1, 3, 4000).xoff);
    EXPECT_TRUE(mmu->Admit(0, 3, 1, 3, 600).accepted); // into headroom

    // A class that becomes lossy resumes; what it stores stays booked, in shared space.
    mmu->SetLossy(0, 3);
    EXPECT_TRUE(sink.paused.empty());
    EXPECT_EQ(mmu->GetIngress(0, 3).sharedUsed, 4600U);
    EXPECT_EQ(mmu->GetIngress(0, 3).headroomUsed, 0U);
    EXPECT_EQ(mmu->Admit(0, 3, 1, 3, 100).reason, DropReason::INGRESS_LIMIT);

    // It becomes lossless again, and is over its threshold.
    mmu->SetLossless(0, 3, 1000);
    EXPECT_EQ(sink.paused.size(), 1U);

    // The buffer shrinks below what it holds: shared space is closed, and headroom is as promised.
    mmu->SetAttribute("BufferSize", UintegerValue(4400));
    EXPECT_EQ(mmu->GetSharedPool(), 3400U);
    EXPECT_EQ(mmu->GetTotalUsed(), 4600U);
    EXPECT_EQ(mmu->GetThreshold(0, 3), 4000U) << "static";
    EXPECT_EQ(mmu->Admit(1, 0, 1, 0, 100).reason, DropReason::INGRESS_LIMIT);
    EXPECT_EQ(mmu->Admit(0, 3, 1, 3, 1000).region, MmuRegion::HEADROOM);
    EXPECT_EQ(mmu->Admit(0, 3, 1, 3, 1).reason, DropReason::HEADROOM_FULL);
    EXPECT_EQ(mmu->CheckInvariants(), "");
    mmu->Release(0, 3, 1, 3, 1500);

    // What the buffer cannot hold is refused, and nothing has changed.
    EXPECT_THROW(mmu->SetAttribute("BufferSize", UintegerValue(999)), std::invalid_argument);
    EXPECT_EQ(mmu->GetBufferSize(), 4400U);
    EXPECT_THROW(mmu->SetGuaranteed(0, 3, 4000), std::invalid_argument);
    EXPECT_FALSE(mmu->GetConfig(0, 3).guaranteedBytes);
    EXPECT_THROW(mmu->SetAttribute("CellBytes", UintegerValue(2)), std::invalid_argument);
    UintegerValue cells;
    mmu->GetAttribute("CellBytes", cells);
    EXPECT_EQ(cells.Get(), 1U);

    // Guaranteed space takes in what is stored.
    mmu->SetGuaranteed(0, 3, 150);
    EXPECT_EQ(mmu->GetIngress(0, 3).guaranteedUsed, 150U);
    EXPECT_EQ(mmu->CheckInvariants(), "");
    mmu->Release(0, 3, 1, 3, 4100);
    EXPECT_TRUE(mmu->IsIdle());
    EXPECT_TRUE(sink.consistent);
    EXPECT_TRUE(sink.paused.empty());
}

TEST(SwitchMmu, LossyClassesShareAPartOfTheSharedSpace)
{
    auto mmu = MakeMmu(3, 10000 + 1000);
    mmu->SetAttribute("LossyShare", DoubleValue(0.25));
    mmu->SetLossless(0, 3, 1000);
    mmu->SetAlpha(0, 3, 0.5);
    mmu->Finalize();
    EXPECT_EQ(mmu->GetThreshold(0, 3), 5000U);
    EXPECT_TRUE(mmu->Admit(0, 0, 2, 0, 1500).accepted);
    EXPECT_TRUE(mmu->Admit(1, 0, 2, 0, 1000).accepted);
    EXPECT_EQ(mmu->Admit(1, 1, 2, 1, 1).reason, DropReason::INGRESS_LIMIT);
    EXPECT_EQ(mmu->GetThreshold(0, 3), 3750U) << "a quarter less, at most";
    EXPECT_TRUE(mmu->Admit(0, 3, 2, 3, 1000).accepted);
    mmu->Release(0, 0, 2, 0, 1500);
    EXPECT_TRUE(mmu->Admit(1, 1, 2, 1, 1).accepted);

    // Without a lossless class there is nothing to protect.
    mmu->Release(0, 3, 2, 3, 1000);
    mmu->SetLossy(0, 3);
    EXPECT_TRUE(mmu->Admit(1, 1, 2, 1, 4000).accepted);
}

TEST(SwitchMmu, AShareOfTheLimitsOfALossyClass)
{
    auto mmu = MakeMmu(2, 100000);
    mmu->SetStaticThreshold(0, 0, 8000);
    mmu->SetGuaranteed(0, 0, 1000);
    mmu->SetEgressStaticThreshold(1, 0, 6000);
    mmu->Finalize();
    ASSERT_TRUE(mmu->Admit(0, 0, 1, 0, 2000).accepted);
    EXPECT_TRUE(mmu->IsWithin(0.5, 0, 0, 1, 0, 1000)) << "half of 6,000 at egress";
    EXPECT_FALSE(mmu->IsWithin(0.5, 0, 0, 1, 0, 1001));
    EXPECT_TRUE(mmu->IsWithin(0.5, 0, 0, 0, 0, 3000)) << "1,000, and half of 8,000 at ingress";
    EXPECT_FALSE(mmu->IsWithin(0.5, 0, 0, 0, 0, 3001));
    EXPECT_FALSE(mmu->IsWithin(0, 0, 0, 1, 0, 1));

    // A buffer that others fill: the dynamic limits shrink, and so do shares of them.
    mmu = MakeMmu(3, 10000 + 1000);
    mmu->SetAttribute("LossyShare", DoubleValue(1));
    mmu->SetLossless(1, 1, 1000);
    mmu->SetAlpha(1, 1, 8);
    mmu->Finalize();
    EXPECT_TRUE(mmu->IsWithin(0.5, 0, 0, 2, 0, 5000));
    ASSERT_TRUE(mmu->Admit(1, 1, 2, 1, 8000).accepted);
    EXPECT_TRUE(mmu->IsWithin(0.5, 0, 0, 2, 0, 1000));
    EXPECT_FALSE(mmu->IsWithin(0.5, 0, 0, 2, 0, 1001));
}

TEST(SwitchMmu, AShareOfWhatLossyClassesMayHoldTogether)
{
    auto mmu = MakeMmu(2, 10000 + 1000);
    mmu->SetAttribute("LossyShare", DoubleValue(0.4));
    mmu->SetLossless(0, 3, 1000);
    mmu->Finalize();
    ASSERT_TRUE(mmu->Admit(0, 1, 1, 1, 1500).accepted);
    EXPECT_TRUE(mmu->IsWithin(0.5, 0, 0, 1, 0, 500)) << "half of 4,000";
    EXPECT_FALSE(mmu->IsWithin(0.5, 0, 0, 1, 0, 501));
}

TEST(SwitchMmu, BadConfigurationIsNamed)
{
    auto mmu = MakeMmu(2, 1000);
    EXPECT_THROW(mmu->SetLossless(2, 3, 10), std::invalid_argument);
    EXPECT_THROW(mmu->SetLossless(0, 8, 10), std::invalid_argument);
    EXPECT_THROW(mmu->SetAlpha(0, 3, 128), std::invalid_argument);
    EXPECT_THROW(mmu->SetAlpha(0, 3, -0.1), std::invalid_argument);
    EXPECT_THROW(mmu->SetPortCount(1), std::invalid_argument);
    auto large = MakeMmu(1, uint64_t{1} << 31, 1);
    EXPECT_NE(Refusal(large).find("CellBytes"), std::string::npos);
}

TEST(SwitchMmu, PortsAreAddedWhileNothingIsStored)
{
    auto mmu = MakeMmu(2, 10000);
    mmu->Finalize();
    ASSERT_TRUE(mmu->Admit(0, 1, 1, 1, 500).accepted);
    EXPECT_THROW(mmu->SetPortCount(3), std::invalid_argument);
    mmu->SetAlpha(0, 1, 0.5);
    EXPECT_THROW(mmu->SetPortCount(3), std::invalid_argument) << "after a change of settings, too";
    EXPECT_THROW(mmu->SetGuaranteed(0, 1, 10001), std::invalid_argument);
    EXPECT_THROW(mmu->SetPortCount(3), std::invalid_argument) << "and after one that was refused";
    EXPECT_TRUE(mmu->IsFinal());
    mmu->Release(0, 1, 1, 1, 500);
    for (uint32_t ports = 3; ports <= 5; ++ports)
    {
        mmu->SetPortCount(ports);
    }
    mmu->Finalize();
    EXPECT_TRUE(mmu->Admit(4, 1, 3, 1, 500).accepted);
    EXPECT_THROW(mmu->SetPortCount(6), std::invalid_argument);
}

TEST(SwitchMmu, Pitfall19_ExplainSaysWhyPfcDidNotFire)
{
    auto mmu = MakeMmu(2, 10000 + 1000);
    mmu->SetLossless(0, 3, 1000);
    mmu->SetStaticThreshold(0, 3, 500);
    mmu->Finalize();
    EXPECT_NE(mmu->Explain(0, 0).find("PFC cannot fire: the class is lossy"), std::string::npos);
    EXPECT_NE(mmu->Explain(0, 3).find("no frame arrived"), std::string::npos);
    mmu->Admit(0, 3, 1, 3, 300);
    EXPECT_NE(mmu->Explain(0, 3).find("no nearer to its threshold than 200 B"), std::string::npos)
        << mmu->Explain(0, 3);
    mmu->Admit(0, 3, 1, 3, 300);
    EXPECT_NE(mmu->Explain(0, 3).find("PFC fired: 1 XOFF, 0 XON"), std::string::npos);
}
