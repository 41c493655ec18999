// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TYPE_RELATION_H
#define LOSSLESS_TYPE_RELATION_H

#include "ns3/type-id.h"

namespace ns3
{

/// @param type a type @param base another @return whether the type is the other, or derives from it
inline bool
IsA(TypeId type, TypeId base)
{
    return type == base || type.IsChildOf(base);
}

} // namespace ns3

#endif // LOSSLESS_TYPE_RELATION_H
