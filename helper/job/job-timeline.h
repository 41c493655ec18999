// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_TIMELINE_H
#define LOSSLESS_JOB_TIMELINE_H

#include "job-trace.h"

#include "ns3/job-graph.h"
#include "ns3/result-file.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Writes what ranks did as trace events of Chrome, a JSON file that ui.perfetto.dev and
 * chrome://tracing show: a process for each rank, with a thread for each stream of calculations,
 * for each group of collectives, and for messages.
 */
class JobTimeline
{
  public:
    /// @param file gets the events; must outlive this
    explicit JobTimeline(ResultFile& file);

    /// @param name of a job @param graph what its ranks do @param iteration from 0
    /// @param traces by rank: what they did in it
    void Add(const std::string& name,
             const JobGraph& graph,
             uint32_t iteration,
             const std::vector<std::shared_ptr<const RankTrace>>& traces);

    /// All is there: close what is open.
    void End();

  private:
    /// What an event is of.
    struct Place
    {
        uint64_t process;
        uint64_t thread;
    };

    /// Write an event. @param text its members, of JSON
    void Write(const std::string& text);
    /// Name the processes and threads of a rank. @param process of the rank @param name of it
    /// @param operations of the rank @param graph of the job
    void WriteNames(uint64_t process,
                    const std::string& name,
                    const std::vector<JobOperation>& operations,
                    const JobGraph& graph);
    /// @param place of it @param name of it @param begin tick @param end tick
    /// @param arguments members of JSON, which Perfetto shows
    void WriteSlice(const Place& place,
                    const std::string& name,
                    int64_t begin,
                    int64_t end,
                    const std::string& arguments);
    /// Likewise for what may overlap others of its thread. @param category of it
    void WriteAsync(const Place& place,
                    const char* category,
                    const std::string& name,
                    int64_t begin,
                    int64_t end,
                    const std::string& arguments);
    /// @param process of the rank @param rank its number @param graph of the job
    /// @param trace what it did
    void WriteOperations(uint64_t process,
                         uint32_t rank,
                         const JobGraph& graph,
                         const RankTrace& trace);
    /// @param process of the rank @param trace what it received
    void WriteMessages(uint64_t process, const RankTrace& trace);

    ResultFile& m_file;
    /// By process and what the thread is of: its number, which Perfetto wants small.
    std::map<std::pair<uint64_t, uint64_t>, uint32_t> m_threads;
    std::vector<std::string> m_jobs; //!< names, in the order of their first iteration
    uint64_t m_asyncs{0};            //!< events that may overlap so far
    bool m_hasEvents{false};
};

} // namespace ns3

#endif // LOSSLESS_JOB_TIMELINE_H
