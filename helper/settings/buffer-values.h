// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BUFFER_VALUES_H
#define LOSSLESS_BUFFER_VALUES_H

#include "fabric-settings.h"

#include "ns3/mmu-config.h"

#include <cstdint>
#include <optional>

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
        QUEUES,   //!< lossy ones; a lossless one where it is named
        ALL       //!< both
    };

    const char* name; //!< as a setting has it
    Of of;            //!< and which classes can have it
    bool isOfSwitch;  //!< the switch has one, too
    /// Its place, and that of the value in place of which it is; an alpha, or bytes.
    std::optional<double> MmuClassConfig::* alpha;
    std::optional<uint64_t> MmuClassConfig::* bytes; //!< likewise
    const char* instead{nullptr}; //!< the one that cannot be in force with it; null: none

    /// @param config takes it @param value what
    void Set(MmuClassConfig& config, const AttributeValue& value) const;
    /// @param config goes back to the value of the switch
    void Clear(MmuClassConfig& config) const;

    /// @param setting one @return what it is of a (port, class); null: it is none of SwitchMmu
    static const ClassValue* Find(const FabricSetting& setting);
};

/// @ingroup lossless
/// A value of SwitchMmu that each port may have of its own.
struct PortValue
{
    const char* name;                               //!< as a setting has it
    std::optional<uint64_t> MmuPortConfig::* limit; //!< its place

    /// @param setting one @return what it is of a port; null: it is none of SwitchMmu
    static const PortValue* Find(const FabricSetting& setting);
};

/// @ingroup lossless
/// @param value of bytes @return it
uint64_t BytesOf(const AttributeValue& value);
/// @ingroup lossless
/// @param value a real number @return it
double RealOf(const AttributeValue& value);

} // namespace ns3

#endif // LOSSLESS_BUFFER_VALUES_H
