// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_BEFORE_PFC_H
#define LOSSLESS_ECN_BEFORE_PFC_H

#include "buffer-check.h"

#include "ns3/fabric.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Find queues of a switch whose senders PFC pauses before ECN tells them to slow down.
 * @param fabric the fabric
 * @param which the switch, started
 * @param name of the switch
 * @param findings get one for each queue
 */
void FindLateMarks(const Fabric& fabric,
                   SwitchId which,
                   const std::string& name,
                   std::vector<Finding>& findings);

} // namespace ns3

#endif // LOSSLESS_ECN_BEFORE_PFC_H
