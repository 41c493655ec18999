// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_CNP_RULE_H
#define LOSSLESS_SWITCH_CNP_RULE_H

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * How many CNPs a switch sends for one of its queues: many if the queue is long and grows, few if
 * it is short and grows or long and shrinks, else none. Vendors describe only these four cases; the
 * numbers are choices of this module.
 *
 * With u = queueBytes / limitBytes, a growing queue gets one CNP below LOW_USE, and from there on 1
 * + ceil(flows * (u - LOW_USE) / (1 - LOW_USE)), at most one CNP for each flow.
 */
struct SwitchCnpRule
{
    static constexpr double LOW_USE = 0.3;  //!< above this a growing queue gets more than one CNP
    static constexpr double HIGH_USE = 0.6; //!< above this a queue that does not grow gets a CNP

    /**
     * @param queueBytes current length, bytes
     * @param beforeBytes length at the last poll, bytes
     * @param limitBytes length that counts as full, bytes
     * @param flows number of flows that have used the queue since the last poll
     * @return number of CNPs
     */
    static uint32_t Count(uint64_t queueBytes,
                          uint64_t beforeBytes,
                          uint64_t limitBytes,
                          uint32_t flows)
    {
        const double use = static_cast<double>(queueBytes) / static_cast<double>(limitBytes);
        if (queueBytes <= beforeBytes)
        {
            return std::min(flows, use >= HIGH_USE ? 1U : 0U);
        }
        if (use < LOW_USE)
        {
            return std::min(flows, 1U);
        }
        const double share = std::min(1.0, (use - LOW_USE) / (1 - LOW_USE));
        return std::min(flows, 1 + static_cast<uint32_t>(std::ceil(flows * share)));
    }
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_CNP_RULE_H
