// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BUFFER_VALUES_H
#define LOSSLESS_BUFFER_VALUES_H

#include "fabric-settings.h"

#include "ns3/switch-mmu.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// A value of SwitchMmu that each (port, class) may have of its own.
struct ClassValue
{
    /// Which classes take the value where no class is named.
    enum Of
    {
        LOSSLESS, //!< lossless ones
        LOSSY,    //!< lossy ones
        ALL       //!< both
    };

    const char* name; //!< as a setting has it
    Of of;            //!< and which classes can have it
    void (*set)(SwitchMmu&, uint32_t port, uint32_t cls, const AttributeValue&); //!< takes it
    void (*clear)(MmuClassConfig&); //!< back to the value of the switch; null: it has none
    const char* instead{nullptr};   //!< the one that cannot be in force with it; null: none

    /// @param setting one @return what it is of a (port, class); null: it is none of SwitchMmu
    static const ClassValue* Find(const FabricSetting& setting);
};

/// @ingroup lossless
/// A value of SwitchMmu that each port may have of its own.
struct PortValue
{
    const char* name;                                       //!< as a setting has it
    void (*set)(SwitchMmu&, uint32_t port, uint64_t bytes); //!< takes it
    void (*clear)(MmuPortConfig&);                          //!< back to the value of the switch

    /// @param setting one @return what it is of a port; null: it is none of SwitchMmu
    static const PortValue* Find(const FabricSetting& setting);
};

/// @ingroup lossless
/// @param value of bytes @return it
uint64_t BytesOf(const AttributeValue& value);
/// @ingroup lossless
/// @param value a real number @return it
double RealOf(const AttributeValue& value);

/// @ingroup lossless
/// FabricError for a pool of headroom that a switch would refuse when it starts. @param mmu of the
/// switch @param name of the switch
void RequireHeadroomPool(const SwitchMmu& mmu, const std::string& name);

} // namespace ns3

#endif // LOSSLESS_BUFFER_VALUES_H
