// SPDX-License-Identifier: GPL-2.0-only

// What the keys of an HpccConfig mean for this module.

#include "hpcc-config.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

namespace ns3
{
namespace
{

constexpr const char* HPCC = "ns3::RdmaHpcc";
constexpr const char* DCTCP = "ns3::RdmaDctcp";
constexpr double PINT_MODE = 10;

/// The congestion control of a CC_MODE; null: unknown.
const char*
CongestionOf(double mode)
{
    static const std::map<double, const char*> names{{1, "ns3::RdmaDcqcn"},
                                                     {3, HPCC},
                                                     {7, "ns3::RdmaTimely"},
                                                     {8, DCTCP},
                                                     {PINT_MODE, HPCC}};
    const auto name = names.find(mode);
    return name == names.end() ? nullptr : name->second;
}

/// A way between two hosts as that simulator sees it.
struct Way
{
    uint64_t rttNs{0};            //!< twice the delay, and one way of serialising a payload
    uint64_t slowest{UINT64_MAX}; //!< rate, bit/s

    /// @return bandwidth-delay product, bytes
    uint64_t Window() const
    {
        return static_cast<uint64_t>(static_cast<double>(rttNs) * static_cast<double>(slowest) /
                                     8e9);
    }
};

/// The way between the first ports of two nodes that have one; none: they have not.
std::optional<Way>
FindWay(const FabricTopology& topology,
        const FabricRoutes& routes,
        uint32_t from,
        uint32_t to,
        uint64_t payload)
{
    for (const uint32_t out : topology.GetLinksOf(from))
    {
        for (const uint32_t in : topology.GetLinksOf(to))
        {
            const auto path = routes.GetPath(from, out, to, in);
            Way way;
            for (const uint32_t link : path)
            {
                const FabricLinkSpec& spec = topology.GetLinks()[link].spec;
                const uint64_t rate = spec.rate.GetBitRate();
                way.rttNs += 2 * static_cast<uint64_t>(spec.delay.GetNanoSeconds()) +
                             payload * 8 * 1000000000ULL / rate;
                way.slowest = std::min(way.slowest, rate);
            }
            if (!path.empty())
            {
                return way;
            }
        }
    }
    return std::nullopt;
}

/// Call a function with the ways between all hosts. Two hosts with the same switch, rate and delay
/// stand for all that have them.
void
ForEachWay(const FabricTopology& topology,
           const FabricRoutes& routes,
           uint64_t payload,
           const std::function<void(const Way&)>& use)
{
    std::map<std::tuple<uint32_t, uint64_t, int64_t>, uint32_t> seen;
    std::vector<uint32_t> some;
    for (const uint32_t node : topology.GetHosts())
    {
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
            some.push_back(node);
        }
    }
    for (const uint32_t source : some)
    {
        for (const uint32_t destination : some)
        {
            const auto way = source == destination
                                 ? std::nullopt
                                 : FindWay(topology, routes, source, destination, payload);
            if (way)
            {
                use(*way);
            }
        }
    }
}

} // namespace

std::string
HpccConfig::GetCongestionControl() const
{
    const std::string option = m_options.Get(RdmaQueuePair::GetTypeId(), "CongestionControl");
    if (!option.empty())
    {
        return option.substr(0, option.find('['));
    }
    const char* congestion = CongestionOf(GetNumber("CC_MODE", 1));
    if (!congestion)
    {
        Fail("CC_MODE",
             "CC_MODE " + m_entries.at("CC_MODE").values[0] + " is not known here",
             "1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP) and 10 (HPCC-PINT) are; "
             "--cc=ns3::Type takes any other congestion control");
    }
    return congestion;
}

bool
HpccConfig::HasOwnWindow() const
{
    const std::string congestion = GetCongestionControl();
    return congestion == HPCC || congestion == DCTCP;
}

uint64_t
HpccConfig::GetPayload() const
{
    return static_cast<uint64_t>(GetNumber("PACKET_PAYLOAD_SIZE", 1000));
}

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
        m_options.SetDefault(attribute, entry->second.values[0] + unit);
    }
    catch (const FabricError& error)
    {
        throw FabricError(m_path, entry->second.line, key + ": " + error.what());
    }
}

void
HpccConfig::SetDefaults() const
{
    // What the original does without being told.
    m_options.SetDefault("ns3::RdmaQueuePair::Mtu", "1000");
    m_options.SetDefault("ns3::SwitchMmu::BufferSize", "16MiB");
    m_options.SetDefault("ns3::RdmaDcqcn::Dialect", "Nic");
    m_options.SetDefault("ns3::RdmaDcqcn::CnpInterval", "0");
    m_options.SetDefault("ns3::RdmaDcqcn::InitialAlpha", "1");
    m_options.SetDefault("ns3::RdmaDcqcn::MinRate", "100Mbps");

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
    if (GetNumber("L2_ACK_INTERVAL", 1) > 0)
    {
        SetDefault("L2_ACK_INTERVAL", "ns3::RdmaQueuePair::AckInterval");
    }
    if (GetNumber("ACK_HIGH_PRIO", 0) > 0)
    {
        m_options.SetDefault("ns3::RdmaQueuePair::AckClass", "6"); // that of the CNPs
    }
    if (GetNumber("L2_BACK_TO_ZERO", 0) > 0)
    {
        SetDefault("L2_CHUNK_SIZE", "ns3::RdmaGoBack0::ChunkBytes");
        m_options.SetDefault("ns3::RdmaQueuePair::LossRecovery", "ns3::RdmaGoBack0");
    }
    SetTimelyDefaults();
    // Only then: a value of theirs that is wrong does no harm to another mode.
    if (GetCongestionControl() == HPCC)
    {
        SetHpccDefaults();
    }
    if (GetCongestionControl() == DCTCP)
    {
        SetDctcpDefaults();
    }
}

void
HpccConfig::SetTimelyDefaults() const
{
    m_options.SetDefault("ns3::RdmaTimely::MinRate", "100Mbps");
    m_options.SetDefault("ns3::RdmaTimely::StartAtLineRate", "true");
    SetDefault("RATE_AI", "ns3::RdmaTimely::Delta");
    SetDefault("MIN_RATE", "ns3::RdmaTimely::MinRate");
    if (Has("RATE_AI") && Has("RATE_HAI"))
    {
        const auto rate = [this](const std::string& key) {
            return FabricText::ToRate(m_entries.at(key).values[0], key).GetBitRate();
        };
        const uint64_t base = rate("RATE_AI");
        const uint64_t factor = std::max<uint64_t>(1, (rate("RATE_HAI") + base / 2) / base);
        m_options.SetDefault("ns3::RdmaTimely::HyperIncreaseFactor", std::to_string(factor));
    }
}

void
HpccConfig::SetHpccDefaults() const
{
    // CC_MODE chooses what packets carry, unless it is an option that has chosen HPCC.
    const bool isMode = !m_options.Has(RdmaQueuePair::GetTypeId(), "CongestionControl");
    const bool isPint = isMode && GetNumber("CC_MODE", 1) == PINT_MODE;
    m_options.SetDefault("ns3::RdmaHpcc::Telemetry", isPint ? "Pint" : "Fixed");
    // What the original does without being told.
    m_options.SetDefault("ns3::RdmaHpcc::MultiRate", "true");
    m_options.SetDefault("ns3::RdmaHpcc::VariableWindow", "false");
    m_options.SetDefault("ns3::RdmaHpcc::MinRate", "100Mbps");

    SetDefault("U_TARGET", "ns3::RdmaHpcc::Eta");
    SetDefault("MI_THRESH", "ns3::RdmaHpcc::MaxStage");
    SetDefault("RATE_AI", "ns3::RdmaHpcc::IncreaseRate");
    SetDefault("MIN_RATE", "ns3::RdmaHpcc::MinRate");
    SetDefault("FAST_REACT", "ns3::RdmaHpcc::FastReact");
    SetDefault("MULTI_RATE", "ns3::RdmaHpcc::MultiRate");
    SetDefault("SAMPLE_FEEDBACK", "ns3::RdmaHpcc::SampleFeedback");
    SetDefault("HAS_WIN", "ns3::RdmaHpcc::UseWindow");
    SetDefault("VAR_WIN", "ns3::RdmaHpcc::VariableWindow");
    SetDefault("PINT_PROB", "ns3::RdmaHpcc::PintProbability");
    for (const std::string type : {HPCC, "ns3::IntStamper"})
    {
        SetDefault("INT_MULTI", type + "::Multiplier");
        SetDefault("PINT_LOG_BASE", type + "::PintBase");
    }
}

void
HpccConfig::SetDctcpDefaults() const
{
    m_options.SetDefault("ns3::RdmaDctcp::Increase", "1000Mbps"); // of the original
    SetDefault("DCTCP_RATE_AI", "ns3::RdmaDctcp::Increase");
    SetDefault("EWMA_GAIN", "ns3::RdmaDctcp::Gain");
    SetDefault("MIN_RATE", "ns3::RdmaDctcp::MinRate");
    SetDefault("HAS_WIN", "ns3::RdmaDctcp::UseWindow");
    SetDefault("VAR_WIN", "ns3::RdmaDctcp::VariableWindow");
}

void
HpccConfig::SetRoundTrip(const FabricTopology& topology) const
{
    if (!HasOwnWindow())
    {
        return;
    }
    uint64_t longest = 0;
    ForEachWay(topology, FabricRoutes(topology), GetPayload(), [&longest](const Way& way) {
        longest = std::max(longest, way.rttNs);
    });
    if (longest == 0)
    {
        return; // nobody can send
    }
    const std::string text = std::to_string(longest) + "ns";
    m_options.SetDefault("ns3::IntStamper::MaxRtt", text);
    if (GetNumber("GLOBAL_T", 1) > 0)
    {
        m_options.SetDefault(GetCongestionControl() + "::BaseRtt", text);
    }
}

void
HpccConfig::Configure(FabricHelper& helper, const FabricTopology& topology) const
{
    helper.SetCongestionControl(GetCongestionControl());
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
    const FabricTopology& topology = fabric.GetTopology();
    fabric.GetPortPairs(source, destination); // FabricError if there is no way
    return FindWay(topology,
                   fabric.GetRoutes(),
                   topology.GetHosts()[source],
                   topology.GetHosts()[destination],
                   GetPayload())
        .value()
        .Window();
}

uint64_t
HpccConfig::GetGlobalWindow(const Fabric& fabric) const
{
    uint64_t largest = 0;
    ForEachWay(fabric.GetTopology(), fabric.GetRoutes(), GetPayload(), [&largest](const Way& way) {
        largest = std::max(largest, way.Window());
    });
    return largest;
}

} // namespace ns3
