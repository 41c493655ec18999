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
 * What a switch knows of hosts: for each host and each switch that announces the host, the last
 * announcement of that switch and the neighbours that have passed it on (`via`). A host is up while
 * a neighbour holds a last announcement "up". Older announcements are known by their serial number
 * and ignored, so that two reflectors of different speed cannot make a host flap.
 */
class InofDirectory
{
  public:
    /// `via` of what the switch knows by itself.
    static constexpr uint32_t SELF = std::numeric_limits<uint32_t>::max();

    /// A host at a switch.
    using Key = std::pair<uint32_t, uint32_t>; // host, originator

    /// The last word on it.
    struct Route
    {
        InofMessage word;         //!< of type ROUTE
        std::set<uint32_t> via;   //!< neighbours who hold it
        std::set<uint32_t> stale; //!< of those: not confirmed since their session was lost
    };

    /// What Update() found.
    enum Outcome
    {
        OLD,       //!< an earlier word: ignored
        DUPLICATE, //!< known already
        CHANGED    //!< new, or known to nobody any more until now
    };

    /// @param word a message ROUTE @param via who has passed it on @return what it is
    Outcome Update(const InofMessage& word, uint32_t via);

    /**
     * A neighbour no longer holds a word.
     * @param key the host @param via the neighbour
     * @return whether it was the last to hold it
     */
    bool Withdraw(const Key& key, uint32_t via);

    /// A neighbour no longer holds anything. @param via the neighbour
    /// @return hosts that nobody holds now
    std::vector<Key> WithdrawAll(uint32_t via);

    /// The session with a neighbour is lost; what it holds stays, marked. @param via the neighbour
    /// @return how many hosts that are
    uint32_t MarkStale(uint32_t via);

    /// What a neighbour has not confirmed goes. @param via the neighbour
    /// @return hosts that nobody holds now
    std::vector<Key> WithdrawStale(uint32_t via);

    /// @param host identifier @return the host as its switch describes it; null: it is not up
    const InofHostInfo* Find(uint32_t host) const;

    /// @param host identifier @return why it is not up, as far as is known
    InofReason WhyDown(uint32_t host) const;

    /// @return all that is known
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
