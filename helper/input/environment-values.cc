// SPDX-License-Identifier: GPL-2.0-only
#include "environment-values.h"

#include "fabric-attributes.h"
#include "fabric-error.h"
#include "fabric-text.h"

#include "ns3/global-value.h"
#include "ns3/scheduler.h"
#include "ns3/simulator-impl.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/wheel-scheduler.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{
namespace EnvironmentValues
{
namespace
{

constexpr const char* GLOBALS = "NS_GLOBAL_VALUE";
constexpr const char* DEFAULTS = "NS_ATTRIBUTE_DEFAULT";

/// An entry of a variable.
struct Entry
{
    std::string name;  //!< before the first "="
    std::string value; //!< behind it
    std::string text;  //!< all of it
};

/// @param variable of the environment @return its text; empty: it is not set
std::string
TextOf(const char* variable)
{
    const char* const text = std::getenv(variable);
    return text ? text : "";
}

/// @param variable of the environment @return its entries, in order
std::vector<Entry>
EntriesOf(const char* variable)
{
    std::istringstream texts(TextOf(variable));
    std::vector<Entry> entries;
    for (std::string text; std::getline(texts, text, ';');)
    {
        const std::size_t equals = std::min(text.find('='), text.size());
        if (!text.empty())
        {
            entries.push_back(
                {text.substr(0, equals), text.substr(std::min(equals + 1, text.size())), text});
        }
    }
    return entries;
}

/// FabricError for a second value of one name. @param variable of the environment @param entry of
/// it
/// @param name what the entry is about @param said entries before, by name
void
RequireOneValue(const char* variable,
                const Entry& entry,
                const std::string& name,
                std::map<std::string, Entry>& said)
{
    const Entry& before = said.emplace(name, entry).first->second;
    if (before.value != entry.value)
    {
        throw FabricError(std::string(variable) + " has \"" + before.text + "\" and \"" +
                              entry.text + "\"",
                          "give one of them");
    }
}

/// FabricError where a value names no simulator or scheduler: ns-3 takes any text or type, and then
/// aborts. @param entry "Name=value" @param name of the value @param value itself
void
RequirePart(const std::string& entry, const std::string& name, const std::string& value)
{
    const bool isSimulator = name == "SimulatorImplementationType";
    if (!isSimulator && name != "SchedulerType")
    {
        return;
    }
    const TypeId base = isSimulator ? SimulatorImpl::GetTypeId() : Scheduler::GetTypeId();
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(value, &type) || !type.IsChildOf(base))
    {
        throw FabricError("NS_GLOBAL_VALUE has \"" + entry + "\", which is no " +
                              (isSimulator ? "simulator" : "scheduler"),
                          isSimulator ? "take ns3::FabricSimulatorImpl or ns3::DefaultSimulatorImpl"
                                      : "take ns3::WheelScheduler or ns3::MapScheduler");
    }
}

/// FabricError for what ns-3 leaves out of NS_GLOBAL_VALUE in silence.
void
RequireGlobals()
{
    std::map<std::string, Entry> said;
    for (const Entry& entry : EntriesOf(GLOBALS))
    {
        std::vector<std::string> known;
        Ptr<const AttributeChecker> checker;
        for (auto value = GlobalValue::Begin(); value != GlobalValue::End(); ++value)
        {
            known.push_back((*value)->GetName());
            checker = known.back() == entry.name ? (*value)->GetChecker() : checker;
        }
        const std::string wrong = std::string(GLOBALS) + " has \"" + entry.text + "\"";
        if (!checker)
        {
            throw FabricError(wrong + ", and there is no \"" + entry.name + "\"",
                              FabricText::DidYouMean(entry.name, known));
        }
        if (entry.text == entry.name || !checker->CreateValidValue(StringValue(entry.value)))
        {
            throw FabricError(wrong,
                              "expected " + entry.name + "=value, such as --PrintGlobals shows");
        }
        RequireOneValue(GLOBALS, entry, entry.name, said);
        RequirePart(entry.text, entry.name, entry.value);
    }
}

/// Let ns-3 find NS_ATTRIBUTE_DEFAULT empty: ns-3 reads it once, when the first object with
/// attributes is made, and lets it win over later defaults. Processes that this one starts have it.
void
TakeDefaults()
{
    const std::string text = TextOf(DEFAULTS);
    if (!text.empty())
    {
        setenv(DEFAULTS, "", 1);
        CreateObject<WheelScheduler>();
        setenv(DEFAULTS, text.c_str(), 1);
    }
}

} // namespace

void
Apply()
{
    RequireGlobals();
    TakeDefaults();
    ApplyDefaults();
}

void
ApplyDefaults()
{
    std::map<std::string, Entry> said;
    for (const Entry& entry : EntriesOf(DEFAULTS))
    {
        const std::string variable = DEFAULTS;
        if (entry.text == entry.name)
        {
            throw FabricError(variable + " has \"" + entry.text + "\"",
                              "expected ns3::Type::Attribute=value");
        }
        std::string name;
        try
        {
            name = FabricAttributes::SetDefault(entry.name, StringValue(entry.value));
        }
        catch (const FabricError& error)
        {
            throw FabricError(variable + " has \"" + entry.text + "\": " + error.what());
        }
        RequireOneValue(DEFAULTS, entry, name, said);
    }
}

} // namespace EnvironmentValues
} // namespace ns3
