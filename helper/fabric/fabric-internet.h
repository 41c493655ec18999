// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_INTERNET_H
#define LOSSLESS_FABRIC_INTERNET_H

#include "fabric.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * ns-3's own IP stack on the hosts of a fabric; see Fabric::InstallInternet().
 */
namespace FabricInternet
{

/// @param fabric the fabric @return Fabric::HasInternet()
bool IsInstalled(const Fabric& fabric);

/// Fabric::InstallInternet(). @param fabric the fabric
void Install(const Fabric& fabric);

} // namespace FabricInternet
} // namespace ns3

#endif // LOSSLESS_FABRIC_INTERNET_H
