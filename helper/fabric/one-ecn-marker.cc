// SPDX-License-Identifier: GPL-2.0-only
#include "one-ecn-marker.h"

#include "type-relation.h"

#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-switch.h"
#include "ns3/pointer.h"
#include "ns3/polled-wred-marker.h"
#include "ns3/string.h"
#include "ns3/watched-default.h"

#include <sstream>
#include <string>

namespace ns3
{

namespace
{

/// @return whether a setting says which ECN marker a switch has
bool
IsOfMarker(const FabricSetting& setting)
{
    return setting.type == FabricSwitch::GetTypeId() &&
           (setting.name == "EcnMarker" || setting.name == "EcnMarkerType");
}

/// @param setting IsOfMarker() @return the type of that marker
std::string
TypeOf(const FabricSetting& setting)
{
    if (const auto* const text = dynamic_cast<const StringValue*>(PeekPointer(setting.value)))
    {
        return text->Get().substr(0, text->Get().find('['));
    }
    if (const auto* const type = dynamic_cast<const TypeIdValue*>(PeekPointer(setting.value)))
    {
        return type->Get().GetName();
    }
    const auto* const pointer = dynamic_cast<const PointerValue*>(PeekPointer(setting.value));
    const Ptr<Object> marker = pointer ? pointer->GetObject() : nullptr;
    return marker ? marker->GetInstanceTypeId().GetName() : "no marker";
}

/// @param recipe of a fabric @return the type of marker that an option, the helper or a changed
/// default says for all switches; a default-constructed TypeId: nobody does
TypeId
SaidType(const FabricRecipe& recipe)
{
    const TypeId type = FabricSwitch::GetTypeId();
    const std::string name = "EcnMarkerType";
    const std::string option = recipe.options.Get(type, name);
    if (!option.empty())
    {
        return TypeId::LookupByName(option);
    }
    std::ostringstream given;
    given << recipe.fabricSwitch;
    if (given.str().find(name + '=') == std::string::npos &&
        !FabricAttributes::DefaultChanged(type, name))
    {
        return TypeId();
    }
    const WatchedDefaults::Pause pause;
    TypeIdValue said;
    recipe.fabricSwitch.Create<FabricSwitch>()->GetAttribute(name, said);
    return said.Get();
}

} // namespace

OneEcnMarker::OneEcnMarker(const FabricRecipe& recipe,
                           const FabricTopology& topology,
                           const std::vector<FabricSettings>& settings)
    : m_recipe(recipe),
      m_topology(topology)
{
    for (const FabricSettings& some : settings)
    {
        for (const FabricSetting& setting : some.settings)
        {
            if (!IsOfMarker(setting))
            {
                continue;
            }
            try
            {
                for (const FabricPlace& place : some.places.In(topology))
                {
                    m_placed[place.node] = &setting;
                }
            }
            catch (const FabricError&)
            {
                // places that the fabric does not have: Apply() says so
            }
        }
    }
}

void
OneEcnMarker::Require(NodeId node, const std::vector<ObjectFactory>& extensions) const
{
    std::string first;
    const auto refuse = [&](const std::string& second) {
        return FabricError(FabricPlaces::NameOf(m_topology, node) + ": " + first + " and " +
                               second + " cannot both mark",
                           "a switch has one ECN marker: leave one out");
    };
    for (const ObjectFactory& extension : extensions)
    {
        const TypeId type = extension.GetTypeId();
        if (!IsA(type, EcnMarker::GetTypeId()))
        {
            continue;
        }
        if (!first.empty())
        {
            throw refuse(type.GetName());
        }
        first = type.GetName();
        const bool takesOver = IsA(type, PolledWredMarker::GetTypeId());
        if (m_recipe.ecn.IsTypeIdSet() &&
            !(takesOver && IsA(m_recipe.ecn.GetTypeId(), WredEcnMarker::GetTypeId())))
        {
            throw refuse(m_recipe.ecn.GetTypeId().GetName());
        }
        const TypeId said = SaidType(m_recipe);
        if (said != TypeId() && said != type &&
            !(takesOver && IsA(said, WredEcnMarker::GetTypeId())))
        {
            throw refuse(said.GetName());
        }
        const auto placed = m_placed.find(node);
        if (placed == m_placed.end())
        {
            continue;
        }
        const FabricSetting& setting = *placed->second;
        const FabricError error = refuse(TypeOf(setting));
        throw setting.file.empty() ? error : FabricError(setting.file, setting.line, error.what());
    }
}

} // namespace ns3
