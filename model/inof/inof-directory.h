// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_DIRECTORY_H
#define LOSSLESS_INOF_DIRECTORY_H

#include "inof-message.h"

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The hosts that a switch knows: for each host and each switch that announces the host, the last
 * announcement of that switch and the neighbours that have passed it on (`via`). A host is up while
 * the last announcement says so and a neighbour holds it. Announcements with an older serial number
 * are ignored, so that two reflectors of different speed cannot make a host flap.
 */
class InofDirectory
{
  public:
    /// `via` of hosts at the switch itself.
    static constexpr uint32_t SELF = std::numeric_limits<uint32_t>::max();

    /// Key of an announcement: a host at a switch.
    using Key = std::pair<uint32_t, uint32_t>; // host, announcing switch

    /// The last announcement of a host.
    struct Route
    {
        InofMessage word;       //!< the announcement, a ROUTE
        std::set<uint32_t> via; //!< neighbours that hold the announcement
        std::set<uint32_t>
            stale; //!< those of `via` that have not confirmed it since their session was lost
    };

    /// Result of Update().
    enum Outcome
    {
        OLD,       //!< older than the known announcement: ignored
        DUPLICATE, //!< known already
        CHANGED    //!< new, or held by no neighbour before
    };

    /// @param word an announcement @param via the neighbour that has passed it on @return the
    /// result
    Outcome Update(const InofMessage& word, uint32_t via);

    /**
     * A neighbour no longer holds an announcement.
     * @param key its key @param via the neighbour
     * @return whether it was the last holder
     */
    bool Withdraw(const Key& key, uint32_t via);

    /// A neighbour no longer holds anything. @param via the neighbour
    /// @return announcements without a holder now
    std::vector<Key> WithdrawAll(uint32_t via);

    /// The session with a neighbour is lost: mark the announcements that it holds as stale. @param
    /// via the neighbour
    /// @return number of these announcements
    uint32_t MarkStale(uint32_t via);

    /// Withdraw the stale announcements of a neighbour. @param via the neighbour
    /// @return announcements without a holder now
    std::vector<Key> WithdrawStale(uint32_t via);

    /// @param host identifier of a host @return the description by its switch; null: the host is
    /// not up
    const InofHostInfo* Find(uint32_t host) const;

    /// @param host identifier of a host @return why the host is not up, as far as known
    InofReason WhyDown(uint32_t host) const;

    /// @return all announcements
    const std::map<Key, Route>& GetRoutes() const
    {
        return m_routes;
    }

    /// Forget everything.
    void Clear()
    {
        m_routes.clear();
    }

  private:
    std::map<Key, Route> m_routes;
};

} // namespace ns3

#endif // LOSSLESS_INOF_DIRECTORY_H
