// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_HOLD_H
#define LOSSLESS_RDMA_HOLD_H

#include "rdma-end.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Until when one half of a queue pair may not send: the NIC lacks what comes next, or the peer has
/// asked for a pause. Times are ticks.
class RdmaHold
{
  public:
    /// @param ready when the hold ends; it does not begin if that is not later than now
    /// @param now tick
    void Set(int64_t ready, int64_t now)
    {
        m_until = ready > now ? ready : RDMA_NEVER;
    }

    /// The hold ends before its time.
    void Clear()
    {
        m_until = RDMA_NEVER;
    }

    /// @return whether nothing is to be awaited
    bool IsOver() const
    {
        return m_until == RDMA_NEVER;
    }

    /// @return when OnTimer() is due; RDMA_NEVER: there is no hold
    int64_t Deadline() const
    {
        return m_until;
    }

    /// A deadline may have come. @param now tick @return whether the hold ends now
    bool OnTimer(int64_t now)
    {
        const bool ends = m_until <= now;
        m_until = ends ? RDMA_NEVER : m_until;
        return ends;
    }

  private:
    int64_t m_until{RDMA_NEVER};
};

} // namespace ns3

#endif // LOSSLESS_RDMA_HOLD_H
