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
        }
        else if (!m_config.GetTable(schema.name).empty())
        {
            Add(schema.name + " has no effect", schema.unused);
        }
    }
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
        m_lines.push_back(
            m_config.GetName() + ": " + std::to_string(others.size()) +
            (others.size() > 1 ? " tables" : " table") +
            " of other subsystems, not read: " + Some({others.begin(), others.end()}));
    }
}

} // namespace ns3
