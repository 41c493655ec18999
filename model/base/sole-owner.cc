// SPDX-License-Identifier: GPL-2.0-only
#include "sole-owner.h"

#include "ns3/net-device.h"
#include "ns3/node.h"

#include <stdexcept>
#include <string>

namespace ns3
{

void
SoleOwner::Take(const Object& owner)
{
    if (m_owner && m_owner != &owner)
    {
        const auto* const port = dynamic_cast<const NetDevice*>(m_owner);
        const Ptr<Node> node = port ? port->GetNode() : m_owner->GetObject<Node>();
        const std::string kind = port ? "port" : "switch";
        const auto* const part = dynamic_cast<const Object*>(this);
        throw std::invalid_argument(
            "this " + (part ? part->GetInstanceTypeId().GetName() : "part") + " belongs to a " +
            kind + (node ? " of node " + std::to_string(node->GetId()) : "") +
            " already; make one for each " + kind);
    }
    m_owner = &owner;
}

void
SoleOwner::Leave(const Object& owner)
{
    m_owner = m_owner == &owner ? nullptr : m_owner;
}

} // namespace ns3
