// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ENUM_ACCESSOR_H
#define LOSSLESS_ENUM_ACCESSOR_H

#include "ns3/enum.h"

namespace ns3
{

/// Overload rank: a higher rank is preferred when both overloads are viable.
template <int N>
struct EnumAccessorRank : EnumAccessorRank<N - 1>
{
};

/// The lowest rank.
template <>
struct EnumAccessorRank<0>
{
};

/// ns-3.41 and later: the enumeration is an explicit template argument.
/// @param args what MakeEnumAccessor() takes @return the accessor
template <typename E, typename... Args>
auto
MakeLosslessEnumAccessorRanked(EnumAccessorRank<1>, Args... args)
    -> decltype(MakeEnumAccessor<E>(args...))
{
    return MakeEnumAccessor<E>(args...);
}

/// ns-3.40 and earlier: the enumeration is deduced.
/// @param args what MakeEnumAccessor() takes @return the accessor
template <typename E, typename... Args>
auto
MakeLosslessEnumAccessorRanked(EnumAccessorRank<0>, Args... args)
{
    return MakeEnumAccessor(args...);
}

/**
 * @ingroup lossless
 * MakeEnumAccessor() in the spelling of whichever ns-3 release is in use.
 * @tparam E the enumeration (unscoped, for ns-3.40 and earlier)
 * @param args what MakeEnumAccessor() takes
 * @return the accessor
 */
template <typename E, typename... Args>
auto
MakeLosslessEnumAccessor(Args... args)
{
    return MakeLosslessEnumAccessorRanked<E>(EnumAccessorRank<1>{}, args...);
}

} // namespace ns3

#endif // LOSSLESS_ENUM_ACCESSOR_H
