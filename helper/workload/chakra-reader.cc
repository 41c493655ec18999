// SPDX-License-Identifier: GPL-2.0-only
#include "chakra-reader.h"

#include "byte-file.h"
#include "chakra-file.h"
#include "chakra-node.h"
#include "workload-json.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace ns3
{

namespace
{

constexpr uint64_t MOST_GROUPS = uint64_t{1} << 28; //!< bytes of a file of groups

/// @param error of a graph @param graph it @return the message without the name of the graph
std::string
WithoutSource(const FabricError& error, const JobGraph& graph)
{
    const std::string begin = graph.GetSource() + ": ";
    const std::string text = error.what();
    return text.compare(0, begin.size(), begin) == 0 ? text.substr(begin.size()) : text;
}

/// @param values of inputs: a list of Python with one text @return the text; "": it is none
std::string
TextOfPython(const std::string& values)
{
    const std::size_t begin = values.find_first_not_of(" [");
    const std::size_t end = values.find_last_not_of(" ]");
    if (begin == std::string::npos || begin >= end || values[begin] != values[end] ||
        (values[begin] != '\'' && values[begin] != '"'))
    {
        return "";
    }
    std::string text;
    for (std::size_t i = begin + 1; i < end; ++i)
    {
        i += values[i] == '\\' && i + 1 < end;
        text += values[i];
    }
    return text;
}

} // namespace

ChakraReader::ChakraReader(ChakraOptions options)
    : m_options(std::move(options))
{
    for (const double rate :
         {m_options.peakFlops, m_options.memoryBandwidth, m_options.remoteMemoryBandwidth})
    {
        if (!std::isfinite(rate) || rate < 0)
        {
            throw FabricError("a rate of Chakra's nodes is " + std::to_string(rate),
                              "it must be a number, 0 or more");
        }
    }
    if ((m_options.peakFlops > 0) != (m_options.memoryBandwidth > 0))
    {
        throw FabricError("of peakFlops and memoryBandwidth one is 0", "set both, or none");
    }
    if (m_options.remoteMemoryLatency > JobGraph::MOST_NS)
    {
        throw FabricError("remoteMemoryLatency is more than " + std::to_string(JobGraph::MOST_NS) +
                          " ns");
    }
}

ChakraReader::~ChakraReader() = default;

JobGraph
ChakraReader::Read(const std::string& prefix)
{
    m_prefix = prefix;
    m_warnings.clear();
    m_groups.clear();
    m_groupsOfFile.clear();
    m_graph = std::make_unique<JobGraph>(CountRanks(), prefix, "node");
    m_groups[""] = 0;
    m_groups["0"] = 0;
    if (!m_options.groupsFile.empty())
    {
        ReadGroups();
    }
    for (m_rank = 0; m_rank < m_graph->GetNRanks(); ++m_rank)
    {
        ReadRank();
    }
    m_graph->Check();
    JobGraph graph = std::move(*m_graph);
    m_graph.reset();
    m_operations.clear();
    return graph;
}

std::string
ChakraReader::PathOf(uint32_t rank) const
{
    return m_prefix + "." + std::to_string(rank) + ".et";
}

uint32_t
ChakraReader::CountRanks() const
{
    std::error_code ignored;
    uint32_t ranks = 0;
    while (ranks <= JobGraph::MOST_RANKS && std::filesystem::exists(PathOf(ranks), ignored))
    {
        ++ranks;
    }
    const std::filesystem::path path(m_prefix);
    const std::string begin = path.filename().string() + ".";
    const std::string end = ".et";
    const std::string folder = path.parent_path().empty() ? "." : path.parent_path().string();
    uint64_t more = 0;
    uint64_t last = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    {
        const std::string name = entry.path().filename().string();
        const std::size_t around = begin.size() + end.size();
        if (name.size() <= around || name.size() > around + 9 ||
            name.compare(0, begin.size(), begin) != 0 ||
            name.compare(name.size() - end.size(), end.size(), end) != 0)
        {
            continue;
        }
        const std::string digits = name.substr(begin.size(), name.size() - around);
        if (digits.find_first_not_of("0123456789") == std::string::npos &&
            std::to_string(std::stoull(digits)) == digits && std::stoull(digits) > ranks)
        {
            ++more;
            last = std::max<uint64_t>(last, std::stoull(digits));
        }
    }
    if (more > 0)
    {
        throw FabricError(PathOf(ranks),
                          0,
                          "is missing, and there is " + PathOf(static_cast<uint32_t>(last)) + "; " +
                              std::to_string(ranks) + " files before it, " + std::to_string(more) +
                              " behind");
    }
    if (ranks == 0)
    {
        throw FabricError(PathOf(0),
                          0,
                          "is missing; give what the names begin with: PREFIX of "
                          "PREFIX.0.et, PREFIX.1.et");
    }
    return ranks;
}

// ---- groups

void
ChakraReader::ReadGroups()
{
    ByteFile file(m_options.groupsFile);
    std::vector<uint8_t> bytes;
    if (file.Read(bytes, MOST_GROUPS))
    {
        throw FabricError(file.Path(), 0, "more than " + std::to_string(MOST_GROUPS) + " B");
    }
    try
    {
        const auto groups = WorkloadJson::Parse(std::string(bytes.begin(), bytes.end()), "file");
        if (!groups.data().empty() || (!groups.empty() && !WorkloadJson::IsObject(groups)))
        {
            throw FabricError("no groups", "such as {\"1\": [0, 1], \"2\": [2, 3]}");
        }
        for (const auto& [name, members] : groups)
        {
            if (FabricText::ToUint(name, "the number of a group") == 0)
            {
                throw FabricError("group 0 is all ranks", "numbers begin with 1");
            }
            const auto ranks =
                WorkloadJson::ToUints(members, "group " + name, JobGraph::MOST_RANKS);
            if (ranks.empty() || m_groups.count(name))
            {
                throw FabricError("group " + name +
                                  (ranks.empty() ? " has no ranks" : " is there twice"));
            }
            DefineGroup(name, std::vector<uint32_t>(ranks.begin(), ranks.end()), file.Path(), name);
            m_groupsOfFile.insert(m_groups.at(name));
        }
    }
    catch (const FabricError& error)
    {
        const std::string text = error.what();
        const bool isPlaced = text.compare(0, file.Path().size(), file.Path()) == 0;
        throw isPlaced ? error : FabricError(file.Path(), 0, text);
    }
}

void
ChakraReader::DefineGroup(const std::string& number,
                          std::vector<uint32_t> ranks,
                          const std::string& where,
                          const std::string& name)
{
    if (ranks.empty())
    {
        ranks = m_graph->GetGroups()[0].ranks;
    }
    const auto known = m_groups.find(number);
    if (known != m_groups.end())
    {
        if (m_graph->GetGroups()[known->second].ranks != ranks)
        {
            throw FabricError(where + ": group " + (number.empty() ? "0" : number) +
                              (known->second == 0 ? " is all ranks, and has others here"
                                                  : " has other ranks than before"));
        }
        return;
    }
    try
    {
        m_groups[number] = m_graph->AddGroup(name, std::move(ranks));
    }
    catch (const FabricError& error)
    {
        throw FabricError(where + ": " + WithoutSource(error, *m_graph));
    }
}

void
ChakraReader::ReadProcessGroups(const ChakraNode& node)
{
    const std::string text = TextOfPython(node.values);
    if (text.find("\"pg_name\"") == std::string::npos)
    {
        return;
    }
    const std::string where = PathOf(m_rank) + ": node " + std::to_string(node.id);
    try
    {
        for (const auto& [none, group] : WorkloadJson::Parse(text, "list of groups"))
        {
            const auto name = WorkloadJson::FindText(group, "pg_name");
            const auto* const members = WorkloadJson::Find(group, "ranks");
            if (!name || !members)
            {
                throw FabricError("a group without pg_name or ranks");
            }
            const auto ranks =
                WorkloadJson::ToUints(*members, "group " + *name, JobGraph::MOST_RANKS);
            DefineGroup(*name,
                        std::vector<uint32_t>(ranks.begin(), ranks.end()),
                        where,
                        WorkloadJson::FindText(group, "lossless_name").value_or(*name));
        }
    }
    catch (const FabricError& error)
    {
        const std::string what = error.what();
        throw what.compare(0, where.size(), where) == 0 ? error : FabricError(where + ": " + what);
    }
}

// ---- nodes

void
ChakraReader::ReadRank()
{
    m_operations.clear();
    m_ownGroups = {0};
    const std::vector<ChakraNode> nodes = ReadNodes();
    for (const ChakraNode& node : nodes)
    {
        if (node.type == ChakraNode::METADATA)
        {
            ReadProcessGroups(node);
        }
    }
    for (const ChakraNode& node : nodes)
    {
        AddNode(node);
    }
    AddDependencies(nodes);
    RequireNoCycle("");
    if (m_options.useStreams)
    {
        SerialiseStreams(nodes);
        RequireNoCycle("the order of their streams contradicts what they depend on");
    }
    if (m_options.serialComm)
    {
        SerialiseMessages();
    }
}

std::vector<ChakraNode>
ChakraReader::ReadNodes() const
{
    ChakraFile file(PathOf(m_rank));
    std::vector<ChakraNode> nodes;
    while (file.Next())
    {
        nodes.emplace_back(file.GetRecord());
    }
    return nodes;
}

void
ChakraReader::AddNode(const ChakraNode& node)
{
    const bool isIdle = node.type == ChakraNode::METADATA && node.data.empty() &&
                        (node.controls.empty() || !m_options.controlDependencies);
    const bool isMessage = node.type == ChakraNode::COMM_SEND || node.type == ChakraNode::COMM_RECV;
    // On the CPU without a type: what launches the collective, not the collective.
    const bool isCollective =
        node.type == ChakraNode::COMM_COLL && (node.collective || !node.isCpu);
    uint32_t index = NO_OPERATION;
    if (!isIdle)
    {
        JobOperation operation = isMessage      ? MessageOf(node)
                                 : isCollective ? CollectiveOf(node)
                                                : CalcOf(node);
        operation.place = node.id;
        operation.name = m_graph->AddText(node.name);
        if (m_options.useStreams && node.stream && !node.isCpu && !isMessage)
        {
            if (*node.stream >= CPU_STREAM)
            {
                Fail(node, "stream " + std::to_string(*node.stream), "it must be below 2^31");
            }
            operation.stream = static_cast<uint32_t>(*node.stream);
        }
        TakeOwn(node, operation);
        index = m_graph->Add(m_rank, operation);
    }
    if (!m_operations.emplace(node.id, index).second)
    {
        Fail(node, "it is there twice", "ids are unique in a file");
    }
    if (node.priority.value_or(0) != 0)
    {
        m_warnings.insert("comm_priority has no effect");
    }
}

void
ChakraReader::TakeOwn(const ChakraNode& node, JobOperation& operation)
{
    const auto take = [&](const std::optional<uint64_t>& value, uint64_t most, const char* what) {
        if (value.value_or(0) > most)
        {
            Fail(node,
                 std::string(what) + " " + std::to_string(*value),
                 "it must be 0 to " + std::to_string(most));
        }
        return value.has_value();
    };
    operation.algorithm = m_graph->AddText(node.algorithm);
    if (take(node.channels, JobOperation::ANY_NIC - 1, "lossless_channels"))
    {
        operation.channels = static_cast<uint16_t>(*node.channels);
    }
    if (take(node.ownStream, CPU_STREAM - 1, "lossless_stream"))
    {
        operation.stream = static_cast<uint32_t>(*node.ownStream);
    }
    if (take(node.nic, JobOperation::ANY_NIC - 1, "lossless_nic"))
    {
        operation.nic = static_cast<uint16_t>(*node.nic);
    }
    if (take(node.sendDone, JobOperation::POSTED, "lossless_send_done"))
    {
        operation.sendDone = static_cast<JobOperation::SendDone>(*node.sendDone);
    }
}

JobOperation
ChakraReader::CalcOf(const ChakraNode& node)
{
    switch (node.type)
    {
    case ChakraNode::INVALID:
        m_warnings.insert("nodes of type INVALID take no time");
        return JobGraph::Calc(0, IDLE_STREAM);
    case ChakraNode::METADATA:
        return JobGraph::Calc(0, IDLE_STREAM);
    case ChakraNode::MEM_LOAD:
    case ChakraNode::MEM_STORE: {
        if (m_options.remoteMemoryBandwidth == 0)
        {
            m_warnings.insert("the bytes of MEM_LOAD and MEM_STORE take no time; "
                              "remoteMemoryBandwidth says how long they take");
            return JobGraph::Calc(m_options.remoteMemoryLatency, MEMORY_STREAM);
        }
        const double ns =
            1e9 * static_cast<double>(node.tensor.value_or(0)) / m_options.remoteMemoryBandwidth;
        if (ns > static_cast<double>(JobGraph::MOST_NS))
        {
            Fail(node, "it takes more than " + std::to_string(JobGraph::MOST_NS) + " ns");
        }
        return JobGraph::Calc(m_options.remoteMemoryLatency +
                                  static_cast<uint64_t>(std::llround(ns)),
                              MEMORY_STREAM);
    }
    case ChakraNode::COMP:
    case ChakraNode::COMM_COLL:
        break;
    default:
        if (!m_options.skipUnknown)
        {
            Fail(node, "type " + std::to_string(node.type) + " is unknown", "skip unknown types?");
        }
        m_warnings.insert("nodes of unknown types take their duration");
    }
    return JobGraph::Calc(TimeOf(node), node.isCpu ? CPU_STREAM : GPU_STREAM);
}

uint64_t
ChakraReader::TimeOf(const ChakraNode& node)
{
    const bool hasOperations = node.type == ChakraNode::COMP && !node.isCpu && node.operations;
    if (hasOperations && m_options.peakFlops > 0)
    {
        const uint64_t bytes = node.tensor.value_or(0);
        const double seconds =
            bytes == 0 ? 0
                       : std::max(static_cast<double>(*node.operations) / m_options.peakFlops,
                                  static_cast<double>(bytes) / m_options.memoryBandwidth);
        if (seconds * 1e9 > static_cast<double>(JobGraph::MOST_NS))
        {
            Fail(node, "it takes more than " + std::to_string(JobGraph::MOST_NS) + " ns");
        }
        return static_cast<uint64_t>(std::llround(seconds * 1e9));
    }
    const uint64_t most = JobGraph::MOST_NS;
    if (node.micros > most / ChakraNode::NS_PER_US || node.nanos.value_or(0) > most)
    {
        Fail(node, "it takes more than " + std::to_string(most) + " ns");
    }
    return node.nanos.value_or(node.micros * ChakraNode::NS_PER_US);
}

JobOperation
ChakraReader::CollectiveOf(const ChakraNode& node)
{
    if (!node.collective || *node.collective >= ChakraNode::COLLECTIVES.size())
    {
        Fail(node,
             node.collective ? "comm_type " + std::to_string(*node.collective) + " is unknown"
                             : "a collective without comm_type",
             "it must be 0 to " + std::to_string(ChakraNode::COLLECTIVES.size() - 1));
    }
    const CollectiveType type = ChakraNode::COLLECTIVES[*node.collective];
    if (!node.bytes && type != CollectiveType::BARRIER)
    {
        Fail(node, std::string("a collective of type ") + ToString(type) + " without comm_size");
    }
    const uint32_t group = GroupOf(node);
    const std::size_t members = m_graph->GetGroups()[group].ranks.size();
    const uint64_t factor = type == CollectiveType::ALL_GATHER ? members : 1;
    const uint64_t bytes = node.bytes.value_or(0);
    if (bytes > JobGraph::MOST_BYTES / factor)
    {
        Fail(node, "comm_size " + std::to_string(bytes) + " is too large");
    }
    const bool isBarrier = type == CollectiveType::BARRIER;
    if (isBarrier && bytes != 0)
    {
        m_warnings.insert("the comm_size of barriers has no effect");
    }
    JobOperation operation = JobGraph::Collective(type, isBarrier ? 0 : bytes * factor, group);
    if (node.root.value_or(0) >= members)
    {
        Fail(node,
             "root " + std::to_string(*node.root) + " of a group of " + std::to_string(members) +
                 " ranks",
             "it is a position in the group");
    }
    if (node.root.value_or(0) != 0 && !HasRoot(type))
    {
        m_warnings.insert(std::string("the root of collectives of type ") + ToString(type) +
                          " has no effect");
        return operation;
    }
    operation.peer = static_cast<uint32_t>(node.root.value_or(0));
    return operation;
}

uint32_t
ChakraReader::GroupOf(const ChakraNode& node)
{
    const auto found = m_groups.find(node.group);
    if (found == m_groups.end())
    {
        Fail(node,
             "there is no group " + node.group,
             "groups come from a file of groups, or from nodes of type METADATA");
    }
    if (node.hasOtherDimensions && found->second == 0)
    {
        Fail(node,
             "involved_dim leaves out dimensions, which are not known",
             "name the group with pg_name");
    }
    if (m_ownGroups.count(found->second) == 0)
    {
        const std::vector<uint32_t>& ranks = m_graph->GetGroups()[found->second].ranks;
        if (std::find(ranks.begin(), ranks.end(), m_rank) == ranks.end())
        {
            Fail(node,
                 "rank " + std::to_string(m_rank) + " is not in group " + node.group +
                     ", whose first rank is " + std::to_string(ranks.front()));
        }
        m_ownGroups.insert(found->second);
    }
    return found->second;
}

JobOperation
ChakraReader::MessageOf(const ChakraNode& node)
{
    const bool isSend = node.type == ChakraNode::COMM_SEND;
    if (!node.bytes)
    {
        Fail(node, "a message without comm_size");
    }
    if (*node.bytes > JobGraph::MOST_BYTES)
    {
        Fail(node, "comm_size " + std::to_string(*node.bytes) + " is too large");
    }
    const uint64_t own = (isSend ? node.source : node.target).value_or(m_rank);
    if (own != m_rank)
    {
        Fail(node,
             std::string(isSend ? "comm_src " : "comm_dst ") + std::to_string(own) +
                 " in the file of rank " + std::to_string(m_rank));
    }
    GroupOf(node);
    const uint32_t peer =
        isSend ? PeerOf(node, node.target, "comm_dst") : PeerOf(node, node.source, "comm_src");
    if (node.tag.value_or(0) == JobOperation::ANY_TAG)
    {
        Fail(node, "comm_tag is too large");
    }
    return isSend ? JobGraph::Send(peer, *node.bytes, node.tag.value_or(0))
                  : JobGraph::Recv(peer, *node.bytes, node.tag.value_or(0));
}

uint32_t
ChakraReader::PeerOf(const ChakraNode& node,
                     const std::optional<uint64_t>& peer,
                     const char* name) const
{
    if (!peer)
    {
        Fail(node, std::string("a message without ") + name);
    }
    if (*peer >= m_graph->GetNRanks())
    {
        Fail(node,
             std::string(name) + " " + std::to_string(*peer) + " of " +
                 std::to_string(m_graph->GetNRanks()) + " ranks",
             "ranks are 0 to " + std::to_string(m_graph->GetNRanks() - 1));
    }
    return static_cast<uint32_t>(*peer);
}

// ---- what waits for what

void
ChakraReader::AddDependencies(const std::vector<ChakraNode>& nodes)
{
    uint64_t missing = 0;
    std::string first;
    bool isControl = false;
    const auto add =
        [&](const ChakraNode& node, const std::vector<uint64_t>& parents, bool control) {
            const uint32_t index = m_operations.at(node.id);
            for (const uint64_t parent : parents)
            {
                const auto found = m_operations.find(parent);
                if (found == m_operations.end())
                {
                    first = missing++ ? first
                                      : "node " + std::to_string(node.id) + " depends on node " +
                                            std::to_string(parent) + ", which is not in the file";
                    isControl = isControl || control;
                }
                else if (found->second != NO_OPERATION)
                {
                    m_graph->After(m_rank, index, found->second);
                }
            }
        };
    for (const ChakraNode& node : nodes)
    {
        add(node, node.data, false);
        if (m_options.controlDependencies)
        {
            add(node, node.controls, true);
        }
    }
    if (missing)
    {
        Fail(first + (missing > 1 ? " (" + std::to_string(missing - 1) + " more)" : ""),
             isControl ? "ignore control dependencies?" : "");
    }
}

void
ChakraReader::SerialiseStreams(const std::vector<ChakraNode>& nodes)
{
    std::unordered_map<uint64_t, uint32_t> last; // of each stream
    for (const ChakraNode& node : nodes)
    {
        const uint32_t index = m_operations.at(node.id);
        if (!node.stream || node.isCpu || index == NO_OPERATION)
        {
            continue;
        }
        const auto [before, isFirst] = last.try_emplace(*node.stream, index);
        if (!isFirst)
        {
            m_graph->After(m_rank, index, before->second);
            before->second = index;
        }
    }
}

void
ChakraReader::SerialiseMessages()
{
    uint32_t last = NO_OPERATION;
    for (const uint32_t index : m_graph->GetOrder(m_rank))
    {
        const JobOperation::Kind kind = m_graph->GetRank(m_rank).operations[index].kind;
        if (kind != JobOperation::SEND && kind != JobOperation::COLLECTIVE)
        {
            continue;
        }
        if (last != NO_OPERATION)
        {
            m_graph->After(m_rank, index, last);
        }
        last = index;
    }
}

void
ChakraReader::RequireNoCycle(const std::string& hint) const
{
    std::vector<uint32_t> cycle = m_graph->FindCycle(m_rank);
    if (cycle.empty())
    {
        return;
    }
    cycle.push_back(cycle.front());
    std::string text = "nodes ";
    constexpr std::size_t most = 20; // nodes on one line
    for (std::size_t i = 0; i < cycle.size(); ++i)
    {
        if (i == most && cycle.size() > most + 1)
        {
            text += " -> (" + std::to_string(cycle.size() - most - 1) + " more)";
            i = cycle.size() - 1;
        }
        text +=
            (i ? " -> " : "") + std::to_string(m_graph->GetRank(m_rank).operations[cycle[i]].place);
    }
    Fail(text + " wait for each other", hint);
}

void
ChakraReader::Fail(const std::string& what, const std::string& right) const
{
    throw FabricError(PathOf(m_rank), 0, FabricError(what, right).what());
}

void
ChakraReader::Fail(const ChakraNode& node, const std::string& what, const std::string& right) const
{
    Fail("node " + std::to_string(node.id) + ": " + what, right);
}

} // namespace ns3
