// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECIPE_VALUE_H
#define LOSSLESS_RECIPE_VALUE_H

#include "fabric-recipe.h"

#include "ns3/type-id.h"

#include <string>

namespace ns3
{

/// @ingroup lossless
/// @tparam Value of the attribute @param type of objects @param name of one of their attributes
/// @param set what a FabricRecipe says of such objects @return the default of the attribute, or
/// what was set last for it
template <typename Value>
Value
ValueInForce(TypeId type, const std::string& name, const FabricRecipe::Values& set)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(name, &info);
    Value value = *DynamicCast<const Value>(info.initialValue);
    for (const auto& [setName, setValue] : set)
    {
        if (setName == name)
        {
            value = *DynamicCast<const Value>(Ptr<const AttributeValue>(setValue));
        }
    }
    return value;
}

} // namespace ns3

#endif // LOSSLESS_RECIPE_VALUE_H
