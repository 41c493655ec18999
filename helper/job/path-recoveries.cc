// SPDX-License-Identifier: GPL-2.0-only
#include "path-recoveries.h"

#include "ns3/qbb-net-device.h"
#include "ns3/rdma-hw.h"
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
        const auto rdma = fabric.GetRdma(place.host);
        rdma->TraceConnectWithoutContext(
            "WentBack",
            Callback<void, const RdmaQueuePair&, uint64_t, Time>(m_guard.Wrap(
                [to = here.get()](const RdmaQueuePair& which, uint64_t packets, Time since) {
                    to->recoveries[&which].push_back(
                        {Simulator::Now().GetTimeStep(), since.GetTimeStep(), packets});
                })));
        here->cuts.resize(rdma->GetNPorts());
        for (uint32_t port = 0; port < here->cuts.size(); ++port)
        {
            QbbNetDevice* const device = PeekPointer(rdma->GetDevice(port));
            const auto change = [cuts = &here->cuts[port], device] {
                LinkChanged(*cuts, device->IsLinkUp());
            };
            change();
            device->AddLinkChangeCallback(Callback<void>(m_guard.Wrap(change)));
        }
    }
}

void
PathRecoveries::LinkChanged(TickSpans& cuts, bool isUp)
{
    const int64_t now = Simulator::Now().GetTimeStep();
    const bool isOpen = !cuts.empty() && cuts.back().second < 0;
    if (!isUp && !isOpen)
    {
        cuts.emplace_back(now, -1);
    }
    else if (isUp && isOpen)
    {
        cuts.back().second = now;
    }
}

void
PathRecoveries::AddTo(TickSpans& spans,
                      const MessageNetwork::Pair& pair,
                      int64_t begin,
                      int64_t end) const
{
    const OfHost& here = *m_hosts[m_network.GetPlaces()[pair.source].host.Value()];
    const auto add = [&](int64_t from, int64_t to) {
        if (std::min(to, end) > std::max(from, begin))
        {
            spans.emplace_back(std::max(from, begin), std::min(to, end));
        }
    };
    m_network.ForEachLineOf(pair, [&](const Fabric::Connection& ends) {
        for (const auto& [from, to] : here.cuts[ends.ports.source])
        {
            add(from, to < 0 ? end : to);
        }
        const auto recoveries = here.recoveries.find(PeekPointer(ends.source));
        if (recoveries == here.recoveries.end())
        {
            return;
        }
        const uint64_t mtu = ends.source->GetConnection().mtu;
        for (const Recovery& each : recoveries->second)
        {
            const int64_t again = each.at + m_network.GetOccupation(pair, each.packets * mtu);
            const int64_t from = std::max(each.since, begin);
            add(from, std::min(again, from + (each.at - each.since)));
        }
    });
}

void
PathRecoveries::Forget(int64_t tick)
{
    for (const auto& host : m_hosts)
    {
        if (!host)
        {
            continue;
        }
        for (auto each = host->recoveries.begin(); each != host->recoveries.end();)
        {
            auto& recoveries = each->second;
            recoveries.erase(recoveries.begin(),
                             std::find_if(recoveries.begin(),
                                          recoveries.end(),
                                          [tick](const Recovery& one) { return one.at >= tick; }));
            each = recoveries.empty() ? host->recoveries.erase(each) : std::next(each);
        }
        for (TickSpans& cuts : host->cuts)
        {
            cuts.erase(cuts.begin(),
                       std::find_if(cuts.begin(), cuts.end(), [tick](const auto& cut) {
                           return cut.second < 0 || cut.second >= tick;
                       }));
        }
    }
}

} // namespace ns3
