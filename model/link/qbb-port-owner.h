// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QBB_PORT_OWNER_H
#define LOSSLESS_QBB_PORT_OWNER_H

#include "ns3/fabric-frame.h"

namespace ns3
{

class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * The owner of a port: a switch (FabricSwitch) or a NIC (RdmaHw). `link` knows switches and NICs
 * only by this interface. A port without an owner serves only the stock IP stack of its node.
 *
 * PFC frames never reach the owner: the port obeys them itself.
 */
class QbbPortOwner
{
  public:
    virtual ~QbbPortOwner() = default;

    /// @return whether NextFrame() takes frames from QbbNetDevice::Queues() alone, for all ports
    /// and for ever; HasNext() is never called then
    virtual bool SendsQueues() const
    {
        return false;
    }

    /**
     * The last bit of a frame has arrived.
     * @param port the port
     * @param frame the frame, owned by the callee from now on
     */
    virtual void FrameArrived(QbbNetDevice& port, Frame* frame) = 0;

    /// @param port a port with credits (CBFC) @return whether the owner calls
    /// QbbNetDevice::FreeCredits() when the memory of a frame is free; else it is free at once
    virtual bool FreesCredits(const QbbNetDevice& port) const
    {
        return false;
    }

    /**
     * The transmitter of the port is free and asks for the next frame. Called only while the port
     * is up. The owner honours QbbNetDevice::PausedMask().
     * @param port the port
     * @return the frame to send now, owned by the port from now on; null if no frame may be sent
     * now
     */
    virtual Frame* NextFrame(QbbNetDevice& port) = 0;

    /**
     * Called after NextFrame(), while the port sends the frame.
     * @param port the port
     * @return whether NextFrame() would return another frame once the transmitter is free. After
     * false, the owner must call QbbNetDevice::Kick() or WakeAt() as soon as it has a frame.
     */
    virtual bool HasNext(const QbbNetDevice& port) const = 0;

    /**
     * The last bit of a frame has left. Called only for a port with NotifyLastBit set.
     * @param port the port
     */
    virtual void LastBitSent(QbbNetDevice& port)
    {
    }

    /**
     * The peer has paused or resumed classes of this port. After a resume the port calls Kick()
     * itself.
     * @param port the port
     * @param pausedMask mask of the classes that are paused now
     */
    virtual void PauseChanged(QbbNetDevice& port, uint8_t pausedMask)
    {
    }

    /**
     * The port drops a queued frame because the link went down or its class was flushed.
     * @param port the port
     * @param frame the frame; still owned by the port, which counts the drop and releases it
     * @param reason reason of the drop
     */
    virtual void FrameFlushed(QbbNetDevice& port, Frame* frame, DropReason reason)
    {
    }

    /**
     * The link went up or down. When it went down, the port has flushed its queues and ended all
     * pauses.
     * @param port the port
     * @param up the new state
     */
    virtual void LinkChanged(QbbNetDevice& port, bool up)
    {
    }

    /**
     * A setting of the port, of its peer or of the cable has changed: rate, delay, MTU, class map,
     * or PFC. Throws std::invalid_argument, in one line, when the owner cannot follow; the port
     * then takes the change back and calls again.
     * @param port the port
     */
    virtual void PortChanged(QbbNetDevice& port)
    {
    }
};

} // namespace ns3

#endif // LOSSLESS_QBB_PORT_OWNER_H
