// SPDX-License-Identifier: GPL-2.0-only
#include "goal-reader.h"

#include "goal-scanner.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

/// @return whether a word means something else than a label
bool
IsKeyword(const std::string& word)
{
    return word == "send" || word == "recv" || word == "calc" || word == "rank" ||
           word == "num_ranks";
}

} // namespace

GoalReader::GoalReader(GoalOptions options)
    : m_options(options)
{
}

GoalReader::~GoalReader() = default;

JobGraph
GoalReader::Read(const std::string& path)
{
    m_labels.clear();
    m_scanner = std::make_unique<GoalScanner>(path);
    const uint32_t ranks = ReadHeader();
    m_graph = std::make_unique<JobGraph>(ranks, path, "line");
    if (m_options.looseSizes)
    {
        m_graph->AllowShortMessages();
    }
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        ReadRank(rank);
    }
    m_scanner->SkipLines();
    if (m_scanner->Is("rank"))
    {
        m_scanner->Fail("another rank, and num_ranks is " + std::to_string(ranks));
    }
    if (m_scanner->GetKind() != GoalScanner::END)
    {
        m_scanner->Fail(m_scanner->Describe() + " behind the last rank");
    }
    JobGraph graph = std::move(*m_graph);
    m_graph.reset();
    m_scanner.reset();
    return graph;
}

uint32_t
GoalReader::ReadHeader()
{
    m_scanner->SkipLines();
    if (!m_scanner->Is("num_ranks"))
    {
        m_scanner->Fail("expected \"num_ranks\", got " + m_scanner->Describe(),
                        "a file in GOAL begins so");
    }
    m_scanner->Next();
    const uint64_t ranks = m_scanner->GetNumber("num_ranks", JobGraph::MOST_RANKS);
    if (ranks == 0)
    {
        m_scanner->Fail("num_ranks is 0", "it must be 1 or more");
    }
    if (ranks > m_options.room)
    {
        m_scanner->Fail("num_ranks is " + std::to_string(ranks) + ", and the fabric has " +
                            std::to_string(m_options.room) + " GPUs that are free",
                        "a GPU for each rank");
    }
    m_scanner->Next();
    return static_cast<uint32_t>(ranks);
}

void
GoalReader::ReadRank(uint32_t rank)
{
    m_scanner->SkipLines();
    if (m_scanner->GetKind() == GoalScanner::END)
    {
        m_scanner->Fail("the file ends here, with " + std::to_string(rank) +
                        (rank == 1 ? " rank" : " ranks") + ", and num_ranks is " +
                        std::to_string(m_graph->GetNRanks()));
    }
    m_scanner->Expect("rank");
    const uint64_t number = m_scanner->GetNumber("the number of a rank", GoalReader::MOST_TAG);
    if (number != rank)
    {
        m_scanner->Fail("rank " + std::to_string(number) + ", expected rank " +
                        std::to_string(rank));
    }
    m_scanner->Next();
    m_scanner->SkipLines();
    m_scanner->Expect("{");
    m_lines.clear();
    for (m_scanner->SkipLines(); !m_scanner->Is("}"); m_scanner->SkipLines())
    {
        ReadStatement(rank);
    }
    m_scanner->Next();
    RequireNoCycle(rank);
    if (m_options.serialSends)
    {
        SerialiseSends(rank);
    }
}

void
GoalReader::ReadStatement(uint32_t rank)
{
    if (m_scanner->GetKind() == GoalScanner::END)
    {
        m_scanner->Fail("the file ends here, within rank " + std::to_string(rank),
                        "a rank ends with }");
    }
    if (m_scanner->GetKind() != GoalScanner::WORD)
    {
        m_scanner->Fail("expected a label, calc, send or recv, got " + m_scanner->Describe());
    }
    const std::string word = m_scanner->GetText();
    const bool isOperation = word == "calc" || word == "send" || word == "recv";
    m_scanner->Next();
    if (isOperation && !m_scanner->Is(":"))
    {
        ReadOperation(rank, "", word);
    }
    else if (m_scanner->Is(":"))
    {
        if (IsKeyword(word))
        {
            m_scanner->Fail("a label is called " + word, "take another name");
        }
        m_scanner->Next();
        const std::string operation = m_scanner->GetText();
        if (!m_scanner->Is("calc") && !m_scanner->Is("send") && !m_scanner->Is("recv"))
        {
            m_scanner->Fail("expected calc, send or recv, got " + m_scanner->Describe());
        }
        m_scanner->Next();
        ReadOperation(rank, word, operation);
    }
    else
    {
        ReadDependency(rank, word);
    }
    if (m_scanner->GetKind() != GoalScanner::NEWLINE && !m_scanner->Is("}"))
    {
        m_scanner->Fail("expected the end of the line, got " + m_scanner->Describe());
    }
}

bool
GoalReader::Take(const char* word)
{
    if (!m_scanner->Is(word))
    {
        return false;
    }
    m_scanner->Next();
    return true;
}

uint64_t
GoalReader::TakeNumber(const char* what, uint64_t max)
{
    const uint64_t number = m_scanner->GetNumber(what, max);
    m_scanner->Next();
    return number;
}

void
GoalReader::ReadOperation(uint32_t rank, const std::string& label, const std::string& word)
{
    const uint64_t line = m_scanner->GetLine();
    uint32_t cpu = 0;
    JobOperation operation = word == "calc" ? ReadCalc() : ReadMessage(word == "send", cpu);
    operation.place = line;
    operation.name = m_graph->AddText(label);
    Label ends;
    if (operation.kind == JobOperation::CALC)
    {
        ends.first = m_graph->Add(rank, operation);
        ends.last = ends.first;
    }
    else
    {
        ends = AddMessage(rank, operation, cpu);
    }
    ends.rank = rank;
    m_lines.resize(m_graph->GetRank(rank).edges.size(), line);
    if (label.empty())
    {
        return;
    }
    if (operation.name >= m_labels.size())
    {
        m_labels.resize(std::max<std::size_t>(operation.name + 1, m_labels.size() * 2));
    }
    if (m_labels[operation.name].rank == rank)
    {
        throw FabricError(m_graph->GetSource(),
                          line,
                          "label " + label + " is there twice in rank " + std::to_string(rank));
    }
    m_labels[operation.name] = ends;
}

JobOperation
GoalReader::ReadCalc()
{
    const uint64_t ns = TakeNumber("the nanoseconds of calc", JobGraph::MOST_NS);
    uint64_t cpu = 0;
    if (Take("cpu"))
    {
        cpu = TakeNumber("the cpu", GoalReader::MOST_BYTE);
    }
    return JobGraph::Calc(ns, static_cast<uint32_t>(cpu));
}

JobOperation
GoalReader::ReadMessage(bool isSend, uint32_t& cpu)
{
    const uint64_t bytes = TakeNumber("the size of a message", JobGraph::MOST_BYTES);
    m_scanner->Expect("b");
    m_scanner->Expect(isSend ? "to" : "from");
    uint64_t peer = JobOperation::ANY;
    if (isSend || !Take("-"))
    {
        peer = m_scanner->GetNumber("a rank", GoalReader::MOST_TAG);
        if (peer >= m_graph->GetNRanks())
        {
            m_scanner->Fail("peer " + std::to_string(peer) + " of " +
                                std::to_string(m_graph->GetNRanks()) + " ranks",
                            "ranks are 0 to " + std::to_string(m_graph->GetNRanks() - 1));
        }
        m_scanner->Next();
    }
    else if (TakeNumber("a rank", GoalReader::MOST_TAG) != 1)
    {
        m_scanner->Fail("a negative rank", "-1 is any rank");
    }
    JobOperation operation = isSend ? JobGraph::Send(static_cast<uint32_t>(peer), bytes)
                                    : JobGraph::Recv(static_cast<uint32_t>(peer), bytes);
    if (Take("tag"))
    {
        if (!m_scanner->Is("-"))
        {
            operation.tag = TakeNumber("the tag", GoalReader::MOST_TAG);
        }
        else if (isSend)
        {
            m_scanner->Fail("a send without a tag", "only recv takes any");
        }
        else
        {
            m_scanner->Next();
            operation.tag = JobOperation::ANY_TAG;
            if (TakeNumber("the tag", GoalReader::MOST_TAG) != 1)
            {
                m_scanner->Fail("a negative tag", "-1 is any tag");
            }
        }
    }
    if (Take("cpu"))
    {
        cpu = static_cast<uint32_t>(TakeNumber("the cpu", GoalReader::MOST_BYTE));
    }
    if (Take("nic"))
    {
        operation.nic = static_cast<uint16_t>(TakeNumber("the nic", GoalReader::MOST_BYTE));
    }
    return operation;
}

GoalReader::Label
GoalReader::AddMessage(uint32_t rank, const JobOperation& operation, uint32_t cpu)
{
    JobOperation message = operation;
    const bool isSend = message.kind == JobOperation::SEND;
    if (isSend)
    {
        message.sendDone = message.bytes <= m_options.eagerBytes && !m_options.serialSends
                               ? JobOperation::POSTED
                               : JobOperation::COMPLETED;
    }
    if (m_options.sendOverhead == 0)
    {
        const uint32_t index = m_graph->Add(rank, message);
        return {rank, index, index};
    }
    JobOperation overhead = JobGraph::Calc(m_options.sendOverhead, cpu);
    overhead.place = message.place;
    overhead.name = message.name;
    const uint32_t first = m_graph->Add(rank, isSend ? overhead : message);
    const uint32_t last = m_graph->Add(rank, isSend ? message : overhead);
    m_graph->After(rank, last, first);
    return {rank, first, last};
}

const GoalReader::Label&
GoalReader::Find(uint32_t rank, const std::string& label) const
{
    const std::optional<uint32_t> text = m_graph->FindText(label);
    if (!text || *text >= m_labels.size() || m_labels[*text].rank != rank)
    {
        m_scanner->Fail("no label " + label + " in rank " + std::to_string(rank),
                        "it must stand above");
    }
    return m_labels[*text];
}

void
GoalReader::ReadDependency(uint32_t rank, const std::string& label)
{
    const bool isAtStart = m_scanner->Is("irequires");
    if (!isAtStart && !m_scanner->Is("requires"))
    {
        m_scanner->Fail("expected \":\", requires or irequires behind " + label + ", got " +
                        m_scanner->Describe());
    }
    const Label after = Find(rank, label);
    m_scanner->Next();
    if (m_scanner->GetKind() != GoalScanner::WORD)
    {
        m_scanner->Fail("expected a label, got " + m_scanner->Describe());
    }
    const Label before = Find(rank, m_scanner->GetText());
    if (isAtStart)
    {
        m_graph->AfterStart(rank, after.first, before.first);
    }
    else
    {
        m_graph->After(rank, after.first, before.last);
    }
    m_lines.push_back(m_scanner->GetLine());
    m_scanner->Next();
}

void
GoalReader::RequireNoCycle(uint32_t rank) const
{
    const std::vector<uint32_t> cycle = m_graph->FindCycle(rank);
    if (cycle.empty())
    {
        return;
    }
    const JobGraph::Rank& graph = m_graph->GetRank(rank);
    const auto nameOf = [&](uint32_t index) {
        return m_graph->GetText(graph.operations[index].name);
    };
    std::string text = nameOf(cycle.front());
    uint64_t line = 0;
    for (std::size_t i = 0; i < cycle.size(); ++i)
    {
        const uint32_t after = cycle[i];
        const uint32_t before = cycle[(i + 1) % cycle.size()];
        const auto edge = std::find_if(graph.edges.begin(), graph.edges.end(), [&](const auto& e) {
            return e.after == after && e.before == before;
        });
        if (cycle.size() == 1 || nameOf(after) != nameOf(before)) // no overhead
        {
            text += (edge->atStart ? " irequires " : " requires ") + nameOf(before);
        }
        line = std::max(line, m_lines[static_cast<std::size_t>(edge - graph.edges.begin())]);
    }
    if (text == nameOf(cycle.front()))
    {
        text += " requires " + text;
    }
    throw FabricError(m_graph->GetSource(), line, text);
}

void
GoalReader::SerialiseSends(uint32_t rank)
{
    std::map<uint16_t, uint32_t> last; // of each nic
    for (const uint32_t index : m_graph->GetOrder(rank))
    {
        const JobOperation& operation = m_graph->GetRank(rank).operations[index];
        if (operation.kind != JobOperation::SEND)
        {
            continue;
        }
        const auto [before, isFirst] = last.try_emplace(operation.nic, index);
        if (!isFirst)
        {
            m_graph->After(rank, index, before->second);
            before->second = index;
        }
    }
}

} // namespace ns3
