// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_EXTENSIONS_H
#define LOSSLESS_SWITCH_EXTENSIONS_H

#include "ns3/fabric-switch.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 * @tparam T a SwitchExtension
 * @param fabricSwitch a switch
 * @return its extensions of that type, in the order of adding
 */
template <typename T>
std::vector<Ptr<T>>
ExtensionsOf(const FabricSwitch& fabricSwitch)
{
    std::vector<Ptr<T>> extensions;
    for (uint32_t i = 0; i < fabricSwitch.GetNExtensions(); ++i)
    {
        if (const auto extension = DynamicCast<T>(fabricSwitch.GetExtension(i)))
        {
            extensions.push_back(extension);
        }
    }
    return extensions;
}

} // namespace ns3

#endif // LOSSLESS_SWITCH_EXTENSIONS_H
