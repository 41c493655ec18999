// SPDX-License-Identifier: GPL-2.0-only
#include "collective-ideals.h"

#include <algorithm>

namespace ns3
{

CollectiveIdeals::CollectiveIdeals(const Job& job)
    : m_job(job),
      m_loads(job.GetFabric(), job.GetCarrier())
{
}

int64_t
CollectiveIdeals::Get(const JobOperation& operation)
{
    if (m_job.GetGraph().GetGroups()[operation.group].ranks.size() == 1)
    {
        return 0;
    }
    const auto [entry, isNew] = m_known.emplace(Shape(operation.group,
                                                      operation.type,
                                                      operation.peer,
                                                      operation.algorithm,
                                                      m_job.GetChannels(operation),
                                                      operation.bytes),
                                                0);
    if (isNew)
    {
        entry->second = Find(operation);
    }
    return entry->second;
}

int64_t
CollectiveIdeals::Find(const JobOperation& operation) const
{
    const JobOptions& options = m_job.GetOptions();
    std::vector<CollectiveShape> shapes;
    for (uint32_t channel = 0; channel < m_job.GetChannels(operation); ++channel)
    {
        shapes.push_back(m_job.ShapeOf(operation, channel));
    }
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint64_t>, TimedRehearsal::Alone> known;
    TimedRehearsal::World world;
    world.alone = [&](uint32_t source, uint32_t destination, uint32_t channel, uint64_t bytes) {
        const auto [alone, isFirst] =
            known.try_emplace(std::make_tuple(source, destination, channel, bytes));
        if (isFirst)
        {
            const std::vector<uint32_t>& ranks = m_job.GetRing(operation.group, channel);
            alone->second =
                AloneOf({ranks[source], ranks[destination], channel}, options.OnWire(bytes));
        }
        return alone->second;
    };
    world.reduction = [&options](uint64_t bytes) {
        return options.ReductionOf(options.OnWire(bytes)).GetTimeStep();
    };
    if (options.rendezvous)
    {
        world.ready = [&](uint32_t source, uint32_t destination, uint32_t channel) {
            const std::vector<uint32_t>& ranks = m_job.GetRing(operation.group, channel);
            return AloneOf({ranks[destination], ranks[source], channel}, options.readyBytes);
        };
    }
    return TimedRehearsal::Run(m_job.AlgorithmOf(operation), shapes, world);
}

TimedRehearsal::Alone
CollectiveIdeals::AloneOf(const MessageNetwork::Pair& pair, uint64_t bytes) const
{
    const LinkLoads::Loads loads = m_loads.Get(pair, bytes);
    const QueuePairNetwork::Ideal ideal = m_job.GetCarrier().GetIdeal(pair, bytes);
    // Frames of pieces are on the first link one by one, whatever their order.
    const int64_t delivery =
        loads.pieces == 1
            ? ideal.delivery
            : std::max(ideal.delivery, loads.egress.occupation + loads.egress.elsewhere);
    return {delivery, delivery + ideal.completion - ideal.delivery, loads};
}

} // namespace ns3
