// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_MESSAGE_TIMES_H
#define LOSSLESS_JOB_MESSAGE_TIMES_H

#include "critical-path.h"
#include "job.h"
#include "path-pauses.h"
#include "path-recoveries.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the critical path of a job asks about its messages.
 */
class JobMessageTimes : public MessageTimes
{
  public:
    /// @param job whose messages @param pauses of its paths @param recoveries of its queue pairs;
    /// null: none are known
    JobMessageTimes(const Job& job, const PathPauses* pauses, const PathRecoveries* recoveries);

    Ideal GetIdeal(const RankMessage& message) const override;
    Stops GetStops(const RankMessage& message, int64_t begin, int64_t end) const override;
    int64_t GetReduction(uint64_t bytes) const override;
    int64_t GetReady(const RankMessage& message) const override;

  private:
    const Job& m_job;
    const PathPauses* m_pauses;
    const PathRecoveries* m_recoveries;
};

} // namespace ns3

#endif // LOSSLESS_JOB_MESSAGE_TIMES_H
