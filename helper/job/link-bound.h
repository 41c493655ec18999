// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LINK_BOUND_H
#define LOSSLESS_LINK_BOUND_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The tick before which not all messages that need a link have arrived, as they come: those that
 * come no earlier than one of them need the link after its release, and each of them is some ticks
 * elsewhere behind it.
 */
class LinkBound
{
  public:
    /// @param release tick before which a message is not there @param occupation ticks for which it
    /// keeps the link @param rest ticks from then to its arrival
    void Add(int64_t release, int64_t occupation, int64_t rest)
    {
        m_coming.push_back({release, occupation, rest});
    }

    /// Nothing that is added later is released earlier. @param tick than that
    /// @return false: the bound depends on the order of those of one tick
    bool Settle(int64_t tick)
    {
        std::sort(m_coming.begin(), m_coming.end(), [](const Use& one, const Use& other) {
            return one.release < other.release;
        });
        auto use = m_coming.begin();
        while (use != m_coming.end() && use->release < tick)
        {
            if (!Take(*use++))
            {
                return false;
            }
        }
        m_coming.erase(m_coming.begin(), use);
        return true;
    }

    /// @return the bound of what is settled
    int64_t Get() const
    {
        int64_t bound = 0;
        for (const Latest& latest : m_latest)
        {
            bound = std::max(bound, latest.begin + m_occupied + latest.rest);
        }
        return bound;
    }

  private:
    /// A message that needs the link.
    struct Use
    {
        int64_t release;
        int64_t occupation;
        int64_t rest;
    };

    /// Of messages after which none has a shorter rest: when the link begins at the latest, if it
    /// is not idle until all is done.
    struct Latest
    {
        int64_t rest;
        int64_t begin;
    };

    /// @param use the next one @return false: it matters whether those of its tick come before it
    bool Take(const Use& use)
    {
        if (use.release != m_tick)
        {
            m_tick = use.release;
            m_least = use;
            m_mostRest = use.rest;
        }
        m_least.occupation = std::min(m_least.occupation, use.occupation);
        m_least.rest = std::min(m_least.rest, use.rest);
        m_mostRest = std::max(m_mostRest, use.rest);
        int64_t begin = use.release - m_occupied;
        while (!m_latest.empty() && m_latest.back().rest >= use.rest)
        {
            begin = std::max(begin, m_latest.back().begin);
            m_latest.pop_back();
        }
        m_latest.push_back({use.rest, begin});
        m_occupied += use.occupation;
        return m_mostRest - m_least.rest <= m_least.occupation;
    }

    std::vector<Use> m_coming;    //!< not settled
    std::vector<Latest> m_latest; //!< by rest, the longest one last
    int64_t m_occupied{0};        //!< ticks, by all that are settled
    int64_t m_tick{-1};           //!< of those that were settled last
    Use m_least{};                //!< of these: the least of each
    int64_t m_mostRest{0};        //!< likewise, the longest rest
};

} // namespace ns3

#endif // LOSSLESS_LINK_BOUND_H
