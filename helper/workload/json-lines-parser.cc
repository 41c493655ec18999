// SPDX-License-Identifier: GPL-2.0-only
#include "json-lines-parser.h"

#include "byte-file.h"
#include "workload-json.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

using WorkloadJson::FindText;
using WorkloadJson::FindUint;
using WorkloadJson::RequireUint;

constexpr std::size_t LONGEST_LINE = std::size_t{64} << 20; //!< bytes of a line
constexpr uint64_t MOST_STREAM = 0xfffffffe;                //!< OWN_STREAM has no number
constexpr uint64_t MOST_NIC = 0xfffe;                       //!< nor ANY_NIC

/// @param known keys of one kind of operation @return and those of all
std::vector<std::string>
WithCommon(std::vector<std::string> known)
{
    known.insert(known.end(), {"rank", "id", "op", "name", "after", "afterStart"});
    return known;
}

/// @param value of a line @param word such as "all" @return whether it is this text
bool
IsWord(const WorkloadJson::Tree& value, const char* word)
{
    return WorkloadJson::IsText(value) && WorkloadJson::ToText(value) == word;
}

/// Do something; its error gets the place. @param path of the file @param line its number
template <typename Action>
void
AtLine(const std::string& path, uint64_t line, Action action)
{
    try
    {
        action();
    }
    catch (const FabricError& error)
    {
        const std::string begin = path + ": line " + std::to_string(line) + " of ";
        const std::string text = error.what();
        // The graph has named file and line its own way.
        const bool isPlaced = text.compare(0, begin.size(), begin) == 0;
        const bool isOfGraph = text.compare(0, path.size() + 2, path + ": ") == 0;
        throw FabricError(path,
                          line,
                          isPlaced    ? text.substr(begin.size())
                          : isOfGraph ? text.substr(path.size() + 2)
                                      : text);
    }
}

} // namespace

JsonLinesParser::JsonLinesParser(JsonLinesOptions options)
    : m_options(options)
{
}

JobGraph
JsonLinesParser::Read(const std::string& path)
{
    ByteFile file(path);
    for (std::string line; file.ReadLine(line, LONGEST_LINE);)
    {
        AtLine(path, file.Line(), [&] {
            if (file.Line() == 1 && line.compare(0, 3, "\xEF\xBB\xBF") == 0)
            {
                line.erase(0, 3); // a byte order mark, as editors put it before UTF-8
            }
            if (line.find_first_not_of(" \t\r") == std::string::npos)
            {
                return;
            }
            const Tree tree = WorkloadJson::Parse(line, "line");
            // An empty object and an empty list are the same tree.
            const bool isEmptyObject = line[line.find_first_not_of(" \t\r")] == '{';
            if (!isEmptyObject && !WorkloadJson::IsObject(tree))
            {
                throw FabricError("no object",
                                  "such as {\"rank\": 0, \"op\": \"calc\", \"ns\": 5}");
            }
            m_graph ? ReadOperation(tree, file.Line()) : ReadHeader(path, tree);
        });
    }
    if (!m_graph)
    {
        throw FabricError(path,
                          std::max<uint64_t>(file.Line(), 1),
                          "the file ends here; expected {\"format\": \"lossless-graph\", "
                          "\"version\": 1, \"ranks\": ...}");
    }
    AddWaits();
    for (uint32_t rank = 0; rank < m_graph->GetNRanks(); ++rank)
    {
        RequireNoCycle(rank);
    }
    m_graph->Check();
    return std::move(*m_graph);
}

void
JsonLinesParser::ReadHeader(const std::string& path, const Tree& line)
{
    if (FindText(line, "format").value_or("") != "lossless-graph")
    {
        throw FabricError("\"format\" is no \"lossless-graph\"",
                          "the first line has format, version and ranks");
    }
    WorkloadJson::RequireKnown(line, {"format", "version", "ranks", "groups", "shortMessages"});
    if (const uint64_t version = RequireUint(line, "version"); version != 1)
    {
        throw FabricError("version " + std::to_string(version), "version 1 is read");
    }
    const uint64_t ranks = RequireUint(line, "ranks", JobGraph::MOST_RANKS, 1);
    m_graph = std::make_unique<JobGraph>(static_cast<uint32_t>(ranks), path, "line");
    m_ids.resize(ranks);
    if (FabricText::ToBool(FindText(line, "shortMessages").value_or("false"), "\"shortMessages\""))
    {
        m_graph->AllowShortMessages();
    }
    const Tree* const groups = WorkloadJson::Find(line, "groups");
    if (!groups)
    {
        return;
    }
    if (!groups->data().empty() || (!groups->empty() && !WorkloadJson::IsObject(*groups)))
    {
        throw FabricError("\"groups\" is no object", "such as {\"tp0\": [0, 1]}");
    }
    for (const auto& [name, members] : *groups)
    {
        const auto list = WorkloadJson::ToUints(members, "group " + name, JobGraph::MOST_RANKS);
        m_graph->AddGroup(name, std::vector<uint32_t>(list.begin(), list.end()));
    }
}

void
JsonLinesParser::ReadOperation(const Tree& line, uint64_t number)
{
    JobOperation operation = OperationOf(line);
    operation.place = number;
    operation.name = m_graph->AddText(FindText(line, "name").value_or(""));
    const Tree* const rank = WorkloadJson::Find(line, "rank");
    if (!rank)
    {
        throw FabricError("\"rank\" is missing", "a number, or \"all\"");
    }
    const bool isAll = IsWord(*rank, "all");
    const uint32_t ranks = m_graph->GetNRanks();
    m_operations += isAll ? ranks : 1;
    if (m_operations > m_options.mostOperations)
    {
        throw FabricError("more than " + std::to_string(m_options.mostOperations) + " operations");
    }
    if (!isAll)
    {
        const uint64_t one = WorkloadJson::ToUint(*rank, "\"rank\"", ranks - 1);
        AddTo(static_cast<uint32_t>(one), line, operation);
        return;
    }
    for (uint32_t each = 0; each < ranks; ++each)
    {
        AddTo(each, line, operation);
    }
}

void
JsonLinesParser::AddTo(uint32_t rank, const Tree& line, const JobOperation& operation)
{
    const uint32_t index = m_graph->Add(rank, operation);
    if (const auto id = FindUint(line, "id"))
    {
        if (!m_ids[rank].emplace(*id, index).second)
        {
            throw FabricError("id " + std::to_string(*id) + " is there twice in rank " +
                                  std::to_string(rank),
                              "ids are unique in a rank");
        }
    }
    for (const bool atStart : {false, true})
    {
        const char* const key = atStart ? "afterStart" : "after";
        if (const Tree* const list = WorkloadJson::Find(line, key))
        {
            const auto ids = WorkloadJson::ToUints(*list, std::string("\"") + key + "\"");
            // A long list of an operation of all ranks counts as often.
            m_operations += ids.size();
            for (const uint64_t id : ids)
            {
                m_waits.push_back({rank, index, id, operation.place, atStart});
            }
        }
    }
    if (m_operations > m_options.mostOperations)
    {
        throw FabricError("more than " + std::to_string(m_options.mostOperations) + " operations");
    }
}

JobOperation
JsonLinesParser::OperationOf(const Tree& line)
{
    const std::string kind = FindText(line, "op").value_or("");
    if (kind == "calc")
    {
        return CalcOf(line);
    }
    if (kind == "send" || kind == "recv")
    {
        return MessageOf(line, kind == "send");
    }
    if (kind == "coll")
    {
        return CollectiveOf(line);
    }
    throw FabricError(WorkloadJson::Find(line, "op") ? "\"op\" is \"" + kind + "\""
                                                     : "\"op\" is missing",
                      "it must be calc, send, recv or coll");
}

JobOperation
JsonLinesParser::CalcOf(const Tree& line) const
{
    static const auto known = WithCommon({"ns", "stream"});
    WorkloadJson::RequireKnown(line, known);
    return JobGraph::Calc(RequireUint(line, "ns", JobGraph::MOST_NS),
                          static_cast<uint32_t>(FindUint(line, "stream", MOST_STREAM).value_or(0)));
}

JobOperation
JsonLinesParser::MessageOf(const Tree& line, bool isSend) const
{
    static const auto ofSend = WithCommon({"to", "bytes", "tag", "nic", "done"});
    static const auto ofReceive = WithCommon({"from", "bytes", "tag"});
    if (!isSend && WorkloadJson::Find(line, "nic"))
    {
        throw FabricError("\"nic\" of a recv", "its message takes the nic that its send names");
    }
    WorkloadJson::RequireKnown(line, isSend ? ofSend : ofReceive);
    const char* const side = isSend ? "to" : "from";
    const Tree* const peer = WorkloadJson::Find(line, side);
    const Tree* const tag = WorkloadJson::Find(line, "tag");
    const bool isAnyPeer = !isSend && peer && IsWord(*peer, "any");
    const bool isAnyTag = !isSend && tag && IsWord(*tag, "any");
    const uint64_t most = m_graph->GetNRanks() - 1;
    JobOperation operation = JobGraph::Send(
        isAnyPeer ? JobOperation::ANY : static_cast<uint32_t>(RequireUint(line, side, most)),
        RequireUint(line, "bytes", JobGraph::MOST_BYTES),
        isAnyTag ? JobOperation::ANY_TAG
                 : FindUint(line, "tag", JobOperation::ANY_TAG - 1).value_or(0));
    operation.kind = isSend ? JobOperation::SEND : JobOperation::RECV;
    operation.nic =
        static_cast<uint16_t>(FindUint(line, "nic", MOST_NIC).value_or(JobOperation::ANY_NIC));
    if (const auto done = FindText(line, "done"))
    {
        if (*done != "posted" && *done != "completed")
        {
            throw FabricError("\"done\" is \"" + *done + "\"", "it must be posted or completed");
        }
        operation.sendDone = *done == "posted" ? JobOperation::POSTED : JobOperation::COMPLETED;
    }
    return operation;
}

JobOperation
JsonLinesParser::CollectiveOf(const Tree& line)
{
    static const auto known =
        WithCommon({"type", "bytes", "group", "algorithm", "channels", "root", "stream"});
    WorkloadJson::RequireKnown(line, known);
    const std::string name = FindText(line, "type").value_or("");
    const std::optional<CollectiveType> type = ToCollectiveType(name);
    if (!type)
    {
        std::vector<std::string> names;
        for (uint32_t i = 0; i < COLLECTIVE_TYPES; ++i)
        {
            names.emplace_back(ToString(static_cast<CollectiveType>(i)));
        }
        throw FabricError(WorkloadJson::Find(line, "type") ? "\"type\" is \"" + name + "\""
                                                           : "\"type\" is missing",
                          FabricText::DidYouMean(name, names));
    }
    const uint64_t bytes = *type == CollectiveType::BARRIER
                               ? FindUint(line, "bytes", 0).value_or(0)
                               : RequireUint(line, "bytes", JobGraph::MOST_BYTES);
    uint32_t group = 0;
    if (const auto groupName = FindText(line, "group"))
    {
        const auto found = m_graph->FindGroup(*groupName);
        if (!found)
        {
            std::vector<std::string> names;
            for (const auto& one : m_graph->GetGroups())
            {
                names.push_back(one.name);
            }
            throw FabricError("there is no group " + *groupName,
                              FabricText::DidYouMean(*groupName, names));
        }
        group = *found;
    }
    JobOperation operation = JobGraph::Collective(*type, bytes, group);
    operation.algorithm = m_graph->AddText(FindText(line, "algorithm").value_or(""));
    operation.channels = static_cast<uint16_t>(
        FindUint(line, "channels", JobGraph::MOST_CHANNELS, 1).value_or(0)); // 0: as the job says
    if (WorkloadJson::Find(line, "root") && !HasRoot(*type))
    {
        throw FabricError("\"root\" of " + name, "broadcast, reduce, gather and scatter have one");
    }
    operation.peer = static_cast<uint32_t>(
        FindUint(line, "root", m_graph->GetGroups()[group].ranks.size() - 1).value_or(0));
    operation.stream = static_cast<uint32_t>(
        FindUint(line, "stream", MOST_STREAM).value_or(JobOperation::OWN_STREAM));
    return operation;
}

void
JsonLinesParser::AddWaits()
{
    for (const Wait& wait : m_waits)
    {
        const auto found = m_ids[wait.rank].find(wait.id);
        if (found == m_ids[wait.rank].end())
        {
            throw FabricError(m_graph->GetSource(),
                              wait.line,
                              "no id " + std::to_string(wait.id) + " in rank " +
                                  std::to_string(wait.rank));
        }
        wait.atStart ? m_graph->AfterStart(wait.rank, wait.index, found->second)
                     : m_graph->After(wait.rank, wait.index, found->second);
    }
    m_waits.clear();
}

void
JsonLinesParser::RequireNoCycle(uint32_t rank) const
{
    const std::vector<uint32_t> cycle = m_graph->FindCycle(rank);
    if (cycle.empty())
    {
        return;
    }
    const auto& operations = m_graph->GetRank(rank).operations;
    std::string text;
    uint64_t line = 0;
    for (const uint32_t index : cycle)
    {
        text += m_graph->PlaceOf(operations[index]) + " requires ";
        line = std::max(line, operations[index].place);
    }
    throw FabricError(m_graph->GetSource(),
                      line,
                      "rank " + std::to_string(rank) + ": " + text +
                          m_graph->PlaceOf(operations[cycle.front()]));
}

} // namespace ns3
