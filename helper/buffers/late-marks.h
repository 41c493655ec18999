// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LATE_MARKS_H
#define LOSSLESS_LATE_MARKS_H

#include "buffer-check.h"

#include "ns3/fabric.h"
#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 * @param fabric the fabric
 * @return the base round-trip time of congestion controls between those two hosts for which it is
 * longest; 0: no host reaches another one
 */
Time LongestBaseRtt(const Fabric& fabric);

/**
 * @ingroup lossless
 *
 * Find queues of a switch whose marks begin late: after PFC has paused the senders (rule `ecn`), or
 * beyond a bandwidth-delay product (rule `kmin`).
 * @param fabric the fabric
 * @param which the switch, started
 * @param name of the switch
 * @param baseRtt LongestBaseRtt()
 * @param findings get one for each queue and rule
 */
void FindLateMarks(const Fabric& fabric,
                   SwitchId which,
                   const std::string& name,
                   const Time& baseRtt,
                   std::vector<Finding>& findings);

} // namespace ns3

#endif // LOSSLESS_LATE_MARKS_H
