// SPDX-License-Identifier: GPL-2.0-only
#include "path-recoveries.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

PathRecoveries::PathRecoveries(const Fabric& fabric, const QueuePairNetwork& network)
    : m_network(network),
      m_hosts(fabric.GetNHosts())
{
    for (const RankPlace& place : network.GetPlaces())
    {
        std::unique_ptr<OfHost>& here = m_hosts[place.host.Value()];
        if (here)
        {
            continue;
        }
        here = std::make_unique<OfHost>();
        fabric.GetRdma(place.host)
            ->TraceConnectWithoutContext(
                "WentBack",
                Callback<void, const RdmaQueuePair&, uint64_t, Time>(m_guard.Wrap(
                    [to = here.get()](const RdmaQueuePair& which, uint64_t packets, Time since) {
                        (*to)[&which].push_back(
                            {Simulator::Now().GetTimeStep(), since.GetTimeStep(), packets});
                    })));
    }
}

void
PathRecoveries::AddTo(TickSpans& spans,
                      const MessageNetwork::Pair& pair,
                      int64_t begin,
                      int64_t end) const
{
    const OfHost& here = *m_hosts[m_network.GetPlaces()[pair.source].host.Value()];
    if (here.empty())
    {
        return;
    }
    m_network.ForEachLineOf(pair, [&](const Fabric::Connection& ends) {
        const auto recoveries = here.find(PeekPointer(ends.source));
        if (recoveries == here.end())
        {
            return;
        }
        const uint64_t mtu = ends.source->GetConnection().mtu;
        const int64_t roundTrip = m_network.GetIdeal(pair, 1).completion;
        const int64_t one = m_network.GetIdeal(pair, 1).delivery;
        for (const Recovery& each : recoveries->second)
        {
            const int64_t sending =
                each.packets ? m_network.GetIdeal(pair, each.packets * mtu).delivery - one : 0;
            const int64_t from = std::min(each.since, each.at - std::max(roundTrip, sending));
            if (std::min(each.at, end) > std::max(from, begin))
            {
                spans.emplace_back(std::max(from, begin), std::min(each.at, end));
            }
        }
    });
}

void
PathRecoveries::Forget(int64_t tick)
{
    for (const auto& host : m_hosts)
    {
        for (auto each = host ? host->begin() : OfHost::iterator(); host && each != host->end();)
        {
            auto& recoveries = each->second;
            recoveries.erase(recoveries.begin(),
                             std::find_if(recoveries.begin(),
                                          recoveries.end(),
                                          [tick](const Recovery& one) { return one.at >= tick; }));
            each = recoveries.empty() ? host->erase(each) : std::next(each);
        }
    }
}

} // namespace ns3
