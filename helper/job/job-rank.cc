// SPDX-License-Identifier: GPL-2.0-only
#include "job-rank.h"

#include "ns3/simulation-clock.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t GROUP_STREAMS = uint64_t{1} << 32; //!< streams of groups are numbered from here
constexpr uint64_t COLLECTIVE_STREAMS = uint64_t{2}
                                        << 32; //!< streams that collectives name, likewise

/// @param group of a collective @param channel which @param number of the collective in its group
/// @return a number that no other part has; not 0
uint64_t
ScopeOf(uint32_t group, uint32_t channel, uint64_t number)
{
    return (uint64_t{group} << 44 | uint64_t{channel} << 36 | number) + 1;
}

int64_t
Tick()
{
    return SimulationClock::Now();
}

} // namespace

std::pair<uint32_t, uint64_t>
JobRank::FromScope(uint64_t scope)
{
    constexpr uint64_t numbers = (uint64_t{1} << 36) - 1;
    return {static_cast<uint32_t>((scope - 1) >> 44), (scope - 1) & numbers};
}

JobRank::JobRank(JobWorld& world, uint32_t rank)
    : m_world(world),
      m_rank(rank),
      m_graph(world.GetGraph().GetRank(rank))
{
    const std::size_t count = m_graph.operations.size();
    m_parents.assign(count, 0);
    m_ordinals.assign(count, 0);
    m_firstChild.assign(count + 1, 0);
    for (const JobEdge& edge : m_graph.edges)
    {
        ++m_parents[edge.after];
        ++m_firstChild[edge.before + 1];
    }
    for (std::size_t i = 0; i < count; ++i)
    {
        m_firstChild[i + 1] += m_firstChild[i];
        const JobOperation& operation = m_graph.operations[i];
        if (operation.kind == JobOperation::COLLECTIVE)
        {
            m_ordinals[i] = m_perIteration[operation.group]++;
        }
    }
    m_edges = m_graph.edges;
    std::sort(m_edges.begin(), m_edges.end(), [](const JobEdge& a, const JobEdge& b) {
        return std::tie(a.before, a.after, a.atStart) < std::tie(b.before, b.after, b.atStart);
    });
}

void
JobRank::Begin()
{
    BeginIteration();
    DoWork();
}

std::vector<uint32_t>
JobRank::GetWaiting() const
{
    std::vector<uint32_t> waiting;
    for (uint32_t i = 0; m_trace && i < m_trace->operations.size(); ++i)
    {
        const RankTrace::Operation& operation = m_trace->operations[i];
        if (operation.start >= 0 && operation.end < 0)
        {
            waiting.push_back(i);
        }
    }
    return waiting;
}

// ---- iterations

void
JobRank::BeginIteration()
{
    m_trace = std::make_unique<RankTrace>();
    m_trace->begin = Tick();
    m_trace->operations.resize(m_graph.operations.size());
    m_waiting = m_parents;
    m_left = m_graph.operations.size();
    m_accounted = m_trace->begin;
    for (uint32_t i = 0; i < m_graph.operations.size(); ++i)
    {
        if (m_waiting[i] == 0)
        {
            Ready(i, RankTrace::NONE);
        }
    }
}

void
JobRank::EndIteration()
{
    Account();
    m_trace->end = Tick();
    m_world.IterationEnded(m_rank, m_iteration, std::move(m_trace));
    ++m_iteration;
}

void
JobRank::DoWork()
{
    if (m_isWorking || m_world.HasFailed())
    {
        return;
    }
    m_isWorking = true;
    while (m_trace)
    {
        while (!m_work.IsEmpty())
        {
            const Work work = m_work.Front();
            m_work.PopFront();
            if (work.run)
            {
                if (work.isSent)
                {
                    work.run->Sent(work.from, work.label, work.cause);
                }
                else
                {
                    work.run->Received(work.from, work.label, work.cause);
                }
                Look(*work.run);
            }
            else
            {
                Start(work.operation, work.cause);
            }
        }
        if (m_left > 0)
        {
            break;
        }
        EndIteration();
        if (m_iteration < m_world.GetOptions().iterations)
        {
            BeginIteration();
        }
    }
    m_isWorking = false;
    const bool isActive = m_active > 0 || m_world.GetExchange().CountUnderWay(m_rank) > 0;
    if (isActive != m_toldActive)
    {
        m_toldActive = isActive;
        m_world.ActivityChanged(m_rank, m_toldActive);
    }
}

// ---- operations

uint64_t
JobRank::StreamOf(const JobOperation& operation) const
{
    switch (operation.kind)
    {
    case JobOperation::CALC:
        return operation.stream;
    case JobOperation::COLLECTIVE:
        return operation.stream == JobOperation::OWN_STREAM ? GROUP_STREAMS + operation.group
                                                            : COLLECTIVE_STREAMS + operation.stream;
    case JobOperation::SEND:
    case JobOperation::RECV:
        break;
    }
    return NO_STREAM;
}

void
JobRank::Ready(uint32_t operation, uint32_t cause)
{
    if (const uint64_t key = StreamOf(m_graph.operations[operation]); key != NO_STREAM)
    {
        Stream& stream = m_streams[key];
        if (stream.isBusy)
        {
            stream.ready.emplace_back(operation, cause);
            return;
        }
        stream.isBusy = true;
    }
    m_work.Push({nullptr, operation, 0, 0, cause, false});
}

void
JobRank::Free(uint64_t key, uint32_t cause)
{
    Stream& stream = m_streams[key];
    if (stream.ready.empty())
    {
        stream.isBusy = false;
        return;
    }
    m_work.Push({nullptr, stream.ready.front().first, 0, 0, cause, false});
    stream.ready.pop_front();
}

void
JobRank::Start(uint32_t operation, uint32_t cause)
{
    Account();
    RankTrace::Operation& times = m_trace->operations[operation];
    times.start = Tick();
    times.startCause = cause;
    const JobOperation::Kind kind = m_graph.operations[operation].kind;
    ++(kind == JobOperation::CALC ? m_nCalc : m_nComm);
    for (uint32_t i = m_firstChild[operation]; i < m_firstChild[operation + 1]; ++i)
    {
        const JobEdge& edge = m_edges[i];
        if (edge.atStart && --m_waiting[edge.after] == 0)
        {
            Ready(edge.after, RankTrace::CauseOf(operation));
        }
    }
    switch (kind)
    {
    case JobOperation::CALC:
        StartCalc(operation);
        break;
    case JobOperation::SEND:
        StartSend(operation);
        break;
    case JobOperation::RECV:
        StartReceive(operation);
        break;
    case JobOperation::COLLECTIVE:
        StartCollective(operation);
        break;
    }
}

void
JobRank::End(uint32_t operation, uint32_t cause)
{
    Account();
    RankTrace::Operation& times = m_trace->operations[operation];
    times.end = Tick();
    times.endCause = cause;
    const JobOperation& what = m_graph.operations[operation];
    --(what.kind == JobOperation::CALC ? m_nCalc : m_nComm);
    --m_left;
    if (what.kind == JobOperation::COLLECTIVE)
    {
        m_world.CollectiveEnded({what.group,
                                 NumberOf(operation),
                                 m_iteration,
                                 m_rank,
                                 operation,
                                 times.start,
                                 times.end});
    }
    for (uint32_t i = m_firstChild[operation]; i < m_firstChild[operation + 1]; ++i)
    {
        const JobEdge& edge = m_edges[i];
        if (!edge.atStart && --m_waiting[edge.after] == 0)
        {
            Ready(edge.after, RankTrace::CauseOf(operation));
        }
    }
    if (const uint64_t stream = StreamOf(what); stream != NO_STREAM)
    {
        Free(stream, RankTrace::CauseOf(operation));
    }
}

void
JobRank::StartCalc(uint32_t operation)
{
    const uint64_t ns = m_graph.operations[operation].ns;
    if (ns == 0)
    {
        End(operation, RankTrace::NONE);
        return;
    }
    ++m_active;
    m_world.GetNetwork().Schedule(m_rank, NanoSeconds(ns), [this, operation] {
        --m_active;
        End(operation, RankTrace::NONE);
        DoWork();
    });
}

void
JobRank::StartSend(uint32_t operation)
{
    const JobOperation& what = m_graph.operations[operation];
    RankMessage message;
    message.destination = what.peer;
    message.tag = what.tag;
    message.bytes = what.bytes;
    message.nic = what.nic;
    message.cause = RankTrace::CauseOf(operation);
    Post(message);
    if (IsDoneWhenPosted(what))
    {
        End(operation, RankTrace::NONE);
    }
}

bool
JobRank::IsDoneWhenPosted(const JobOperation& what) const
{
    return what.sendDone == JobOperation::AS_THE_JOB ? m_world.GetOptions().sendIsDoneWhenPosted
                                                     : what.sendDone == JobOperation::POSTED;
}

void
JobRank::StartReceive(uint32_t operation)
{
    const JobOperation& what = m_graph.operations[operation];
    MessageExchange::Wanted wanted;
    wanted.rank = m_rank;
    wanted.source = what.peer;
    wanted.tag = what.tag;
    wanted.id = operation;
    m_world.GetExchange().Receive(wanted);
}

void
JobRank::Took(uint32_t operation, const RankMessage& message)
{
    const JobGraph& graph = m_world.GetGraph();
    const JobOperation& what = m_graph.operations[operation];
    if (message.bytes > what.bytes || (message.bytes < what.bytes && !graph.AllowsShortMessages()))
    {
        m_world.Fail("rank " + std::to_string(m_rank) + " recv of " + std::to_string(what.bytes) +
                     " B at " + graph.PlaceOf(what) + " got " + std::to_string(message.bytes) +
                     " B from rank " + std::to_string(message.source));
        return;
    }
    End(operation,
        Note(message, m_trace->operations[operation].start, RankTrace::CauseOf(operation)));
    DoWork();
}

// ---- collectives

uint64_t
JobRank::NumberOf(uint32_t operation) const
{
    return m_iteration * m_perIteration.at(m_graph.operations[operation].group) +
           m_ordinals[operation];
}

void
JobRank::StartCollective(uint32_t operation)
{
    const JobOperation& what = m_graph.operations[operation];
    if (m_world.GetGraph().GetGroups()[what.group].ranks.size() == 1)
    {
        End(operation, RankTrace::NONE);
        return;
    }
    const uint64_t number = NumberOf(operation);
    Running& running = m_collectives[operation];
    const uint32_t channels = m_world.GetChannels(what);
    for (uint32_t channel = 0; channel < channels; ++channel)
    {
        running.runs.push_back(
            std::make_unique<CollectiveRun>(*this,
                                            operation,
                                            ScopeOf(what.group, channel, number),
                                            channel,
                                            m_world.GetRing(what.group, channel),
                                            m_world.MakePart(m_rank, what, channel)));
    }
    for (const auto& run : running.runs)
    {
        run->Start();
        running.left += run->EndsNow() ? 0 : 1;
    }
    if (running.left == 0)
    {
        m_collectives.erase(operation);
        End(operation, RankTrace::NONE);
    }
}

void
JobRank::Look(CollectiveRun& run)
{
    if (!run.EndsNow())
    {
        return;
    }
    const uint32_t operation = run.GetOperation();
    const uint32_t cause = run.GetCause();
    const auto running = m_collectives.find(operation);
    if (--running->second.left > 0)
    {
        return;
    }
    m_collectives.erase(running);
    End(operation, cause);
}

void
JobRank::SendPart(CollectiveRun& run, uint32_t to, uint64_t bytes, uint64_t label, bool tells)
{
    RankMessage message;
    message.destination = run.GetRankAt(to);
    message.scope = run.GetScope();
    message.tag = label;
    message.bytes = m_world.GetOptions().OnWire(bytes);
    message.channel = run.GetChannel();
    message.tells = tells;
    message.cause = run.GetCause();
    message.position = to;
    Post(message);
}

void
JobRank::ReceivePart(CollectiveRun& run, uint32_t from, uint64_t label, bool reduces)
{
    MessageExchange::Wanted wanted;
    wanted.rank = m_rank;
    wanted.source = run.GetRankAt(from);
    wanted.scope = run.GetScope();
    wanted.tag = label;
    wanted.channel = run.GetChannel();
    wanted.position = from;
    wanted.id = reinterpret_cast<std::uintptr_t>(&run);
    wanted.posted = Tick();
    wanted.cause = run.GetCause();
    wanted.reduces = reduces;
    m_world.GetExchange().Receive(wanted);
}

void
JobRank::TookPart(const MessageExchange::Wanted& wanted, const RankMessage& message)
{
    Work work;
    work.run = reinterpret_cast<CollectiveRun*>(static_cast<std::uintptr_t>(wanted.id));
    work.from = wanted.position;
    work.label = wanted.tag;
    work.cause = Note(message, wanted.posted, wanted.cause);
    const JobOptions& options = m_world.GetOptions();
    if (!wanted.reduces || options.reduceRate.GetBitRate() == 0)
    {
        m_work.Push(work);
        DoWork();
        return;
    }
    ++m_active;
    m_world.GetNetwork().Schedule(m_rank, options.ReductionOf(message.bytes), [this, work] {
        --m_active;
        m_work.Push(work);
        DoWork();
    });
    DoWork(); // says that it is active: nothing else of the job may be
}

CollectiveRun*
JobRank::FindRun(const RankMessage& message) const
{
    for (const auto& [operation, running] : m_collectives)
    {
        if (message.channel < running.runs.size() &&
            running.runs[message.channel]->GetScope() == message.scope)
        {
            return running.runs[message.channel].get();
        }
    }
    return nullptr;
}

// ---- messages

void
JobRank::Post(RankMessage message)
{
    message.source = m_rank;
    message.posted = Tick();
    m_trace->sentBytes += message.bytes;
    ++m_trace->sentMessages;
    m_world.GetExchange().Send(message);
}

void
JobRank::Matched(const MessageExchange::Wanted& wanted, const RankMessage& message)
{
    if (wanted.scope == 0)
    {
        Took(static_cast<uint32_t>(wanted.id), message);
    }
    else
    {
        TookPart(wanted, message);
    }
}

void
JobRank::Completed(const RankMessage& message, bool isDelivered)
{
    if (!isDelivered)
    {
        return;
    }
    if (m_world.TellsMessages())
    {
        m_world.MessageCompleted(message);
    }
    if (message.scope == 0)
    {
        const uint32_t operation = RankTrace::IndexOf(message.cause);
        if (!IsDoneWhenPosted(m_graph.operations[operation]))
        {
            End(operation, RankTrace::NONE);
        }
    }
    else if (message.tells)
    {
        if (CollectiveRun* const run = FindRun(message))
        {
            // The cause stays that of the message: what it waits for is on no rank.
            m_work.Push({run, 0, message.position, message.tag, message.cause, true});
        }
    }
}

uint32_t
JobRank::Note(const RankMessage& message, int64_t posted, uint32_t cause)
{
    m_trace->receivedBytes += message.bytes;
    m_trace->messages.Add({message, Tick(), posted, cause});
    return RankTrace::CauseOfMessage(m_trace->messages.Size() - 1);
}

void
JobRank::Account()
{
    const int64_t now = Tick();
    if (m_nCalc > 0)
    {
        m_trace->calc += now - m_accounted;
    }
    else if (m_nComm > 0)
    {
        m_trace->exposed += now - m_accounted;
    }
    m_accounted = now;
}

} // namespace ns3
