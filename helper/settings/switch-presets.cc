// SPDX-License-Identifier: GPL-2.0-only
#include "switch-presets.h"

#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint64_t MB = 1024 * 1024;

// Table 1 of it has the common packet buffer memory of each switch.
#define JUNIPER "Juniper, Understanding CoS Buffer Configuration, table 1:"

} // namespace

const std::vector<SwitchPreset>&
SwitchPreset::List()
{
    // Buffers: the switch that Juniper builds of the chip. Cells: tests/qos/files of sonic-mgmt,
    // which tests the buffers of SONiC, by chip; td2, th, th2, td3, th3 and th5.
    static const std::vector<SwitchPreset> LIST = {
        {"icc", 5 * MB, 0, "100G", "ICC paper, 2023, section on incast: 5 MB"},
        {"guo16-9mb", 9 * MB, 0, "40G", "Guo et al., SIGCOMM 2016: 9 MB or 12 MB"},
        {"trident+", 9 * MB, 0, "10G, 40G", JUNIPER " QFX3500"},
        {"guo16-12mb", 12 * MB, 0, "40G", "Guo et al., SIGCOMM 2016: 9 MB or 12 MB"},
        {"trident2", 12 * MB, 208, "10G, 40G", JUNIPER " QFX5100"},
        {"hpcc-50g", 16 * MB, 0, "50G", "HPCC, SIGCOMM 2019: 16 MB at 50 Gb/s"},
        {"tomahawk", 16 * MB, 208, "100G", JUNIPER " QFX5200-32C"},
        {"hpcc-100g", 32 * MB, 0, "100G", "HPCC, SIGCOMM 2019: 32 MB at 100 Gb/s"},
        {"trident3", 32 * MB, 256, "25G, 100G", JUNIPER " QFX5120"},
        {"tomahawk2", 42 * MB, 208, "100G", JUNIPER " QFX5210"},
        {"tomahawk3", 64 * MB, 254, "400G", JUNIPER " QFX5220"},
        {"tomahawk4", 112 * MB, 0, "400G", JUNIPER " QFX5230"},
        {"trident4", 132 * MB, 0, "400G", JUNIPER " QFX5130"},
        {"tomahawk5", 165 * MB, 254, "800G", JUNIPER " QFX5240"},
    };
    return LIST;
}

const SwitchPreset&
SwitchPreset::Find(const std::string& name)
{
    const auto& list = List();
    const auto found = std::find_if(list.begin(), list.end(), [&name](const SwitchPreset& one) {
        return one.name == name;
    });
    if (found == list.end())
    {
        std::string all;
        for (const SwitchPreset& one : list)
        {
            all += (all.empty() ? "" : ", ") + std::string(one.name);
        }
        throw FabricError("there is no preset of a switch \"" + name + "\"", "there are " + all);
    }
    return *found;
}

std::vector<FabricSetting>
SwitchPreset::ToSettings(const FabricOptions& options) const
{
    std::vector<FabricSetting> settings = {
        FabricSetting::Read("ns3::SwitchMmu::BufferSize", UintegerValue(bufferBytes), options)};
    if (cellBytes > 0)
    {
        settings.push_back(
            FabricSetting::Read("ns3::SwitchMmu::CellBytes", UintegerValue(cellBytes), options));
    }
    return settings;
}

} // namespace ns3
