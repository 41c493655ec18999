// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_SUMMARY_H
#define LOSSLESS_JOB_SUMMARY_H

#include "critical-path.h"
#include "job-trace.h"
#include "job.h"

#include "ns3/job-graph.h"
#include "ns3/run-totals.h"

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What came of a job: means, percentiles and sums over the iterations that are not there to warm
 * up.
 */
class JobSummary
{
  public:
    /// Collectives of a type.
    struct OfType
    {
        uint64_t count{0};       //!< how many
        double bytes{0};         //!< their S, added
        double ns{0};            //!< their T, added
        double weightedBus{0};   //!< bus bandwidth times S, added, GB/s B
        double idealNs{0};       //!< what they take at least, added
        double worstSlowdown{0}; //!< largest T / ideal
    };

    /// A rank, sums over the iterations.
    struct OfRank
    {
        double calcNs{0};      //!< computed
        double exposedNs{0};   //!< communicated and did not compute
        double idleNs{0};      //!< neither
        double lateNs{0};      //!< after the first rank that ended
        double pauseNs{0};     //!< its ports were paused
        double keptNs{0};      //!< as straggler: kept the critical path
        uint64_t straggler{0}; //!< iterations in which it was that
    };

    /// An iteration, times in ns.
    struct OfIteration
    {
        JobIteration iteration;      //!< what the job says
        double ns{0};                //!< its time
        uint32_t straggler{0};       //!< as CriticalPath has it
        uint64_t xoffFrames{0};      //!< sent to the job's ports
        double pauseNs{0};           //!< time in which these were paused
        CriticalPath::Parts parts{}; //!< of the critical path, ticks
    };

    /// @param job which
    explicit JobSummary(const Job& job);

    /// @param iteration that is over @param path its critical path
    void Add(const OfIteration& iteration, const CriticalPath& path);
    /// @param rank which @param what it did in an iteration that counts
    void AddRank(uint32_t rank, const OfRank& what);
    /// @param type of a collective in an iteration that counts @param bytes S @param ns T
    /// @param ranks that took part @param idealNs the least time that it can take
    void AddCollective(CollectiveType type,
                       uint64_t bytes,
                       double ns,
                       std::size_t ranks,
                       double idealNs);

    /// @return iterations that count
    uint64_t GetCount() const
    {
        return m_times.size();
    }

    /// @return mean time of an iteration, ns; 0: there is none
    double GetMean() const;
    /// @param fraction 0..1 @return the shortest time that this fraction of the iterations does not
    /// exceed (nearest rank), ns; 0: there is none
    double GetQuantile(double fraction) const;
    /// @return share of the time in which ranks communicate and do not compute, 0..1
    double GetExposedShare() const;
    /// @param part of the critical path @return its share of the time, 0..1
    double GetShare(CriticalPath::Part part) const;
    /// @param type of collectives @return their bus bandwidth weighted by bytes, GB/s; 0: none
    double GetBusBandwidth(CollectiveType type) const;
    /// @return rank that was straggler most often, of equals the lowest
    uint32_t GetStraggler() const;

    /// @return collectives by type
    const std::map<CollectiveType, OfType>& GetTypes() const
    {
        return m_types;
    }

    /// @return all iterations, also those to warm up
    const std::vector<OfIteration>& GetIterations() const
    {
        return m_iterations;
    }

    /// @return by rank: sums
    const std::vector<OfRank>& GetRanks() const
    {
        return m_ranks;
    }

    /// @return one line on what the longest of the iterations that count waited for last; empty:
    /// there is none
    const std::string& GetLastWait() const
    {
        return m_lastWait;
    }

    /// @param wait GetLastWait(), of an iteration as long as the longest so far
    void SetLastWait(const std::string& wait)
    {
        m_lastWait = wait;
    }

    /// @return the job
    const Job& GetJob() const
    {
        return m_job;
    }

    /// @param totals get its share
    void AddTotals(RunTotals& totals) const;
    /// @param os gets its lines of the summary
    void Print(std::ostream& os) const;

    /// @return all totals that a job with the name "job" may have, without their values
    static std::vector<NamedTotal> ListTotals();

    /// @param type of a collective @param ranks that take part
    /// @return bus bandwidth / algorithm bandwidth, as nccl-tests has it
    static double BusFactor(CollectiveType type, std::size_t ranks);

  private:
    /// @param os gets a line for each type of collectives
    void PrintCollectives(std::ostream& os) const;
    /// @param os gets lines on the critical path, and on who kept it
    void PrintPath(std::ostream& os) const;

    const Job& m_job;
    std::vector<OfIteration> m_iterations;
    std::vector<double> m_times; //!< of those that count, ns
    double m_exposedNs{0};
    double m_ns{0};
    CriticalPath::Parts m_parts{};
    std::map<CollectiveType, OfType> m_types;
    std::vector<OfRank> m_ranks;
    std::string m_lastWait;
};

} // namespace ns3

#endif // LOSSLESS_JOB_SUMMARY_H
