// SPDX-License-Identifier: GPL-2.0-only
#include "collective-run.h"

#include "job-rank.h"
#include "job-trace.h"

#include <utility>

namespace ns3
{

CollectiveRun::CollectiveRun(JobRank& rank,
                             uint32_t operation,
                             uint64_t scope,
                             uint32_t channel,
                             const std::vector<uint32_t>& ring,
                             std::unique_ptr<CollectivePart> part)
    : m_rank(rank),
      m_ring(ring),
      m_part(std::move(part)),
      m_scope(scope),
      m_operation(operation),
      m_channel(channel),
      m_cause(RankTrace::CauseOf(operation))
{
}

void
CollectiveRun::Start()
{
    m_part->Start(*this);
}

void
CollectiveRun::Received(uint32_t from, uint64_t label, uint32_t cause)
{
    --m_receives;
    m_cause = cause;
    m_part->Received(*this, from, label);
}

void
CollectiveRun::Sent(uint32_t to, uint64_t label, uint32_t cause)
{
    m_cause = cause;
    m_part->Sent(*this, to, label);
}

void
CollectiveRun::Send(uint32_t to, uint64_t bytes, uint64_t label, bool tells)
{
    m_rank.SendPart(*this, to, bytes, label, tells);
}

void
CollectiveRun::Receive(uint32_t from, [[maybe_unused]] uint64_t bytes, uint64_t label, bool reduces)
{
    ++m_receives;
    m_rank.ReceivePart(*this, from, label, reduces);
}

} // namespace ns3
