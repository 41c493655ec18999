// SPDX-License-Identifier: GPL-2.0-only
#include "job-diagnosis.h"

namespace ns3
{

std::string
JobDiagnosis::DescribeWaiting() const
{
    constexpr uint32_t most = 10;
    std::string text;
    uint64_t found = 0;
    for (uint32_t rank = 0; rank < m_job.ranks.size(); ++rank)
    {
        for (const uint32_t operation : m_job.ranks[rank]->GetWaiting())
        {
            if (++found <= most)
            {
                text += (found == 1 ? "" : "; ") + DescribeOperation(rank, operation);
            }
        }
    }
    if (found > most)
    {
        text += " (" + std::to_string(found - most) + " more)";
    }
    for (const std::string& error : m_job.network.GetErrors())
    {
        text += "; " + error;
    }
    return text;
}

std::string
JobDiagnosis::DescribeUnexpected() const
{
    std::string text;
    uint64_t more = 0;
    for (uint32_t rank = 0; rank < m_job.graph.GetNRanks(); ++rank)
    {
        for (const RankMessage& message : m_job.exchange.GetUnexpected(rank))
        {
            if (!text.empty())
            {
                ++more;
                continue;
            }
            text = "rank " + std::to_string(rank) + " got " + std::to_string(message.bytes) +
                   " B from rank " + std::to_string(message.source) + ", tag " +
                   std::to_string(message.tag) + ", that no recv takes";
        }
    }
    return more ? text + " (" + std::to_string(more) + " more)" : text;
}

std::string
JobDiagnosis::DescribeOperation(uint32_t rank, uint32_t index) const
{
    const JobGraph& graph = m_job.graph;
    const JobOperation& operation = graph.GetRank(rank).operations[index];
    const std::string who = "rank " + std::to_string(rank);
    if (operation.kind == JobOperation::CALC)
    {
        return who + " computes at " + graph.PlaceOf(operation);
    }
    if (operation.kind == JobOperation::COLLECTIVE)
    {
        return who + " waits in the " + ToString(operation.type) + " of " +
               graph.GetGroups()[operation.group].name + " at " + graph.PlaceOf(operation);
    }
    if (operation.kind == JobOperation::SEND)
    {
        return who + " waits to send " + std::to_string(operation.bytes) + " B to rank " +
               std::to_string(operation.peer) + ", tag " + std::to_string(operation.tag);
    }
    const bool isAny = operation.peer == JobOperation::ANY;
    std::string text = who + " waits for " + std::to_string(operation.bytes) + " B from " +
                       (isAny ? "any rank" : "rank " + std::to_string(operation.peer));
    text += operation.tag == JobOperation::ANY_TAG ? std::string(", any tag")
                                                   : ", tag " + std::to_string(operation.tag);
    return text + (isAny ? std::string() : DescribeSource(rank, operation));
}

std::string
JobDiagnosis::DescribeSource(uint32_t rank, const JobOperation& receive) const
{
    std::string text;
    for (const RankMessage& message : m_job.exchange.GetUnexpected(rank))
    {
        if (message.source == receive.peer && message.scope == 0 && text.empty())
        {
            text = "; a message of rank " + std::to_string(receive.peer) + " with tag " +
                   std::to_string(message.tag) + " is there";
        }
    }
    if (m_job.ranks[receive.peer]->GetDone() == m_job.iterations)
    {
        text += "; rank " + std::to_string(receive.peer) + " has finished";
    }
    return text;
}

} // namespace ns3
