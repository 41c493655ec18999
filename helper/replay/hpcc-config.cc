// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-config.h"

#include "hpcc-keys.h"
#include "hpcc-paths.h"
#include "text-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-switch.h"
#include "ns3/fabric-text.h"
#include "ns3/result-file.h"
#include "ns3/result-report.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace ns3
{
namespace
{

namespace fs = std::filesystem;

using Effect = HpccKey::Effect;

constexpr const char* HPCC = "ns3::RdmaHpcc";
constexpr const char* DCTCP = "ns3::RdmaDctcp";
constexpr double HPCC_MODE = 3;
constexpr double PINT_MODE = 10;

/// Space that the original keeps for a port, bytes.
constexpr uint64_t RESERVED_BYTES = 4096;

/// @param list gets a name behind a comma @param name it
void
Append(std::string& list, const std::string& name)
{
    list += (list.empty() ? "" : ", ") + name;
}

/// The congestion control of a CC_MODE; null: unknown.
const char*
CongestionOf(double mode)
{
    static const std::map<double, const char*> names{{1, "ns3::RdmaDcqcn"},
                                                     {HPCC_MODE, HPCC},
                                                     {7, "ns3::RdmaTimely"},
                                                     {8, DCTCP},
                                                     {PINT_MODE, HPCC}};
    const auto name = names.find(mode);
    return name == names.end() ? nullptr : name->second;
}

} // namespace

HpccConfig::HpccConfig(const std::string& path, const FabricOptions& options, bool allowUnknown)
    : m_path(path),
      m_options(options)
{
    TextFile file(path);
    std::set<std::string> told;
    std::vector<std::string> known;
    for (const HpccKey& key : HpccKey::All())
    {
        known.emplace_back(key.name);
    }
    while (file.Next())
    {
        const std::string& name = file.Fields()[0];
        const HpccKey* key = HpccKey::Find(name);
        std::string unknown;
        if (!key)
        {
            const std::string near = FabricText::DidYouMean(name, known);
            const std::string asks = "did you mean ";
            unknown =
                name + (near.rfind(asks, 0) == 0 ? " (" + near.substr(asks.size()) + ")" : "");
        }
        else if (key->CheckLine(file))
        {
            unknown = name + " (more values than it announces)";
        }
        if (!unknown.empty() && told.insert(unknown).second)
        {
            Append(m_unknown, unknown);
            m_entries.try_emplace("", Entry{file.Line(), {}}); // for Fail(): the first one
        }
        if (!key)
        {
            continue;
        }
        // As in the original, the last one counts.
        m_entries[name] = {file.Line(), {file.Fields().begin() + 1, file.Fields().end()}};
    }
    if (!allowUnknown && !m_unknown.empty())
    {
        const bool isChosen = m_options.Has(RdmaQueuePair::GetTypeId(), "CongestionControl");
        if (!isChosen && !CongestionOf(GetNumber("CC_MODE", 1)))
        {
            Append(m_unknown, "CC_MODE " + m_entries.at("CC_MODE").values[0] + " (other: --cc)");
        }
        Fail(
            "",
            "not known here: " + m_unknown,
            "--allowUnknown (Python: allow_unknown=True) passes over keys, as that simulator does");
    }
    CheckMaps();
    GetStop();
    GetLinkDownTime();
    if (GetNumber("QLEN_MON_START", 2e9) > GetNumber("QLEN_MON_END", 2.1e9))
    {
        Fail(Has("QLEN_MON_END") ? "QLEN_MON_END" : "QLEN_MON_START",
             "QLEN_MON_END is before QLEN_MON_START",
             "it must not be");
    }
    for (const char* key : {"FAST_RECOVERY_TIMES", "EWMA_GAIN"})
    {
        if (Has(key) && GetNumber(key, 1) == 0)
        {
            Fail(key, std::string(key) + " is 0", "it must be above 0");
        }
    }
    for (const std::string key : {"ALPHA_RESUME_INTERVAL", "RP_TIMER"})
    {
        // RdmaDcqcn takes a timer of 0 as the one of its dialect.
        if (ReadTime(key, "1", "us").IsZero())
        {
            Fail(key,
                 key + " is " + m_entries.at(key).values[0] + " us, which is no time",
                 "it must be above 0");
        }
    }
}

void
HpccConfig::CheckMaps() const
{
    const SpeedMap kmin = ReadMap("KMIN_MAP");
    const SpeedMap kmax = ReadMap("KMAX_MAP");
    const SpeedMap pmax = ReadMap("PMAX_MAP");
    for (const auto& [speed, low] : kmin)
    {
        const auto high = kmax.find(speed);
        const std::string at = " at " + std::to_string(speed) + " bit/s";
        if (high == kmax.end() || !pmax.count(speed))
        {
            Fail("KMIN_MAP", "KMIN_MAP has a value" + at, "KMAX_MAP and PMAX_MAP need one, too");
        }
        if (low > high->second)
        {
            Fail("KMIN_MAP", "Kmin exceeds Kmax" + at, "Kmin must be at most Kmax");
        }
    }
    for (const auto& [map, key] : {std::pair{&kmax, "KMAX_MAP"}, std::pair{&pmax, "PMAX_MAP"}})
    {
        for (const auto& entry : *map)
        {
            if (!kmin.count(entry.first))
            {
                Fail(key,
                     std::string(key) + " has a value at " + std::to_string(entry.first) + " bit/s",
                     "KMIN_MAP needs one, too");
            }
        }
    }
}

HpccConfig::SpeedMap
HpccConfig::ReadMap(const std::string& key) const
{
    SpeedMap map;
    const std::vector<std::string> values =
        Has(key) ? m_entries.at(key).values : std::vector<std::string>();
    for (std::size_t i = 1; i + 1 < values.size(); i += 2)
    {
        map[FabricText::ToUint(values[i], key)] = FabricText::ToReal(values[i + 1], key);
    }
    return map;
}

// ---- single values

bool
HpccConfig::Has(const std::string& key) const
{
    return m_entries.count(key) > 0;
}

uint64_t
HpccConfig::GetLine(const std::string& key) const
{
    const auto entry = m_entries.find(key);
    return entry == m_entries.end() ? 0 : entry->second.line;
}

void
HpccConfig::Fail(const std::string& key, const std::string& wrong, const std::string& right) const
{
    throw FabricError(m_path, GetLine(key), FabricError(wrong, right).what());
}

double
HpccConfig::GetNumber(const std::string& key, double otherwise) const
{
    const auto entry = m_entries.find(key);
    return entry == m_entries.end() ? otherwise : FabricText::ToReal(entry->second.values[0], key);
}

std::string
HpccConfig::GetInput(const std::string& key) const
{
    if (!Has(key))
    {
        Fail(key, "the key " + key + " is missing", "it must name a file");
    }
    const fs::path path = m_entries.at(key).values[0];
    std::error_code ignored;
    const fs::path nearConfig = fs::path(m_path).parent_path() / path;
    if (!fs::exists(path, ignored) && fs::exists(nearConfig, ignored))
    {
        return nearConfig.string();
    }
    if (!fs::exists(path, ignored))
    {
        Fail(key,
             key + ": there is no file " + path.string(),
             "paths start at the working folder or at that of the configuration");
    }
    return path.string();
}

std::string
HpccConfig::GetOutput(const std::string& key, const std::string& outDir) const
{
    if (!Has(key))
    {
        return "";
    }
    const fs::path path = m_entries.at(key).values[0];
    if (!outDir.empty() && path.is_relative())
    {
        // From a root, as there is nothing above one.
        const fs::path below = (fs::path("/") / path).lexically_normal().relative_path();
        return (outDir / below).lexically_normal().string();
    }
    const fs::path nearConfig = fs::path(m_path).parent_path() / path;
    std::error_code ignored;
    const bool here = path.parent_path().empty() || fs::exists(path.parent_path(), ignored);
    return (!here && fs::exists(nearConfig.parent_path(), ignored) ? nearConfig : path).string();
}

void
HpccConfig::CheckOutputs(const std::string& outDir) const
{
    std::map<std::string, std::string> taken{{ResultFile::Target(m_path), "the configuration"}};
    for (const char* key : {"TOPOLOGY_FILE", "FLOW_FILE", "TRACE_FILE"})
    {
        if (Has(key))
        {
            // GetOutput(): a trace file that nothing reads need not exist.
            const bool isTrace = key == std::string("TRACE_FILE");
            taken[ResultFile::Target(isTrace ? GetOutput(key) : GetInput(key))] = key;
        }
    }
    for (const std::string& other : ResultFolder::ListFiles(outDir))
    {
        const std::string target = ResultFile::Target(other);
        const auto entry = taken.find(target);
        if (!target.empty() && entry != taken.end())
        {
            throw FabricError(other, 0, "is " + entry->second + ", too; name another folder");
        }
        taken[target] = other;
    }
    for (const char* key : {"FCT_OUTPUT_FILE", "PFC_OUTPUT_FILE", "QLEN_MON_FILE"})
    {
        const std::string output = GetOutput(key, outDir);
        const std::string target = ResultFile::Target(output);
        const auto entry = taken.find(target);
        if (Has(key) && !target.empty() && entry != taken.end())
        {
            Fail(key,
                 std::string(key) + ": " + output + " is " + entry->second + ", too",
                 "name another file");
        }
        taken[target] = key;
    }
}

Time
HpccConfig::ReadTime(const std::string& key,
                     const std::string& otherwise,
                     const std::string& unit) const
{
    const auto entry = m_entries.find(key);
    try
    {
        const std::string& text = entry == m_entries.end() ? otherwise : entry->second.values[0];
        return FabricText::ToTime(text, key, unit);
    }
    catch (const FabricError& error)
    {
        throw FabricError(m_path, GetLine(key), error.what());
    }
}

Time
HpccConfig::GetStop() const
{
    if (GetNumber("SIMULATOR_STOP_TIME", 0) >= Time::Max().GetSeconds() / 2)
    {
        return Time(); // shipped files of forks write 4e13 s for "never"
    }
    const Time stop = ReadTime("SIMULATOR_STOP_TIME", "3.01", "s");
    if (stop.IsZero())
    {
        Fail("SIMULATOR_STOP_TIME",
             "SIMULATOR_STOP_TIME is 0: nothing would run",
             "it must be above 0, in seconds; flows start from 2 s on");
    }
    return stop;
}

Time
HpccConfig::GetLinkDownTime() const
{
    const auto entry = m_entries.find("LINK_DOWN");
    if (entry == m_entries.end() || entry->second.values[0] == "0")
    {
        return Time(0);
    }
    return Seconds(2) + ReadTime("LINK_DOWN", "0", "us");
}

LinkId
HpccConfig::GetLinkDown(const FabricTopology& topology) const
{
    const auto& values = m_entries.at("LINK_DOWN").values;
    const uint64_t a = FabricText::ToUint(values[1], "LINK_DOWN");
    const uint64_t b = FabricText::ToUint(values[2], "LINK_DOWN");
    if (a < topology.GetNNodes() && b < topology.GetNNodes())
    {
        const LinkId link = topology.FindLink(a, b);
        if (!link.IsNone())
        {
            return link;
        }
    }
    Fail("LINK_DOWN",
         "LINK_DOWN: there is no link between nodes " + values[1] + " and " + values[2],
         "name both ends of a link of the topology");
}

bool
HpccConfig::IsIdleOfWindow(const HpccKey& key, const std::string& value) const
{
    using Effect = HpccKey::Effect;
    const bool setsAnother = !HasOwnWindow() && SetsWindow();
    const bool hasNone = GetNumber("HAS_WIN", 1) == 0;
    return (key.effect == Effect::WINDOW && value != "0" && setsAnother) ||
           (key.effect == Effect::VARIABLE && value != "0" && (setsAnother || hasNone)) ||
           (key.effect == Effect::GLOBAL && value != "1" && !HasOwnWindow() &&
            (setsAnother || hasNone));
}

std::vector<std::string>
HpccConfig::GetIgnored() const
{
    std::vector<std::string> ignored;
    for (const HpccKey& key : HpccKey::All())
    {
        const auto entry = m_entries.find(key.name);
        if (entry == m_entries.end())
        {
            continue;
        }
        const std::string& value = entry->second.values[0];
        if (key.effect == Effect::NO ||
            (key.effect == Effect::TRACE && GetNumber("ENABLE_TRACE", 1) != 0) ||
            (key.effect == Effect::UNLESS_0 && value != "0") || IsIdleOfWindow(key, value) ||
            (key.effect == Effect::UNLESS_1 && value != "1"))
        {
            ignored.emplace_back(key.name);
        }
    }
    return ignored;
}

uint64_t
HpccConfig::GetRate(const std::string& key) const
{
    return FabricText::ToRate(m_entries.at(key).values[0], key).GetBitRate();
}

void
HpccConfig::AddFindings(Findings& findings, bool captures) const
{
    const auto add = [&](const char* rule, const std::string& what) {
        findings.Add({Level::UNUSED, rule, "", {}, what, ""});
    };
    const auto warn = [&](const std::string& key, const std::string& wrong, const char* right) {
        add("config", FabricError(m_path, GetLine(key), FabricError(wrong, right).what()).what());
    };
    constexpr double smallest = 1e6; // of the rates that senders have, in bit/s
    for (const HpccKey& key : HpccKey::All())
    {
        const auto entry = m_entries.find(key.name);
        if (key.kind != HpccKey::Kind::RATE || key.effect == Effect::NO || entry == m_entries.end())
        {
            continue;
        }
        const std::string& text = entry->second.values[0];
        const auto rate = static_cast<double>(FabricText::ToRate(text, key.name, 0).GetBitRate());
        if (rate < smallest && text.find_first_not_of("0123456789.") == std::string::npos)
        {
            warn(key.name,
                 std::string(key.name) + " is " + text + " bit/s",
                 ("was " + text + "Mb/s meant?").c_str());
        }
    }
    const Time stop = GetStop().IsZero() ? Time::Max() : GetStop();
    if (GetLinkDownTime() >= stop)
    {
        warn("LINK_DOWN",
             "the link of LINK_DOWN fails when the run has ended",
             "raise SIMULATOR_STOP_TIME");
    }
    if (!GetOutput("QLEN_MON_FILE").empty() && Has("QLEN_MON_START") &&
        GetNumber("QLEN_MON_START", 0) >= stop.GetSeconds() * 1e9)
    {
        warn("QLEN_MON_START",
             "QLEN_MON_START is after the end of the run",
             "raise SIMULATOR_STOP_TIME");
    }
    for (const char* name : {"Kmin", "Kmax", "Pmax"})
    {
        const std::string enabled = m_options.Get(FabricSwitch::GetTypeId(), "EcnEnabled");
        if (GetNumber("ENABLE_QCN", 1) == 0 && m_options.Has(WredEcnMarker::GetTypeId(), name) &&
            (enabled.empty() || enabled == "0" || enabled == "false"))
        {
            warn("ENABLE_QCN",
                 std::string("--ns3::WredEcnMarker::") + name + " has no effect",
                 "ENABLE_QCN is 0: no switch marks");
        }
    }
    if (!m_unknown.empty())
    {
        add("unknown-keys", FabricError(m_path, 0, "not known here: " + m_unknown).what());
    }
    std::string ignored;
    for (const std::string& key : GetIgnored())
    {
        if (!captures || (key != "TRACE_FILE" && key != "ENABLE_TRACE"))
        {
            Append(ignored, key);
        }
    }
    if (!ignored.empty())
    {
        add("unused-keys", m_path + ": keys without effect here: " + ignored);
    }
}

// ---- what the keys mean

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
             "--cc=ns3::Type takes any other congestion control, and --cc=none does what the HPCC "
             "simulator does with a mode that it does not know");
    }
    return congestion;
}

bool
HpccConfig::IsPint() const
{
    return !m_options.Has(RdmaQueuePair::GetTypeId(), "CongestionControl") &&
           GetNumber("CC_MODE", 1) == PINT_MODE;
}

bool
HpccConfig::SetsWindow() const
{
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(GetCongestionControl(), &type) || !type.HasConstructor())
    {
        return false; // refused elsewhere
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    const auto congestion = DynamicCast<RdmaCongestionOps>(factory.Create());
    return congestion && congestion->SetsWindow();
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
    m_options.SetDefault("ns3::SwitchMmu::CellBytes", "1");
    m_options.SetDefault("ns3::SwitchMmu::GuaranteedBytes", std::to_string(RESERVED_BYTES));
    m_options.SetDefault("ns3::SwitchMmu::XonOffset", "3072");
    m_options.SetDefault("ns3::RdmaDcqcn::Dialect", "Nic");
    m_options.SetDefault("ns3::RdmaDcqcn::CnpInterval", "0");
    m_options.SetDefault("ns3::RdmaDcqcn::InitialAlpha", "1");
    m_options.SetDefault("ns3::RdmaDcqcn::MinRate", "100Mbps");
    m_options.SetDefault("ns3::RdmaDcqcn::MarksInAcks", "true");
    SetDefault("RATE_BOUND", "ns3::RdmaQueuePair::PaceByRate");
    m_options.SetDefault("ns3::RdmaQueuePair::TurnByNumber", "true");
    for (const double mode : {1.0, HPCC_MODE, 7.0, 8.0})
    {
        if (GetCongestionControl() == CongestionOf(mode))
        {
            const bool isHpcc = mode == HPCC_MODE;
            m_options.SetDefault("ns3::RdmaQueuePair::Repace", isHpcc ? "FromSent" : "Next");
        }
    }

    SetDefault("ENABLE_QCN", "ns3::FabricSwitch::EcnEnabled");
    SetDefault("PACKET_PAYLOAD_SIZE", "ns3::RdmaQueuePair::Mtu");
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
        // At the sending NIC only: no switch of the original puts ACKs before data.
        m_options.SetDefault("ns3::RdmaQueuePair::AckQueue", "6");
    }
    if (GetNumber("L2_BACK_TO_ZERO", 0) > 0)
    {
        SetDefault("L2_CHUNK_SIZE", "ns3::RdmaGoBack0::ChunkBytes");
        m_options.SetDefault("ns3::RdmaQueuePair::LossRecovery", "ns3::RdmaGoBack0");
    }
    if (GetNumber("HAS_WIN", 1) > 0 && !HasOwnWindow() && !SetsWindow())
    {
        SetDefault("VAR_WIN", "ns3::RdmaQueuePair::VariableWindow");
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
    m_options.SetDefault("ns3::RdmaTimely::UpdatePer", "RoundTrip");
    m_options.SetDefault("ns3::RdmaTimely::CountBelowLow", "true");
    m_options.SetDefault("ns3::RdmaTimely::SampleSerialisation", "true");
    m_options.SetDefault("ns3::RdmaTimely::HyperIncreaseAfter", "6"); // five are additive
    SetDefault("RATE_AI", "ns3::RdmaTimely::Delta");
    SetDefault("MIN_RATE", "ns3::RdmaTimely::MinRate");
    if (Has("RATE_AI") && Has("RATE_HAI"))
    {
        const uint64_t base = GetRate("RATE_AI");
        const uint64_t factor = std::max<uint64_t>(1, (GetRate("RATE_HAI") + base / 2) / base);
        m_options.SetDefault("ns3::RdmaTimely::HyperIncreaseFactor", std::to_string(factor));
    }
}

void
HpccConfig::SetHpccDefaults() const
{
    m_options.SetDefault("ns3::RdmaHpcc::Telemetry", IsPint() ? "Pint" : "Fixed");
    // What the original does without being told.
    m_options.SetDefault("ns3::RdmaHpcc::MultiRate", "true");
    m_options.SetDefault("ns3::RdmaHpcc::VariableWindow", "false");
    m_options.SetDefault("ns3::RdmaHpcc::PayloadWindow", "true");
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
    m_options.SetDefault("ns3::RdmaDctcp::PayloadWindow", "true");
    m_options.SetDefault("ns3::RdmaDctcp::FirstAckUpdates", "false");
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
    const FabricRoutes routes(topology);
    const HpccPaths paths(topology, routes, GetPayload());
    const uint64_t longest = paths.Largest(&HpccPaths::Path::rttNs);
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

uint64_t
HpccConfig::GetSharedSpace(const FabricTopology& topology, NodeId node, bool allowLossy) const
{
    constexpr double mebibyte = 1 << 20;
    constexpr uint64_t nsPerByte = 8000000000;
    constexpr double most = 1e18; // of bytes, far beyond what a buffer may have
    const auto buffer =
        static_cast<uint64_t>(std::min(GetNumber("BUFFER_SIZE", 16) * mebibyte, most));
    __extension__ unsigned __int128 taken = 0;
    for (const LinkId link : topology.GetLinksOf(node))
    {
        const FabricLinkSpec& spec = topology.GetLink(link).spec;
        __extension__ const unsigned __int128 rate = spec.rate.GetBitRate();
        const auto delay = static_cast<uint64_t>(spec.delay.GetNanoSeconds());
        taken += RESERVED_BYTES + rate * delay / nsPerByte * 3;
    }
    if (taken >= buffer && allowLossy)
    {
        return 0;
    }
    if (taken >= buffer)
    {
        Fail("BUFFER_SIZE",
             "switch " + std::to_string(node.Value()) + ": BUFFER_SIZE of " +
                 std::to_string(buffer) + " bytes leaves no shared space beside " +
                 std::to_string(static_cast<uint64_t>(taken)) + " bytes of headroom and reserve",
             "raise BUFFER_SIZE, or allow loss");
    }
    return buffer - static_cast<uint64_t>(taken);
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
    std::set<uint64_t> speeds; // of links; maps may name others
    for (const auto& link : topology.GetLinks())
    {
        const uint64_t speed = link.spec.rate.GetBitRate();
        speeds.insert(speed);
        if (!kmin.count(speed) && (topology.IsSwitch(link.a) || topology.IsSwitch(link.b)))
        {
            Fail("KMIN_MAP",
                 "KMIN_MAP has no value for links of " + std::to_string(speed) + " bit/s",
                 "KMIN_MAP, KMAX_MAP and PMAX_MAP need one for each speed of the topology");
        }
    }
    constexpr double kilobyte = 1000;
    for (const uint64_t speed : speeds)
    {
        const auto low = kmin.find(speed);
        if (low == kmin.end())
        {
            continue; // a link between hosts
        }
        helper.SetEcnThresholds(DataRate(speed),
                                static_cast<uint64_t>(low->second * kilobyte),
                                static_cast<uint64_t>(kmax.at(speed) * kilobyte),
                                pmax.at(speed));
    }
}

uint64_t
HpccConfig::GetWindow(const Fabric& fabric, HostId source, HostId destination) const
{
    fabric.GetPortPairs(source, destination); // FabricError if there is no way
    const FabricTopology& topology = fabric.GetTopology();
    return HpccPaths(topology, fabric.GetRoutes(), GetPayload())
        .Find(topology.NodeOf(source), topology.NodeOf(destination))
        .value()
        .Window();
}

uint64_t
HpccConfig::GetGlobalWindow(const Fabric& fabric) const
{
    return HpccPaths(fabric.GetTopology(), fabric.GetRoutes(), GetPayload())
        .Largest(&HpccPaths::Path::Window);
}

} // namespace ns3
