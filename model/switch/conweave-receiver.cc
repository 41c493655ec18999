// SPDX-License-Identifier: GPL-2.0-only
#include "conweave-receiver.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
ConWeaveReceiver::BeginEpoch(const ConWeaveShim& shim, int64_t now)
{
    m_epoch = shim.epoch;
    m_phase = 0;
    m_hasPhase0 = false;
    m_isKnown = true;
    if (m_flushAt != NEVER) // its TAIL is lost: what is held back is older than this frame
    {
        m_isOvertaken = true;
        m_flushAt = std::min(m_flushAt, now + 1);
    }
}

int64_t
ConWeaveReceiver::ExpectedFlush(const Waits& waits) const
{
    return m_phase0Rx + std::max<int64_t>(0, m_tailTime - m_phase0Tx) + waits.flushExtra;
}

bool
ConWeaveReceiver::Arrived(const ConWeaveShim& shim, int64_t now, const Waits& waits)
{
    m_last = now;
    const auto ahead = static_cast<int32_t>(shim.epoch - m_epoch);
    if (m_isKnown && ahead < 0)
    {
        return false;
    }
    if (!m_isKnown || ahead > 0)
    {
        BeginEpoch(shim, now);
    }
    if (shim.phase == 0)
    {
        m_phase0Tx = shim.txTime;
        m_phase0Rx = now;
        m_hasPhase0 = true;
    }
    if (shim.phase == 1 || shim.kind == ConWeaveShim::TAIL)
    {
        m_tailTime = shim.tailTime;
    }
    const bool isHolding = m_flushAt != NEVER;
    if (shim.phase == 0)
    {
        if (isHolding && !m_isOvertaken && !m_tailPassed)
        {
            m_flushAt = ExpectedFlush(waits);
        }
        return m_isOvertaken;
    }
    if (!isHolding && m_phase == 0)
    {
        const int64_t unseen = now + waits.defaultWait + waits.flushExtra;
        m_flushAt = std::max(now + 1, m_hasPhase0 ? ExpectedFlush(waits) : unseen);
    }
    return m_flushAt != NEVER;
}

void
ConWeaveReceiver::TailPassed(uint32_t epoch, int64_t now)
{
    if (epoch != m_epoch)
    {
        return;
    }
    if (m_flushAt == NEVER)
    {
        m_phase = 1;
    }
    else if (!m_isOvertaken)
    {
        m_tailPassed = true;
        m_flushAt = std::min(m_flushAt, now + 1);
    }
}

bool
ConWeaveReceiver::Flushed()
{
    m_flushAt = NEVER;
    if (!std::exchange(m_isOvertaken, false))
    {
        m_phase = 1;
    }
    return std::exchange(m_tailPassed, false);
}

} // namespace ns3
