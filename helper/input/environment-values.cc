// SPDX-License-Identifier: GPL-2.0-only
#include "environment-values.h"

#include "fabric-attributes.h"
#include "fabric-error.h"

#include "ns3/string.h"
#include "ns3/wheel-scheduler.h"

#include <cstdlib>
#include <sstream>
#include <string>

namespace ns3
{
namespace EnvironmentValues
{
namespace
{

constexpr const char* DEFAULTS = "NS_ATTRIBUTE_DEFAULT";

/// @return the text of the variable; empty: it is not set
std::string
GetText()
{
    const char* const text = std::getenv(DEFAULTS);
    return text ? text : "";
}

} // namespace

void
Apply()
{
    // Let ns-3 find the variable empty: ns-3 reads it once, when the first object with attributes
    // is made, and lets it win over later defaults. Processes that this one starts have it.
    if (const std::string text = GetText(); !text.empty())
    {
        setenv(DEFAULTS, "", 1);
        CreateObject<WheelScheduler>();
        setenv(DEFAULTS, text.c_str(), 1);
    }
    ApplyDefaults();
}

void
ApplyDefaults()
{
    std::istringstream entries(GetText());
    for (std::string entry; std::getline(entries, entry, ';');)
    {
        const std::size_t equals = entry.find('=');
        if (entry.empty())
        {
            continue;
        }
        try
        {
            if (equals == std::string::npos)
            {
                throw FabricError("there is no value", "write ns3::Type::Attribute=value");
            }
            FabricAttributes::SetDefault(entry.substr(0, equals),
                                         StringValue(entry.substr(equals + 1)));
        }
        catch (const FabricError& error)
        {
            throw FabricError(std::string(DEFAULTS) + " has \"" + entry + "\": " + error.what());
        }
    }
}

} // namespace EnvironmentValues
} // namespace ns3
