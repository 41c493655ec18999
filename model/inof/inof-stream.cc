// SPDX-License-Identifier: GPL-2.0-only
#include "inof-stream.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
InofSendStream::Reset()
{
    m_messages.clear();
    m_first = 1;
    m_next = 1;
    m_sent = 0;
    m_timeouts = 0;
    m_deadline = NEVER;
}

void
InofSendStream::Post(InofMessage message)
{
    m_messages.push_back(std::move(message));
}

const InofMessage*
InofSendStream::Next(int64_t now, uint32_t& sequence)
{
    const uint32_t index = m_next - m_first;
    if (index >= m_messages.size() || index >= WINDOW)
    {
        return nullptr;
    }
    if (m_deadline == NEVER)
    {
        m_deadline = now + m_retransmitPs;
    }
    m_retransmitted += m_next <= m_sent;
    m_sent = std::max(m_sent, m_next);
    sequence = m_next++;
    return &m_messages[index];
}

void
InofSendStream::Acknowledged(uint32_t sequence, int64_t now)
{
    if (sequence < m_first || sequence > m_sent)
    {
        return; // old, or nonsense
    }
    while (m_first <= sequence)
    {
        m_messages.pop_front();
        ++m_first;
    }
    m_next = std::max(m_next, m_first);
    m_timeouts = 0;
    m_deadline = m_next > m_first ? now + m_retransmitPs : NEVER;
}

void
InofSendStream::Advance(int64_t now)
{
    if (now < m_deadline)
    {
        return;
    }
    m_next = m_first;
    m_timeouts = std::min(m_timeouts + 1, MAX_DOUBLINGS);
    m_deadline = now + (m_retransmitPs << m_timeouts);
}

} // namespace ns3
