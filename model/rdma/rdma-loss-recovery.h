// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_LOSS_RECOVERY_H
#define LOSSLESS_RDMA_LOSS_RECOVERY_H

#include "rdma-selective-recovery.h"

#include "ns3/fixed-accessor.h"
#include "ns3/object.h"
#include "ns3/path-need.h"
#include "ns3/rdma-congestion-ops.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: which packets a queue pair resends after a loss (doc/rdma.rst), chosen by TypeId. Both
 * ends of a connection must use the same policy: the requester needs the PSN to go back to, and the
 * responder the PSN to expect.
 *
 * What a policy knows of one queue pair is in the sender and the receiver that the policy makes: a
 * policy without attributes is one object for all queue pairs of a port.
 *
 * A policy that resends only lost packets makes a sender and a receiver, which track packets. A
 * policy that goes back makes neither; its RestartPoint() decides.
 */
class RdmaLossRecovery : public Object, public FixedWhenUsed
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// A queue pair uses the policy: attributes are fixed from now on.
    void SetUsed()
    {
        m_isUsed = true;
    }

    const char* FixedSince() const override
    {
        return m_isUsed ? "its queue pair is connected" : nullptr;
    }

    /**
     * @param psn first missing PSN
     * @param messageStart first PSN of its message; <= psn
     * @param mtuBytes path MTU
     * @return the PSN from which all packets are sent again, from messageStart to psn
     */
    virtual uint64_t RestartPoint(uint64_t psn, uint64_t messageStart, uint32_t mtuBytes) const = 0;

    /// @return what it needs of the paths of packets; may depend only on attributes. The base class
    /// returns ONE_AT_A_TIME: a policy that goes back sends all again from the first gap on
    virtual PathNeed GetPathNeed() const;

    /**
     * Called when a queue pair is connected.
     * @param flow line rate, base RTT, packet sizes and window of the connection; outlives the
     * sender
     * @return the sender that tracks sent packets; null: this policy goes back
     */
    virtual std::unique_ptr<RdmaSelectiveSender> MakeSender(const RdmaFlowState& flow) const;

    /// @return the receiver that keeps packets out of order; null: they are dropped
    virtual std::unique_ptr<RdmaSelectiveReceiver> MakeReceiver() const;

  private:
    bool m_isUsed{false}; //!< SetUsed()
};

} // namespace ns3

#endif // LOSSLESS_RDMA_LOSS_RECOVERY_H
