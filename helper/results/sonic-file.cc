// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-file.h"

#include "result-file.h"

namespace ns3
{

void
WriteSonicConfig(const std::string& path, const SonicConfig& config)
{
    ResultFile file(path);
    file.Write(config.ToText());
    file.Commit();
}

} // namespace ns3
