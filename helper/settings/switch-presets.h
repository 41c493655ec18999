// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_PRESETS_H
#define LOSSLESS_SWITCH_PRESETS_H

#include "fabric-settings.h"

#include "ns3/fabric-options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// The buffer of a switch whose numbers are published: a short way to BufferSize and CellBytes of
/// SwitchMmu.
struct SwitchPreset
{
    const char* name;     //!< such as "tomahawk3"
    uint64_t bufferBytes; //!< BufferSize
    uint32_t cellBytes;   //!< CellBytes; 0: not published, that of SwitchMmu stays
    const char* ports;    //!< rates of its ports
    const char* source;   //!< where the numbers are from

    /// @return all of them, the smallest buffer first
    static const std::vector<SwitchPreset>& List();

    /// @param name of one @return it; FabricError that names all, if there is none
    static const SwitchPreset& Find(const std::string& name);

    /// @param options of the program @return the settings that it stands for
    std::vector<FabricSetting> ToSettings(const FabricOptions& options) const;
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_PRESETS_H
