// SPDX-License-Identifier: GPL-2.0-only
#include "inof-directory.h"

namespace ns3
{

InofDirectory::Outcome
InofDirectory::Update(const InofMessage& word, uint32_t via)
{
    const auto [entry, isNew] = m_routes.try_emplace({word.host.id, word.originator});
    Route& route = entry->second;
    if (!isNew && word.serial < route.word.serial)
    {
        return OLD;
    }
    if (!isNew && word.serial == route.word.serial)
    {
        const bool wasHeld = !route.via.empty();
        route.via.insert(via);
        route.stale.erase(via);
        return wasHeld ? DUPLICATE : CHANGED;
    }
    route.word = word;
    route.via = {via};
    route.stale.clear();
    return CHANGED;
}

bool
InofDirectory::Withdraw(const Key& key, uint32_t via)
{
    const auto entry = m_routes.find(key);
    if (entry == m_routes.end() || entry->second.via.erase(via) == 0)
    {
        return false;
    }
    entry->second.stale.erase(via);
    return entry->second.via.empty();
}

std::vector<InofDirectory::Key>
InofDirectory::WithdrawAll(uint32_t via)
{
    std::vector<Key> lost;
    for (auto& [key, route] : m_routes)
    {
        if (Withdraw(key, via))
        {
            lost.push_back(key);
        }
    }
    return lost;
}

uint32_t
InofDirectory::MarkStale(uint32_t via)
{
    uint32_t marked = 0;
    for (auto& [key, route] : m_routes)
    {
        if (route.via.count(via))
        {
            route.stale.insert(via);
            ++marked;
        }
    }
    return marked;
}

std::vector<InofDirectory::Key>
InofDirectory::WithdrawStale(uint32_t via)
{
    std::vector<Key> lost;
    for (auto& [key, route] : m_routes)
    {
        if (route.stale.count(via) && Withdraw(key, via))
        {
            lost.push_back(key);
        }
    }
    return lost;
}

const InofHostInfo*
InofDirectory::Find(uint32_t host) const
{
    for (auto route = m_routes.lower_bound({host, 0});
         route != m_routes.end() && route->first.first == host;
         ++route)
    {
        if (route->second.word.up && !route->second.via.empty())
        {
            return &route->second.word.host;
        }
    }
    return nullptr;
}

InofReason
InofDirectory::WhyDown(uint32_t host) const
{
    InofReason reason = InofReason::TIMEOUT; // an "up" that nobody holds: sessions were lost
    for (auto route = m_routes.lower_bound({host, 0});
         route != m_routes.end() && route->first.first == host;
         ++route)
    {
        if (!route->second.word.up)
        {
            reason = route->second.word.reason;
        }
    }
    return reason;
}

} // namespace ns3
