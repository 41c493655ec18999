// SPDX-License-Identifier: GPL-2.0-only
#include "goal-writer.h"

#include "goal-reader.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <unordered_set>

namespace ns3
{

namespace
{

/// @return whether a name can be a label
bool
IsLabel(const std::string& name)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    constexpr std::size_t longest = 4096;
    return !name.empty() && name.size() <= longest && isLetter(name.front()) &&
           std::all_of(name.begin(),
                       name.end(),
                       [&](char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '_'; }) &&
           name != "send" && name != "recv" && name != "calc" && name != "rank" &&
           name != "num_ranks";
}

} // namespace

GoalWriter::GoalWriter(const JobGraph& graph)
    : m_graph(graph)
{
}

void
GoalWriter::Write(std::ostream& to)
{
    if (m_graph.AllowsShortMessages())
    {
        m_unsaid.insert("messages may be shorter than what receives them; GOAL has no word for it");
    }
    to << "num_ranks " << m_graph.GetNRanks() << "\n";
    for (m_rank = 0; m_rank < m_graph.GetNRanks(); ++m_rank)
    {
        WriteRank(m_rank, to);
    }
}

void
GoalWriter::WriteRank(uint32_t rank, std::ostream& to)
{
    const JobGraph::Rank& graph = m_graph.GetRank(rank);
    const std::vector<std::string> labels = LabelsOf(rank);
    to << "\nrank " << rank << " {\n";
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        to << labels[i] << (labels[i].empty() ? "" : ": ") << TextOf(graph.operations[i]) << "\n";
    }
    for (const JobEdge& edge : graph.edges)
    {
        to << labels[edge.after] << (edge.atStart ? " irequires " : " requires ")
           << labels[edge.before] << "\n";
    }
    to << "}\n";
}

std::vector<std::string>
GoalWriter::LabelsOf(uint32_t rank)
{
    const JobGraph::Rank& graph = m_graph.GetRank(rank);
    std::vector<std::string> labels(graph.operations.size());
    std::unordered_set<std::string> taken;
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        const std::string& name = m_graph.GetText(graph.operations[i].name);
        if (IsLabel(name) && taken.insert(name).second)
        {
            labels[i] = name;
        }
        else if (!name.empty())
        {
            m_unsaid.insert("names that are no labels, or stand twice in a rank");
        }
    }
    for (const JobEdge& edge : graph.edges)
    {
        for (const uint32_t end : {edge.before, edge.after})
        {
            std::string label = "l" + std::to_string(end + 1);
            while (labels[end].empty() && !taken.insert(label).second)
            {
                label += "_";
            }
            labels[end] = labels[end].empty() ? label : labels[end];
        }
    }
    return labels;
}

std::string
GoalWriter::TextOf(const JobOperation& operation)
{
    if (operation.kind == JobOperation::COLLECTIVE)
    {
        Fail(operation, "a collective, and GOAL has sends and receives only");
    }
    if (operation.kind == JobOperation::CALC)
    {
        if (operation.stream > GoalReader::MOST_BYTE)
        {
            Fail(operation,
                 "stream " + std::to_string(operation.stream) + ", and a cpu of GOAL is 0 to " +
                     std::to_string(GoalReader::MOST_BYTE));
        }
        return "calc " + std::to_string(operation.ns) +
               (operation.stream ? " cpu " + std::to_string(operation.stream) : "");
    }
    const bool isSend = operation.kind == JobOperation::SEND;
    const bool isAnyTag = operation.tag == JobOperation::ANY_TAG;
    if (isAnyTag ? isSend : operation.tag > GoalReader::MOST_TAG)
    {
        Fail(operation,
             (isAnyTag ? "a send without a tag" : "tag " + std::to_string(operation.tag)) +
                 ", and a tag of GOAL is 0 to " + std::to_string(GoalReader::MOST_TAG));
    }
    const bool isPosted = operation.bytes <= GoalOptions().eagerBytes;
    if (isSend && operation.sendDone != (isPosted ? JobOperation::POSTED : JobOperation::COMPLETED))
    {
        m_unsaid.insert("when sends are done; in GOAL their sizes decide");
    }
    std::string text =
        (isSend ? "send " : "recv ") + std::to_string(operation.bytes) +
        (isSend ? "b to " : "b from ") +
        (operation.peer == JobOperation::ANY ? "-1" : std::to_string(operation.peer));
    if (operation.tag)
    {
        text += " tag " + (isAnyTag ? "-1" : std::to_string(operation.tag));
    }
    if (operation.nic != JobOperation::ANY_NIC)
    {
        if (operation.nic > GoalReader::MOST_BYTE)
        {
            Fail(operation, "nic " + std::to_string(operation.nic) + ", and GOAL has 0 to 255");
        }
        text += " nic " + std::to_string(operation.nic);
    }
    return text;
}

void
GoalWriter::Fail(const JobOperation& operation, const std::string& why) const
{
    throw FabricError(m_graph.GetSource() + ": " + m_graph.PlaceOf(operation) + " of rank " +
                          std::to_string(m_rank) + ": " + why,
                      "write another format");
}

} // namespace ns3
