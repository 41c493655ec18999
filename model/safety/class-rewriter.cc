// SPDX-License-Identifier: GPL-2.0-only
#include "class-rewriter.h"

#include "fabric-switch.h"

#include "ns3/log.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ClassRewriter");

NS_OBJECT_ENSURE_REGISTERED(ClassRewriter);

namespace
{

/// @return a text without the spaces at its ends; one between digits parts two numbers
std::string
Trimmed(std::string text)
{
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

/// @return a number; throws std::invalid_argument unless the text is one, up to max
uint32_t
ToNumber(const std::string& text, uint32_t max, const std::string& what)
{
    const bool digits =
        !text.empty() && text.size() < 10 &&
        std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
    const unsigned long number = digits ? std::stoul(text) : 0;
    if (!digits || number > max)
    {
        throw std::invalid_argument(what + ": \"" + text + "\" is no number from 0 to " +
                                    std::to_string(max));
    }
    return static_cast<uint32_t>(number);
}

} // namespace

TypeId
ClassRewriter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ClassRewriter").SetParent<SwitchExtension>().SetGroupName("Lossless");
    return tid;
}

uint32_t
ClassRewriter::GetHooks() const
{
    return ON_ROUTE;
}

void
ClassRewriter::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this);
    m_maps.clear();
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        m_maps.push_back(PeekPointer(owner.GetPort(port)->GetTrafficClassMap()));
        if (m_maps.back()->GetTrust() != TrafficClassMap::DSCP)
        {
            throw std::invalid_argument(GetInstanceTypeId().GetName() + ": port " +
                                        std::to_string(port) +
                                        " does not classify by DSCP, which is what is rewritten");
        }
    }
    Prepare(owner);
}

SwitchExtension::Verdict
ClassRewriter::Routed(Frame& frame, uint32_t outPort)
{
    const uint8_t dscp = Rewrite(frame.dscp, frame.inPort, outPort);
    if (dscp != frame.dscp)
    {
        NS_LOG_LOGIC("port " << frame.inPort << " to port " << outPort << ": DSCP " << +frame.dscp
                             << " -> " << +dscp);
        frame.dscp = dscp;
        const TrafficClassMap& map = *m_maps[outPort];
        frame.trafficClass = map.QueueOf(map.ClassOfDscp(dscp));
        ++m_rewritten;
    }
    return {};
}

std::vector<std::pair<uint32_t, uint32_t>>
ClassRewriter::ParsePairs(const std::string& text,
                          const std::string& what,
                          uint32_t maxFirst,
                          uint32_t maxSecond)
{
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    std::istringstream stream(text);
    for (std::string item; std::getline(stream, item, ',');)
    {
        item = Trimmed(item);
        const std::size_t colon = item.find(':');
        if (colon == std::string::npos)
        {
            throw std::invalid_argument(what + ": \"" + item + "\" is no pair such as 26:34");
        }
        const uint32_t first = ToNumber(Trimmed(item.substr(0, colon)), maxFirst, what);
        for (const auto& pair : pairs)
        {
            if (pair.first == first)
            {
                throw std::invalid_argument(what + ": " + std::to_string(first) +
                                            " is there twice");
            }
        }
        pairs.emplace_back(first, ToNumber(Trimmed(item.substr(colon + 1)), maxSecond, what));
    }
    return pairs;
}

} // namespace ns3
