// SPDX-License-Identifier: GPL-2.0-only
#include "job-message-times.h"

#include "tick-spans.h"

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
    Stops stops;
    TickSpans spans;
    if (m_pauses)
    {
        m_pauses->AddTo(spans, PairOf(message), begin, end);
        stops.paused = CoveredTicks(spans);
    }
    if (m_recoveries)
    {
        m_recoveries->AddTo(spans, PairOf(message), begin, end);
        stops.recovering = CoveredTicks(spans) - stops.paused;
    }
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
    const MessageNetwork::Pair back{message.destination, message.source, message.channel};
    return m_job.GetCarrier().GetIdeal(back, options.readyBytes).delivery;
}

} // namespace ns3
