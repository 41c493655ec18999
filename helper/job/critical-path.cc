// SPDX-License-Identifier: GPL-2.0-only
#include "critical-path.h"

#include <algorithm>
#include <map>

namespace ns3
{

CriticalPath::CriticalPath(const JobGraph& graph,
                           const std::vector<std::shared_ptr<const RankTrace>>& traces,
                           const MessageTimes& times,
                           int64_t start,
                           int64_t end)
    : m_graph(graph),
      m_traces(traces),
      m_times(times),
      m_start(start),
      m_end(end)
{
    // Causes lead to nothing that they have led to, but a trace may be of another iteration than
    // a message: nothing is passed more often than there are operations and messages.
    uint64_t most = 2;
    for (const auto& trace : m_traces)
    {
        most += 2 * (trace->operations.size() + trace->messages.Size());
    }
    Point point = FindLast();
    for (uint64_t passed = 0; point.cause != RankTrace::NONE; ++passed)
    {
        if (passed == most || !IsKnown(point))
        {
            Add(point.rank, m_start, point.time, WAITING);
            point.time = m_start;
            break;
        }
        point = RankTrace::IsMessage(point.cause) ? PassMessage(point) : PassOperation(point);
    }
    if (point.time > m_start)
    {
        PassBegin(point);
    }
    Conclude();
}

CriticalPath::Point
CriticalPath::FindLast()
{
    for (uint32_t rank = 0; rank < m_traces.size(); ++rank)
    {
        if (m_traces[rank]->end > m_traces[m_lastRank]->end)
        {
            m_lastRank = rank;
        }
    }
    const RankTrace& trace = *m_traces[m_lastRank];
    for (uint32_t index = 0; index < trace.operations.size(); ++index)
    {
        if (m_lastOperation == NONE ||
            trace.operations[index].end >= trace.operations[m_lastOperation].end)
        {
            m_lastOperation = index;
        }
    }
    if (m_lastOperation == NONE)
    {
        return {m_lastRank, RankTrace::NONE, m_end, false};
    }
    const uint32_t cause = trace.operations[m_lastOperation].endCause;
    if (cause != RankTrace::NONE && RankTrace::IsMessage(cause))
    {
        m_lastMessage = RankTrace::IndexOf(cause);
    }
    return {m_lastRank, RankTrace::CauseOf(m_lastOperation), m_end, false};
}

bool
CriticalPath::IsKnown(const Point& point) const
{
    const RankTrace& trace = *m_traces[point.rank];
    const uint32_t index = RankTrace::IndexOf(point.cause);
    if (point.time < trace.begin || point.time > trace.end)
    {
        return false;
    }
    if (RankTrace::IsMessage(point.cause))
    {
        return index < trace.messages.Size() && trace.messages.At(index).taken <= point.time;
    }
    return index < trace.operations.size() && trace.operations[index].start >= 0 &&
           trace.operations[index].start <= point.time;
}

CriticalPath::Point
CriticalPath::PassOperation(const Point& point)
{
    const uint32_t index = RankTrace::IndexOf(point.cause);
    const RankTrace::Operation& times = m_traces[point.rank]->operations[index];
    const bool isEnd = !point.isStart && times.end >= 0 && times.end <= point.time &&
                       (times.end == point.time || times.start != point.time);
    const Point start{point.rank, times.startCause, times.start, false};
    if (!isEnd)
    {
        Add(point.rank, times.start, point.time, WAITING, index);
        return start;
    }
    Add(point.rank, times.end, point.time, WAITING, index);
    if (times.endCause != RankTrace::NONE)
    {
        return {point.rank, times.endCause, times.end, true};
    }
    const JobOperation& operation = m_graph.GetRank(point.rank).operations[index];
    if (operation.kind == JobOperation::SEND)
    {
        RankMessage message;
        message.source = point.rank;
        message.destination = operation.peer;
        message.bytes = operation.bytes;
        message.nic = operation.nic;
        const MessageTimes::Ideal ideal = m_times.GetIdeal(message);
        AddMessage(message,
                   times.start,
                   times.end,
                   ideal.completion,
                   2 * ideal.propagation,
                   m_times.GetReady(message) < 0 ? QUEUEING : WAITING);
        return start;
    }
    Add(point.rank,
        times.start,
        times.end,
        operation.kind == JobOperation::CALC ? CALC : WAITING,
        index);
    return start;
}

CriticalPath::Point
CriticalPath::PassMessage(const Point& point)
{
    const TakenMessage receive = m_traces[point.rank]->messages.At(RankTrace::IndexOf(point.cause));
    const RankMessage& message = receive.message;
    const int64_t taken = receive.taken;
    // What came of it came later: it was reduced, or the rank waited to send.
    const int64_t reduced =
        message.scope ? std::min(point.time, taken + m_times.GetReduction(message.bytes)) : taken;
    Add(point.rank, reduced, point.time, WAITING);
    Add(point.rank, taken, reduced, CALC);
    if (receive.posted > message.arrived)
    {
        Add(point.rank, receive.posted, taken, WAITING);
        return {point.rank, receive.cause, receive.posted, true};
    }
    AddMessage(message, message.arrived, taken, 0, 0, QUEUEING); // behind one by another way
    const MessageTimes::Ideal ideal = m_times.GetIdeal(message);
    const int64_t ready = m_times.GetReady(message);
    if (ready >= 0 && receive.posted + ready > message.posted)
    {
        AddMessage(message,
                   receive.posted,
                   message.arrived,
                   ready + ideal.delivery,
                   2 * ideal.propagation,
                   QUEUEING);
        return {point.rank, receive.cause, receive.posted, true};
    }
    AddMessage(message,
               message.posted,
               message.arrived,
               ideal.delivery,
               ideal.propagation,
               QUEUEING);
    return {message.source, message.cause, message.posted, true};
}

void
CriticalPath::PassBegin(const Point& point)
{
    const int64_t begin = std::clamp(m_traces[point.rank]->begin, m_start, point.time);
    Add(point.rank, begin, point.time, WAITING);
    Add(point.rank, m_start, begin, BEFORE);
}

void
CriticalPath::Add(uint32_t rank, int64_t begin, int64_t end, Part part, uint32_t operation)
{
    if (end <= begin)
    {
        return;
    }
    Segment segment;
    segment.begin = begin;
    segment.end = end;
    segment.rank = rank;
    segment.source = rank;
    segment.operation = operation;
    segment.parts[part] = end - begin;
    m_segments.push_back(segment);
}

void
CriticalPath::AddMessage(const RankMessage& message,
                         int64_t begin,
                         int64_t end,
                         int64_t ideal,
                         int64_t propagation,
                         Part rest)
{
    if (end <= begin)
    {
        return;
    }
    Segment segment;
    segment.begin = begin;
    segment.end = end;
    segment.rank = message.destination;
    segment.source = message.source;
    const int64_t time = end - begin;
    const int64_t more = std::max<int64_t>(time - ideal, 0);
    segment.parts[PROPAGATION] = std::min(propagation, time);
    segment.parts[SERIALISATION] = time - more - segment.parts[PROPAGATION];
    const MessageTimes::Stops stops =
        more > 0 ? m_times.GetStops(message, begin, end) : MessageTimes::Stops();
    segment.parts[PAUSE] = std::min(more, stops.paused);
    segment.parts[RECOVERY] = std::min(more - segment.parts[PAUSE], stops.recovering);
    segment.parts[rest] += more - segment.parts[PAUSE] - segment.parts[RECOVERY];
    m_segments.push_back(segment);
}

void
CriticalPath::Conclude()
{
    std::reverse(m_segments.begin(), m_segments.end());
    std::map<uint32_t, int64_t> own; // by rank: ticks for which it kept the path
    for (const Segment& segment : m_segments)
    {
        for (std::size_t part = 0; part < PARTS; ++part)
        {
            m_parts[part] += segment.parts[part];
        }
        if (segment.rank == segment.source)
        {
            own[segment.rank] +=
                segment.parts[CALC] + segment.parts[WAITING] + segment.parts[BEFORE];
        }
    }
    m_straggler = m_lastRank;
    for (const auto& [rank, ticks] : own)
    {
        if (ticks > m_stragglerTime)
        {
            m_straggler = rank;
            m_stragglerTime = ticks;
        }
    }
}

const char*
CriticalPath::NameOf(std::size_t part)
{
    static const char* const names[PARTS] = {"calc",
                                             "serialisation",
                                             "propagation",
                                             "queueing",
                                             "pause",
                                             "recovery",
                                             "waiting",
                                             "iteration before"};
    return names[part];
}

} // namespace ns3
