// SPDX-License-Identifier: GPL-2.0-only
#include "chakra-writer.h"

#include "chakra-node.h"
#include "chakra-reader.h"
#include "workload-json.h"

#include "ns3/fabric-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint64_t MOST_TAG = 0x7fffffff;

// ---- the wire format: fields of numbers and of text

/// @param number any @return it, 7 bits a byte
std::string
Varint(uint64_t number)
{
    std::string bytes;
    for (; number >= 0x80; number >>= 7)
    {
        bytes += static_cast<char>(number | 0x80);
    }
    return bytes + static_cast<char>(number);
}

/// @param field its number @param number its value @return the field
std::string
Field(uint32_t field, uint64_t number)
{
    return Varint(uint64_t{field} << 3) + Varint(number);
}

/// @param field its number @param text its value @return the field
std::string
Field(uint32_t field, const std::string& text)
{
    return Varint(uint64_t{field} << 3 | 2) + Varint(text.size()) + text;
}

/// @param name of an attribute @param field of its value @param value of it
/// @return the attribute of a node
template <typename T>
std::string
MakeAttribute(const std::string& name, ChakraNode::AttributeField field, const T& value)
{
    return Field(10, Field(1, name) + Field(field, value));
}

/// @param type of a collective @return comm_type
uint64_t
NumberOf(CollectiveType type)
{
    const auto& types = ChakraNode::COLLECTIVES;
    return static_cast<uint64_t>(std::find(types.begin(), types.end(), type) - types.begin());
}

/// @param name of a group @return whether it is a number, 1 or more, as Chakra's are
bool
IsNumber(const std::string& name)
{
    constexpr std::size_t longest = 9;
    return !name.empty() && name.size() <= longest && name.front() != '0' &&
           name.find_first_not_of("0123456789") == std::string::npos;
}

/// @param ranks of a group @return them in JSON
std::string
ListOf(const std::vector<uint32_t>& ranks)
{
    std::string text;
    for (const uint32_t rank : ranks)
    {
        text += (text.empty() ? "[" : ", ") + std::to_string(rank);
    }
    return text + "]";
}

} // namespace

ChakraWriter::ChakraWriter(const JobGraph& graph)
    : m_graph(graph)
{
    uint64_t id = 0;
    for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
    {
        m_firstId.push_back(id);
        id += graph.GetRank(rank).operations.size() + 1; // and that of the groups
    }
    for (std::size_t group = 1; group < graph.GetGroups().size(); ++group)
    {
        m_hasNumbers = m_hasNumbers && IsNumber(graph.GetGroups()[group].name);
    }
}

std::string
ChakraWriter::NameOf(uint32_t group) const
{
    return m_hasNumbers ? m_graph.GetGroups()[group].name : std::to_string(group);
}

void
ChakraWriter::WriteGroups(std::ostream& to) const
{
    const auto& groups = m_graph.GetGroups();
    to << "{";
    for (uint32_t group = 1; group < groups.size(); ++group)
    {
        to << (group > 1 ? ",\n " : "") << WorkloadJson::Quote(NameOf(group)) << ": "
           << ListOf(groups[group].ranks);
    }
    to << "}\n";
}

std::string
ChakraWriter::GroupsOf(uint32_t rank) const
{
    const auto& groups = m_graph.GetGroups();
    std::string text;
    for (uint32_t group = 1; group < groups.size(); ++group)
    {
        const std::vector<uint32_t>& ranks = groups[group].ranks;
        if (std::find(ranks.begin(), ranks.end(), rank) != ranks.end())
        {
            text += (text.empty() ? "" : ", ") + std::string("{\"pg_name\": ") +
                    WorkloadJson::Quote(NameOf(group)) + ", \"ranks\": " + ListOf(ranks);
            text += m_hasNumbers
                        ? std::string()
                        : ", \"lossless_name\": " + WorkloadJson::Quote(groups[group].name);
            text += "}";
        }
    }
    if (text.empty())
    {
        return "";
    }
    const uint64_t id = m_firstId[rank] + m_graph.GetRank(rank).operations.size();
    return Field(1, id) + Field(2, "process groups") + Field(3, ChakraNode::METADATA) +
           Field(8, Field(1, "['[" + text + "]']"));
}

void
ChakraWriter::Write(uint32_t rank, std::ostream& to)
{
    m_rank = rank;
    if (m_graph.AllowsShortMessages())
    {
        m_unsaid.insert("messages may be shorter than what receives them");
    }
    const auto record = [&](const std::string& message) {
        const std::string length = Varint(message.size());
        to.write(length.data(), static_cast<std::streamsize>(length.size()));
        to.write(message.data(), static_cast<std::streamsize>(message.size()));
    };
    record(Field(1, "1.0.0"));
    const std::string groups = GroupsOf(rank);
    if (!groups.empty())
    {
        record(groups);
    }
    const JobGraph::Rank& graph = m_graph.GetRank(rank);
    std::vector<std::vector<uint32_t>> parents(graph.operations.size());
    for (const JobEdge& edge : graph.edges)
    {
        if (edge.atStart)
        {
            Fail(graph.operations[edge.after], "it waits for the start of another");
        }
        parents[edge.after].push_back(edge.before);
    }
    for (uint32_t i = 0; i < parents.size(); ++i)
    {
        record(NodeOf(rank, i, parents[i]));
    }
}

std::string
ChakraWriter::NodeOf(uint32_t rank, uint32_t index, const std::vector<uint32_t>& parents)
{
    static const ChakraNode::Type types[] = {ChakraNode::COMP,
                                             ChakraNode::COMM_SEND,
                                             ChakraNode::COMM_RECV,
                                             ChakraNode::COMM_COLL};
    const JobOperation& operation = m_graph.GetRank(rank).operations[index];
    std::string node = Field(1, m_firstId[rank] + index) +
                       Field(2, m_graph.GetText(operation.name)) + Field(3, types[operation.kind]);
    std::string ids;
    for (const uint32_t parent : parents)
    {
        ids += Varint(m_firstId[rank] + parent);
    }
    node += parents.empty() ? "" : Field(5, ids);
    if (operation.kind == JobOperation::CALC)
    {
        const bool isCpu = operation.stream == ChakraReader::CPU_STREAM;
        if (!isCpu && operation.stream > ChakraReader::CPU_STREAM)
        {
            Fail(operation, "stream " + std::to_string(operation.stream));
        }
        node += Field(7, (operation.ns + ChakraNode::NS_PER_US / 2) / ChakraNode::NS_PER_US) +
                MakeAttribute("is_cpu_op", ChakraNode::BOOL, uint64_t{isCpu});
        if (operation.ns % ChakraNode::NS_PER_US)
        {
            node += MakeAttribute("duration_nanos", ChakraNode::INT64, operation.ns);
        }
        if (!isCpu && operation.stream != ChakraReader::GPU_STREAM)
        {
            node += StreamOf(operation);
        }
        return node;
    }
    node += MakeAttribute("is_cpu_op", ChakraNode::BOOL, uint64_t{0}) +
            MakeAttribute("comm_size",
                          ChakraNode::INT64,
                          operation.kind == JobOperation::COLLECTIVE &&
                                  operation.type == CollectiveType::ALL_GATHER
                              ? operation.bytes / m_graph.GetGroups()[operation.group].ranks.size()
                              : operation.bytes);
    return node + (operation.kind == JobOperation::COLLECTIVE ? CollectiveOf(operation)
                                                              : MessageOf(operation));
}

std::string
ChakraWriter::StreamOf(const JobOperation& operation)
{
    return MakeAttribute("stream", ChakraNode::INT64, uint64_t{operation.stream}) +
           MakeAttribute("lossless_stream", ChakraNode::INT64, uint64_t{operation.stream});
}

std::string
ChakraWriter::CollectiveOf(const JobOperation& operation)
{
    const std::size_t members = m_graph.GetGroups()[operation.group].ranks.size();
    if (operation.type == CollectiveType::ALL_GATHER && operation.bytes % members)
    {
        Fail(operation,
             "an all-gather of " + std::to_string(operation.bytes) +
                 " B, which are no equal "
                 "parts of " +
                 std::to_string(members) + " ranks");
    }
    std::string attributes =
        MakeAttribute("comm_type", ChakraNode::INT64, NumberOf(operation.type));
    if (operation.algorithm)
    {
        attributes += MakeAttribute("lossless_algorithm",
                                    ChakraNode::STRING,
                                    m_graph.GetText(operation.algorithm));
    }
    if (operation.channels)
    {
        attributes +=
            MakeAttribute("lossless_channels", ChakraNode::INT64, uint64_t{operation.channels});
    }
    if (operation.group)
    {
        attributes += MakeAttribute("pg_name", ChakraNode::STRING, NameOf(operation.group));
    }
    if (operation.peer)
    {
        attributes += MakeAttribute("root", ChakraNode::INT64, uint64_t{operation.peer});
    }
    if (operation.stream != JobOperation::OWN_STREAM)
    {
        if (operation.stream >= ChakraReader::CPU_STREAM)
        {
            Fail(operation, "stream " + std::to_string(operation.stream));
        }
        attributes += StreamOf(operation);
    }
    return attributes;
}

std::string
ChakraWriter::MessageOf(const JobOperation& operation)
{
    if (operation.peer == JobOperation::ANY || operation.tag == JobOperation::ANY_TAG)
    {
        Fail(operation, "a receive of any rank or tag");
    }
    if (operation.tag > MOST_TAG)
    {
        Fail(operation, "tag " + std::to_string(operation.tag));
    }
    std::string own;
    if (operation.nic != JobOperation::ANY_NIC)
    {
        own += MakeAttribute("lossless_nic", ChakraNode::INT64, uint64_t{operation.nic});
    }
    if (operation.sendDone != JobOperation::AS_THE_JOB)
    {
        own += MakeAttribute("lossless_send_done", ChakraNode::INT64, uint64_t{operation.sendDone});
    }
    const bool isSend = operation.kind == JobOperation::SEND;
    const auto attribute = [](const char* name, uint64_t value) {
        return MakeAttribute(name, ChakraNode::INT32, value);
    };
    return attribute("comm_src", isSend ? m_rank : operation.peer) +
           attribute("comm_dst", isSend ? operation.peer : m_rank) +
           attribute("comm_tag", operation.tag) + own;
}

void
ChakraWriter::Fail(const JobOperation& operation, const std::string& why) const
{
    throw FabricError(m_graph.GetSource() + ": " + m_graph.PlaceOf(operation) + " of rank " +
                          std::to_string(m_rank) + ": " + why + ", which Chakra cannot say",
                      "write another format");
}

} // namespace ns3
