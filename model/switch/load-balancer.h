// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOAD_BALANCER_H
#define LOSSLESS_LOAD_BALANCER_H

#include "next-hop-group.h"

#include "ns3/fabric-frame.h"
#include "ns3/object.h"
#include "ns3/path-need.h"
#include "ns3/sole-owner.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What a load balancer may ask its switch.
class SwitchPorts
{
  public:
    virtual ~SwitchPorts() = default;

    /// @param port a port @return frame bytes queued at its egress, all classes
    virtual uint64_t GetQueueBytes(uint32_t port) const = 0;

    /// @param port a port @param cls a class @return frame bytes queued in that class
    virtual uint64_t GetQueueBytes(uint32_t port, uint32_t cls) const = 0;

    /// @param port a port @return mask of the classes that its peer has paused
    virtual uint8_t GetPausedMask(uint32_t port) const = 0;

    /// @return now, in ticks
    virtual int64_t Now() const = 0;
};

/**
 * @ingroup lossless
 *
 * Policy: which port of a next-hop group a frame takes. Each switch has a load balancer of its own,
 * and asks it only when a group has several live members.
 */
class LoadBalancer : public Object, public SoleOwner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param frame the frame
     * @param inPort ingress port
     * @param group the candidates: at least two ports, or one if it NamesPorts()
     * @param view the switch
     * @return one of NextHopGroup::ports; NextHopGroup::NONE: the frame has no route
     */
    virtual uint16_t Pick(const Frame& frame,
                          uint16_t inPort,
                          const NextHopGroup& group,
                          const SwitchPorts& view) = 0;

    /**
     * The ports that Pick() may give. Asking changes nothing where all frames of a flow take one
     * path, as balancers with this Unit then keep no state.
     * @param frame of a flow @param inPort,group,view as those of Pick()
     * @return the one port of the flow; all of NextHopGroup::ports where its frames are not held
     * together
     */
    virtual std::vector<uint16_t> GetWays(const Frame& frame,
                                          uint16_t inPort,
                                          const NextHopGroup& group,
                                          const SwitchPorts& view);

    /// @return what takes one path: whether receivers must expect reordering. The base class
    /// returns FLOW
    virtual PathUnit GetUnit() const;

    /// @return whether frames name ports: the switch then asks also where a group has one live
    /// member. Read when the switch starts. The base class returns false
    virtual bool NamesPorts() const;

    /// The switch passes its node id, once, before the first frame.
    /// @param id the identifier
    virtual void SetSwitchId(uint32_t id);

    /**
     * @param stream first random stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3

#endif // LOSSLESS_LOAD_BALANCER_H
