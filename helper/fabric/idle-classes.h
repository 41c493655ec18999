// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_IDLE_CLASSES_H
#define LOSSLESS_IDLE_CLASSES_H

namespace ns3
{

class Fabric;

/**
 * @file
 * @ingroup lossless
 *
 * Thresholds that a script gives to a traffic class in which nobody sends.
 */

/// Name, once for a fabric, alphas, static thresholds, XON offsets and ECN thresholds that ports of
/// switches have for one class and not for others of its kind, lossless or lossy, if no port has
/// sent a frame of that class. @param fabric that has run
void WarnOfIdleClasses(const Fabric& fabric);

/// Name none of a fabric: a configuration of real switches is for more classes than a scenario
/// uses.
/// @param fabric it
void AllowIdleClasses(const Fabric& fabric);

} // namespace ns3

#endif // LOSSLESS_IDLE_CLASSES_H
