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
 * The owner of a port: a switch (FabricSwitch) or a NIC (RdmaHw). This interface is all that `link`
 * knows of them. A port without an owner serves only the stock IP stack of its node.
 *
 * PFC frames never reach the owner: a port obeys them itself.
 */
class QbbPortOwner
{
  public:
    virtual ~QbbPortOwner() = default;

    /**
     * A frame has arrived (last bit).
     * @param port where
     * @param frame the frame, owned by the callee from now on
     */
    virtual void FrameArrived(QbbNetDevice& port, Frame* frame) = 0;

    /**
     * The transmitter of the port is free: give it the next frame. Called only when the port is
     * up. The owner honours QbbNetDevice::PausedMask().
     * @param port which
     * @return the frame to send now, handed to the port; null if nothing may be sent now
     */
    virtual Frame* NextFrame(QbbNetDevice& port) = 0;

    /**
     * Asked after NextFrame(), while the frame is being sent.
     * @param port which
     * @return whether NextFrame() would give another frame once the transmitter is free. When
     * false, the owner must call QbbNetDevice::Kick() (or WakeAt()) when that changes.
     */
    virtual bool HasNext(const QbbNetDevice& port) const = 0;

    /**
     * The last bit of a frame has left; called only on a port with NotifyLastBit set.
     * @param port which
     */
    virtual void LastBitSent(QbbNetDevice& port)
    {
    }

    /**
     * The peer has paused or resumed classes of this port. Kick() follows by itself on a resume.
     * @param port which
     * @param pausedMask classes paused now
     */
    virtual void PauseChanged(QbbNetDevice& port, uint8_t pausedMask)
    {
    }

    /**
     * A frame queued in the port is thrown away: the link went down, or somebody flushed its class.
     * @param port which
     * @param frame the frame; still owned by the port, which counts the drop and releases it
     * @param reason why
     */
    virtual void FrameFlushed(QbbNetDevice& port, Frame* frame, DropReason reason)
    {
    }

    /**
     * The link went up or down. On down, the queues have been flushed and pauses forgotten.
     * @param port which
     * @param up the new state
     */
    virtual void LinkChanged(QbbNetDevice& port, bool up)
    {
    }
};

} // namespace ns3

#endif // LOSSLESS_QBB_PORT_OWNER_H
