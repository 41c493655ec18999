// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-unused.h"

#include "ns3/fabric-text.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3
{

namespace
{

/// @return a name; of a long one, its begin
std::string
Short(const std::string& name)
{
    constexpr std::size_t MOST = 60;
    return name.size() > MOST ? name.substr(0, MOST) + "..." : name;
}

/// @return names with commas between them; of many, the first and how many there are
std::string
Some(const std::vector<std::string>& names)
{
    constexpr std::size_t MOST = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), MOST); ++i)
    {
        text += (i ? ", " : "") + Short(names[i]);
    }
    return text +
           (names.size() > MOST ? " and " + std::to_string(names.size() - MOST) + " more" : "");
}

/// @param name of a table or field that the module does not know @param known those that it knows
/// @return "did you mean X?" where one is near, as a slip of the pen is; empty: of another
/// subsystem
std::string
NearestOf(const std::string& name, const std::vector<std::string>& known)
{
    // Tables of SONiC that differ from those of classes by a letter or two.
    if (name == "DSCP_TO_FC_MAP" || name == "EXP_TO_FC_MAP")
    {
        return "";
    }
    const std::string text = FabricText::DidYouMean(name, known);
    return text.rfind("did you mean", 0) == 0 ? text : "";
}

/// @param names some @return whether they have an effect, in words
std::string
Have(const std::set<std::string>& names)
{
    return Some({names.begin(), names.end()}) + (names.size() > 1 ? " have" : " has") +
           " no effect";
}

/// @param text a list of references @return what it refers to
std::set<std::string>
NamesOf(const std::string& text)
{
    std::set<std::string> names;
    std::istringstream stream(text);
    for (std::string name; std::getline(stream, name, ',');)
    {
        const std::size_t bar = name.find('|');
        const bool isInBrackets = !name.empty() && name.front() == '[' && name.back() == ']';
        names.insert(isInBrackets && bar != std::string::npos
                         ? name.substr(bar + 1, name.size() - bar - 2)
                         : name);
    }
    return names;
}

} // namespace

SonicUnused::SonicUnused(const SonicConfig& config)
    : m_config(config)
{
}

void
SonicUnused::Add(const std::string& what, const std::string& why)
{
    m_lines.push_back(m_config.GetName() + ": " + what + "; " + why);
}

std::vector<std::string>
SonicUnused::Find()
{
    for (const SonicSchema& schema : SonicSchema::List())
    {
        if (schema.unused.empty())
        {
            FindFields(schema);
            FindSpare(schema);
            FindSecond(schema);
        }
        else if (!m_config.GetTable(schema.name).empty())
        {
            Add(schema.name + " has no effect", schema.unused);
        }
    }
    FindGlobal();
    FindOverriddenMap();
    FindSchedulers();
    FindLone();
    FindTables();
    return m_lines;
}

void
SonicUnused::FindFields(const SonicSchema& schema)
{
    std::map<std::string, std::set<std::string>> unused; // fields by reason
    std::set<std::string> unknown;
    for (const auto& [key, fields] : m_config.GetTable(schema.name))
    {
        for (const auto& [name, value] : fields)
        {
            const SonicField* const field = schema.Find(name);
            if (field && !field->unused.empty() && value != "off")
            {
                unused[field->unused].insert(name);
            }
            if (!field && schema.entries == SonicSchema::FIELDS)
            {
                unknown.insert(name);
            }
        }
    }
    for (const auto& [why, names] : unused)
    {
        Add(schema.name + ": " + Have(names), why);
    }
    FindUnknown(schema, unknown);
}

void
SonicUnused::FindUnknown(const SonicSchema& schema, const std::set<std::string>& names)
{
    std::vector<std::string> known;
    for (const SonicField& field : schema.fields)
    {
        known.push_back(field.name);
    }
    for (const std::string& name : names)
    {
        const std::string near = NearestOf(name, known);
        if (!near.empty() || !schema.HasForeignFields())
        {
            Add(schema.name + ": " + Short(name) + " is not known, and has no effect",
                near.empty() ? FabricText::DidYouMean(name, known) : near);
        }
    }
}

void
SonicUnused::FindSpare(const SonicSchema& schema)
{
    std::vector<std::string> tables; // that can refer to it
    std::set<std::string> used;
    for (const SonicSchema& other : SonicSchema::List())
    {
        const bool isList = schema.name == "BUFFER_PROFILE" && other.IsOfProfiles();
        bool refers = false;
        for (const auto& [key, fields] : m_config.GetTable(other.name))
        {
            for (const auto& [name, value] : fields)
            {
                const SonicField* const field = other.Find(name);
                if (isList || (field && field->words == schema.name))
                {
                    const auto names = NamesOf(value);
                    used.insert(names.begin(), names.end());
                }
            }
        }
        for (const SonicField& field : other.fields)
        {
            refers = refers || (field.kind == SonicField::REFERENCE && field.words == schema.name);
        }
        if (refers)
        {
            tables.push_back(other.name);
        }
    }
    std::set<std::string> spare;
    for (const auto& [key, fields] : m_config.GetTable(schema.name))
    {
        spare.insert(key);
    }
    for (const std::string& name : used)
    {
        spare.erase(name);
    }
    // A pool has its effect on the buffer though no profile names it.
    if (!tables.empty() && !spare.empty() && schema.name != "BUFFER_POOL")
    {
        std::string places;
        for (const std::string& table : tables)
        {
            places += (places.empty() ? "" : " or ") + table;
        }
        const std::string them = spare.size() > 1 ? "them" : "it";
        Add(schema.name + ": " + Have(spare),
            "no entry of " + places + " names " + them + ": name " + them + " there, or leave " +
                them + " out");
    }
}

void
SonicUnused::FindSecond(const SonicSchema& schema)
{
    const SonicConfig::Table& table = m_config.GetTable(schema.name);
    if (!schema.isOfOne || table.size() < 2)
    {
        return;
    }
    std::set<std::string> others;
    for (std::size_t i = 1; i < table.size(); ++i)
    {
        others.insert(table[i].first);
    }
    Add(schema.name + ": " + Have(others),
        "the first entry, " + Short(table.front().first) + ", is in force");
}

void
SonicUnused::FindGlobal()
{
    const SonicConfig::Fields* const fields = m_config.Find("PORT_QOS_MAP", "global");
    const SonicSchema* const schema = SonicSchema::FindTable("PORT_QOS_MAP");
    std::set<std::string> unused;
    for (const auto& [name, value] : fields ? *fields : SonicConfig::Fields())
    {
        const SonicField* const field = schema->Find(name);
        if (field && field->unused.empty() && name != SonicConfig::GLOBAL_FIELD)
        {
            unused.insert(name);
        }
    }
    if (!unused.empty())
    {
        const std::string them = unused.size() > 1 ? "them" : "it";
        Add("PORT_QOS_MAP \"global\": " + Have(unused),
            std::string("SONiC takes ") + SonicConfig::GLOBAL_FIELD + " alone there: write " +
                them + " under each port");
    }
}

void
SonicUnused::FindOverriddenMap()
{
    const auto ports = m_config.GetPorts();
    const bool isOverridden =
        !ports.empty() && std::all_of(ports.begin(), ports.end(), [&](const auto& port) {
            return !m_config.Get("PORT_QOS_MAP", port.name, SonicConfig::GLOBAL_FIELD).empty();
        });
    if (isOverridden && !m_config.Get("PORT_QOS_MAP", "global", SonicConfig::GLOBAL_FIELD).empty())
    {
        Add(std::string("PORT_QOS_MAP \"global\": ") + SonicConfig::GLOBAL_FIELD + " has no effect",
            "each port has its own");
    }
}

void
SonicUnused::FindSchedulers()
{
    std::set<std::string> metered; // without rates
    std::set<std::string> strict;  // with a weight
    for (const auto& [name, fields] : m_config.GetTable("SCHEDULER"))
    {
        const auto scheduler = m_config.GetScheduler(name);
        if (fields.count("meter_type") && scheduler.cir + scheduler.pir == 0)
        {
            metered.insert(name);
        }
        if (fields.count("weight") && scheduler.type == SonicConfig::Scheduler::STRICT)
        {
            strict.insert(name);
        }
    }
    if (!metered.empty())
    {
        Add("SCHEDULER: meter_type of " + Have(metered), "it needs cir or pir");
    }
    if (!strict.empty())
    {
        Add("SCHEDULER: weight of " + Have(strict), "type STRICT has no weight");
    }
}

void
SonicUnused::FindLone()
{
    std::set<std::string> probabilities;
    for (const auto& [name, fields] : m_config.GetTable("WRED_PROFILE"))
    {
        if (fields.count("ecn_green_mark_probability") && !fields.count("ecn_green_min_threshold"))
        {
            probabilities.insert(name);
        }
    }
    if (!probabilities.empty())
    {
        Add("WRED_PROFILE: ecn_green_mark_probability of " + Have(probabilities),
            "it needs ecn_green_min_threshold and ecn_green_max_threshold");
    }
    std::set<std::string> pools;
    for (const SonicConfig::Pool& pool : m_config.GetPools())
    {
        if (!pool.isIngress && pool.xoff > 0)
        {
            pools.insert(pool.name);
        }
    }
    if (!pools.empty())
    {
        Add("BUFFER_POOL: xoff of " + Have(pools), "pools of egress have no headroom");
    }
}

void
SonicUnused::FindTables()
{
    std::vector<std::string> tables;
    for (const SonicSchema& schema : SonicSchema::List())
    {
        tables.push_back(schema.name);
    }
    const auto& others = m_config.GetOtherTables();
    for (const std::string& table : others)
    {
        if (const std::string near = NearestOf(table, tables); !near.empty())
        {
            Add("the table " + Short(table) + " is not known, and is not read", near);
        }
    }
    if (!others.empty())
    {
        m_lines.push_back(m_config.GetName() + ": " + std::to_string(others.size()) +
                          (others.size() > 1 ? " tables" : " table") +
                          " of other subsystems, not read: " + Some(others));
    }
}

} // namespace ns3
