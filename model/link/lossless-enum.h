// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ENUM_H
#define LOSSLESS_ENUM_H

#include "ns3/enum.h"

namespace ns3
{

/**
 * @file
 * MakeEnumAccessor() deduces the enumeration to ns-3.40 and takes it as a template argument from
 * ns-3.41. Overload resolution, not the preprocessor, picks the spelling that this ns-3 has.
 */
namespace lossless_detail
{

/// Preferred overload.
struct Newer
{
};

/// Overload taken when Newer does not compile.
struct Older
{
    /// Any Newer is an Older, at the price of a conversion.
    Older(Newer)
    {
    }
};

/// ns-3.41 and later. @param args what MakeEnumAccessor takes @return the accessor
template <typename E, typename... Args>
auto
EnumAccessor(Newer, Args... args) -> decltype(MakeEnumAccessor<E>(args...))
{
    return MakeEnumAccessor<E>(args...);
}

/// ns-3.40 and earlier. @param args what MakeEnumAccessor takes @return the accessor
template <typename E, typename... Args>
auto
EnumAccessor(Older, Args... args)
{
    return MakeEnumAccessor(args...);
}

} // namespace lossless_detail

/**
 * @ingroup lossless
 * @tparam E an unscoped enumeration
 * @param args what MakeEnumAccessor takes
 * @return the accessor for an attribute
 */
template <typename E, typename... Args>
auto
LosslessEnumAccessor(Args... args)
{
    return lossless_detail::EnumAccessor<E>(lossless_detail::Newer{}, args...);
}

} // namespace ns3

#endif // LOSSLESS_ENUM_H
