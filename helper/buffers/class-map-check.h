// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CLASS_MAP_CHECK_H
#define LOSSLESS_CLASS_MAP_CHECK_H

#include "buffer-check.h"

#include "ns3/fabric.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Find ports that take frames of a lossless class, as hosts mark them, for another class, and links
 * on their way that have no PFC for the class.
 * @param fabric the fabric
 * @param names of its nodes
 * @param findings get one for each port and class
 */
void FindOtherClasses(const Fabric& fabric,
                      const std::vector<std::string>& names,
                      std::vector<BufferFinding>& findings);

} // namespace ns3

#endif // LOSSLESS_CLASS_MAP_CHECK_H
