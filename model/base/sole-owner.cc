// SPDX-License-Identifier: GPL-2.0-only
#include "sole-owner.h"

#include "ns3/net-device.h"
#include "ns3/node.h"

#include <stdexcept>
#include <string>
#include <unordered_map>

namespace ns3
{
namespace SoleOwner
{
namespace
{

/// @return the owners of all parts; never destroyed, as fabrics may outlive static objects
std::unordered_map<const Object*, const Object*>&
Owners()
{
    static auto* const owners = new std::unordered_map<const Object*, const Object*>;
    return *owners;
}

} // namespace

void
Take(const Object& part, const Object& owner)
{
    const Object* const before = Owners().emplace(&part, &owner).first->second;
    if (before == &owner)
    {
        return;
    }
    const auto* const port = dynamic_cast<const NetDevice*>(before);
    const Ptr<Node> node = port ? port->GetNode() : before->GetObject<Node>();
    const std::string kind = port ? "port" : "switch";
    throw std::invalid_argument("this " + part.GetInstanceTypeId().GetName() + " belongs to a " +
                                kind + (node ? " of node " + std::to_string(node->GetId()) : "") +
                                " already; make one for each " + kind);
}

void
Leave(const Object& part, const Object& owner)
{
    const auto found = Owners().find(&part);
    if (found != Owners().end() && found->second == &owner)
    {
        Owners().erase(found);
    }
}

} // namespace SoleOwner
} // namespace ns3
