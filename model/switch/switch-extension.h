// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_EXTENSION_H
#define LOSSLESS_SWITCH_EXTENSION_H

#include "ns3/fabric-frame.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

class FabricSwitch;

/**
 * @ingroup lossless
 *
 * Policy: what a switch does with frames beside forwarding them, such as telemetry, feedback and
 * marking by other rules than WRED. A switch has any number of them and calls each, in the order in
 * which they were added, at the points of its pipeline that GetHooks() names.
 *
 * An extension belongs to one switch, reads it through the reference that Start() gives, and keeps
 * its own state by port index.
 */
class SwitchExtension : public Object
{
  public:
    /// Points of the pipeline.
    enum Hook : uint32_t
    {
        ON_ARRIVAL = 1,  //!< Arrived()
        ON_ENQUEUE = 2,  //!< Enqueued()
        ON_DEQUEUE = 4,  //!< Dequeued()
        ON_PAUSE = 8,    //!< PauseChanged()
        ON_ROUTE = 16,   //!< Routed()
        ON_UNROUTED = 32 //!< Unrouted()
    };

    /// What becomes of a frame after Routed().
    struct Verdict
    {
        /// What to do.
        enum Kind : uint8_t
        {
            FORWARD, //!< go on
            DROP,    //!< drop it, for `reason`
            TAKEN    //!< the extension has taken the frame over, see FabricSwitch::Forward()
        };

        Kind kind{FORWARD};                         //!< what to do
        DropReason reason{DropReason::UNKNOWN_MAC}; //!< of DROP
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return mask of the Hooks that must be called, asked after Start()
    virtual uint32_t GetHooks() const = 0;

    /**
     * The switch is configured: ports and their speeds are known. Called before the first frame,
     * and again when the configuration has changed: what was learnt stays. Throws
     * std::invalid_argument with a one-line message when it cannot work on this switch.
     * @param owner the switch, which outlives this
     */
    virtual void Start(FabricSwitch& owner) = 0;

    /**
     * The switch restarts: forget what was learnt and decided, and keep attributes and counters.
     * The links of the switch are down, and Start() follows.
     */
    virtual void Restarted();

    /// @return whether ACKs must come back over the switches of their data: FabricHelper then makes
    /// the load balancer symmetric, unless the user chose one
    virtual bool NeedsSymmetricPaths() const;

    /**
     * A frame has arrived and been classified; it is not routed or booked yet and may be given
     * telemetry.
     * @param frame the frame
     * @param inPort where
     */
    virtual void Arrived(Frame& frame, uint32_t inPort);

    /**
     * The egress port of a frame is chosen, and its TTL counted down; it is not booked yet. Its
     * class and DSCP may be changed: the egress queue, and the hops that follow, go by the new
     * ones, the books of the ingress port by Frame::inClass.
     * @param frame the frame
     * @param outPort egress port
     * @return what becomes of it; the first extension that does not say FORWARD decides
     */
    virtual Verdict Routed(Frame& frame, uint32_t outPort);

    /**
     * There is no route for a frame: its destination is link-local, an address of the switch
     * itself, or unknown.
     * @param frame the frame, with inPort and inClass set
     * @return whether the extension has taken the frame over; else the switch drops it
     */
    virtual bool Unrouted(Frame* frame);

    /**
     * A frame has been put into an egress queue.
     * @param frame the frame
     * @param outPort egress port
     * @param queueBytes frame bytes in its queue (port and class), with the frame
     */
    virtual void Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes);

    /**
     * A frame leaves: it has been taken off its queue, its buffer is given back and its ECN mark
     * decided. Its telemetry may grow it now.
     * @param frame the frame
     * @param outPort egress port
     * @param queueBytes frame bytes in its queue (port and class), without the frame
     */
    virtual void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes);

    /**
     * The peer of a port has paused or resumed classes, or a pause has expired, or the link has
     * failed, by which the queues of the port are lost. May come twice with the same mask.
     * @param port the port
     * @param pausedMask classes paused now
     */
    virtual void PauseChanged(uint32_t port, uint8_t pausedMask);

    /**
     * @param stream first random stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_EXTENSION_H
