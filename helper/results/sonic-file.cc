// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-file.h"

#include "result-file.h"

namespace ns3
{

void
WriteSonicConfig(const std::string& path, const SonicConfig& config)
{
    ResultFile::Make(path, [&config](std::ostream& to) { to << config.ToText(); });
}

} // namespace ns3
