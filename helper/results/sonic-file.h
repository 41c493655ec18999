// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_FILE_H
#define LOSSLESS_SONIC_FILE_H

#include "ns3/sonic-config.h"

#include <string>

namespace ns3
{

/// @ingroup lossless
/// Write a configuration of SONiC. @param path of the file; FabricError when it cannot be written
/// @param config the configuration
void WriteSonicConfig(const std::string& path, const SonicConfig& config);

} // namespace ns3

#endif // LOSSLESS_SONIC_FILE_H
