// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_STATS_H
#define LOSSLESS_JOB_STATS_H

#include "collective-ideals.h"
#include "critical-path.h"
#include "job-picture.h"
#include "job-summary.h"
#include "job-timeline.h"
#include "job.h"
#include "path-pauses.h"
#include "path-recoveries.h"

#include "ns3/result-report.h"
#include "ns3/traffic-source.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What comes of jobs: tables of iterations, collectives, ranks and messages, totals, lines of the
 * summary; a timeline, and a page with a picture. doc/job-results.rst defines all of them.
 *
 * @code
 * JobStats& stats = run.Add<JobStats>();
 * stats.Watch(job);
 * stats.WriteReport("job.md");
 * @endcode
 *
 * It changes no result, and any number of threads writes the same.
 */
class JobStats : public TableReport, private TrafficListener, private JobListener
{
  public:
    /// @param fabric where jobs run
    explicit JobStats(const Fabric& fabric);
    ~JobStats() override;

    /// Before the run. @param job of the fabric; FabricError if it is watched, or has begun, or if
    /// another one of its name is
    void Watch(Job& job);

    /// @param wanted whether there is messages.csv, with a line for each message
    void WriteMessages(bool wanted)
    {
        m_wantsMessages = wanted;
    }

    /// Write what ranks did, as JSON for ui.perfetto.dev. @param path the file; FabricError when it
    /// cannot be written
    void WriteTimeline(const std::string& path);

    /// Write a page in Markdown, with a picture of the longest iteration as SVG beside it: page.md
    /// has page.svg, and where there are several jobs page-NAME.svg for each.
    /// @param path the page; FabricError when it cannot be written
    void WriteReport(const std::string& path);

    /// @param job that is watched @return what came of it so far
    const JobSummary& GetSummary(const Job& job) const;

    bool IsSampled() const override
    {
        return false;
    }

    bool IsDividable() const override
    {
        return true; // it hears of jobs between windows
    }

    void Open(const std::vector<RowSink*>& rows) override;
    void Begin() override;
    std::vector<ResultFile*> GetFiles() override;
    void Close(Time end) override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// A message that a receive has taken, for messages.csv.
    struct Taken
    {
        RankMessage message;
        int64_t ideal;
    };

    /// What two messages of a job may not have in common; if they have, they are alike.
    using Key = std::tuple<uint32_t, uint32_t, uint64_t, uint64_t, uint32_t, int64_t>;

    /// A job.
    struct Watched
    {
        explicit Watched(Job& which)
            : job(&which),
              summary(which),
              ideals(which)
        {
        }

        Job* job;
        JobSummary summary;
        std::unique_ptr<PathPauses> pauses;         //!< null: it has not begun
        std::unique_ptr<PathRecoveries> recoveries; //!< likewise
        CollectiveIdeals ideals;
        std::map<Key, std::deque<int64_t>> completions; //!< of messages, ticks
        std::vector<Taken> taken;                       //!< of the iteration before
        JobPicture::Iteration longest;                  //!< of those that count
        int64_t longestTicks{-1};                       //!< its time; -1: there is none
        std::unique_ptr<ResultFile> picture;            //!< null: none is wanted
        std::string pictureName;                        //!< beside the page
    };

    // ---- TrafficListener
    void Started(const TrafficSource& source, const TrafficItem& item) override;
    void Gone(const TrafficSource& source) override;

    // ---- JobListener
    void IterationEnded(const Job& job,
                        const JobIteration& iteration,
                        const std::vector<std::shared_ptr<const RankTrace>>& traces) override;
    void CollectiveEnded(const Job& job, const JobCollective& collective) override;
    bool WantsMessages() const override;
    void MessageCompleted(const Job& job, const RankMessage& message, int64_t completed) override;

    /// @param job that is watched @return what is known of it
    Watched& Of(const TrafficSource& job);
    /// @param watched a job @param iteration that is over @param traces of it: rows of ranks.csv
    void TellRanks(Watched& watched,
                   const JobIteration& iteration,
                   const std::vector<std::shared_ptr<const RankTrace>>& traces) const;
    /// @param watched a job @param iteration that is over @param path its critical path: a row of
    /// iterations.csv
    void TellIteration(Watched& watched,
                       const JobIteration& iteration,
                       const CriticalPath& path) const;
    /// Keep the iteration for the picture if it is the longest. @param watched a job
    /// @param iteration that is over @param traces of it @param path its critical path
    void KeepLongest(Watched& watched,
                     const JobIteration& iteration,
                     const std::vector<std::shared_ptr<const RankTrace>>& traces,
                     const CriticalPath& path) const;
    /// Write the messages of the iteration before. @param watched a job
    void TellMessages(Watched& watched) const;
    /// Write pictures and the page.
    void WritePage();
    /// Open the pictures of the page, where they are not open.
    void MakePictures();

    Fabric m_fabric;
    std::vector<std::unique_ptr<Watched>> m_jobs; //!< in the order of Watch()
    bool m_wantsMessages{false};
    bool m_isClosed{false};
    RowSink* m_collectiveRows{nullptr}; //!< null: none are wanted
    RowSink* m_rankRows{nullptr};
    RowSink* m_messageRows{nullptr};
    std::unique_ptr<ResultFile> m_timelineFile; //!< null: none is wanted
    std::unique_ptr<JobTimeline> m_timeline;
    std::string m_pagePath;
    std::unique_ptr<ResultFile> m_page; //!< null: none is wanted
};

} // namespace ns3

#endif // LOSSLESS_JOB_STATS_H
