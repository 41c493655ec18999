// SPDX-License-Identifier: GPL-2.0-only
#include "srv6-frame.h"

#include "tunnel-ecn.h"

#include "ns3/assert.h"

namespace ns3
{

void
EnterSrv6(Frame& frame, const Srv6Address& destination)
{
    NS_ASSERT_MSG(frame.kind == FrameKind::ROCE && frame.ipVersion == 6 && !frame.isSrv6,
                  "SRv6 carries RoCE over IPv6");
    frame.isSrv6 = true;
    frame.innerEcn = frame.ecn;
    frame.innerDst = frame.dst;
    frame.innerDstHigh = frame.dstHigh;
    frame.ecn = EnterTunnelEcn(frame.innerEcn);
    frame.dstHigh = {destination[0], destination[1], destination[2]};
    frame.dst = destination[3];
    frame.bytes += SRV6_ADDED_BYTES;
}

bool
LeaveSrv6(Frame& frame)
{
    NS_ASSERT_MSG(frame.isSrv6, "only a frame in SRv6 leaves it");
    const auto ecn = LeaveTunnelEcn(frame.innerEcn, frame.ecn);
    if (!ecn)
    {
        return false;
    }
    frame.isSrv6 = false;
    frame.ecn = *ecn;
    frame.dst = frame.innerDst;
    frame.dstHigh = frame.innerDstHigh;
    frame.bytes -= SRV6_ADDED_BYTES;
    return true;
}

} // namespace ns3
