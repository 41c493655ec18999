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

/// @param json any text @param begin of a literal in it: its quotation mark @return behind the one
/// that ends it
std::size_t
EndOfLiteral(const std::string& json, std::size_t begin)
{
    std::size_t i = begin + 1;
    while (i < json.size() && json[i] != '"')
    {
        i += json[i] == '\\' ? 2 : 1;
    }
    return std::min(i + 1, json.size());
}

/// FabricError if it is nested deeper than any that has sense. @param json any text @return the
/// same, where text that is no key begins with a quotation mark: boost's parser forgets what was
/// text
std::string
MarkText(const std::string& json)
{
    std::string marked;
    marked.reserve(json.size() + json.size() / 8);
    int depth = 0;
    for (std::size_t i = 0; i < json.size();)
    {
        const char c = json[i];
        if (c == '"')
        {
            const std::size_t end = EndOfLiteral(json, i);
            const std::size_t next = json.find_first_not_of(" \t\r\n", end);
            const bool isKey = next != std::string::npos && json[next] == ':';
            marked += isKey ? "\"" : "\"\\\"";
            marked.append(json, i + 1, end - i - 1);
            i = end;
            continue;
        }
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (depth > DEEPEST)
        {
            throw FabricError("lists and objects within each other, more than " +
                              std::to_string(DEEPEST) + " of them");
        }
        marked += c;
        ++i;
    }
    return marked;
}

/// @param text any @param begin of a character in it @return how many bytes of UTF-8 it has; 0: it
/// is none
std::size_t
LengthOfCharacter(const std::string& text, std::size_t begin)
{
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(begin);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xc2 && first < 0xe0 ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0 || begin + length > text.size())
    {
        return 0;
    }
    for (std::size_t i = begin + 1; i < begin + length; ++i)
    {
        if ((byte(i) & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    // Longer than need be, of the surrogates, or beyond the last one.
    const unsigned char second = length > 1 ? byte(begin + 1) : 0;
    const bool isNone = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
    return isNone ? 0 : length;
}

} // namespace

Tree
Parse(const std::string& text, const std::string& what)
{
    namespace json = boost::property_tree::json_parser;
    std::istringstream stream(MarkText(text));
    Tree tree;
    try
    {
        json::read_json(stream, tree);
    }
    catch (const json::json_parser_error& error)
    {
        const bool hasLines = text.find('\n') != std::string::npos;
        const std::string place = hasLines ? "line " + std::to_string(error.line()) + ": " : "";
        // The parser stops where it is wrong.
        if (stream.rdbuf()->sgetc() == std::istringstream::traits_type::eof())
        {
            throw FabricError(place + "the " + what + " ends too early", error.message());
        }
        throw FabricError(place + error.message(), "expected JSON");
    }
    return tree;
}

bool
IsText(const Tree& tree)
{
    return tree.empty() && !tree.data().empty() && tree.data().front() == '"';
}

std::string
ToText(const Tree& tree)
{
    return IsText(tree) ? tree.data().substr(1) : tree.data();
}

uint64_t
ToUint(const Tree& value, const std::string& what, uint64_t max, uint64_t min)
{
    if (!value.empty())
    {
        throw FabricError(what + " is a list or an object", "it must be a whole number");
    }
    if (IsText(value))
    {
        throw FabricError(what + " is the text \"" + ToText(value) + "\"",
                          "it must be a whole number, without quotation marks");
    }
    return FabricText::ToUint(value.data(), what, max, min);
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
    for (std::size_t i = 0; i < text.size();)
    {
        const auto byte = static_cast<unsigned char>(text[i]);
        const std::size_t length = LengthOfCharacter(text, i);
        if (length == 0)
        {
            quoted += "\\ufffd";
        }
        else if (byte < 0x20 || byte == 0x7f)
        {
            quoted += std::string("\\u00") + digits[byte >> 4] + digits[byte & 15];
        }
        else
        {
            quoted += byte == '"' || byte == '\\' ? "\\" : "";
            quoted.append(text, i, length);
        }
        i += std::max<std::size_t>(length, 1);
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
        numbers.push_back(ToUint(value, "a number of " + what, max));
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
    return ToText(*value);
}

std::optional<uint64_t>
FindUint(const Tree& object, const std::string& name, uint64_t max, uint64_t min)
{
    const Tree* const value = Find(object, name);
    return value ? std::make_optional(ToUint(*value, "\"" + name + "\"", max, min)) : std::nullopt;
}

uint64_t
RequireUint(const Tree& object, const std::string& name, uint64_t max, uint64_t min)
{
    const std::optional<uint64_t> number = FindUint(object, name, max, min);
    if (!number)
    {
        throw FabricError("\"" + name + "\" is missing");
    }
    return *number;
}

} // namespace WorkloadJson
} // namespace ns3
