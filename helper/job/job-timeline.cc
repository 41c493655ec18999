// SPDX-License-Identifier: GPL-2.0-only
#include "job-timeline.h"

#include "workload-json.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace ns3
{
namespace
{

using WorkloadJson::Quote;

constexpr uint64_t MOST_RANKS_OF_JOB = JobGraph::MOST_RANKS; //!< processes of a job
constexpr uint64_t GROUPS = uint64_t{1} << 32;               //!< threads of groups begin here
constexpr uint64_t COMM_STREAMS = uint64_t{2} << 32;         //!< those of streams of collectives
constexpr uint64_t OPERATIONS = uint64_t{3} << 32;           //!< that of sends and receives
constexpr uint64_t MESSAGES = OPERATIONS + 1;                //!< that of messages

/// @param ticks a time @return it in microseconds, as trace events have times
std::string
ToUs(int64_t ticks)
{
    char text[40];
    std::snprintf(text,
                  sizeof(text),
                  "%.6f",
                  static_cast<double>(ticks) / static_cast<double>(MicroSeconds(1).GetTimeStep()));
    return text;
}

/// @param operation of a rank @return the thread that shows it
uint64_t
ThreadOf(const JobOperation& operation)
{
    switch (operation.kind)
    {
    case JobOperation::CALC:
        return operation.stream;
    case JobOperation::COLLECTIVE:
        return operation.stream == JobOperation::OWN_STREAM ? GROUPS + operation.group
                                                            : COMM_STREAMS + operation.stream;
    case JobOperation::SEND:
    case JobOperation::RECV:
        break;
    }
    return OPERATIONS;
}

/// @param operation of a rank @param graph of the job @return what its thread is called
std::string
NameOfThread(const JobOperation& operation, const JobGraph& graph)
{
    switch (operation.kind)
    {
    case JobOperation::CALC:
        return "calc " + std::to_string(operation.stream);
    case JobOperation::COLLECTIVE:
        return operation.stream == JobOperation::OWN_STREAM
                   ? "collectives of " + graph.GetGroups()[operation.group].name
                   : "collectives, stream " + std::to_string(operation.stream);
    case JobOperation::SEND:
    case JobOperation::RECV:
        break;
    }
    return "sends and receives";
}

/// @param operation of a rank @param graph of the job @return what to call it
std::string
NameOf(const JobOperation& operation, const JobGraph& graph)
{
    const std::string& name = graph.GetText(operation.name);
    if (!name.empty())
    {
        return name;
    }
    switch (operation.kind)
    {
    case JobOperation::CALC:
        return "calc";
    case JobOperation::COLLECTIVE:
        return ToString(operation.type);
    case JobOperation::SEND:
        return "send to " + std::to_string(operation.peer);
    case JobOperation::RECV:
        break;
    }
    return operation.peer == JobOperation::ANY ? "receive"
                                               : "receive from " + std::to_string(operation.peer);
}

} // namespace

JobTimeline::JobTimeline(ResultFile& file)
    : m_file(file)
{
    m_file.Write("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
}

void
JobTimeline::Write(const std::string& text)
{
    m_file.Write((m_hasEvents ? ",\n{" : "\n{") + text + "}");
    m_hasEvents = true;
}

void
JobTimeline::Add(const std::string& name,
                 const JobGraph& graph,
                 uint32_t iteration,
                 const std::vector<std::shared_ptr<const RankTrace>>& traces)
{
    const auto known = std::find(m_jobs.begin(), m_jobs.end(), name);
    const auto job = static_cast<uint64_t>(known - m_jobs.begin());
    const bool isNew = known == m_jobs.end();
    if (isNew)
    {
        m_jobs.push_back(name);
    }
    for (uint32_t rank = 0; rank < traces.size(); ++rank)
    {
        const uint64_t process = job * MOST_RANKS_OF_JOB + rank;
        const RankTrace& trace = *traces[rank];
        if (isNew)
        {
            WriteNames(process,
                       name + " rank " + std::to_string(rank),
                       graph.GetRank(rank).operations,
                       graph);
        }
        Write("\"ph\": \"i\", \"s\": \"p\", \"pid\": " + std::to_string(process) +
              ", \"tid\": 0, \"ts\": " + ToUs(trace.begin) + ", \"name\": \"iteration " +
              std::to_string(iteration) + "\"");
        WriteOperations(process, rank, graph, trace);
        WriteMessages(process, trace);
    }
}

void
JobTimeline::WriteNames(uint64_t process,
                        const std::string& name,
                        const std::vector<JobOperation>& operations,
                        const JobGraph& graph)
{
    std::map<uint64_t, std::string> threads{{MESSAGES, "messages received"}};
    for (const JobOperation& operation : operations)
    {
        threads.emplace(ThreadOf(operation), NameOfThread(operation, graph));
    }
    uint32_t next = 1;
    for (const auto& [thread, text] : threads)
    {
        m_threads[{process, thread}] = next++;
    }
    const std::string of = "\"ph\": \"M\", \"ts\": 0, \"pid\": " + std::to_string(process);
    const std::string ofProcess = of + ", \"tid\": 0";
    Write(ofProcess + ", \"name\": \"process_name\", \"args\": {\"name\": " + Quote(name) + "}");
    Write(ofProcess + ", \"name\": \"process_sort_index\", \"args\": {\"sort_index\": " +
          std::to_string(process) + "}");
    for (const auto& [thread, text] : threads)
    {
        Write(of + ", \"tid\": " + std::to_string(m_threads.at({process, thread})) +
              ", \"name\": \"thread_name\", \"args\": {\"name\": " + Quote(text) + "}");
    }
}

void
JobTimeline::WriteSlice(const Place& place,
                        const std::string& name,
                        int64_t begin,
                        int64_t end,
                        const std::string& arguments)
{
    Write("\"ph\": \"X\", \"pid\": " + std::to_string(place.process) +
          ", \"tid\": " + std::to_string(m_threads.at({place.process, place.thread})) +
          ", \"ts\": " + ToUs(begin) + ", \"dur\": " + ToUs(end - begin) +
          ", \"name\": " + Quote(name) + ", \"args\": {" + arguments + "}");
}

void
JobTimeline::WriteAsync(const Place& place,
                        const char* category,
                        const std::string& name,
                        int64_t begin,
                        int64_t end,
                        const std::string& arguments)
{
    const std::string of =
        "\"cat\": \"" + std::string(category) + "\", \"id\": " + std::to_string(m_asyncs++) +
        ", \"pid\": " + std::to_string(place.process) +
        ", \"tid\": " + std::to_string(m_threads.at({place.process, place.thread})) +
        ", \"name\": " + Quote(name);
    Write("\"ph\": \"b\", " + of + ", \"ts\": " + ToUs(begin) + ", \"args\": {" + arguments + "}");
    Write("\"ph\": \"e\", " + of + ", \"ts\": " + ToUs(end));
}

void
JobTimeline::WriteOperations(uint64_t process,
                             uint32_t rank,
                             const JobGraph& graph,
                             const RankTrace& trace)
{
    const std::vector<JobOperation>& operations = graph.GetRank(rank).operations;
    for (uint32_t index = 0; index < operations.size(); ++index)
    {
        const JobOperation& operation = operations[index];
        const RankTrace::Operation& times = trace.operations[index];
        if (times.start < 0 || times.end < 0)
        {
            continue;
        }
        std::string arguments = "\"place\": " + Quote(graph.PlaceOf(operation));
        if (operation.kind != JobOperation::CALC)
        {
            arguments += ", \"bytes\": " + std::to_string(operation.bytes);
        }
        const Place place{process, ThreadOf(operation)};
        const std::string name = NameOf(operation, graph);
        if (place.thread == OPERATIONS)
        {
            WriteAsync(place, "operations", name, times.start, times.end, arguments);
        }
        else
        {
            WriteSlice(place, name, times.start, times.end, arguments);
        }
    }
}

void
JobTimeline::WriteMessages(uint64_t process, const RankTrace& trace)
{
    trace.messages.ForEach([&](const TakenMessage& one) {
        const RankMessage& message = one.message;
        WriteAsync({process, MESSAGES},
                   "messages",
                   "from " + std::to_string(message.source),
                   message.posted,
                   message.arrived,
                   "\"bytes\": " + std::to_string(message.bytes) +
                       (message.scope ? ", \"step\": " : ", \"tag\": ") +
                       std::to_string(message.tag) +
                       ", \"channel\": " + std::to_string(message.channel));
    });
}

void
JobTimeline::End()
{
    m_file.Write("\n]}\n");
}

} // namespace ns3
