// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-read-flight.h"

#include <algorithm>

namespace ns3
{

void
RdmaReadFlight::Add(uint64_t psn, uint32_t payload, uint32_t mtu)
{
    if (psn < m_next)
    {
        return;
    }
    const bool extends = !m_pieces.IsEmpty() && m_pieces.Back().end == psn &&
                         m_pieces.Back().bytes == (psn - m_pieces.Back().first) * mtu;
    if (!extends)
    {
        m_pieces.Push({psn, psn, 0, mtu});
    }
    m_pieces.Back().end = psn + 1;
    m_pieces.Back().bytes += payload;
    m_bytes += payload;
    m_next = psn + 1;
    ++m_sent;
}

uint64_t
RdmaReadFlight::Acknowledge(uint64_t to)
{
    const uint64_t before = m_bytes;
    while (!m_pieces.IsEmpty() && m_pieces.Front().first < to)
    {
        Piece& piece = m_pieces.Front();
        const uint64_t end = std::min(to, piece.end);
        const uint64_t bytes = end == piece.end ? piece.bytes : (end - piece.first) * piece.mtu;
        m_bytes -= bytes;
        m_acknowledged += end - piece.first;
        piece.bytes -= bytes;
        piece.first = end;
        if (piece.first == piece.end)
        {
            m_pieces.PopFront();
        }
    }
    return before - m_bytes;
}

void
RdmaReadFlight::SendAgain(uint64_t psn)
{
    while (!m_pieces.IsEmpty() && m_pieces.Back().end > psn)
    {
        Piece& piece = m_pieces.Back();
        const uint64_t from = std::max(psn, piece.first);
        const uint64_t kept = (from - piece.first) * piece.mtu;
        m_bytes -= piece.bytes - kept;
        m_sent -= piece.end - from;
        piece.bytes = kept;
        piece.end = from;
        if (piece.first == piece.end)
        {
            m_pieces.PopBack();
        }
    }
    m_next = std::min(m_next, psn);
}

} // namespace ns3
