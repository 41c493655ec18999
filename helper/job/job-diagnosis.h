// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_DIAGNOSIS_H
#define LOSSLESS_JOB_DIAGNOSIS_H

#include "job-rank.h"
#include "message-exchange.h"
#include "queue-pair-network.h"

#include "ns3/job-graph.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Says in words what a job waits for, and what it has left over.
 */
class JobDiagnosis
{
  public:
    /// What of a job is looked at; all must outlive this.
    struct Parts
    {
        const JobGraph& graph;                              //!< what it does
        const std::vector<std::unique_ptr<JobRank>>& ranks; //!< by number
        const MessageExchange& exchange;                    //!< of its messages
        const QueuePairNetwork& network;                    //!< that carries them
        uint32_t iterations;                                //!< that each rank is to do
    };

    /// @param job that is looked at
    explicit JobDiagnosis(const Parts& job)
        : m_job(job)
    {
    }

    /// @return who waits for what, up to ten of them, and which queue pairs have failed: one line
    std::string DescribeWaiting() const;

    /// @return messages that no receive takes, one line; empty: there are none
    std::string DescribeUnexpected() const;

  private:
    /// @param rank whose @param index of an operation that waits @return it in words
    std::string DescribeOperation(uint32_t rank, uint32_t index) const;
    /// @param rank that receives @param receive that waits
    /// @return what of its source is there, or cannot come any more; empty: nothing
    std::string DescribeSource(uint32_t rank, const JobOperation& receive) const;

    Parts m_job;
};

} // namespace ns3

#endif // LOSSLESS_JOB_DIAGNOSIS_H
