// SPDX-License-Identifier: GPL-2.0-only
#include "workload-json.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <boost/property_tree/json_parser.hpp>
#include <sstream>

namespace ns3
{
namespace WorkloadJson
{

namespace
{

/// Objects and lists; the parser calls itself for each.
constexpr int DEEPEST = 16;

/// FabricError if a text is nested deeper than any that has sense. @param text in JSON
void
RequireShallow(const std::string& text)
{
    int depth = 0;
    bool isText = false;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const char c = text[i];
        if (c == '"')
        {
            isText = !isText;
        }
        else if (isText)
        {
            i += c == '\\';
        }
        else
        {
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        }
        if (depth > DEEPEST)
        {
            throw FabricError("lists and objects within each other, more than " +
                              std::to_string(DEEPEST) + " of them");
        }
    }
}

} // namespace

Tree
Parse(const std::string& text)
{
    namespace json = boost::property_tree::json_parser;
    RequireShallow(text);
    Tree tree;
    try
    {
        std::istringstream stream(text);
        json::read_json(stream, tree);
    }
    catch (const json::json_parser_error& error)
    {
        throw FabricError(error.message(), "expected JSON");
    }
    return tree;
}

bool
IsObject(const Tree& tree)
{
    return tree.data().empty() && !tree.empty() && !tree.front().first.empty();
}

std::string
Quote(const std::string& text)
{
    static const char* const digits = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f)
        {
            quoted += std::string("\\u00") + digits[byte >> 4] + digits[byte & 15];
        }
        else
        {
            quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        }
    }
    return quoted + "\"";
}

std::vector<uint64_t>
ToUints(const Tree& list, const std::string& what, uint64_t max)
{
    if (!list.data().empty() || IsObject(list))
    {
        throw FabricError(what + " is no list", "such as [1, 2]");
    }
    std::vector<uint64_t> numbers;
    numbers.reserve(list.size());
    for (const auto& [name, value] : list)
    {
        numbers.push_back(FabricText::ToUint(value.data(), "a number of " + what, max));
    }
    return numbers;
}

void
RequireKnown(const Tree& object, const std::vector<std::string>& known)
{
    for (const auto& [name, value] : object)
    {
        if (std::find(known.begin(), known.end(), name) == known.end())
        {
            throw FabricError("unknown key \"" + name + "\"", FabricText::DidYouMean(name, known));
        }
        if (object.count(name) > 1)
        {
            throw FabricError("\"" + name + "\" is there twice", "write it once");
        }
    }
}

const Tree*
Find(const Tree& object, const std::string& name)
{
    const auto found = object.find(name);
    return found == object.not_found() ? nullptr : &found->second;
}

std::optional<std::string>
FindText(const Tree& object, const std::string& name)
{
    const Tree* const value = Find(object, name);
    if (!value)
    {
        return std::nullopt;
    }
    if (!value->empty())
    {
        throw FabricError("\"" + name + "\" is no text");
    }
    return value->data();
}

std::optional<uint64_t>
FindUint(const Tree& object, const std::string& name, uint64_t max)
{
    const std::optional<std::string> text = FindText(object, name);
    if (!text)
    {
        return std::nullopt;
    }
    return FabricText::ToUint(*text, "\"" + name + "\"", max);
}

uint64_t
RequireUint(const Tree& object, const std::string& name, uint64_t max)
{
    const std::optional<uint64_t> number = FindUint(object, name, max);
    if (!number)
    {
        throw FabricError("\"" + name + "\" is missing");
    }
    return *number;
}

} // namespace WorkloadJson
} // namespace ns3
