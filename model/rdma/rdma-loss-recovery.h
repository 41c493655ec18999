// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_LOSS_RECOVERY_H
#define LOSSLESS_RDMA_LOSS_RECOVERY_H

#include "rdma-selective-recovery.h"

#include "ns3/object.h"
#include "ns3/rdma-congestion-ops.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: what a queue pair sends again after a loss (doc/rdma.rst), chosen by TypeId. Both ends of
 * a connection must use the same policy: the requester asks where to go back to, the responder asks
 * what to expect.
 *
 * A recovery that repeats lost packets alone makes a sender and a receiver, which know these
 * packets. A recovery that goes back makes neither, and its RestartPoint() decides.
 */
class RdmaLossRecovery : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param psn first sequence number that is missing
     * @param messageStart first sequence number of the message that it belongs to; <= psn
     * @param mtuBytes path MTU
     * @return the sequence number from which all is sent again; messageStart <= it <= psn
     */
    virtual uint64_t RestartPoint(uint64_t psn, uint64_t messageStart, uint32_t mtuBytes) const = 0;

    /**
     * Called when a queue pair is connected.
     * @param flow line rate, base round trip and packet sizes of the connection
     * @return what remembers what was sent, or null: this recovery goes back
     */
    virtual std::unique_ptr<RdmaSelectiveSender> MakeSender(const RdmaFlowState& flow) const;

    /// @return what keeps packets out of order, or null: they are dropped
    virtual std::unique_ptr<RdmaSelectiveReceiver> MakeReceiver() const;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_LOSS_RECOVERY_H
