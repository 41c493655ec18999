// SPDX-License-Identifier: GPL-2.0-only
#include "unmatched-rules.h"

#include "fabric-places.h"
#include "fabric-ports.h"
#include "named-once.h"
#include "switch-extensions.h"

#include "ns3/string.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>

namespace ns3
{

namespace
{

/// @param policy of a switch @param name of one of its attributes @return its value
std::string
TextOf(const BorderPolicy& policy, const char* name)
{
    StringValue text;
    policy.GetAttribute(name, text);
    return text.Get();
}

/// @param rules attribute Rules @return the text of each rule
std::vector<std::string>
RulesOf(const std::string& rules)
{
    std::vector<std::string> texts;
    std::istringstream parts(rules);
    for (std::string part; std::getline(parts, part, ';');)
    {
        part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
        part.erase(part.find_last_not_of(' ') + 1);
        texts.push_back(part);
    }
    return texts;
}

/// Policies that ask for the same.
struct Alike
{
    std::string place;               //!< of the first
    uint32_t more{0};                //!< how many others
    std::vector<uint64_t> matches{}; //!< sums, by rule
};

/// @param some policies @param rule counted from 0 @param texts of all rules @return whether the
/// rule is the last, for all frames that the rules before it leave, and they have left none
bool
IsSpare(const Alike& some, std::size_t rule, const std::vector<std::string>& texts)
{
    const bool isUsedBefore = std::any_of(some.matches.begin(),
                                          some.matches.begin() + static_cast<std::ptrdiff_t>(rule),
                                          [](uint64_t matches) { return matches > 0; });
    return isUsedBefore && rule + 1 == some.matches.size() && texts[rule].rfind("any ", 0) == 0;
}

} // namespace

UnmatchedRules::UnmatchedRules(const Fabric& fabric)
    : m_fabric(fabric),
      m_received(CountReceived())
{
    for (const SwitchId which : fabric.Switches())
    {
        for (const auto& policy : ExtensionsOf<BorderPolicy>(*fabric.GetSwitch(which)))
        {
            m_before.push_back({policy, TextOf(*policy, "Rules"), policy->GetMatches()});
        }
    }
}

uint64_t
UnmatchedRules::CountReceived() const
{
    uint64_t frames = 0;
    for (const FabricPort& port : PortsOf(m_fabric))
    {
        frames += port.isSwitch ? port.device->GetCounters().rxFrames : 0;
    }
    return frames;
}

std::vector<uint64_t>
UnmatchedRules::Count(const Ptr<const BorderPolicy>& policy) const
{
    std::vector<uint64_t> matches = policy->GetMatches();
    const auto before = std::find_if(m_before.begin(), m_before.end(), [&policy](const Before& b) {
        return b.policy == policy && b.rules == TextOf(*policy, "Rules");
    });
    for (std::size_t i = 0; before != m_before.end() && i < matches.size(); ++i)
    {
        // Rules that are set anew, to the same as well, count from 0.
        matches[i] -= std::min(matches[i], before->matches[i]);
    }
    return matches;
}

void
UnmatchedRules::Warn() const
{
    // Not after Simulator::Destroy(), which takes the ports; and whoever sends nothing has asked
    // for nothing.
    if (m_fabric.IsDestroyed() || CountReceived() == m_received)
    {
        return;
    }
    const FabricTopology& topology = m_fabric.GetTopology();
    std::map<std::pair<std::string, std::string>, Alike> policies; // by Rules and Ports
    for (const SwitchId which : m_fabric.Switches())
    {
        for (const auto& policy : ExtensionsOf<BorderPolicy>(*m_fabric.GetSwitch(which)))
        {
            const auto matches = Count(policy);
            const auto [found, isNew] =
                policies.try_emplace({TextOf(*policy, "Rules"), TextOf(*policy, "Ports")});
            Alike& some = found->second;
            some.place =
                isNew ? FabricPlaces::NameOf(topology, topology.NodeOf(which)) : some.place;
            some.more += isNew ? 0 : 1;
            some.matches.resize(matches.size());
            std::transform(matches.begin(),
                           matches.end(),
                           some.matches.begin(),
                           some.matches.begin(),
                           [](uint64_t one, uint64_t sum) { return one + sum; });
        }
    }
    for (const auto& [said, some] : policies)
    {
        const std::vector<std::string> texts = RulesOf(said.first);
        for (std::size_t i = 0; i < some.matches.size(); ++i)
        {
            if (some.matches[i] == 0 && !IsSpare(some, i, texts))
            {
                const std::string others =
                    some.more ? " and of " + std::to_string(some.more) + " more" : "";
                WarnOnce(m_fabric,
                         "rule " + std::to_string(i + 1) + " \"" + texts[i] +
                             "\" of ns3::BorderPolicy of " + some.place + others +
                             " has matched no frame",
                         "see what it asks for, Ports, and the rules before it");
            }
        }
    }
}

} // namespace ns3
