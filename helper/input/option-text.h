// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OPTION_TEXT_H
#define LOSSLESS_OPTION_TEXT_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * An option as a command line and Python have it. A struct of options lists them once, in a method
 * ForEachOption() that calls a visitor with (value, ProgramOption, check) of each; check(value) is
 * whether the value can be.
 */
struct ProgramOption
{
    const char* name;    //!< on a command line, without the dashes; null: it has none
    const char* keyword; //!< in Python; null: it has none
    const char* help;    //!< what it does
    const char* kind;    //!< what a value must be
};

/**
 * @ingroup lossless
 *
 * Values of options as text. Read() throws FabricError for what is none of the type.
 */
namespace OptionText
{

/// @param value a number or text @return it as text
template <typename T>
std::string
Of(const T& value)
{
    std::ostringstream stream;
    stream << std::boolalpha << value;
    return stream.str();
}

/// @param value a time @return it as text
std::string Of(const Time& value);
/// @param value some names @return them as text
std::string Of(const std::vector<std::string>& value);

/// @param value one that need not be given @return it as text; empty: there is none
template <typename T>
std::string
Of(const std::optional<T>& value)
{
    return value ? Of(*value) : "";
}

/// @param text of a value @param what name of the option @param value result
void Read(const std::string& text, const std::string& what, std::string& value);
/// @param text of a value @param what name of the option @param value result
void Read(const std::string& text, const std::string& what, uint32_t& value);
/// @param text of a value @param what name of the option @param value result
void Read(const std::string& text, const std::string& what, uint64_t& value);
/// @param text of a value @param what name of the option @param value result
void Read(const std::string& text, const std::string& what, double& value);
/// @param text of a value @param what name of the option @param value result
void Read(const std::string& text, const std::string& what, bool& value);
/// @param text of a value @param what name of the option @param value result
void Read(const std::string& text, const std::string& what, Time& value);
/// @param text of a value @param what name of the option @param value result
void Read(const std::string& text, const std::string& what, DataRate& value);
/// @param text names, with commas between @param what name of the option @param value result
void Read(const std::string& text, const std::string& what, std::vector<std::string>& value);

/// @param text of a value @param what name of the option @param value result
template <typename T>
void
Read(const std::string& text, const std::string& what, std::optional<T>& value)
{
    T read{};
    Read(text, what, read);
    value = read;
}

/// FabricError: an option cannot be. @param name of the option @param text its value
/// @param field what it must be
[[noreturn]] void Refuse(const std::string& name,
                         const std::string& text,
                         const ProgramOption& field);

/// FabricError for an option that cannot be. @param options a struct with ForEachOption()
template <typename O>
void
Require(O options)
{
    options.ForEachOption([](const auto& value, const ProgramOption& field, const auto& check) {
        if (!check(value))
        {
            Refuse(field.name ? field.name : field.keyword, Of(value), field);
        }
    });
}

} // namespace OptionText
} // namespace ns3

#endif // LOSSLESS_OPTION_TEXT_H
