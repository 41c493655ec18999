// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_APPLICATION_CHECKS_H
#define LOSSLESS_APPLICATION_CHECKS_H

#include "ns3/application.h"
#include "ns3/object-factory.h"

namespace ns3
{

/**
 * @file
 * @ingroup lossless
 *
 * Refuses applications of ns-3 that would end the program without a word.
 */

/// FabricError for applications that attributes alone do not make fit to run.
/// @param factory makes an application
void RequireUsable(const ObjectFactory& factory);

/// FabricError unless an application has the addresses and the protocol that it needs.
/// @param application an application, with its attributes
void RequireRunnable(const Application& application);

} // namespace ns3

#endif // LOSSLESS_APPLICATION_CHECKS_H
