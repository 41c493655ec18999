// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TUNNEL_ECN_H
#define LOSSLESS_TUNNEL_ECN_H

#include "fabric-frame.h"

#include <optional>

namespace ns3
{

/// @ingroup lossless
/// ECN where a frame enters a tunnel, in normal mode (RFC 6040 section 4.1): outside as inside.
/// @param inner code point of the frame @return code point of the outer header
constexpr Ecn
EnterTunnelEcn(Ecn inner)
{
    return inner;
}

/**
 * @ingroup lossless
 *
 * ECN where a frame leaves a tunnel (RFC 6040 figure 4): a mark of the tunnel reaches the frame,
 * and no mark of the frame is ever lost.
 *
 *     inner \ outer   Not-ECT   ECT(0)    ECT(1)    CE
 *     Not-ECT         Not-ECT   Not-ECT   Not-ECT   drop
 *     ECT(0)          ECT(0)    ECT(0)    ECT(1)    CE
 *     ECT(1)          ECT(1)    ECT(1)    ECT(1)    CE
 *     CE              CE        CE        CE        CE
 *
 * @param inner code point of the frame
 * @param outer code point of the outer header
 * @return new code point of the frame; nothing: the frame is to be dropped, as its sender would
 * never learn of the congestion
 */
constexpr std::optional<Ecn>
LeaveTunnelEcn(Ecn inner, Ecn outer)
{
    if (outer == Ecn::CE)
    {
        return inner == Ecn::NOT_ECT ? std::nullopt : std::optional(Ecn::CE);
    }
    return inner == Ecn::ECT0 && outer == Ecn::ECT1 ? Ecn::ECT1 : inner;
}

} // namespace ns3

#endif // LOSSLESS_TUNNEL_ECN_H
