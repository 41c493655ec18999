// SPDX-License-Identifier: GPL-2.0-only
#include "switch-budget.h"

#include "text-columns.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/mmu-config.h"

#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

constexpr uint32_t MOST_PORTS = 4096;
constexpr uint64_t MOST_GUARANTEED = 1000000000;
constexpr uint64_t MOST_CELLS = std::numeric_limits<int32_t>::max(); // as SwitchMmu has it

/// @param input a switch @return its cells
CellSize
CellOf(const BudgetCase& input)
{
    return CellSize(input.link.cellBytes);
}

/// FabricError for what is out of range, except the links. @param input a switch
void
RequireSwitch(const BudgetCase& input)
{
    if (input.losslessClasses > TRAFFIC_CLASSES)
    {
        throw FabricError(std::to_string(input.losslessClasses) + " lossless classes",
                          "a port has 8 classes");
    }
    if (!(input.alpha >= 0 && input.alpha < MmuThreshold::MAX_ALPHA))
    {
        std::ostringstream wrong;
        wrong << "alpha is " << input.alpha;
        throw FabricError(wrong.str(), "it must be 0 or more and below 128");
    }
    if (input.guaranteedBytes > MOST_GUARANTEED)
    {
        throw FabricError("the guaranteed space of a class is " +
                              std::to_string(input.guaranteedBytes) + " bytes",
                          "it must be at most " + std::to_string(MOST_GUARANTEED));
    }
    LinkOf(input.link); // the size of a cell is part of what it checks
    if (input.bufferBytes / input.link.cellBytes > MOST_CELLS || input.bufferBytes == 0)
    {
        throw FabricError("a buffer of " + std::to_string(input.bufferBytes) + " bytes",
                          "it must be above 0 and have less than 2^31 cells");
    }
}

} // namespace

SwitchBudget::SwitchBudget(const BudgetCase& input)
    : m_input(input)
{
    RequireSwitch(input);
    for (const BudgetPorts& group : input.ports)
    {
        HeadroomCase link = input.link;
        link.rate = group.rate;
        link.metres = group.metres;
        m_headrooms.push_back(HeadroomBytes(LinkOf(link), link.cellBytes));
        m_ports += group.count;
        if (group.count == 0 || m_ports > MOST_PORTS)
        {
            throw FabricError("a group of " + std::to_string(group.count) + " ports",
                              "a group has 1 or more, and a switch " + std::to_string(MOST_PORTS) +
                                  " at most");
        }
    }
    if (input.ports.empty())
    {
        throw FabricError("a switch without ports", "name at least one group of ports");
    }
}

uint64_t
SwitchBudget::GetHeadroom() const
{
    uint64_t bytes = 0;
    for (std::size_t i = 0; i < m_headrooms.size(); ++i)
    {
        bytes += m_headrooms[i] * m_input.ports[i].count * m_input.losslessClasses;
    }
    return bytes;
}

uint64_t
SwitchBudget::GetGuaranteed() const
{
    const CellSize cell = CellOf(m_input);
    return cell.RoundUp(m_input.guaranteedBytes) * cell.Bytes() * m_ports * TRAFFIC_CLASSES;
}

uint64_t
SwitchBudget::Needed(uint32_t classes) const
{
    const CellSize cell = CellOf(m_input);
    uint64_t cells = GetGuaranteed() / cell.Bytes();
    for (std::size_t i = 0; i < m_headrooms.size(); ++i)
    {
        cells += m_headrooms[i] / cell.Bytes() * m_input.ports[i].count * classes;
    }
    return cells;
}

bool
SwitchBudget::Fits(uint32_t classes) const
{
    return Needed(classes) <= m_input.bufferBytes / m_input.link.cellBytes;
}

uint64_t
SwitchBudget::GetShared(uint32_t classes) const
{
    const uint64_t buffer = m_input.bufferBytes / m_input.link.cellBytes;
    return Fits(classes) ? (buffer - Needed(classes)) * m_input.link.cellBytes : 0;
}

uint64_t
SwitchBudget::GetMissing() const
{
    const uint64_t buffer = m_input.bufferBytes / m_input.link.cellBytes;
    return Fits() ? 0 : (Needed(m_input.losslessClasses) - buffer) * m_input.link.cellBytes;
}

uint32_t
SwitchBudget::GetMostClasses() const
{
    uint32_t most = 0;
    while (most < TRAFFIC_CLASSES && Fits(most + 1))
    {
        ++most;
    }
    return most;
}

uint64_t
SwitchBudget::GetThreshold(uint64_t pairs) const
{
    return static_cast<uint64_t>(ThresholdAtFixedPoint(m_input.alpha, GetShared(), pairs));
}

uint64_t
SwitchBudget::GetPairs() const
{
    return m_ports * m_input.losslessClasses;
}

void
SwitchBudget::Print(std::ostream& stream) const
{
    std::vector<std::vector<std::string>> lines{
        {"ports", "rate", "cable", "headroom of a class", "of all"},
        {"", "Gb/s", "m", "B", "B"}};
    for (std::size_t i = 0; i < m_headrooms.size(); ++i)
    {
        const BudgetPorts& group = m_input.ports[i];
        lines.push_back({std::to_string(group.count),
                         GigabitsOf(group.rate),
                         std::to_string(group.metres),
                         WithCommas(m_headrooms[i]),
                         WithCommas(m_headrooms[i] * group.count * m_input.losslessClasses)});
    }
    PrintColumns(stream, lines);
    stream << '\n';
    PrintColumns(stream,
                 {{"buffer", WithCommas(m_input.bufferBytes), "B"},
                  {"headroom", WithCommas(GetHeadroom()), "B"},
                  {"guaranteed", WithCommas(GetGuaranteed()), "B"},
                  {"shared", Fits() ? WithCommas(GetShared()) : "none", "B"}});
    stream << '\n';
    lines = {{"lossless classes", "shared space"}, {"", "B"}};
    for (uint32_t classes = 0; classes <= TRAFFIC_CLASSES && Fits(classes); ++classes)
    {
        lines.push_back({std::to_string(classes), WithCommas(GetShared(classes))});
    }
    PrintColumns(stream, lines);
    if (!Fits())
    {
        stream << "the buffer is " << WithCommas(GetMissing())
               << " bytes short of guaranteed space and headroom of " << m_input.losslessClasses
               << " lossless classes; it must have "
               << WithCommas(m_input.bufferBytes + GetMissing()) << " at least\n";
        return;
    }
    if (GetPairs() == 0)
    {
        return; // nothing is paused
    }
    stream << '\n';
    lines = {{"congested pairs", "threshold"}, {"", "B"}};
    for (uint64_t pairs = 1; pairs < GetPairs(); pairs *= 2)
    {
        lines.push_back({std::to_string(pairs), WithCommas(GetThreshold(pairs))});
    }
    lines.push_back({std::to_string(GetPairs()), WithCommas(GetThreshold(GetPairs()))});
    PrintColumns(stream, lines);
}

std::vector<BudgetPorts>
SwitchBudget::ToPorts(const std::string& text)
{
    std::vector<BudgetPorts> groups;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');)
    {
        const std::size_t times = word.find('x');
        const std::size_t colon = word.find(':');
        if (times == std::string::npos || colon == std::string::npos || colon < times)
        {
            throw FabricError("ports are \"" + word + "\"",
                              "write number, rate and metres, such as 32x100Gbps:100");
        }
        BudgetPorts group;
        group.count = static_cast<uint32_t>(
            FabricText::ToUint(word.substr(0, times), "the number of ports", MOST_PORTS));
        group.rate =
            FabricText::ToRate(word.substr(times + 1, colon - times - 1), "the rate of ports");
        group.metres = static_cast<uint32_t>(FabricText::ToUint(word.substr(colon + 1),
                                                                "the metres of cables",
                                                                HeadroomCase::MOST_METRES));
        groups.push_back(group);
    }
    return groups;
}

double
ThresholdAtFixedPoint(double alpha, uint64_t sharedBytes, uint64_t pairs)
{
    return alpha * static_cast<double>(sharedBytes) / (1 + alpha * static_cast<double>(pairs));
}

} // namespace ns3
