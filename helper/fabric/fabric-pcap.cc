// SPDX-License-Identifier: GPL-2.0-only

// Captures of the ports of a fabric.

#include "fabric.h"
#include "qbb-helper.h"

#include "ns3/fabric-error.h"

#include <filesystem>
#include <numeric>

namespace ns3
{

void
Fabric::EnablePcap(const std::string& prefix, const std::vector<uint32_t>& nodes) const
{
    std::vector<uint32_t> wanted = nodes;
    if (wanted.empty())
    {
        wanted.resize(GetTopology().GetNNodes());
        std::iota(wanted.begin(), wanted.end(), 0);
    }
    for (const uint32_t node : wanted)
    {
        GetNode(node);
    }
    // ns-3 would abort when it cannot write.
    const auto folder = std::filesystem::path(prefix).parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error) &&
        !std::filesystem::create_directories(folder, error))
    {
        throw FabricError(folder.string(), 0, "is no folder and cannot be made");
    }
    QbbHelper helper;
    for (const uint32_t node : wanted)
    {
        for (uint32_t port = 0; port < GetTopology().GetLinksOf(node).size(); ++port)
        {
            const std::string file =
                prefix + "-" + std::to_string(node) + "-" + std::to_string(port) + ".pcap";
            helper.EnablePcap(file, Ptr<NetDevice>(GetDevice(node, port)), true, true);
        }
    }
}

} // namespace ns3
