// SPDX-License-Identifier: GPL-2.0-only

// The counting of NP-ECN, against the vector computed by hand and known bugs of others.

#include "ns3/non-pfc-ecn.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/// A queue of frames of 1000 bytes that is marked by NP-ECN.
struct Queue
{
    NonPfcEcn ecn;
    uint32_t frames{0};
    uint64_t threshold{0};

    /// Send frames. @param count how many @return 1 for each that is marked, else 0
    std::string Send(int count)
    {
        std::string text;
        for (; count > 0; --count)
        {
            --frames;
            text += ecn.Departed(frames * 1000, threshold) ? '1' : '0';
        }
        return text;
    }
};

} // namespace

TEST(NonPfcEcn, EveryFrameThatLeavesABacklogBehind)
{
    Queue queue;
    queue.frames = 5;
    EXPECT_EQ(queue.Send(5), "11110");
}

TEST(NonPfcEcn, VectorFramesHeldUpByAPauseAreNotMarked)
{
    Queue queue;
    queue.frames = 5;
    queue.frames += 3; // during the pause
    queue.ecn.Resumed(queue.frames);
    EXPECT_EQ(queue.ecn.GetPaused(), 8U);
    queue.frames += 2; // after it
    EXPECT_EQ(queue.Send(8), "00000000");
    EXPECT_EQ(queue.Send(2), "10");
}

TEST(NonPfcEcn, EachPauseCountsAnew)
{
    Queue queue;
    queue.frames = 4;
    queue.ecn.Resumed(queue.frames);
    EXPECT_EQ(queue.Send(2), "00");
    queue.frames += 4; // a second pause begins
    queue.ecn.Resumed(queue.frames);
    EXPECT_EQ(queue.ecn.GetPaused(), 6U); // not 2, not 8
    queue.frames += 2;
    EXPECT_EQ(queue.Send(8), "00000010");
}

TEST(NonPfcEcn, AnEmptyQueueAtTheEndOfAPauseIsNothing)
{
    Queue queue;
    queue.ecn.Resumed(0);
    queue.frames = 3;
    EXPECT_EQ(queue.Send(3), "110");
}

TEST(NonPfcEcn, AFlushedQueueOwesNothing)
{
    Queue queue;
    queue.frames = 9;
    queue.ecn.Resumed(9);
    queue.frames = 0;
    queue.ecn.Limit(0);
    queue.frames = 2;
    EXPECT_EQ(queue.Send(2), "10");
    queue.ecn.Resumed(1);
    queue.ecn.Limit(7); // never more than there were
    EXPECT_EQ(queue.ecn.GetPaused(), 1U);
}

TEST(NonPfcEcn, Threshold)
{
    Queue queue;
    queue.frames = 5;
    queue.threshold = 2000;
    EXPECT_EQ(queue.Send(5), "11000"); // 4000, 3000 left; then 2000: not above
}
