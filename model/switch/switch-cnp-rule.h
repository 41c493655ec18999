// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_CNP_RULE_H
#define LOSSLESS_SWITCH_CNP_RULE_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: how many CNPs a switch sends for one of its queues. A SwitchCnpSender makes a rule of its
 * own, and asks it at each poll, for each queue that holds frames. Derive from this class to plug
 * in your own rule.
 */
class SwitchCnpRule : public Object
{
  public:
    /// What the switch knows of a queue.
    struct QueueState
    {
        uint32_t port{0};        //!< egress port
        uint32_t cls{0};         //!< class of the queue
        uint64_t bytes{0};       //!< length, bytes
        uint64_t beforeBytes{0}; //!< length at the last poll, bytes
        uint64_t limitBytes{1};  //!< length that counts as full, bytes, at least 1
        uint32_t flows{0};       //!< flows that have used the queue since the last poll
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param queue a queue that holds frames @return CNPs to send; more than one for each flow are
    /// not sent
    virtual uint32_t Count(const QueueState& queue) = 0;
};

/**
 * @ingroup lossless
 *
 * Many CNPs if the queue is long and grows, few if it is short and grows or long and shrinks, else
 * none (sheet 03, section 7). Vendors describe only these four cases; the numbers are choices of
 * this module.
 *
 * With u = bytes / limitBytes, a growing queue gets one CNP below LowUse, and from there on 1 +
 * ceil(flows * (u - LowUse) / (1 - LowUse)). A queue that does not grow gets one from HighUse on.
 */
class TrendCnpRule : public SwitchCnpRule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t Count(const QueueState& queue) override;

  private:
    double m_lowUse{0};  //!< attribute LowUse
    double m_highUse{0}; //!< attribute HighUse
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_CNP_RULE_H
