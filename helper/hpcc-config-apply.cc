// SPDX-License-Identifier: GPL-2.0-only

// What the keys of an HpccConfig mean for this module.

#include "fabric-attributes.h"
#include "fabric-error.h"
#include "hpcc-config.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace ns3
{
namespace
{

/// The congestion control of a CC_MODE; null: unknown.
const char*
CongestionOf(double mode)
{
    static const std::map<double, const char*> names{{1, "ns3::RdmaDcqcn"},
                                                     {3, "ns3::RdmaHpcc"},
                                                     {7, "ns3::RdmaTimely"},
                                                     {8, "ns3::RdmaDctcp"}};
    const auto name = names.find(mode);
    return name == names.end() ? nullptr : name->second;
}

} // namespace

void
HpccConfig::SetDefault(const std::string& key,
                       const std::string& attribute,
                       const std::string& unit) const
{
    const auto entry = m_entries.find(key);
    if (entry == m_entries.end())
    {
        return;
    }
    try
    {
        FabricAttributes::SetDefault(attribute, entry->second.values[0] + unit);
    }
    catch (const FabricError& error)
    {
        throw FabricError(m_path, entry->second.line, key + ": " + error.what());
    }
}

void
HpccConfig::SetDefaults() const
{
    const auto set = [](const std::string& attribute, const std::string& value) {
        FabricAttributes::SetDefault(attribute, value);
    };
    // What the original does without being told.
    set("ns3::RdmaQueuePair::Mtu", "1000");
    set("ns3::SwitchMmu::BufferSize", "16MiB");
    set("ns3::RdmaDcqcn::Dialect", "Nic");
    set("ns3::RdmaDcqcn::CnpInterval", "0");
    set("ns3::RdmaDcqcn::InitialAlpha", "1");
    set("ns3::RdmaDcqcn::MinRate", "100Mbps");
    set("ns3::RdmaTimely::MinRate", "100Mbps");
    set("ns3::RdmaTimely::StartAtLineRate", "true");

    SetDefault("ENABLE_QCN", "ns3::FabricSwitch::EcnEnabled");
    SetDefault("PACKET_PAYLOAD_SIZE", "ns3::RdmaQueuePair::Mtu");
    SetDefault("BUFFER_SIZE", "ns3::SwitchMmu::BufferSize", "MiB");
    SetDefault("CLAMP_TARGET_RATE", "ns3::RdmaDcqcn::ClampTarget");
    SetDefault("ALPHA_RESUME_INTERVAL", "ns3::RdmaDcqcn::AlphaTimer", "us");
    SetDefault("RATE_DECREASE_INTERVAL", "ns3::RdmaDcqcn::DecreaseTimer", "us");
    SetDefault("RP_TIMER", "ns3::RdmaDcqcn::IncreaseTimer", "us");
    SetDefault("EWMA_GAIN", "ns3::RdmaDcqcn::Gain");
    SetDefault("FAST_RECOVERY_TIMES", "ns3::RdmaDcqcn::FastRecoveryTimes");
    SetDefault("RATE_AI", "ns3::RdmaDcqcn::AiRate");
    SetDefault("RATE_HAI", "ns3::RdmaDcqcn::HaiRate");
    SetDefault("MIN_RATE", "ns3::RdmaDcqcn::MinRate");
    SetDefault("RATE_AI", "ns3::RdmaTimely::Delta");
    SetDefault("MIN_RATE", "ns3::RdmaTimely::MinRate");
    if (GetNumber("L2_ACK_INTERVAL", 1) > 0)
    {
        SetDefault("L2_ACK_INTERVAL", "ns3::RdmaQueuePair::AckInterval");
    }
    if (GetNumber("ACK_HIGH_PRIO", 0) > 0)
    {
        set("ns3::RdmaQueuePair::AckClass", "6"); // that of the CNPs
    }
    if (GetNumber("L2_BACK_TO_ZERO", 0) > 0)
    {
        SetDefault("L2_CHUNK_SIZE", "ns3::RdmaGoBack0::ChunkBytes");
        set("ns3::RdmaQueuePair::LossRecovery", "ns3::RdmaGoBack0");
    }
}

void
HpccConfig::Configure(FabricHelper& helper, const FabricTopology& topology) const
{
    const double mode = GetNumber("CC_MODE", 1);
    const char* congestion = CongestionOf(mode);
    TypeId ignored;
    if (!congestion || !TypeId::LookupByNameFailSafe(congestion, &ignored))
    {
        Fail("CC_MODE",
             "CC_MODE " + (Has("CC_MODE") ? m_entries.at("CC_MODE").values[0] : "1") +
                 " is not known here",
             "1 (DCQCN) and 7 (TIMELY) are; 3 (HPCC) and 8 (DCTCP) need their algorithm");
    }
    helper.SetCongestionControl(congestion);
    const SpeedMap kmin = ReadMap("KMIN_MAP");
    const SpeedMap kmax = ReadMap("KMAX_MAP");
    const SpeedMap pmax = ReadMap("PMAX_MAP");
    if (kmin.empty() || GetNumber("ENABLE_QCN", 1) == 0)
    {
        return;
    }
    for (const auto& link : topology.GetLinks())
    {
        const uint64_t speed = link.spec.rate.GetBitRate();
        if (!kmin.count(speed) && (topology.IsSwitch(link.a) || topology.IsSwitch(link.b)))
        {
            Fail("KMIN_MAP",
                 "KMIN_MAP has no value for links of " + std::to_string(speed) + " bit/s",
                 "KMIN_MAP, KMAX_MAP and PMAX_MAP need one for each speed of the topology");
        }
    }
    constexpr double kilobyte = 1000;
    for (const auto& [speed, low] : kmin)
    {
        helper.SetEcnThresholds(DataRate(speed),
                                static_cast<uint64_t>(low * kilobyte),
                                static_cast<uint64_t>(kmax.at(speed) * kilobyte),
                                pmax.at(speed));
    }
}

uint64_t
HpccConfig::GetWindow(const Fabric& fabric, uint32_t source, uint32_t destination) const
{
    // As in the original: twice the delay, and one way of serialising a payload.
    const FabricTopology& topology = fabric.GetTopology();
    const uint32_t from = topology.GetHosts()[source];
    const uint32_t to = topology.GetHosts()[destination];
    const Fabric::Ports ports = fabric.GetPortPairs(source, destination)[0];
    const auto payload = static_cast<uint64_t>(GetNumber("PACKET_PAYLOAD_SIZE", 1000));
    uint64_t rtt = 0; // ns
    uint64_t slowest = UINT64_MAX;
    for (const uint32_t link :
         fabric.GetRoutes().GetPath(from,
                                    topology.GetLinksOf(from)[ports.source],
                                    to,
                                    topology.GetLinksOf(to)[ports.destination]))
    {
        const FabricLinkSpec& spec = topology.GetLinks()[link].spec;
        const uint64_t rate = spec.rate.GetBitRate();
        rtt += 2 * static_cast<uint64_t>(spec.delay.GetNanoSeconds()) +
               payload * 8 * 1000000000ULL / rate;
        slowest = std::min(slowest, rate);
    }
    return static_cast<uint64_t>(static_cast<double>(rtt) * static_cast<double>(slowest) / 8e9);
}

uint64_t
HpccConfig::GetGlobalWindow(const Fabric& fabric) const
{
    // Two hosts with the same switch, rate and delay stand for all that have them.
    const FabricTopology& topology = fabric.GetTopology();
    std::map<std::tuple<uint32_t, uint64_t, int64_t>, uint32_t> seen;
    std::vector<uint32_t> some;
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const uint32_t node = topology.GetHosts()[host];
        if (topology.GetLinksOf(node).empty())
        {
            continue;
        }
        const auto& link = topology.GetLinks()[topology.GetLinksOf(node)[0]];
        const std::tuple kind{link.Peer(node),
                              link.spec.rate.GetBitRate(),
                              link.spec.delay.GetTimeStep()};
        if (++seen[kind] <= 2)
        {
            some.push_back(host);
        }
    }
    uint64_t largest = 0;
    for (const uint32_t source : some)
    {
        for (const uint32_t destination : some)
        {
            if (source == destination)
            {
                continue;
            }
            try
            {
                largest = std::max(largest, GetWindow(fabric, source, destination));
            }
            catch (const FabricError&)
            {
                continue; // no way between them: no window either
            }
        }
    }
    return largest;
}

} // namespace ns3
