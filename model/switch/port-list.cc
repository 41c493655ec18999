// SPDX-License-Identifier: GPL-2.0-only
#include "port-list.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{

std::optional<uint32_t>
PortList::ToNumber(const std::string& text, uint32_t max)
{
    const bool isDigits =
        !text.empty() && text.size() < 10 &&
        std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
    const unsigned long number = isDigits ? std::stoul(text) : 0;
    return isDigits && number <= max ? std::optional(static_cast<uint32_t>(number)) : std::nullopt;
}

std::optional<std::vector<uint32_t>>
PortList::ToNumbers(const std::string& text, uint32_t max)
{
    std::vector<uint32_t> numbers;
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');)
    {
        item.erase(0, std::min(item.find_first_not_of(' '), item.size()));
        item.erase(item.find_last_not_of(' ') + 1); // one within would make 01 of "0 1"
        const std::size_t dash = item.find('-');
        const auto first = ToNumber(item.substr(0, dash), max);
        const auto last = dash == std::string::npos ? first : ToNumber(item.substr(dash + 1), max);
        if (!first || !last || *first > *last)
        {
            return {};
        }
        for (uint32_t number = *first; number <= *last; ++number)
        {
            numbers.push_back(number);
        }
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers.empty() ? std::nullopt : std::optional(numbers);
}

PortList::PortList(const std::string& attribute, Empty empty)
    : m_attribute(attribute),
      m_empty(empty)
{
}

void
PortList::SetText(const std::string& text)
{
    constexpr uint32_t MAX_PORT = 65534;
    std::vector<bool> has;
    if (!text.empty())
    {
        const auto ports = ToNumbers(text, MAX_PORT);
        if (!ports)
        {
            throw std::invalid_argument(m_attribute + " \"" + text +
                                        "\" cannot be read; write such as 0-3,7, or nothing for " +
                                        (m_empty == ALL ? "all" : "none"));
        }
        has.resize(ports->back() + 1);
        for (const uint32_t port : *ports)
        {
            has[port] = true;
        }
    }
    m_has = std::move(has);
    m_text = text;
}

void
PortList::Require(uint32_t ports) const
{
    if (m_has.size() > ports)
    {
        throw std::invalid_argument(m_attribute + " names port " +
                                    std::to_string(m_has.size() - 1) + ": the switch has " +
                                    std::to_string(ports) + " ports, counted from 0");
    }
}

} // namespace ns3
