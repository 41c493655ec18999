// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SOLE_OWNER_H
#define LOSSLESS_SOLE_OWNER_H

#include "ns3/object.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Which switch or port uses a part that keeps state of it, such as a load balancer: one part serves
 * one owner.
 */
namespace SoleOwner
{

/**
 * An owner uses a part from now on, and calls Leave() before it lets go of the part. Throws
 * std::invalid_argument where another one uses it.
 * @param part the part
 * @param owner a FabricSwitch or a QbbNetDevice
 */
void Take(const Object& part, const Object& owner);

/// A part is free again, unless another one uses it. @param part the part @param owner who used it
void Leave(const Object& part, const Object& owner);

} // namespace SoleOwner
} // namespace ns3

#endif // LOSSLESS_SOLE_OWNER_H
