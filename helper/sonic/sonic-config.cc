// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-config.h"

#include "sonic-key.h"
#include "sonic-reader.h"
#include "sonic-schema.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/input-files.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/// @return text in quotes, as JSON has it
std::string
Quote(const std::string& text)
{
    static const char* digits = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
        {
            quoted += std::string("\\") + c;
        }
        else if (byte < 0x20 || byte == 0x7f)
        {
            quoted += std::string("\\u00") + digits[byte >> 4] + digits[byte & 15];
        }
        else
        {
            quoted += c;
        }
    }
    return quoted + "\"";
}

} // namespace

SonicConfig
SonicConfig::Read(const std::string& path)
{
    return FromText(InputFiles::ReadText(path, "expected a config_db.json of SONiC"), path);
}

SonicConfig
SonicConfig::FromText(const std::string& text, const std::string& name)
{
    return SonicReader(name).Read(text);
}

std::string
SonicConfig::ToText() const
{
    const std::string indent = "    ";
    std::ostringstream json;
    json << "{";
    for (auto table = m_tables.begin(); table != m_tables.end(); ++table)
    {
        json << (table == m_tables.begin() ? "\n" : ",\n") << indent << Quote(table->first)
             << ": {";
        bool isFirst = true;
        for (const auto& [key, fields] : table->second)
        {
            json << (isFirst ? "\n" : ",\n") << indent << indent << Quote(key) << ": {";
            isFirst = false;
            std::vector<std::pair<std::string, std::string>> sorted(fields.begin(), fields.end());
            std::sort(sorted.begin(), sorted.end(), [](const auto& one, const auto& other) {
                return SonicOrder()(one.first, other.first);
            });
            for (std::size_t i = 0; i < sorted.size(); ++i)
            {
                json << (i ? ",\n" : "\n") << indent << indent << indent << Quote(sorted[i].first)
                     << ": " << Quote(sorted[i].second);
            }
            json << (sorted.empty() ? "}" : "\n" + indent + indent + "}");
        }
        json << (isFirst ? "}" : "\n" + indent + "}");
    }
    json << (m_tables.empty() ? "}\n" : "\n}\n");
    return json.str();
}

std::vector<Finding>
SonicConfig::GetUnused() const
{
    std::vector<Finding> all;
    const auto isNear = [](const std::string& text) { return text.rfind("did you mean", 0) == 0; };
    std::vector<std::string> tables;
    for (const SonicSchema& schema : SonicSchema::List())
    {
        tables.push_back(schema.name);
        const Table& entries = GetTable(schema.name);
        if (!schema.unused.empty() && !entries.empty())
        {
            all.push_back({Level::INFO,
                           "sonic-unused",
                           "",
                           {},
                           PlaceOf(schema.name, entries.front().first) + " has no effect",
                           schema.unused});
        }
        std::vector<std::string> known;
        for (const SonicField& field : schema.fields)
        {
            known.push_back(field.name);
        }
        std::set<std::string> seen; // of each reason the first
        for (const auto& [key, fields] : entries)
        {
            for (const auto& [name, value] : fields)
            {
                const SonicField* const field = schema.Find(name);
                const bool isUsed = field && (field->unused.empty() || value == "off");
                if (isUsed || known.empty() || !seen.insert(field ? field->unused : name).second)
                {
                    continue;
                }
                const std::string why = field ? field->unused : FabricText::DidYouMean(name, known);
                if (field || !schema.HasForeignFields() || isNear(why))
                {
                    all.push_back({Level::INFO,
                                   field ? "sonic-unused" : "sonic-unknown",
                                   "",
                                   {},
                                   PlaceOf(schema.name, key) + ": " + name +
                                       (field ? " has no effect" : " is not known"),
                                   why});
                }
            }
        }
    }
    for (const std::string& table : m_others)
    {
        if (const std::string why = FabricText::DidYouMean(table, tables); isNear(why))
        {
            all.push_back({Level::INFO,
                           "sonic-unknown",
                           "",
                           {},
                           m_name + ": the table " + table + " is not known",
                           why});
        }
    }
    return all;
}

const SonicConfig::Table&
SonicConfig::GetTable(const std::string& table) const
{
    static const Table NONE;
    const auto found = m_tables.find(table);
    return found == m_tables.end() ? NONE : found->second;
}

bool
SonicConfig::HasTable(const std::string& table) const
{
    return m_tables.count(table) > 0;
}

const SonicConfig::Fields*
SonicConfig::Find(const std::string& table, const std::string& key) const
{
    const Table& entries = GetTable(table);
    const auto found = std::lower_bound(
        entries.begin(),
        entries.end(),
        key,
        [](const auto& entry, const std::string& name) { return SonicOrder()(entry.first, name); });
    return found != entries.end() && found->first == key ? &found->second : nullptr;
}

std::string
SonicConfig::Get(const std::string& table, const std::string& key, const std::string& field) const
{
    const Fields* const fields = Find(table, key);
    const auto found = fields ? fields->find(field) : Fields::const_iterator();
    return fields && found != fields->end() ? found->second : "";
}

void
SonicConfig::Set(const std::string& table,
                 const std::string& key,
                 const std::string& field,
                 const std::string& value)
{
    Table& entries = m_tables[table];
    auto place = std::lower_bound(
        entries.begin(),
        entries.end(),
        key,
        [](const auto& entry, const std::string& name) { return SonicOrder()(entry.first, name); });
    if (place == entries.end() || place->first != key)
    {
        place = entries.insert(place, {key, {}});
    }
    place->second[field] = value;
}

std::optional<uint64_t>
SonicConfig::Number(const Fields& fields, const std::string& field)
{
    const auto found = fields.find(field);
    if (found == fields.end())
    {
        return std::nullopt;
    }
    return FabricText::ToUint(found->second, field);
}

const SonicConfig::Fields&
SonicConfig::Require(const std::string& table, const std::string& name) const
{
    const Fields* const fields = Find(table, name);
    if (!fields)
    {
        Fail(table, name, "there is no such entry", "add it");
    }
    return *fields;
}

uint64_t
SonicConfig::LineOf(const std::string& table, const std::string& key) const
{
    auto found = m_lines.find({table, key});
    found = found == m_lines.end() ? m_lines.find({table, ""}) : found;
    return found == m_lines.end() ? 0 : found->second;
}

std::string
SonicConfig::PlaceOf(const std::string& table, const std::string& key) const
{
    const uint64_t line = LineOf(table, key);
    return m_name + (line > 0 ? ":" + std::to_string(line) : "") + ": " + table + " \"" + key +
           "\"";
}

void
SonicConfig::Fail(const std::string& table,
                  const std::string& key,
                  const std::string& wrong,
                  const std::string& right) const
{
    throw FabricError(PlaceOf(table, key) + ": " + wrong, right);
}

std::vector<SonicConfig::Port>
SonicConfig::GetPorts() const
{
    std::vector<std::pair<uint64_t, Port>> ports;
    bool areIndexed = true;
    for (const auto& [name, fields] : GetTable("PORT"))
    {
        const auto status = fields.find("admin_status");
        if (status != fields.end() && status->second == "down")
        {
            continue;
        }
        Port port{name, Number(fields, "speed"), std::nullopt};
        if (const auto mtu = Number(fields, "mtu"))
        {
            port.mtu = static_cast<uint32_t>(*mtu);
        }
        if (const auto lanes = fields.find("lanes"); lanes != fields.end())
        {
            const std::string& text = lanes->second;
            port.lanes = 1 + static_cast<uint32_t>(std::count(text.begin(), text.end(), ','));
        }
        const auto index = Number(fields, "index");
        areIndexed = areIndexed && index;
        ports.emplace_back(index.value_or(0), port);
    }
    if (areIndexed)
    {
        std::stable_sort(ports.begin(), ports.end(), [](const auto& one, const auto& other) {
            return one.first < other.first;
        });
    }
    std::vector<Port> sorted;
    for (const auto& [index, port] : ports)
    {
        sorted.push_back(port);
    }
    return sorted;
}

std::optional<uint32_t>
SonicConfig::GetMetres(const std::string& port) const
{
    for (const auto& [name, fields] : GetTable("CABLE_LENGTH"))
    {
        const auto found = fields.find(port);
        if (found != fields.end())
        {
            return static_cast<uint32_t>(
                FabricText::ToUint(found->second.substr(0, found->second.size() - 1), port));
        }
    }
    return std::nullopt;
}

std::vector<SonicConfig::Pool>
SonicConfig::GetPools() const
{
    std::vector<Pool> pools;
    for (const auto& [name, fields] : GetTable("BUFFER_POOL"))
    {
        const auto type = fields.find("type");
        pools.push_back({name,
                         type == fields.end() || type->second != "egress",
                         Number(fields, "size"),
                         Number(fields, "xoff").value_or(0),
                         Number(fields, "percentage")});
    }
    return pools;
}

SonicConfig::Profile
SonicConfig::GetProfile(const std::string& name) const
{
    const Fields& fields = Require("BUFFER_PROFILE", name);
    Profile profile;
    profile.name = name;
    profile.pool = Get("BUFFER_PROFILE", name, "pool");
    profile.size = Number(fields, "size").value_or(0);
    profile.staticTh = Number(fields, "static_th");
    profile.xon = Number(fields, "xon");
    profile.xoff = Number(fields, "xoff");
    profile.xonOffset = Number(fields, "xon_offset");
    const std::string dynamicTh = Get("BUFFER_PROFILE", name, "dynamic_th");
    if (!dynamicTh.empty())
    {
        profile.dynamicTh = std::stoi(dynamicTh);
    }
    profile.isDynamic = Get("BUFFER_PROFILE", name, "headroom_type") == "dynamic";
    return profile;
}

SonicConfig::Scheduler
SonicConfig::GetScheduler(const std::string& name) const
{
    const Fields& fields = Require("SCHEDULER", name);
    Scheduler scheduler;
    scheduler.name = name;
    const std::string type = Get("SCHEDULER", name, "type");
    scheduler.type = type == "STRICT" ? Scheduler::STRICT
                     : type == "DWRR" ? Scheduler::DWRR
                                      : Scheduler::WRR;
    scheduler.weight = static_cast<uint32_t>(Number(fields, "weight").value_or(1));
    scheduler.ofPackets = Get("SCHEDULER", name, "meter_type") == "packets";
    scheduler.cir = Number(fields, "cir").value_or(0);
    scheduler.pir = Number(fields, "pir").value_or(0);
    scheduler.cbs = Number(fields, "cbs").value_or(0);
    scheduler.pbs = Number(fields, "pbs").value_or(0);
    return scheduler;
}

SonicConfig::Wred
SonicConfig::GetWred(const std::string& name) const
{
    const Fields& fields = Require("WRED_PROFILE", name);
    Wred wred;
    wred.name = name;
    const std::string ecn = Get("WRED_PROFILE", name, "ecn");
    const bool isApart = fields.count("ecn_green_min_threshold") > 0;
    wred.asks = ecn == "ecn_all" || ecn.find("green") != std::string::npos;
    wred.drops = Get("WRED_PROFILE", name, "wred_green_enable") == "true";
    wred.marks = wred.asks && (wred.drops || isApart); // as SAI has it
    const std::string green = isApart ? "ecn_green_" : "green_";
    wred.min = Number(fields, green + "min_threshold").value_or(0);
    wred.max = Number(fields, green + "max_threshold").value_or(0);
    wred.percent = static_cast<uint32_t>(
        Number(fields, green + (isApart ? "mark_probability" : "drop_probability")).value_or(100));
    if (wred.marks && fields.count(green + "max_threshold") == 0)
    {
        Fail("WRED_PROFILE",
             name,
             "ecn is " + ecn + " without thresholds",
             "give green_min_threshold and green_max_threshold");
    }
    return wred;
}

std::optional<SonicConfig::Watchdog>
SonicConfig::GetWatchdog(const std::string& port) const
{
    const Fields* const fields = Find("PFC_WD", port);
    if (!fields)
    {
        return std::nullopt;
    }
    Watchdog watchdog;
    const auto action = fields->find("action");
    watchdog.action = action == fields->end() ? watchdog.action : action->second;
    watchdog.detection = static_cast<uint32_t>(Number(*fields, "detection_time").value_or(0));
    watchdog.restoration = static_cast<uint32_t>(Number(*fields, "restoration_time").value_or(0));
    return watchdog;
}

std::optional<uint32_t>
SonicConfig::GetPollInterval() const
{
    const Fields* const fields = Find("PFC_WD", "GLOBAL");
    const auto interval = fields ? Number(*fields, "POLL_INTERVAL") : std::nullopt;
    return interval ? std::optional<uint32_t>(static_cast<uint32_t>(*interval)) : std::nullopt;
}

std::optional<std::string>
SonicConfig::GetQosMap(const std::string& port, const std::string& field) const
{
    for (const std::string& key : {port, std::string("global")})
    {
        if (key == "global" && field != GLOBAL_FIELD)
        {
            continue;
        }
        const Fields* const fields = Find("PORT_QOS_MAP", key);
        if (fields && fields->count(field) > 0)
        {
            return fields->at(field);
        }
    }
    return std::nullopt;
}

std::optional<uint8_t>
SonicConfig::GetPriorities(const std::string& port, const std::string& field) const
{
    const auto text = GetQosMap(port, field);
    if (!text)
    {
        return std::nullopt;
    }
    uint8_t mask = 0;
    for (const char c : *text)
    {
        mask |= c >= '0' && c <= '7' ? 1U << (c - '0') : 0;
    }
    return mask;
}

std::map<uint32_t, uint32_t>
SonicConfig::GetMap(const std::string& table, const std::string& name) const
{
    std::map<uint32_t, uint32_t> map;
    for (const auto& [from, to] : Require(table, name))
    {
        map[static_cast<uint32_t>(FabricText::ToUint(from, "a number of the map"))] =
            static_cast<uint32_t>(FabricText::ToUint(to, "a number of the map"));
    }
    return map;
}

const SonicConfig::Fields*
SonicConfig::FindOf(const std::string& table, const std::string& port, uint32_t number) const
{
    for (const auto& [key, fields] : GetTable(table))
    {
        const std::size_t bar = key.find('|');
        if (key.compare(0, bar, port) == 0 && bar != std::string::npos)
        {
            const SonicKey::Range range =
                SonicKey::ReadRange(key.substr(bar + 1), SonicKey::NounOf(table));
            if (range.first <= number && number <= range.last)
            {
                return &fields;
            }
        }
    }
    return nullptr;
}

} // namespace ns3
