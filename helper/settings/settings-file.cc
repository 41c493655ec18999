// SPDX-License-Identifier: GPL-2.0-only
#include "settings-file.h"

#include "switch-presets.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/fabric-warning.h"
#include "ns3/input-files.h"
#include "ns3/string.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <sstream>

namespace ns3
{
namespace
{

/// toml++ 3.3 asserts, in all builds as we take it, what some broken files violate, such as "[" at
/// the end of a line.
struct TomlAssertion
{
};

/// @param holds what toml++ asserts
constexpr void
RequireOfToml(bool holds)
{
    if (!holds)
    {
        throw TomlAssertion();
    }
}

} // namespace
} // namespace ns3

#undef NDEBUG
#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(condition) ns3::RequireOfToml(static_cast<bool>(condition))
#include <toml++/toml.h>

namespace ns3
{

namespace
{

/// Key of the extensions that switches get.
constexpr const char* EXTENSION = "SwitchExtension";
/// Key of a SwitchPreset.
constexpr const char* PRESET = "SwitchPreset";
/// Key of a configuration of SONiC.
constexpr const char* SONIC = "SonicConfig";

/// One file.
class SettingsReader
{
  public:
    SettingsReader(const std::string& path, const FabricOptions& options)
        : m_path(path),
          m_options(options)
    {
    }

    std::vector<FabricSettings> Read() const
    {
        std::vector<FabricSettings> all;
        const toml::table file = Parse(ReadText());
        if (file.empty())
        {
            PrintWarning(m_path + " has no effect: it has no settings",
                         "such as [leaf], and SwitchMmu.Alpha = 0.5");
        }
        ForEach(file, [&](const std::string& places, const toml::node& node) {
            all.push_back(ReadPlaces(places, node));
        });
        return all;
    }

  private:
    /// @return the tables of a text
    toml::table Parse(const std::string& text) const
    {
        try
        {
            return toml::parse(text, m_path);
        }
        catch (const toml::parse_error& error)
        {
            throw FabricError(m_path,
                              error.source().begin.line,
                              std::string(error.description()) + "; expected TOML (toml.io)");
        }
        catch (const TomlAssertion&)
        {
            throw FabricError(m_path,
                              LineOfAssertion(text),
                              "the line ends within its brackets; expected TOML (toml.io)");
        }
    }

    /// @return the line of a text, from 1, at which toml++ asserts: the last of the shortest text
    /// that makes it
    static uint64_t LineOfAssertion(const std::string& text)
    {
        uint64_t line = 0;
        for (std::size_t end = 0; end < text.size();)
        {
            end = std::min(text.find('\n', end), text.size() - 1) + 1;
            ++line;
            try
            {
                [[maybe_unused]] const auto tables = toml::parse(text.substr(0, end));
            }
            catch (const TomlAssertion&)
            {
                return line;
            }
            catch (const toml::parse_error&)
            {
                // of a value that goes on
            }
        }
        return line;
    }

    /// @return the file, which has no control characters
    std::string ReadText() const
    {
        const std::string text =
            InputFiles::ReadText(m_path, "expected a file of settings in TOML");
        uint64_t line = 1;
        for (std::size_t i = 0; i < text.size(); ++i)
        {
            const auto byte = static_cast<unsigned char>(text[i]);
            const bool isEnd = text[i] == '\n' || (text[i] == '\r' && text[i + 1] == '\n');
            line += text[i] == '\n';
            if ((byte < 0x20 && text[i] != '\t' && !isEnd) || byte == 0x7f)
            {
                throw FabricError(m_path,
                                  line,
                                  std::string("the control character \"") + text[i] +
                                      "\"; expected TOML, which is text (toml.io)");
            }
        }
        return text;
    }

    /// Call a function with each key and value of a table, in the order of the file.
    static void ForEach(const toml::table& table,
                        const std::function<void(const std::string&, const toml::node&)>& use)
    {
        std::vector<std::pair<std::string, const toml::node*>> entries;
        for (const auto& [key, node] : table)
        {
            entries.emplace_back(key.str(), &node);
        }
        std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
            return LineOf(*a.second) < LineOf(*b.second);
        });
        for (const auto& [key, node] : entries)
        {
            use(key, *node);
        }
    }

    static uint64_t LineOf(const toml::node& node)
    {
        return node.source().begin.line;
    }

    /// Do something; an error gets the line of a node.
    template <typename Action>
    auto At(const toml::node& node, Action action) const
    {
        return At(node, "", action);
    }

    /// The same. @param entry of the node, where several may be on a line
    template <typename Action>
    auto At(const toml::node& node, const std::string& entry, Action action) const
    {
        try
        {
            return action();
        }
        catch (const FabricError& error)
        {
            throw FabricError(m_path, LineOf(node), entry + error.what());
        }
    }

    /// The table of some places.
    FabricSettings ReadPlaces(const std::string& name, const toml::node& node) const
    {
        const toml::table* const table = node.as_table();
        FabricSettings settings{At(node, [&] { return FabricPlaces(name); }), {}, {}};
        if (!table)
        {
            throw FabricError(m_path,
                              LineOf(node),
                              "\"" + name +
                                  "\" is a value; expected a table of attributes, such "
                                  "as [" +
                                  name + "]");
        }
        ForEach(*table, [&](const std::string& key, const toml::node& value) {
            if (key == EXTENSION)
            {
                ReadExtensions(settings, value);
            }
            else if (key == PRESET)
            {
                ReadPreset(settings, value);
            }
            else if (key == SONIC)
            {
                ReadSonic(settings, value);
            }
            else if (const toml::table* const attributes = value.as_table())
            {
                ForEach(*attributes, [&](const std::string& attribute, const toml::node& text) {
                    ReadValue(settings, key + "." + attribute, text);
                });
            }
            else
            {
                ReadValue(settings, key, value);
            }
        });
        settings.Check();
        return settings;
    }

    /// One extension, or a list of them.
    void ReadExtensions(FabricSettings& settings, const toml::node& node) const
    {
        const auto add = [&](const toml::node& each, const std::string& entry) {
            At(each, entry, [&] {
                if (!each.is_string())
                {
                    throw FabricError(std::string(EXTENSION) + " is no text",
                                      "such as \"ns3::PfcWatchdog\"");
                }
                FabricAt(settings.places, m_options, [&settings](const FabricSettings& said) {
                    settings.extensions.push_back(said.extensions.front());
                }).AddSwitchExtension(ToText(each));
            });
        };
        if (const toml::array* const list = node.as_array())
        {
            std::size_t number = 0;
            for (const toml::node& each : *list)
            {
                add(each, "entry " + std::to_string(++number) + " of " + EXTENSION + ": ");
            }
        }
        else
        {
            add(node, "");
        }
    }

    /// The preset of the switches.
    void ReadPreset(FabricSettings& settings, const toml::node& node) const
    {
        const auto all = At(node, [&] {
            if (!node.is_string())
            {
                throw FabricError(std::string(PRESET) + " is no text", "such as \"tomahawk3\"");
            }
            return SwitchPreset::Find(ToText(node)).ToSettings(m_options);
        });
        for (FabricSetting setting : all)
        {
            setting.file = m_path;
            setting.line = LineOf(node);
            settings.settings.push_back(setting);
        }
    }

    /// The configuration of SONiC of the switches.
    void ReadSonic(FabricSettings& settings, const toml::node& node) const
    {
        At(node, [&] {
            if (!node.is_string())
            {
                throw FabricError(std::string(SONIC) + " is no text", "the path of a file");
            }
            FabricAt(settings.places, m_options, [&settings](const FabricSettings& said) {
                settings.sonic.push_back(said.sonic.front());
            }).SetSonicConfig(ToText(node));
        });
    }

    /// One attribute.
    void ReadValue(FabricSettings& settings, const std::string& name, const toml::node& node) const
    {
        FabricSetting setting = At(node, [&] {
            return FabricSetting::Read(name, StringValue(ToText(node)), m_options);
        });
        setting.file = m_path;
        setting.line = LineOf(node);
        settings.settings.push_back(setting);
    }

    /// @return a value as --ns3::Type::Attribute=value would have it
    static std::string ToText(const toml::node& node)
    {
        if (const auto text = node.value_exact<std::string>())
        {
            return *text;
        }
        if (const auto flag = node.value_exact<bool>())
        {
            return *flag ? "true" : "false";
        }
        if (const auto integer = node.value_exact<int64_t>())
        {
            return std::to_string(*integer);
        }
        if (const auto real = node.value_exact<double>())
        {
            char digits[32];
            const auto end = std::to_chars(digits, digits + sizeof(digits), *real).ptr;
            return std::string(digits, end);
        }
        throw FabricError("the value is neither text nor a number nor true nor false",
                          "write lists and objects as text in quotes");
    }

    std::string m_path;
    const FabricOptions& m_options;
};

} // namespace

std::vector<FabricSettings>
ReadSettingsFile(const std::string& path, const FabricOptions& options)
{
    return SettingsReader(path, options).Read();
}

} // namespace ns3
