// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SETTINGS_FILE_H
#define LOSSLESS_SETTINGS_FILE_H

#include "fabric-settings.h"

#include "ns3/fabric-options.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Read a file of settings in TOML (toml.io): a table for each of the places, named as FabricPlaces
 * reads them, with a value for each attribute.
 *
 *     [leaf]
 *     SwitchMmu.BufferSize = "16MiB"
 *     SwitchMmu.Alpha = 0.03125
 *     SwitchExtension = "ns3::PfcWatchdog[Action=Alert]"
 *
 *     [spine]
 *     SwitchPreset = "tomahawk3"
 *
 *     ["leaf 0"]
 *     SonicConfig = "leaf0/config_db.json"
 *
 *     ["leaf 2 port 3"]
 *     QbbNetDevice.EgressScheduler = "ns3::DwrrScheduler"
 *
 * What is wrong is a FabricError with file and line.
 *
 * @param path the file
 * @param options of the program; they win
 * @return what it says, in its order
 */
std::vector<FabricSettings> ReadSettingsFile(const std::string& path, const FabricOptions& options);

} // namespace ns3

#endif // LOSSLESS_SETTINGS_FILE_H
