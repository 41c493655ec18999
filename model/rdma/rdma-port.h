// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_PORT_H
#define LOSSLESS_RDMA_PORT_H

#include "nic-receive-buffer.h"
#include "qp-scheduler.h"
#include "rdma-connection.h"

#include "ns3/egress-scheduler.h"
#include "ns3/event-id.h"
#include "ns3/qbb-net-device.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class RdmaQueuePair;

/**
 * @ingroup lossless
 *
 * One port of a NIC, as RdmaHw sees it: the queue pairs of the port, and the choice which of them,
 * or of the frames queued in the port (ACKs, CNPs, stock IP), goes next.
 *
 * A frame of a queue pair is made only when the transmitter asks for one. A paused class thus stops
 * its queue pairs, instead of filling a queue that nobody sees (doc/rdma.rst).
 */
class RdmaPort final : private ClassHeads
{
  public:
    /// @param device the port @param address its address
    RdmaPort(Ptr<QbbNetDevice> device, const RdmaAddress& address);
    ~RdmaPort();
    RdmaPort(const RdmaPort&) = delete;
    RdmaPort& operator=(const RdmaPort&) = delete;

    /// @return the device
    QbbNetDevice& Device() const
    {
        return *m_device;
    }

    /// @return its address
    const RdmaAddress& Address() const
    {
        return m_address;
    }

    /// @return what stands between the port and the queue pairs, or null
    NicReceiveBuffer* ReceiveBuffer() const
    {
        return PeekPointer(m_receiveBuffer);
    }

    /// @param buffer what stands between the port and the queue pairs from now on; null: nothing
    void SetReceiveBuffer(Ptr<NicReceiveBuffer> buffer)
    {
        m_receiveBuffer = buffer;
    }

    /// A frame goes to one of its queue pairs. @param frame the frame
    void CountReceived(const Frame& frame)
    {
        m_dataReceived += CarriesData(frame.opcode);
    }

    /// @return data packets of them
    uint64_t GetDataReceived() const
    {
        return m_dataReceived;
    }

    /// @return the scheduler of its queue pairs
    QpScheduler& Scheduler()
    {
        return m_scheduler;
    }

    /// @param queuePair a queue pair @param cls class of its data @return its slot
    uint32_t Add(RdmaQueuePair* queuePair, uint8_t cls);

    /// @param slot the slot of a queue pair that leaves
    void Remove(uint32_t slot);

    /// Queue an ACK, NAK or CNP. @param frame the frame, taken over
    void SendControl(Frame* frame);

    /// A queue pair has become ready. @param cls its class
    void Kick(uint32_t cls);

    /// A queue pair will be ready. @param cls its class @param tick when
    void WakeAt(uint32_t cls, int64_t tick);

    /// The pace of a queue pair has changed: a wake-up far ahead may be for nothing now.
    void PaceChanged()
    {
        if (m_farAt != QpScheduler::NEVER)
        {
            CheckFarWake();
        }
    }

    /// @return what QbbPortOwner::NextFrame() returns
    Frame* NextFrame();

    /// @return what QbbPortOwner::HasNext() returns
    bool HasNext();

    /// @return connected queue pairs with requests under way
    uint32_t GetBusy() const
    {
        return m_busy;
    }

    /// The requests of a queue pair begin or end. @param busy whether they begin
    void SetBusy(bool busy)
    {
        m_busy += busy ? 1 : -1;
    }

    /// @param tick a time @return the same by the clock of time stamps, nanoseconds mod 2^32
    uint32_t ClockNs(int64_t tick) const
    {
        return static_cast<uint32_t>(tick * m_nsPerTick / m_ticksPerNs);
    }

    /// @param cls a class @return whether the peer has paused it
    bool IsPaused(uint32_t cls) const
    {
        return m_device->PausedMask() & (1U << cls);
    }

  private:
    uint32_t HeadWireBytes(uint32_t cls) const override;
    bool QueueGoesFirst(uint32_t cls) const;
    uint8_t Waiting() const;
    void Wake(int64_t tick);
    void FarWake();
    void CheckFarWake();
    Frame* Take(uint32_t cls, int64_t now);

    Ptr<QbbNetDevice> m_device;
    RdmaAddress m_address;
    Ptr<NicReceiveBuffer> m_receiveBuffer; //!< or null
    QpScheduler m_scheduler;
    std::vector<RdmaQueuePair*> m_queuePairs; //!< by slot
    uint64_t m_dataReceived{0};               //!< data packets
    EventId m_far;                            //!< wake-up far ahead
    int64_t m_farAt{QpScheduler::NEVER};      //!< when it is, in ticks
    int64_t m_farTicks{0};                    //!< from how far ahead on
    int32_t m_nsPerTick{1};                   //!< nanoseconds in a tick
    int32_t m_ticksPerNs{1};                  //!< ticks in a nanosecond
    uint32_t m_busy{0};                       //!< connected queue pairs with requests
    uint16_t m_ipId{0};                       //!< IPv4 identification of the next RoCE frame
    uint8_t m_queuePairTurn{0}; //!< classes in which a queue pair goes before the next IP frame
};

} // namespace ns3

#endif // LOSSLESS_RDMA_PORT_H
