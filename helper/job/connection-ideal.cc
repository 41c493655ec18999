// SPDX-License-Identifier: GPL-2.0-only
#include "connection-ideal.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

ConnectionIdeal::ConnectionIdeal(std::vector<Way> ways, RdmaVerb verb)
    : m_ways(std::move(ways)),
      m_verb(verb)
{
    for (const Way& way : m_ways)
    {
        m_lines += way.lines;
    }
}

int64_t
ConnectionIdeal::Least(const std::function<int64_t(const IdealFct&)>& visit) const
{
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const Way& way : m_ways)
    {
        least = std::min(least, visit(way.fct));
    }
    return least;
}

int64_t
ConnectionIdeal::Delivery(const Pieces& pieces) const
{
    const uint64_t longest = pieces.count > 1 ? pieces.bytes : pieces.last;
    int64_t time = Least([&](const IdealFct& fct) { return fct.Delivery(m_verb, longest); });
    if (pieces.count == 1)
    {
        return time;
    }
    for (const Way& way : m_ways)
    {
        // Which queue pair comes first depends on what was sent before: so many go by each way.
        const uint64_t count =
            m_ways.size() == 1 ? pieces.count : pieces.count / m_lines * way.lines;
        if (count > 0)
        {
            time =
                std::max(time,
                         way.fct.Delivery(m_verb, {{count - 1, pieces.bytes}, {1, pieces.last}}));
        }
    }
    return time;
}

int64_t
ConnectionIdeal::DeliveryByProxy(const Pieces& pieces,
                                 const std::function<int64_t(uint64_t)>& within,
                                 int64_t latency) const
{
    const int64_t last = within(pieces.last);
    if (pieces.count == 1)
    {
        return latency + last + Delivery(pieces);
    }
    // Until some of them are there, the others wait: the first one, all but the last, or all.
    const int64_t each = within(pieces.bytes);
    const int64_t before = static_cast<int64_t>(pieces.count - 1) * each;
    return latency + std::max({each + Delivery(pieces),
                               before + Delivery({2, pieces.bytes, pieces.last}),
                               before + last + Delivery({1, pieces.last, pieces.last})});
}

int64_t
ConnectionIdeal::Answer(const Pieces& pieces) const
{
    const uint64_t bytes = pieces.count > 1 ? 1 : pieces.last;
    return Least([&](const IdealFct& fct) {
        return fct.Completion(m_verb, bytes) - fct.Delivery(m_verb, bytes);
    });
}

} // namespace ns3
