// SPDX-License-Identifier: GPL-2.0-only
#include "lost-frames.h"

#include "ns3/fabric-frame.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @param frame within tunnels, if there are any @return what it carries
LostFrames::Content
ContentOf(const Frame& frame)
{
    if (frame.kind == FrameKind::IP)
    {
        return LostFrames::IP;
    }
    return frame.kind == FrameKind::ROCE && CarriesData(frame.opcode) ? LostFrames::RDMA_DATA
                                                                      : LostFrames::OTHER;
}

} // namespace

void
CountLost(std::vector<LostFrames>& lost, const Frame& frame, DropReason reason)
{
    const Frame& content = frame.Content();
    const LostFrames one{ContentOf(content),
                         reason,
                         content.sentClass,
                         frame.inClass,
                         frame.inPort,
                         1,
                         frame.WireBytes()};
    const auto like = std::find_if(lost.begin(), lost.end(), [&one](const LostFrames& other) {
        return other.IsLike(one);
    });
    if (like == lost.end())
    {
        lost.push_back(one);
        return;
    }
    ++like->frames;
    like->bytes += one.bytes;
    like->group = one.group;
    like->inPort = one.inPort;
}

} // namespace ns3
