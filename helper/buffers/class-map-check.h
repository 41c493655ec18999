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
                      std::vector<Finding>& findings);

/**
 * @ingroup lossless
 *
 * Add to the findings of a fabric what FindOtherClasses() finds where a port has a class map of its
 * own, of classes of which a host sends data; nothing where loss is allowed, and nothing of a class
 * of which AddIfLossy() has found something.
 * @param fabric that begins to run, runs, or has run
 */
void AddOtherClasses(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_CLASS_MAP_CHECK_H
