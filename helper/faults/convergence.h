// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONVERGENCE_H
#define LOSSLESS_CONVERGENCE_H

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Gives the switches of a fabric new routes after links have changed, each switch at a time of its
 * own. In between neighbours disagree, and frames may run in circles (micro-loops). By default all
 * switches change at once. Delays hold from the next change of a link on. A switch leaves its own
 * dead ports out at once in any case.
 */
class Convergence
{
  public:
    /// @param fabric whose routes
    explicit Convergence(const Fabric& fabric);

    /// All switches take the same time. @param delay from the change of the link
    void SetUniform(Time delay);

    /// Each switch takes its own time. @param delays by switch, in their order
    void SetDelays(const std::vector<Time>& delays);

    /**
     * What is near the change is first, as in a flooding protocol.
     * @param first delay of a switch at the link
     * @param perHop more for each link from there
     */
    void SetByDistance(Time first, Time perHop);

    /// Each switch draws a time, for each change anew. @param low least @param high most
    void SetRandom(Time low, Time high);

    /// Links have changed: compute the routes, and tell the switches when it is time.
    /// @param links the links
    void Start(const std::vector<LinkId>& links);

    /// @return whether a switch is still to be told
    bool IsUnderWay() const
    {
        return m_waiting > 0;
    }

    /**
     * @param stream first random stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    /// What decides the delay of a switch.
    enum Order
    {
        FIXED,       //!< m_delays
        BY_DISTANCE, //!< grows with the distance from the change
        RANDOM       //!< drawn
    };

    /// @param links links that changed @return by node: links to the nearest end of one
    std::vector<uint32_t> GetDistances(const std::vector<LinkId>& links) const;
    /// @param which a switch @param distances by node @return its delay
    Time GetDelay(SwitchId which, const std::vector<uint32_t>& distances);
    /// Tell a switch, unless it knows newer routes. @param which the switch @param wave which
    /// change
    /// @param routes the routes
    void Install(SwitchId which, uint64_t wave, const FabricRoutes& routes);

    Fabric m_fabric;
    Order m_order{FIXED};
    std::vector<Time> m_delays; //!< FIXED: by switch
    Time m_first;               //!< BY_DISTANCE: of a switch at the link; RANDOM: least
    Time m_step;                //!< BY_DISTANCE: more for each link; RANDOM: most minus least
    Ptr<UniformRandomVariable> m_random;
    uint64_t m_wave{0};             //!< changes so far
    std::vector<uint64_t> m_waveOf; //!< by switch: whose routes it has
    uint32_t m_waiting{0};          //!< switches still to be told
    CallbackGuard m_guard;          //!< of events
};

} // namespace ns3

#endif // LOSSLESS_CONVERGENCE_H
