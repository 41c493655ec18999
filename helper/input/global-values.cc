// SPDX-License-Identifier: GPL-2.0-only
#include "global-values.h"

#include "fabric-error.h"
#include "fabric-text.h"

#include "ns3/global-value.h"
#include "ns3/scheduler.h"
#include "ns3/simulator-impl.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{
namespace GlobalValues
{
namespace
{

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

} // namespace

void
Require()
{
    const char* const given = std::getenv("NS_GLOBAL_VALUE");
    std::istringstream entries(given ? given : "");
    std::map<std::string, std::string> said; // values by name
    for (std::string entry; std::getline(entries, entry, ';');)
    {
        if (entry.empty())
        {
            continue;
        }
        const std::size_t equals = std::min(entry.find('='), entry.size());
        const std::string name = entry.substr(0, equals);
        const std::string text = entry.substr(std::min(equals + 1, entry.size()));
        std::vector<std::string> known;
        Ptr<const AttributeChecker> checker;
        for (auto value = GlobalValue::Begin(); value != GlobalValue::End(); ++value)
        {
            known.push_back((*value)->GetName());
            checker = known.back() == name ? (*value)->GetChecker() : checker;
        }
        if (!checker)
        {
            throw FabricError("NS_GLOBAL_VALUE has \"" + entry + "\", and there is no \"" + name +
                                  "\"",
                              FabricText::DidYouMean(name, known));
        }
        if (equals == entry.size() || !checker->CreateValidValue(StringValue(text)))
        {
            throw FabricError("NS_GLOBAL_VALUE has \"" + entry + "\"",
                              "expected " + name + "=value, such as --PrintGlobals shows");
        }
        const auto& before = said.emplace(name, text).first->second;
        if (before != text)
        {
            throw FabricError("NS_GLOBAL_VALUE has \"" + name + "=" + before + "\" and \"" + entry +
                                  "\"",
                              "give one of them");
        }
        RequirePart(entry, name, text);
    }
}

} // namespace GlobalValues
} // namespace ns3
