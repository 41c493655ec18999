// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_EXTENSION_H
#define LOSSLESS_SWITCH_EXTENSION_H

#include "ns3/fabric-frame.h"
#include "ns3/object.h"
#include "ns3/path-need.h"
#include "ns3/sole-owner.h"

#include <cstdint>

namespace ns3
{

class FabricSwitch;

/**
 * @ingroup lossless
 *
 * Policy: hooks into the switch pipeline, for telemetry, feedback, and marking by other rules than
 * WRED. A switch may have any number of extensions. It calls them, in the order in which they were
 * added, at the hooks that GetHooks() names.
 *
 * An extension belongs to one switch, accesses the switch through the reference that Start()
 * passes, and keeps its own state by port index.
 *
 * Attributes that Start() reads are declared with MakeLive() and SettingChanged(), so that they
 * take effect at any time.
 */
class SwitchExtension : public Object, public SoleOwner
{
  public:
    /// Hooks of the pipeline, and the methods that they call.
    enum Hook : uint32_t
    {
        ON_ARRIVAL = 1,   //!< Arrived()
        ON_ENQUEUE = 2,   //!< Enqueued()
        ON_DEQUEUE = 4,   //!< Dequeued()
        ON_PAUSE = 8,     //!< PauseChanged()
        ON_ROUTE = 16,    //!< Routed()
        ON_UNROUTED = 32, //!< Unrouted()
        ON_FORWARD = 64,  //!< Routed(), of frames that another extension passes to Forward()
        ON_REFUSED = 128  //!< Refused()
    };

    /// What the switch does with a frame after Routed().
    struct Verdict
    {
        /// The actions.
        enum Kind : uint8_t
        {
            FORWARD, //!< forward the frame
            DROP,    //!< drop the frame, for `reason`
            TAKEN    //!< the extension owns the frame now, see FabricSwitch::Forward()
        };

        Kind kind{FORWARD};                         //!< the action
        DropReason reason{DropReason::UNKNOWN_MAC}; //!< reason of DROP
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return mask of the Hooks that the switch must call; the switch asks after Start()
    virtual uint32_t GetHooks() const = 0;

    /**
     * Check whether the extension can work on a switch, of which all ports are known; throws
     * std::invalid_argument with a one-line message if not. FabricHelper calls it when it builds
     * the switch, so that a fabric that cannot run is refused before the run. The base class
     * accepts all switches.
     * @param owner the switch, which outlives the extension
     */
    virtual void Check(FabricSwitch& owner);

    /**
     * The switch is configured: ports and their speeds are known. Called before the first frame,
     * and again when the configuration has changed; the extension then keeps its state. Throws
     * std::invalid_argument with a one-line message when the extension cannot work on this switch,
     * as Check() does.
     * @param owner the switch, which outlives the extension
     */
    virtual void Start(FabricSwitch& owner) = 0;

    /**
     * The switch restarts: forget all state, but keep attributes and counters. The links of the
     * switch are down, and Start() follows.
     */
    virtual void Restarted();

    /// @return what it needs of the paths of data packets. The base class returns ANY
    virtual PathNeed GetPathNeed() const;

    /// @return whether ACKs must return through the switches of their data: FabricHelper then makes
    /// the load balancer symmetric, unless the user chose one
    virtual bool NeedsSymmetricPaths() const;

    /// @return bytes by which Arrived() lengthens a frame at most, before it is booked; headroom
    /// counts them. Asked before each Start()
    virtual uint32_t GetAddedBytes() const;

    /// @return whether it has done something so far; true of what counts nothing
    virtual bool HasActed() const;

    /// @return whether it reads the RoCE headers or telemetry of passing frames, which tunnels hide
    virtual bool ReadsRoce() const;

    /**
     * A frame has arrived and been classified, but not routed and booked yet: Frame::trafficClass
     * is its class, Frame::inClass its priority group. The extension may add telemetry, or change
     * the marks of the frame and call FabricSwitch::Reclassify().
     * @param frame the frame
     * @param inPort ingress port
     */
    virtual void Arrived(Frame& frame, uint32_t inPort);

    /**
     * The egress port of a frame is chosen and its TTL counted down, but the frame is not booked
     * yet: Frame::trafficClass is its queue at the egress port. The extension may change queue and
     * DSCP: the egress queue and the next hops use what is new, the ingress accounting uses
     * Frame::inClass.
     * @param frame the frame
     * @param outPort egress port
     * @return what to do with the frame; the first verdict other than FORWARD counts
     */
    virtual Verdict Routed(Frame& frame, uint32_t outPort);

    /**
     * The buffer has no room for a frame (INGRESS_LIMIT or EGRESS_LIMIT). The extension may shorten
     * the frame and change its marks, Frame::trafficClass (its queue at the egress port) and
     * Frame::inClass; the buffer is then asked again, and if it refuses once more, so is the
     * extension.
     * @param frame the frame, not booked
     * @param outPort egress port
     * @return whether the frame has changed; else the switch drops it
     */
    virtual bool Refused(Frame& frame, uint32_t outPort);

    /**
     * A frame has no route: its destination is link-local, an address of the switch itself, or
     * unknown.
     * @param frame the frame, with inPort, inClass and, in trafficClass, its class set
     * @return whether the extension has taken ownership of the frame; else the switch drops it
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
     * A frame leaves: it has been taken off its queue, and the ECN decision has been made. The
     * extension may add telemetry.
     * @param frame the frame
     * @param outPort egress port
     * @param queueBytes frame bytes in its queue (port and class), without the frame
     */
    virtual void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes);

    /**
     * The peer of a port has paused or resumed classes, a pause has expired, or the link has
     * failed, which flushes the queues of the port. May be called twice with the same mask.
     * @param port the port
     * @param pausedMask mask of the queues that are paused now
     */
    virtual void PauseChanged(uint32_t port, uint8_t pausedMask);

    /**
     * @param stream first random stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /// @return whether it acts on its own switch alone, and shares no object with other switches:
    /// several threads may run the fabric then
    virtual bool KeepsToItsSwitch() const
    {
        return true;
    }

  protected:
    void DoDispose() override;

    /// An attribute that Start() reads has changed: the switch starts anew if it has started, and
    /// throws what Start() throws.
    virtual void SettingChanged();

    /// @return the switch that has called Start(), or null
    FabricSwitch* StartedBy() const
    {
        return m_startedBy;
    }

  private:
    friend class ExtensionHooks;

    FabricSwitch* m_startedBy{nullptr}; //!< the switch that has called Start()
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_EXTENSION_H
