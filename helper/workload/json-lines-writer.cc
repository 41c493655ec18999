// SPDX-License-Identifier: GPL-2.0-only
#include "json-lines-writer.h"

#include "workload-json.h"

namespace ns3
{

namespace
{

using WorkloadJson::Quote;

/// @param key of a number @param number it @return both
std::string
Pair(const char* key, uint64_t number)
{
    return ", \"" + std::string(key) + "\": " + std::to_string(number);
}

/// @param key of text @param text it @return both
std::string
Pair(const char* key, const std::string& text)
{
    return ", \"" + std::string(key) + "\": " + Quote(text);
}

/// @param key of a list @param numbers it @return both; "": it is empty
template <typename Numbers>
std::string
List(const char* key, const Numbers& numbers)
{
    std::string text;
    for (const auto number : numbers)
    {
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    }
    return text.empty() ? "" : ", \"" + std::string(key) + "\": [" + text + "]";
}

} // namespace

JsonLinesWriter::JsonLinesWriter(const JobGraph& graph)
    : m_graph(graph)
{
}

void
JsonLinesWriter::WriteHeader(std::ostream& to) const
{
    to << R"({"format": "lossless-graph", "version": 1, "ranks": )" << m_graph.GetNRanks();
    const auto& groups = m_graph.GetGroups();
    for (std::size_t group = 1; group < groups.size(); ++group)
    {
        to << (group == 1 ? R"(, "groups": {)" : ", ") << Quote(groups[group].name) << ": [";
        const char* comma = "";
        for (const uint32_t rank : groups[group].ranks)
        {
            to << comma << rank;
            comma = ", ";
        }
        to << "]";
    }
    to << (groups.size() > 1 ? "}" : "")
       << (m_graph.AllowsShortMessages() ? R"(, "shortMessages": true)" : "") << "}\n";
}

void
JsonLinesWriter::Write(std::ostream& to) const
{
    WriteHeader(to);
    for (uint32_t rank = 0; rank < m_graph.GetNRanks(); ++rank)
    {
        const JobGraph::Rank& graph = m_graph.GetRank(rank);
        std::vector<std::vector<uint32_t>> after(graph.operations.size());
        std::vector<std::vector<uint32_t>> afterStart(graph.operations.size());
        for (const JobEdge& edge : graph.edges)
        {
            (edge.atStart ? afterStart : after)[edge.after].push_back(edge.before);
        }
        for (std::size_t i = 0; i < after.size(); ++i)
        {
            const JobOperation& operation = graph.operations[i];
            const std::string& name = m_graph.GetText(operation.name);
            to << R"({"rank": )" << rank << Pair("id", i) << TextOf(operation)
               << (name.empty() ? "" : Pair("name", name)) << List("after", after[i])
               << List("afterStart", afterStart[i]) << "}\n";
        }
    }
}

std::string
JsonLinesWriter::TextOf(const JobOperation& operation) const
{
    switch (operation.kind)
    {
    case JobOperation::CALC:
        return Pair("op", "calc") + Pair("ns", operation.ns) + Pair("stream", operation.stream);
    case JobOperation::COLLECTIVE:
        return CollectiveOf(operation);
    default:
        return MessageOf(operation);
    }
}

std::string
JsonLinesWriter::MessageOf(const JobOperation& operation)
{
    const bool isSend = operation.kind == JobOperation::SEND;
    const char* const side = isSend ? "to" : "from";
    std::string text = Pair("op", isSend ? "send" : "recv");
    text += operation.peer == JobOperation::ANY ? Pair(side, "any") : Pair(side, operation.peer);
    text += Pair("bytes", operation.bytes);
    text +=
        operation.tag == JobOperation::ANY_TAG ? Pair("tag", "any") : Pair("tag", operation.tag);
    if (isSend && operation.nic != JobOperation::ANY_NIC)
    {
        text += Pair("nic", operation.nic);
    }
    if (isSend && operation.sendDone != JobOperation::AS_THE_JOB)
    {
        text += Pair("done", operation.sendDone == JobOperation::POSTED ? "posted" : "completed");
    }
    return text;
}

std::string
JsonLinesWriter::CollectiveOf(const JobOperation& operation) const
{
    std::string text = Pair("op", "coll") + Pair("type", ToString(operation.type)) +
                       Pair("bytes", operation.bytes);
    if (operation.group)
    {
        text += Pair("group", m_graph.GetGroups()[operation.group].name);
    }
    if (operation.algorithm)
    {
        text += Pair("algorithm", m_graph.GetText(operation.algorithm));
    }
    text += operation.channels ? Pair("channels", operation.channels) : "";
    text += operation.peer ? Pair("root", operation.peer) : "";
    text += operation.stream == JobOperation::OWN_STREAM ? "" : Pair("stream", operation.stream);
    return text;
}

} // namespace ns3
