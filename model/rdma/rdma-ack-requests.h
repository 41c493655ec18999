// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_ACK_REQUESTS_H
#define LOSSLESS_RDMA_ACK_REQUESTS_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Which data packets of one end ask for an ACK: every n-th, the last one of a message, and one that
 * finds or leaves the window closed while no packet in flight asks. Such a packet passes the closed
 * window, as one packet of an InfiniBand requester without credits may: a window that shrinks below
 * what is in flight would never open again, as nobody would answer.
 */
class RdmaAckRequests
{
  public:
    /// @param unacked first PSN not acknowledged @return whether a packet in flight asks
    bool AreOpen(uint64_t unacked) const
    {
        return unacked < m_end;
    }

    /// @param window limit of payload bytes in flight, 0: none @param inFlight payload bytes in
    /// flight @param unacked first PSN not acknowledged @return whether a packet may leave
    bool LetPass(uint64_t window, uint64_t inFlight, uint64_t unacked) const
    {
        return window == 0 || inFlight < window || !AreOpen(unacked);
    }

    /// A data packet leaves. @param end PSN after it @param asks whether it must ask @param
    /// interval every n-th packet asks @return whether it asks
    bool Sent(uint64_t end, bool asks, uint16_t interval)
    {
        if (++m_since < interval && !asks)
        {
            return false;
        }
        m_since = 0;
        Asked(end);
        return true;
    }

    /// A packet that is sent again asks, beside the count. @param end PSN after it
    void Asked(uint64_t end)
    {
        m_end = std::max(m_end, end);
    }

    /// What was sent from a PSN on does not count. @param psn the PSN
    void GoBack(uint64_t psn)
    {
        m_end = std::min(m_end, psn);
        m_since = 0;
    }

  private:
    uint64_t m_end{0};   //!< PSN after the last packet that asked
    uint16_t m_since{0}; //!< packets since the last one that asked
};

} // namespace ns3

#endif // LOSSLESS_RDMA_ACK_REQUESTS_H
