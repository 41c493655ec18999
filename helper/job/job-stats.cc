// SPDX-License-Identifier: GPL-2.0-only
#include "job-stats.h"

#include "job-message-times.h"
#include "job-report.h"
#include "job-tables.h"

#include "ns3/fabric-error.h"
#include "ns3/input-files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

namespace ns3
{
namespace
{

/// @param ticks a time @return it in ns
double
ToNs(int64_t ticks)
{
    static const auto perNs = static_cast<double>(NanoSeconds(1).GetTimeStep());
    return static_cast<double>(ticks) / perNs;
}

/// @param ns time of a collective @param ideal likewise, the least @return how often the
/// second fits into the first, with the four digits that a file has: so has a table in memory
double
ToSlowdown(double ns, double ideal)
{
    return ideal > 0 ? std::round(ns / ideal * 1e4) / 1e4
                     : std::numeric_limits<double>::quiet_NaN();
}

/// @param text any text @return it as a cell of a table
std::string
ToCell(std::string text)
{
    std::replace_if(
        text.begin(),
        text.end(),
        [](unsigned char character) {
            return character == ',' || character == '"' || character < ' ';
        },
        ';');
    return text;
}

/// @param job whose iteration is over @param path its critical path
/// @param traces of the iteration @return what it waited for last, a phrase
std::string
DescribeLastWait(const Job& job,
                 const CriticalPath& path,
                 const std::vector<std::shared_ptr<const RankTrace>>& traces)
{
    const uint32_t rank = path.GetLastRank();
    const std::string who = "rank " + std::to_string(rank) + " ended last";
    if (path.GetLastOperation() == CriticalPath::NONE)
    {
        return who;
    }
    const JobGraph& graph = job.GetGraph();
    const JobOperation& operation = graph.GetRank(rank).operations[path.GetLastOperation()];
    static const char* const kinds[] = {"calculation", "send", "receive", "collective"};
    const std::string& name = graph.GetText(operation.name);
    std::string text = who + " with its " +
                       (operation.kind == JobOperation::COLLECTIVE ? ToString(operation.type)
                                                                   : kinds[operation.kind]) +
                       " at " + graph.PlaceOf(operation);
    text += name.empty() ? "" : " (" + name + ")";
    if (path.GetLastMessage() != CriticalPath::NONE)
    {
        const RankMessage message = traces[rank]->messages.At(path.GetLastMessage()).message;
        text += ", for " + std::to_string(message.bytes) + " B from rank " +
                std::to_string(message.source);
    }
    return text;
}

/// @param graph of a job @param scope RankMessage::scope @return the collective: its group and how
/// many of that came before; empty: there is none
std::string
NameOfScope(const JobGraph& graph, uint64_t scope)
{
    if (scope == 0)
    {
        return "";
    }
    const auto [group, number] = JobRank::FromScope(scope);
    return graph.GetGroups()[group].name + "/" + std::to_string(number);
}

} // namespace

JobStats::JobStats(const Fabric& fabric)
    : TableReport("jobs", ListJobTables()),
      m_fabric(fabric)
{
}

JobStats::~JobStats()
{
    for (const auto& watched : m_jobs)
    {
        watched->job->RemoveListener(static_cast<TrafficListener&>(*this));
        watched->job->RemoveListener(static_cast<JobListener&>(*this));
    }
}

// ---- what is wanted

void
JobStats::Watch(Job& job)
{
    const std::string& name = job.GetOptions().name;
    const bool isKnown = std::any_of(m_jobs.begin(), m_jobs.end(), [&name](const auto& watched) {
        return watched->job->GetOptions().name == name;
    });
    if (isKnown)
    {
        throw FabricError("results of two jobs with the name \"" + name + "\"",
                          "give each job a name of its own");
    }
    if (job.GetCounts().started > 0)
    {
        throw FabricError("results of job " + name + ", which has begun",
                          "ask for them before the run");
    }
    m_jobs.push_back(std::make_unique<Watched>(job));
    job.AddListener(static_cast<TrafficListener&>(*this));
    job.AddListener(static_cast<JobListener&>(*this));
}

void
JobStats::WriteTimeline(const std::string& path)
{
    InputFiles::RequireOther(path);
    m_timeline.reset();
    m_timelineFile = std::make_unique<ResultFile>(path);
    m_timeline = std::make_unique<JobTimeline>(*m_timelineFile);
}

void
JobStats::WriteReport(const std::string& path)
{
    InputFiles::RequireOther(path);
    m_page = std::make_unique<ResultFile>(path);
    m_pagePath = path;
}

void
JobStats::Open(const std::vector<RowSink*>& rows)
{
    if (rows.empty())
    {
        return; // for files of its own
    }
    m_rows = rows.at(0);
    m_collectiveRows = rows.at(1);
    m_rankRows = rows.at(2);
    m_messageRows = rows.at(3);
}

void
JobStats::Begin()
{
    if (m_messageRows && m_wantsMessages)
    {
        m_messageRows->Start();
    }
    MakePictures();
}

std::vector<ResultFile*>
JobStats::GetFiles()
{
    std::vector<ResultFile*> files;
    for (ResultFile* file : {m_timelineFile.get(), m_page.get()})
    {
        if (file)
        {
            files.push_back(file);
        }
    }
    for (const auto& watched : m_jobs)
    {
        if (watched->picture)
        {
            files.push_back(watched->picture.get());
        }
    }
    return files;
}

const JobSummary&
JobStats::GetSummary(const Job& job) const
{
    for (const auto& watched : m_jobs)
    {
        if (watched->job == &job)
        {
            return watched->summary;
        }
    }
    throw FabricError("results of job " + job.GetOptions().name + ", which is not watched",
                      "ask for them before the run");
}

JobStats::Watched&
JobStats::Of(const TrafficSource& job)
{
    return **std::find_if(m_jobs.begin(), m_jobs.end(), [&job](const auto& watched) {
        return watched->job == &job;
    });
}

// ---- while the job runs

void
JobStats::Started(const TrafficSource& source, [[maybe_unused]] const TrafficItem& item)
{
    Watched& watched = Of(source);
    if (!watched.pauses)
    {
        const QueuePairNetwork& carrier = watched.job->GetCarrier();
        watched.pauses = std::make_unique<PathPauses>(m_fabric, carrier);
        watched.recoveries = std::make_unique<PathRecoveries>(m_fabric, carrier);
    }
}

void
JobStats::Gone(const TrafficSource& source)
{
    m_jobs.erase(std::find_if(m_jobs.begin(), m_jobs.end(), [&source](const auto& watched) {
        return watched->job == &source;
    }));
}

void
JobStats::IterationEnded(const Job& job,
                         const JobIteration& iteration,
                         const std::vector<std::shared_ptr<const RankTrace>>& traces)
{
    Watched& watched = Of(job);
    const JobMessageTimes times(job, watched.pauses.get(), watched.recoveries.get());
    const CriticalPath path(job.GetGraph(), traces, times, iteration.start, iteration.end);
    TellRanks(watched, iteration, traces);
    TellIteration(watched, iteration, path);
    KeepLongest(watched, iteration, traces, path);
    if (m_timeline)
    {
        m_timeline->Add(job.GetOptions().name, job.GetGraph(), iteration.number, traces);
    }
    if (WantsMessages())
    {
        TellMessages(watched);
        for (const auto& trace : traces)
        {
            trace->messages.ForEach([&](const TakenMessage& one) {
                watched.taken.push_back({one.message, times.GetIdeal(one.message).delivery});
            });
        }
    }
    if (watched.pauses)
    {
        // No later one begins earlier.
        watched.pauses->Forget(iteration.start);
        watched.recoveries->Forget(iteration.start);
    }
}

void
JobStats::TellRanks(Watched& watched,
                    const JobIteration& iteration,
                    const std::vector<std::shared_ptr<const RankTrace>>& traces) const
{
    int64_t earliest = iteration.end;
    for (const auto& trace : traces)
    {
        earliest = std::min(earliest, trace->end);
    }
    for (uint32_t rank = 0; rank < traces.size(); ++rank)
    {
        const RankTrace& trace = *traces[rank];
        JobSummary::OfRank what;
        what.calcNs = ToNs(trace.calc);
        what.exposedNs = ToNs(trace.exposed);
        what.idleNs = ToNs(iteration.end - iteration.start - trace.calc - trace.exposed);
        what.lateNs = ToNs(trace.end - earliest);
        what.pauseNs = ToNs(
            watched.pauses ? watched.pauses->GetSumOf(rank, iteration.start, iteration.end).paused
                           : 0);
        if (!iteration.isWarmUp)
        {
            watched.summary.AddRank(rank, what);
        }
        if (m_rankRows)
        {
            m_rankRows->Add(ToCell(watched.job->GetOptions().name),
                            rank,
                            watched.job->GetPlaces()[rank].host,
                            iteration.number,
                            ToNs(trace.end),
                            what.calcNs,
                            what.exposedNs,
                            what.idleNs,
                            trace.sentBytes,
                            trace.receivedBytes,
                            what.lateNs,
                            what.pauseNs);
        }
    }
}

void
JobStats::TellIteration(Watched& watched,
                        const JobIteration& iteration,
                        const CriticalPath& path) const
{
    JobSummary::OfIteration what;
    what.iteration = iteration;
    what.ns = ToNs(iteration.end - iteration.start);
    what.straggler = path.GetStraggler();
    what.parts = path.GetParts();
    if (watched.pauses)
    {
        const PathPauses::Sum sum = watched.pauses->GetSum(iteration.start, iteration.end);
        what.xoffFrames = sum.xoffFrames;
        what.pauseNs = ToNs(sum.paused);
    }
    watched.summary.Add(what, path);
    if (m_rows)
    {
        m_rows->Add(ToCell(watched.job->GetOptions().name),
                    iteration.number,
                    ToNs(iteration.start),
                    ToNs(iteration.end),
                    what.ns,
                    iteration.calcNs,
                    iteration.exposedNs,
                    iteration.exposedMostNs,
                    what.straggler,
                    iteration.bytes,
                    iteration.messages,
                    what.xoffFrames,
                    what.pauseNs,
                    iteration.isWarmUp ? 1 : 0,
                    ToNs(what.parts[CriticalPath::CALC]),
                    ToNs(what.parts[CriticalPath::SERIALISATION]),
                    ToNs(what.parts[CriticalPath::PROPAGATION]),
                    ToNs(what.parts[CriticalPath::QUEUEING]),
                    ToNs(what.parts[CriticalPath::PAUSE]),
                    ToNs(what.parts[CriticalPath::RECOVERY]),
                    ToNs(what.parts[CriticalPath::WAITING]),
                    ToNs(what.parts[CriticalPath::BEFORE]));
    }
}

void
JobStats::KeepLongest(Watched& watched,
                      const JobIteration& iteration,
                      const std::vector<std::shared_ptr<const RankTrace>>& traces,
                      const CriticalPath& path) const
{
    const int64_t ticks = iteration.end - iteration.start;
    if (iteration.isWarmUp || ticks <= watched.longestTicks)
    {
        return;
    }
    watched.longestTicks = ticks;
    watched.summary.SetLastWait(DescribeLastWait(*watched.job, path, traces));
    if (m_page)
    {
        watched.longest.title = "Job " + watched.job->GetOptions().name + ", iteration " +
                                std::to_string(iteration.number);
        watched.longest.start = iteration.start;
        watched.longest.end = iteration.end;
        watched.longest.traces = traces;
        watched.longest.path = path.GetSegments();
    }
}

// ---- collectives

void
JobStats::CollectiveEnded(const Job& job, const JobCollective& collective)
{
    Watched& watched = Of(job);
    const JobGraph& graph = job.GetGraph();
    const JobOperation& operation = graph.GetRank(collective.rank).operations[collective.operation];
    const JobGraph::Group& group = graph.GetGroups()[operation.group];
    const double ns = ToNs(collective.end - collective.firstStart);
    const double ideal = ToNs(watched.ideals.Get(operation));
    if (collective.iteration >= job.GetOptions().warmUp)
    {
        watched.summary.AddCollective(operation.type,
                                      operation.bytes,
                                      ns,
                                      group.ranks.size(),
                                      ideal);
    }
    if (!m_collectiveRows)
    {
        return;
    }
    // B / ns are GB/s.
    const double bandwidth = ns > 0 ? static_cast<double>(operation.bytes) / ns
                                    : std::numeric_limits<double>::quiet_NaN();
    m_collectiveRows->Add(ToCell(job.GetOptions().name),
                          collective.iteration,
                          collective.number,
                          ToCell(graph.GetText(operation.name)),
                          ToCell(group.name),
                          ToString(operation.type),
                          ToCell(job.NameOfAlgorithm(operation)),
                          collective.channels,
                          group.ranks.size(),
                          operation.bytes,
                          ToNs(collective.firstStart),
                          ToNs(collective.lastStart),
                          ToNs(collective.end),
                          ns,
                          ToNs(collective.end - collective.lastStart),
                          bandwidth,
                          bandwidth * JobSummary::BusFactor(operation.type, group.ranks.size()),
                          ideal,
                          ToSlowdown(ns, ideal));
}

// ---- messages

bool
JobStats::WantsMessages() const
{
    return m_wantsMessages && m_messageRows;
}

void
JobStats::MessageCompleted(const Job& job, const RankMessage& message, int64_t completed)
{
    const Key key(message.source,
                  message.destination,
                  message.scope,
                  message.tag,
                  message.channel,
                  message.posted);
    Of(job).completions[key].push_back(completed);
}

void
JobStats::TellMessages(Watched& watched) const
{
    for (const auto& [message, ideal] : watched.taken)
    {
        double completed = std::numeric_limits<double>::quiet_NaN();
        const auto known = watched.completions.find(Key(message.source,
                                                        message.destination,
                                                        message.scope,
                                                        message.tag,
                                                        message.channel,
                                                        message.posted));
        if (known != watched.completions.end())
        {
            completed = ToNs(known->second.front());
            known->second.pop_front();
            if (known->second.empty())
            {
                watched.completions.erase(known);
            }
        }
        const bool isOfCollective = message.scope != 0;
        const auto label = static_cast<int64_t>(message.tag);
        m_messageRows->Add(ToCell(watched.job->GetOptions().name),
                           ToCell(NameOfScope(watched.job->GetGraph(), message.scope)),
                           isOfCollective ? label : -1,
                           message.source,
                           message.destination,
                           isOfCollective ? -1 : label,
                           message.bytes,
                           ToNs(message.posted),
                           ToNs(message.arrived),
                           completed,
                           ToNs(ideal));
    }
    watched.taken.clear();
}

// ---- at the end

void
JobStats::Close(Time)
{
    if (std::exchange(m_isClosed, true))
    {
        return;
    }
    if (WantsMessages())
    {
        for (const auto& watched : m_jobs)
        {
            TellMessages(*watched);
        }
    }
    if (m_timeline)
    {
        m_timeline->End();
    }
    if (m_page)
    {
        WritePage();
    }
}

void
JobStats::MakePictures()
{
    for (const auto& watched : m_jobs)
    {
        if (!m_page || watched->picture)
        {
            continue;
        }
        std::filesystem::path picture = std::filesystem::path(m_pagePath).replace_extension();
        if (m_jobs.size() > 1)
        {
            picture += "-" + watched->job->GetOptions().name;
        }
        picture += ".svg";
        InputFiles::RequireOther(picture.string());
        watched->picture = std::make_unique<ResultFile>(picture.string());
        watched->pictureName = picture.filename().string();
    }
}

void
JobStats::WritePage()
{
    MakePictures(); // of a run without a folder, which does not begin reports
    for (const auto& watched : m_jobs)
    {
        const bool isThere = watched->picture && watched->longestTicks >= 0;
        if (isThere)
        {
            JobPicture::Draw(watched->picture->Stream(),
                             watched->job->GetGraph(),
                             watched->longest);
        }
        else if (watched->picture)
        {
            watched->picture->Write("<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"); // none counts
        }
        JobReport::Write(m_page->Stream(),
                         watched->summary,
                         isThere ? watched->pictureName : std::string());
    }
}

void
JobStats::AddTotals(RunTotals& totals) const
{
    for (const auto& watched : m_jobs)
    {
        watched->summary.AddTotals(totals);
    }
}

void
JobStats::Print(std::ostream& os, const RunTotals&) const
{
    for (const auto& watched : m_jobs)
    {
        watched->summary.Print(os);
    }
}

} // namespace ns3
