// SPDX-License-Identifier: GPL-2.0-only
#include "conweave-sender.h"

namespace ns3
{

ConWeaveSender::Step
ConWeaveSender::Look(int64_t now, int64_t expiry) const
{
    if (m_path == NextHopGroup::NONE || m_last + expiry < now)
    {
        return EXPIRED;
    }
    if (m_isStable)
    {
        return SETTLED;
    }
    return m_replyTimer < now ? LATE : GO_ON;
}

ConWeaveShim
ConWeaveSender::Send(Step step, int64_t now, int64_t patience, uint16_t path)
{
    m_last = now;
    if (step == LATE)
    {
        m_replyTimer = NEVER;
        m_tailTime = now;
        const ConWeaveShim tail{now, now, m_epoch, m_path, m_phase, ConWeaveShim::TAIL, 0};
        m_phase = 1;
        m_path = path;
        return tail;
    }
    m_path = path;
    if (step == GO_ON)
    {
        return {now, m_tailTime, m_epoch, m_path, m_phase, ConWeaveShim::DATA, 0};
    }
    ++m_epoch;
    m_phase = 0;
    m_isStable = false;
    m_replyTimer = now + patience;
    m_tailTime = 0;
    return {now, m_tailTime, m_epoch, m_path, m_phase, ConWeaveShim::INIT, 0};
}

void
ConWeaveSender::Replied(const ConWeaveShim& reply, int64_t now)
{
    const bool isInit = reply.kind == ConWeaveShim::INIT_REPLY;
    const bool isLate = isInit && (m_replyTimer == NEVER || now >= m_replyTimer);
    if (reply.epoch == m_epoch && reply.phase == m_phase && !isLate)
    {
        m_isStable = true;
        m_replyTimer = NEVER;
    }
}

} // namespace ns3
