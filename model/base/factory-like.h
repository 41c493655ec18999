// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FACTORY_LIKE_H
#define LOSSLESS_FACTORY_LIKE_H

#include "ns3/object-factory.h"
#include "ns3/object.h"

namespace ns3
{

/**
 * @ingroup lossless
 * What would make an object like one that is in use: attributes that hold a policy as a factory
 * read back by this what is in force.
 * @param object an object
 * @return a factory of its type, with the attributes that differ from their defaults; attributes
 * that are objects themselves are left out
 */
ObjectFactory FactoryLike(const Object& object);

} // namespace ns3

#endif // LOSSLESS_FACTORY_LIKE_H
