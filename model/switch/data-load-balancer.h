// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DATA_LOAD_BALANCER_H
#define LOSSLESS_DATA_LOAD_BALANCER_H

#include "ecmp-load-balancer.h"

#include "ns3/random-variable-stream.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Base of load balancers that choose for data by more than the hash of a flow, and draw where the
 * choice is free. What is no data of RoCE (ACKs, NAKs, CNPs, IP) keeps the path that
 * EcmpLoadBalancer gives it, as in the public simulators of ConWeave and of Ultra Ethernet.
 */
class DataLoadBalancer : public EcmpLoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint16_t Pick(const Frame& frame,
                  uint16_t inPort,
                  const NextHopGroup& group,
                  const SwitchPorts& view) final;
    std::vector<uint16_t> GetWays(const Frame& frame,
                                  uint16_t inPort,
                                  const NextHopGroup& group,
                                  const SwitchPorts& view) final;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    DataLoadBalancer();

    /// @param frame a frame @return whether Choose() is asked for the frame, rather than the hash
    virtual bool IsChosenFor(const Frame& frame) const;

    /// @param frame a frame @param group the candidates @param view the switch
    /// @return one of NextHopGroup::ports
    virtual uint16_t Choose(const Frame& frame,
                            const NextHopGroup& group,
                            const SwitchPorts& view) = 0;

    /// Virtual, so that a test can say what is drawn. @param first smallest number @param last
    /// largest number @return one of them, uniformly
    virtual uint32_t Draw(uint32_t first, uint32_t last);

    /// @param ports candidates @return one of them, uniformly
    uint16_t DrawPort(const std::vector<uint16_t>& ports)
    {
        return ports[Draw(0, static_cast<uint32_t>(ports.size()) - 1)];
    }

    /// Draw without repetition: one of the members that stand at a place or behind it moves to that
    /// place. @param order numbers of members in any order @param place the place
    /// @return the member that is there now
    uint16_t DrawInto(std::vector<uint16_t>& order, std::size_t place);

    /// @param ports candidates @param costOf gives the cost of a port, a uint64_t
    /// @return one of the cheapest, uniformly
    template <typename Cost>
    uint16_t DrawCheapest(const std::vector<uint16_t>& ports, Cost costOf)
    {
        uint64_t least = std::numeric_limits<uint64_t>::max();
        for (const uint16_t port : ports)
        {
            const uint64_t cost = costOf(port);
            if (cost < least)
            {
                m_cheapest.clear();
                least = cost;
            }
            if (cost == least)
            {
                m_cheapest.push_back(port);
            }
        }
        return m_cheapest.size() == 1 ? m_cheapest[0] : DrawPort(m_cheapest);
    }

    /// State of each group. @tparam State of a group
    template <typename State>
    class PerGroup
    {
      public:
        /// @param group a group @return its state
        State& Of(const NextHopGroup& group)
        {
            if (group.number >= m_states.size())
            {
                m_states.resize(group.number + std::size_t{1});
            }
            return m_states[group.number];
        }

      private:
        std::vector<State> m_states; //!< by NextHopGroup::number
    };

    /// Numbers of the members of a group from 0 on, in any order: begun anew when the number of
    /// members has changed. @param order the numbers @param group the group
    /// @return whether it was begun anew
    static bool Fit(std::vector<uint16_t>& order, const NextHopGroup& group);

  private:
    Ptr<UniformRandomVariable> m_draws; //!< the stream
    std::vector<uint16_t> m_cheapest;   //!< DrawCheapest(): kept for its memory
};

} // namespace ns3

#endif // LOSSLESS_DATA_LOAD_BALANCER_H
