// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-reader.h"

#include "sonic-key.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/// Tables, entries, fields and lists; the parser calls itself for each.
constexpr int DEEPEST = 32;

/// @return the parts of a text between separators
std::vector<std::string>
PartsOf(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
    {
        parts.push_back(part);
    }
    return parts;
}

/// @param name at the top of a file: of a table, or of an entry, as dumps of the database have it
/// ("PORT|Ethernet0") @return the table, by its present name ("PFC_WD" of "PFC_WD_TABLE"), and the
/// key; of a table an empty one
std::pair<std::string, std::string>
NamesOf(const std::string& name)
{
    const std::size_t bar = name.find('|');
    std::string table = name.substr(0, bar);
    const std::string older = "_TABLE";
    const std::size_t end = table.size() - std::min(table.size(), older.size());
    if (table.compare(end, older.size(), older) == 0 &&
        SonicSchema::FindTable(table.substr(0, end)))
    {
        table.resize(end);
    }
    return {table, bar == std::string::npos ? "" : name.substr(bar + 1)};
}

/// @return a whole number in the range of a field, in the one form
std::string
CheckNumber(const SonicField& field, const std::string& written)
{
    const std::size_t first = std::min(written.find_first_not_of(' '), written.size());
    const std::string text = written.substr(first, written.find_last_not_of(' ') + 1 - first);
    constexpr std::size_t MOST_DIGITS = 18; // that fit
    const std::string digits = text.substr(!text.empty() && text.front() == '-' ? 1 : 0);
    const bool isWhole = !digits.empty() && digits.size() <= MOST_DIGITS &&
                         digits.find_first_not_of("0123456789") == std::string::npos;
    const int64_t number = isWhole ? std::stoll(text) : 0;
    if (!isWhole || number < field.min || number > field.max)
    {
        throw FabricError(field.name + " is \"" + text + "\"",
                          "it must be a whole number from " + std::to_string(field.min) + " to " +
                              std::to_string(field.max));
    }
    return std::to_string(number);
}

/// @return a list of priorities, in order
std::string
CheckClasses(const SonicField& field, const std::string& text)
{
    bool named[8] = {};
    for (const std::string& part : PartsOf(text, ','))
    {
        const uint64_t cls = FabricText::ToUint(part, "a priority of " + field.name, 7);
        if (named[cls])
        {
            throw FabricError(field.name + " names " + part + " twice", "name it once");
        }
        named[cls] = true;
    }
    std::string classes;
    for (int cls = 0; cls < 8; ++cls)
    {
        classes += named[cls] ? (classes.empty() ? "" : ",") + std::to_string(cls) : "";
    }
    return classes;
}

/// @return a reference without brackets: "lossy" of "[BUFFER_PROFILE|lossy]"
std::string
CheckReference(const SonicField& field, const std::string& text)
{
    if (text.empty() || text.front() != '[')
    {
        return text;
    }
    const std::string begin = "[" + field.words + "|";
    if (text.compare(0, begin.size(), begin) != 0 || text.back() != ']' ||
        text.size() < begin.size() + 2)
    {
        throw FabricError(field.name + " is \"" + text + "\"",
                          "write " + begin + "NAME], or NAME alone");
    }
    return text.substr(begin.size(), text.size() - begin.size() - 1);
}

/// @return a length in metres: "5m"
std::string
CheckMetres(const std::string& text)
{
    if (text.empty() || text.back() != 'm')
    {
        throw FabricError("the length of the cable is \"" + text + "\"", "such as 5m");
    }
    return std::to_string(FabricText::ToUint(text.substr(0, text.size() - 1),
                                             "the length of the cable in metres",
                                             100000)) +
           "m";
}

/// @param schema of a table @return a key that it may have
std::string
ExampleOf(const SonicSchema& schema)
{
    const bool isOfPorts = schema.keys == SonicSchema::PORTS || schema.name == "PORT";
    return schema.keys == SonicSchema::PORT_RANGES ? "Ethernet0|3-4"
           : isOfPorts                             ? "Ethernet0"
                                                   : "NAME";
}

/// @return the keys of a table
std::vector<std::string>
KeysOf(const SonicConfig::Table& table)
{
    std::vector<std::string> keys;
    for (const auto& [key, fields] : table)
    {
        keys.push_back(key);
    }
    return keys;
}

} // namespace

SonicReader::SonicReader(const std::string& name)
{
    m_config.m_name = name;
}

template <typename Action>
auto
SonicReader::At(const std::string& table, const std::string& key, Action action) const
{
    try
    {
        return action();
    }
    catch (const FabricError& error)
    {
        throw FabricError(m_config.m_name,
                          std::max<uint64_t>(m_config.LineOf(table, key), 1),
                          table + " \"" + key + "\": " + error.what());
    }
}

void
SonicReader::FailAt(uint64_t line, const std::string& what) const
{
    throw FabricError(m_config.m_name, line, what);
}

void
SonicReader::RequirePlain(const std::string& text)
{
    const bool isPlain = std::none_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
    if (!isPlain)
    {
        throw FabricError("\"" + text + "\" has a control character", "write text on one line");
    }
}

void
SonicReader::FindLines(const std::string& text)
{
    uint64_t line = 1;
    int depth = 0;
    std::size_t begin = std::string::npos; // of the text in quotes that goes on
    std::string last;                      // text in quotes before
    std::string table;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const char c = text[i];
        line += c == '\n';
        if (begin != std::string::npos)
        {
            if (c == '"')
            {
                last = text.substr(begin, i - begin);
                begin = std::string::npos;
            }
            i += c == '\\';
        }
        else if (c == '"')
        {
            begin = i + 1;
        }
        else if (c == ':' && (depth == 1 || depth == 2))
        {
            const auto [name, key] = NamesOf(last);
            table = depth == 1 ? name : table;
            m_config.m_lines.insert({{table, depth == 1 ? key : last}, line});
        }
        depth += begin == std::string::npos ? (c == '{' || c == '[') - (c == '}' || c == ']') : 0;
        if (depth > DEEPEST)
        {
            FailAt(line,
                   "lists and tables within each other, more than " + std::to_string(DEEPEST) +
                       " of them; config_db.json has tables, entries and fields");
        }
    }
}

SonicConfig
SonicReader::Read(const std::string& text)
{
    namespace json = boost::property_tree::json_parser;
    FindLines(text);
    Tree tree;
    try
    {
        // A byte order mark, as editors put it before UTF-8.
        std::istringstream stream(text.compare(0, 3, "\xEF\xBB\xBF") == 0 ? text.substr(3) : text);
        json::read_json(stream, tree);
    }
    catch (const json::json_parser_error& error)
    {
        throw FabricError(m_config.m_name,
                          error.line(),
                          error.message() + "; expected JSON, as config_db.json is");
    }
    // The parser makes the same tree of a list and of an object.
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first != std::string::npos && text[first] == '[')
    {
        FailAt(1, "the file is a list; it must be an object of tables, such as {\"PORT\": {}}");
    }
    if (tree.empty() && !tree.data().empty())
    {
        FailAt(1, "no configuration; expected tables in JSON");
    }
    for (const auto& [name, content] : tree)
    {
        if (name.empty())
        {
            FailAt(1, "no table has a name; expected tables, such as PORT");
        }
        At(name, "", [&all = name] { RequirePlain(all); });
        const auto [table, key] = NamesOf(name);
        const SonicSchema* const schema = SonicSchema::FindTable(table);
        if (!schema)
        {
            m_config.m_others.insert(table);
        }
        else if (!key.empty())
        {
            // A dump of the database has an entry, or its fields beside its type.
            const auto fields = content.find("value");
            At(table, key, [&, &k = key] {
                ReadEntry(*schema, k, fields == content.not_found() ? content : fields->second);
            });
        }
        else if (m_config.HasTable(table))
        {
            FailAt(m_config.LineOf(table, ""), "the table " + table + " is there twice; join them");
        }
        else
        {
            ReadTable(*schema, content);
        }
    }
    for (const SonicSchema& schema : SonicSchema::List())
    {
        if (m_config.HasTable(schema.name))
        {
            Order(schema);
        }
    }
    RequirePorts();
    RequireReferences();
    RequireSense();
    RequirePools();
    RequireLengths();
    RequireRates();
    return m_config;
}

void
SonicReader::ReadTable(const SonicSchema& schema, const Tree& tree)
{
    m_config.m_tables[schema.name];
    if (!tree.data().empty())
    {
        FailAt(m_config.LineOf(schema.name, ""),
               schema.name + " is \"" + tree.data() + "\"; expected a table of entries");
    }
    for (const auto& [key, entry] : tree)
    {
        if (key.empty())
        {
            FailAt(std::max<uint64_t>(m_config.LineOf(schema.name, ""), 1),
                   schema.name +
                       " is a list, or an entry of it has no name; it must be an object "
                       "of entries, such as {\"" +
                       ExampleOf(schema) + "\": {}}");
        }
        At(schema.name, key, [&, &k = key, &e = entry] { ReadEntry(schema, k, e); });
    }
}

void
SonicReader::Order(const SonicSchema& schema)
{
    auto& table = m_config.m_tables[schema.name];
    std::sort(table.begin(), table.end(), [](const auto& one, const auto& other) {
        return SonicOrder()(one.first, other.first);
    });
    const auto twice =
        std::adjacent_find(table.begin(), table.end(), [](const auto& one, const auto& other) {
            return one.first == other.first;
        });
    if (twice != table.end())
    {
        At(schema.name, twice->first, [] {
            throw FabricError("the entry is there twice", "write it once");
        });
    }
    if (schema.keys == SonicSchema::PORT_RANGES)
    {
        RequireApart(schema.name);
    }
}

void
SonicReader::ReadEntry(const SonicSchema& schema, const std::string& key, const Tree& tree)
{
    if (!tree.data().empty())
    {
        throw FabricError("the entry is no table of fields", "such as {\"field\": \"value\"}");
    }
    RequirePlain(key);
    const auto fields = ReadFields(schema, key, tree);
    if (schema.keys == SonicSchema::NAMES)
    {
        Add(schema, key, fields);
        return;
    }
    const bool hasRange = schema.keys == SonicSchema::PORT_RANGES;
    const SonicKey ports = SonicKey::Read(key, hasRange ? SonicKey::NounOf(schema.name) : "");
    for (const std::string& port : ports.ports)
    {
        const std::string one = hasRange ? SonicKey::Write(port, *ports.range) : port;
        m_config.m_lines.insert({{schema.name, one}, m_config.LineOf(schema.name, key)});
        Add(schema, one, fields);
    }
}

void
SonicReader::Add(const SonicSchema& schema,
                 const std::string& key,
                 const SonicConfig::Fields& fields)
{
    m_config.m_tables[schema.name].emplace_back(key, fields);
}

std::string
SonicReader::ReadValue(const Tree& tree) const
{
    if (tree.empty())
    {
        return tree.data();
    }
    std::string list;
    for (const auto& [name, element] : tree)
    {
        if (!name.empty() || !element.empty())
        {
            throw FabricError("a value is a table", "it must be text, or a list of text");
        }
        list += (list.empty() ? "" : ",") + element.data();
    }
    return list;
}

SonicConfig::Fields
SonicReader::ReadFields(const SonicSchema& schema, const std::string& key, const Tree& tree) const
{
    SonicConfig::Fields fields;
    for (const auto& [written, value] : tree)
    {
        if (written.empty())
        {
            throw FabricError("the entry is a list", "such as {\"field\": \"value\"}");
        }
        // The database marks lists with "@", and has a field NULL in an entry without fields.
        const std::string name = written.substr(0, written.find('@'));
        if (name == "NULL")
        {
            continue;
        }
        if (fields.count(name) > 0)
        {
            throw FabricError(name + " is there twice", "write it once");
        }
        std::string text = ReadValue(value);
        RequirePlain(name);
        RequirePlain(text);
        if (schema.entries == SonicSchema::MAP)
        {
            text = CheckMap(schema, name, text);
            if (FabricText::ToUint(name, "a number of the map") > schema.from)
            {
                continue; // no frame has such a class
            }
        }
        else if (schema.entries == SonicSchema::METRES)
        {
            text = CheckMetres(text);
        }
        else if (const SonicField* const field = schema.Find(name))
        {
            text = Check(*field, text);
        }
        fields[name] = text;
    }
    return fields;
}

std::string
SonicReader::CheckMap(const SonicSchema& schema, const std::string& field, const std::string& text)
{
    const uint64_t from = FabricText::ToUint(field, "a number of the map", schema.MostFrom());
    if (std::to_string(from) != field)
    {
        throw FabricError("\"" + field + "\" has zeros before it", "write " + std::to_string(from));
    }
    const uint32_t most = from > schema.from ? SonicKey::MOST : schema.to;
    return std::to_string(FabricText::ToUint(text, "what " + field + " becomes", most));
}

std::string
SonicReader::Check(const SonicField& field, const std::string& text)
{
    switch (field.kind)
    {
    case SonicField::NUMBER:
        return CheckNumber(field, text);
    case SonicField::CLASSES:
        return CheckClasses(field, text);
    case SonicField::REFERENCE:
        return CheckReference(field, text);
    case SonicField::WORD:
        if (const auto words = PartsOf(field.words, '|');
            std::find(words.begin(), words.end(), text) == words.end())
        {
            throw FabricError(field.name + " is \"" + text + "\"",
                              FabricText::DidYouMean(text, words));
        }
        return text;
    case SonicField::TEXT:
        break;
    }
    return text;
}

void
SonicReader::RequireApart(const std::string& table) const
{
    std::map<std::string, std::vector<SonicKey::Range>> ranges;
    for (const auto& [key, fields] : m_config.GetTable(table))
    {
        const SonicKey read = SonicKey::Read(key, SonicKey::NounOf(table));
        auto& of = ranges[read.ports.front()];
        for (const SonicKey::Range& range : of)
        {
            if (range.first <= read.range->last && read.range->first <= range.last)
            {
                At(table, key, [&, &port = read.ports.front()] {
                    throw FabricError("the entry overlaps \"" + SonicKey::Write(port, range) + "\"",
                                      "name each " + SonicKey::NounOf(table) + " in one entry");
                });
            }
        }
        of.push_back(*read.range);
    }
}

void
SonicReader::RequirePorts() const
{
    if (!m_config.HasTable("PORT"))
    {
        return;
    }
    const auto ports = KeysOf(m_config.GetTable("PORT"));
    const auto require = [&](const std::string& port) {
        if (std::find(ports.begin(), ports.end(), port) == ports.end())
        {
            throw FabricError("there is no port " + port + " in PORT",
                              FabricText::DidYouMean(port, ports));
        }
    };
    for (const SonicSchema& schema : SonicSchema::List())
    {
        for (const auto& [key, fields] : m_config.GetTable(schema.name))
        {
            At(schema.name, key, [&, &k = key, &f = fields] {
                if (schema.entries == SonicSchema::METRES)
                {
                    for (const auto& [port, metres] : f)
                    {
                        require(port);
                    }
                }
                const std::string port = k.substr(0, k.find('|'));
                const bool isOther = port == "CPU" || (k == schema.global && !k.empty());
                if (schema.keys != SonicSchema::NAMES && !isOther)
                {
                    require(port);
                }
            });
        }
    }
}

void
SonicReader::RequireReferences() const
{
    for (const SonicSchema& schema : SonicSchema::List())
    {
        for (const auto& [key, fields] : m_config.GetTable(schema.name))
        {
            for (const auto& [name, value] : fields)
            {
                const SonicField* const field = schema.Find(name);
                const bool isNull = value == "NULL" && schema.name == "BUFFER_PG";
                if (!field || field->kind != SonicField::REFERENCE || isNull ||
                    m_config.Find(field->words, value))
                {
                    continue;
                }
                const auto names = KeysOf(m_config.GetTable(field->words));
                At(schema.name, key, [&, &text = value] {
                    throw FabricError(field->name + " \"" + text + "\" is not in " + field->words,
                                      names.empty() ? "that table is empty, or not there"
                                                    : FabricText::DidYouMean(text, names));
                });
            }
        }
    }
}

void
SonicReader::RequireSense() const
{
    const auto number = [](const SonicConfig::Fields& fields, const std::string& name) {
        return SonicConfig::Number(fields, name).value_or(0);
    };
    for (const auto& [key, fields] : m_config.GetTable("BUFFER_PROFILE"))
    {
        At("BUFFER_PROFILE", key, [&, &f = fields] {
            if (f.count("dynamic_th") && f.count("static_th"))
            {
                throw FabricError(
                    "dynamic_th and static_th are both there, and one can be in force",
                    "leave one of them out");
            }
        });
    }
    for (const auto& [key, fields] : m_config.GetTable("WRED_PROFILE"))
    {
        At("WRED_PROFILE", key, [&, &f = fields] {
            for (const std::string colour : {"green", "ecn_green"})
            {
                const std::string min = colour + "_min_threshold";
                const std::string max = colour + "_max_threshold";
                if (f.count(max) != f.count(min) || number(f, max) < number(f, min))
                {
                    throw FabricError(min + " and " + max + " are no range",
                                      "give both, the first not above the second");
                }
            }
        });
    }
}

void
SonicReader::RequirePools() const
{
    std::string ingress; // one of the pools
    for (const auto& [key, fields] : m_config.GetTable("BUFFER_POOL"))
    {
        At("BUFFER_POOL", key, [&, &k = key, &f = fields] {
            const auto type = f.find("type");
            if (type == f.end())
            {
                throw FabricError("there is no type", "give ingress, egress or both");
            }
            ingress = ingress.empty() && type->second != "egress" ? k : ingress;
        });
    }
    std::set<std::string> used; // by priority groups
    for (const auto& [key, fields] : m_config.GetTable("BUFFER_PG"))
    {
        used.insert(m_config.Get("BUFFER_PG", key, "profile"));
    }
    for (const auto& [key, fields] : m_config.GetTable("BUFFER_PROFILE"))
    {
        At("BUFFER_PROFILE", key, [&, &k = key, &f = fields] {
            const bool isOfIngress = used.count(k) || f.count("xoff");
            if (isOfIngress && !f.count("pool") && !ingress.empty())
            {
                throw FabricError("there is no pool", "name a pool of ingress, such as " + ingress);
            }
        });
    }
}

void
SonicReader::RequireLengths() const
{
    std::map<std::string, std::pair<std::string, std::string>> lengths; // key and length, by port
    for (const auto& [key, fields] : m_config.GetTable("CABLE_LENGTH"))
    {
        for (const auto& [port, metres] : fields)
        {
            const auto& before = lengths.insert({port, {key, metres}}).first->second;
            At("CABLE_LENGTH", key, [&, &name = port, &length = metres] {
                if (before.second != length)
                {
                    throw FabricError("the cable of " + name + " has " + length + ", and " +
                                          before.second + " in \"" + before.first + "\"",
                                      "give it one length");
                }
            });
        }
    }
}

void
SonicReader::RequireRates() const
{
    const auto number = [](const SonicConfig::Fields& fields, const std::string& name) {
        return SonicConfig::Number(fields, name).value_or(0);
    };
    for (const auto& [key, fields] : m_config.GetTable("SCHEDULER"))
    {
        At("SCHEDULER", key, [&, &f = fields] {
            if (f.count("pir") && number(f, "pir") < number(f, "cir"))
            {
                throw FabricError("pir is below cir", "the highest rate is not below the lowest");
            }
            for (const std::string burst : {"cbs", "pbs"})
            {
                const std::string rate = burst == "cbs" ? "cir" : "pir";
                if (number(f, burst) > 0 && number(f, rate) == 0)
                {
                    throw FabricError(burst + " is there without " + rate,
                                      "give " + rate + ", too");
                }
            }
        });
    }
    for (const auto& [key, fields] : m_config.GetTable("PFC_WD"))
    {
        At("PFC_WD", key, [&, &k = key, &f = fields] {
            const bool isGlobal = k == "GLOBAL";
            for (const std::string name : {"action",
                                           "detection_time",
                                           "restoration_time",
                                           "POLL_INTERVAL",
                                           "BIG_RED_SWITCH"})
            {
                const bool ofAll = name == "POLL_INTERVAL" || name == "BIG_RED_SWITCH";
                if (f.count(name) && ofAll != isGlobal)
                {
                    throw FabricError(name + " is of " + (ofAll ? "GLOBAL" : "ports"),
                                      ofAll ? "write it under GLOBAL" : "write it under each port");
                }
            }
        });
    }
}

} // namespace ns3
