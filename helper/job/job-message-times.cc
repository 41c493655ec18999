// SPDX-License-Identifier: GPL-2.0-only
#include "job-message-times.h"

#include "tick-spans.h"

#include <vector>

namespace ns3
{
namespace
{

/// @param message a message @return whose queue pairs carry it
MessageNetwork::Pair
PairOf(const RankMessage& message)
{
    return {message.source, message.destination, message.channel, message.nic};
}

/// @param message a message @return whose queue pairs carry what its receiver tells its sender
MessageNetwork::Pair
BackOf(const RankMessage& message)
{
    return {message.destination, message.source, message.channel};
}

} // namespace

JobMessageTimes::JobMessageTimes(const Job& job,
                                 const PathPauses* pauses,
                                 const PathRecoveries* recoveries)
    : m_job(job),
      m_pauses(pauses),
      m_recoveries(recoveries)
{
}

MessageTimes::Ideal
JobMessageTimes::GetIdeal(const RankMessage& message) const
{
    const auto ideal = m_job.GetCarrier().GetIdeal(PairOf(message), message.bytes);
    return {ideal.delivery, ideal.completion, ideal.propagation};
}

MessageTimes::Stops
JobMessageTimes::GetStops(const RankMessage& message, int64_t begin, int64_t end) const
{
    std::vector<MessageNetwork::Pair> pairs{PairOf(message)};
    if (m_job.GetOptions().rendezvous)
    {
        pairs.push_back(BackOf(message));
    }
    Stops stops;
    TickSpans spans;
    for (const MessageNetwork::Pair& pair : pairs)
    {
        if (m_pauses)
        {
            m_pauses->AddTo(spans, pair, begin, end);
        }
    }
    stops.paused = CoveredTicks(spans);
    for (const MessageNetwork::Pair& pair : pairs)
    {
        if (m_recoveries)
        {
            m_recoveries->AddTo(spans, pair, begin, end);
        }
    }
    stops.recovering = CoveredTicks(spans) - stops.paused;
    return stops;
}

int64_t
JobMessageTimes::GetReduction(uint64_t bytes) const
{
    return m_job.GetOptions().ReductionOf(bytes).GetTimeStep();
}

int64_t
JobMessageTimes::GetReady(const RankMessage& message) const
{
    const JobOptions& options = m_job.GetOptions();
    if (!options.rendezvous)
    {
        return -1;
    }
    return m_job.GetCarrier().GetIdeal(BackOf(message), options.readyBytes).delivery;
}

} // namespace ns3
