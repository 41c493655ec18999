// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NAMED_PATHS_H
#define LOSSLESS_NAMED_PATHS_H

#include "fabric.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Lets entropy values of MRC name the paths of a fabric (doc/mrc.rst): gives each StevLoadBalancer
 * the field of its tier, fills the tables of Srv6Switches, and tells the NICs the paths.
 */
class NamedPaths
{
  public:
    /// Does nothing where no switch forwards by names. FabricError where the topology has paths
    /// that cannot be named. @param fabric whose switches have their load balancers and extensions
    static void Join(const Fabric& fabric);
};

} // namespace ns3

#endif // LOSSLESS_NAMED_PATHS_H
