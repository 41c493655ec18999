// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MMU_PORT_LIMITS_H
#define LOSSLESS_MMU_PORT_LIMITS_H

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup lossless
 * The limits of a port of a SwitchMmu, and what counts against them. All sizes in cells. A port
 * without a limit counts nothing.
 */
struct MmuPortLimits
{
    /// No limit.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    uint32_t shared{0};         //!< shared space that the classes of the ingress port hold
    uint32_t limit{NONE};       //!< limit of `shared`
    uint32_t queued{0};         //!< frames in the queues of the egress port
    uint32_t egressLimit{NONE}; //!< limit of `queued`, for lossy frames

    /// @return whether the port has a limit
    bool IsLimited() const
    {
        return limit != NONE || egressLimit != NONE;
    }

    /// @param cells of a frame @return whether shared space of the port has room for them
    bool Takes(uint32_t cells) const
    {
        return uint64_t{shared} + cells <= limit;
    }

    /// @param cells of a lossy frame @return whether the queues of the port have room for them
    bool Queues(uint32_t cells) const
    {
        return uint64_t{queued} + cells <= egressLimit;
    }

    /// @return whether the lossless classes of the port must be paused
    bool IsFull() const
    {
        return shared >= limit;
    }

    /// @param xonOffset of a class @return whether the port lets the class resume
    bool LetsResume(uint32_t xonOffset) const
    {
        return shared == 0 || uint64_t{shared} + xonOffset <= limit;
    }
};

} // namespace ns3

#endif // LOSSLESS_MMU_PORT_LIMITS_H
