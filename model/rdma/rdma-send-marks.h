// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_SEND_MARKS_H
#define LOSSLESS_RDMA_SEND_MARKS_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * When packets of a queue pair were sent, without a note of each: a packet is marked when the one
 * that was marked before is acknowledged, which is once in a round trip. Between two marks packets
 * count as sent at equal distances. The first packet after a pause is marked, so that its time is
 * exact.
 */
class RdmaSendMarks
{
  public:
    /// A packet is sent, the one after the last. @param psn its PSN @param unacked oldest PSN that
    /// is outstanding @param now tick
    void Sent(uint64_t psn, uint64_t unacked, int64_t now)
    {
        if (m_marked.end <= unacked)
        {
            m_before = m_marked;
            m_marked = {psn + 1, now};
        }
        m_latest = now;
    }

    /// What was sent does not count: the queue pair goes back.
    void Clear()
    {
        m_before = {};
        m_marked = {};
    }

    /// @param psn of a packet @param next PSN after the last one that was sent
    /// @return tick at which it was sent, about; -1: none was sent since Clear()
    int64_t TimeOf(uint64_t psn, uint64_t next) const
    {
        if (m_marked.end == 0)
        {
            return -1;
        }
        if (psn + 1 >= m_marked.end)
        {
            return Between(m_marked, {next, m_latest}, psn + 1);
        }
        return m_before.end == 0 ? m_marked.tick : Between(m_before, m_marked, psn + 1);
    }

  private:
    /// A packet that was marked.
    struct Mark
    {
        uint64_t end{0};  //!< PSN after it; 0: none was
        int64_t tick{-1}; //!< when it was sent
    };

    /// @param from a mark @param to a later one @param end PSN after a packet @return when that was
    /// sent
    static int64_t Between(const Mark& from, const Mark& to, uint64_t end)
    {
        if (end <= from.end || to.end <= from.end)
        {
            return from.tick;
        }
        const double share =
            static_cast<double>(end - from.end) / static_cast<double>(to.end - from.end);
        return from.tick + static_cast<int64_t>(share * static_cast<double>(to.tick - from.tick));
    }

    Mark m_marked;        //!< the last one
    int64_t m_latest{-1}; //!< when the last packet was sent
    Mark m_before;        //!< the one before
};

} // namespace ns3

#endif // LOSSLESS_RDMA_SEND_MARKS_H
