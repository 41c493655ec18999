// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_LOSS_RECOVERY_H
#define LOSSLESS_RDMA_LOSS_RECOVERY_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: where a queue pair starts again after a loss (doc/rdma.rst), chosen by TypeId. Both
 * ends of a connection must use the same one: the requester asks it where to go back to, the
 * responder what to expect.
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
};

} // namespace ns3

#endif // LOSSLESS_RDMA_LOSS_RECOVERY_H
