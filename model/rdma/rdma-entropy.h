// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_ENTROPY_H
#define LOSSLESS_RDMA_ENTROPY_H

#include "rdma-entropy-policy.h"

#include "ns3/fabric-frame.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The entropy values (EVs) of the data packets of one end, in the low bits of their UDP source
 * ports. An RdmaEntropyPolicy chooses those of WRITEs and SENDs, and hears what became of them. No
 * ACK tells that of READ responses: these take all values in turn.
 */
class RdmaEntropy : public SimpleRefCount<RdmaEntropy>
{
  public:
    /// @param policy chooses the values @param basePort UDP source port of the connection: those
    /// bits that no value fills are the same for all packets
    RdmaEntropy(const Ptr<RdmaEntropyPolicy>& policy, uint16_t basePort)
        : m_policy(policy),
          m_mask(policy->GetPaths() - 1),
          m_base(ROCE_SOURCE_PORTS | (basePort & ~m_mask))
    {
    }

    /// @return the policy
    const Ptr<RdmaEntropyPolicy>& GetPolicy() const
    {
        return m_policy;
    }

    /// @param now tick @return UDP source port of the WRITE or SEND packet that is built, for the
    /// first time or again
    uint16_t NextPort(int64_t now)
    {
        m_last = m_policy->Next(now);
        return m_base | m_last;
    }

    /// @return UDP source port of the READ response that is built
    uint16_t PortInTurn()
    {
        return m_base | (m_turn++ & m_mask);
    }

    /// An ACK or NAK has come. @param answer it, which has the port of the packet that it answers
    /// @param now tick
    void Answered(const Frame& answer, int64_t now)
    {
        m_policy->OnFeedback(answer.srcPort & m_mask, FeedbackOf(answer), now);
    }

    /// The retransmission timeout has expired. @param now tick
    void TimedOut(int64_t now)
    {
        m_policy->OnFeedback(m_last, RdmaEntropyPolicy::LOST, now);
    }

  private:
    /// Source ports of RoCEv2 that are not ephemeral ports of others begin here.
    static constexpr uint16_t ROCE_SOURCE_PORTS = 0xc000;

    /// @param answer an ACK or NAK @return what it says of the packet that it answers
    static RdmaEntropyPolicy::Feedback FeedbackOf(const Frame& answer)
    {
        if (answer.trim == Trim::ON_PATH) // at the last hop no path is to blame
        {
            return RdmaEntropyPolicy::TRIMMED;
        }
        return answer.becn ? RdmaEntropyPolicy::MARKED : RdmaEntropyPolicy::GOOD;
    }

    Ptr<RdmaEntropyPolicy> m_policy; //!< GetPolicy()
    uint16_t m_mask;                 //!< bits of a value
    uint16_t m_base;                 //!< the other bits of all ports
    uint16_t m_last{0};              //!< value of the last packet
    uint16_t m_turn{0};              //!< READ responses so far
};

} // namespace ns3

#endif // LOSSLESS_RDMA_ENTROPY_H
