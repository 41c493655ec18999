// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-frame.h"
#include "ns3/lost-frames.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(LostFrames, AreCountedBySort)
{
    Frame* const frame = new Frame;
    frame->kind = FrameKind::ROCE;
    frame->opcode = RoceOpcode::WRITE_ONLY;
    frame->sentClass = 3;
    frame->inClass = 4;
    frame->inPort = 7;
    std::vector<LostFrames> lost;
    CountLost(lost, *frame, DropReason::WRED);
    frame->inPort = 8;
    frame->inClass = 5;
    CountLost(lost, *frame, DropReason::WRED);
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0].content, LostFrames::RDMA_DATA);
    EXPECT_EQ(lost[0].reason, DropReason::WRED);
    EXPECT_EQ(lost[0].sentClass, 3);
    EXPECT_EQ(lost[0].frames, 2U);
    EXPECT_EQ(lost[0].bytes, 2U * frame->WireBytes());
    EXPECT_EQ(lost[0].inPort, 8); // of the last
    EXPECT_EQ(lost[0].group, 5);

    CountLost(lost, *frame, DropReason::NO_ROUTE);
    frame->sentClass = 1;
    CountLost(lost, *frame, DropReason::NO_ROUTE);
    frame->opcode = RoceOpcode::ACKNOWLEDGE;
    CountLost(lost, *frame, DropReason::NO_ROUTE);
    frame->kind = FrameKind::IP;
    CountLost(lost, *frame, DropReason::NO_ROUTE);
    ASSERT_EQ(lost.size(), 5U); // in the order of their first frames
    EXPECT_EQ(lost[1].sentClass, 3);
    EXPECT_EQ(lost[2].sentClass, 1);
    EXPECT_EQ(lost[3].content, LostFrames::OTHER);
    EXPECT_EQ(lost[4].content, LostFrames::IP);
    frame->Release();
}
