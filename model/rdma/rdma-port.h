// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_PORT_H
#define LOSSLESS_RDMA_PORT_H

#include "nic-receive-buffer.h"
#include "qp-scheduler.h"
#include "rdma-connection.h"
#include "rdma-loss-recovery.h"

#include "ns3/egress-scheduler.h"
#include "ns3/event-id.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-congestion-ops.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class RdmaHw;
class RdmaSender;

/**
 * @ingroup lossless
 *
 * One port of a NIC: its queue pairs, and the choice which frame goes next, that of a queue pair or
 * a frame queued in the port (ACKs, CNPs, stock IP).
 *
 * A queue pair builds a frame only when the transmitter asks for one. A paused class thus stops its
 * queue pairs instead of filling a hidden queue (doc/rdma.rst).
 */
class alignas(64) RdmaPort final : private ClassHeads
{
  public:
    /// Policies of the queue pair that was connected last, of which the next one shares what it
    /// can.
    struct Policies
    {
        Ptr<RdmaCongestionOps> congestion; //!< if RdmaCongestionOps::ShareWith() says so
        Ptr<RdmaLossRecovery> recovery;    //!< loss recovery
    };

    /// @param hw the NIC @param device the port @param address its address
    RdmaPort(RdmaHw& hw, Ptr<QbbNetDevice> device, const RdmaAddress& address);
    ~RdmaPort();
    RdmaPort(const RdmaPort&) = delete;
    RdmaPort& operator=(const RdmaPort&) = delete;

    /// @return the NIC
    RdmaHw& Hw() const
    {
        return m_hw;
    }

    /// @return what its queue pairs share
    Policies& Shared()
    {
        return m_shared;
    }

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

    /// @return the receive pipeline between the port and the queue pairs, or null
    NicReceiveBuffer* ReceiveBuffer() const
    {
        return PeekPointer(m_receiveBuffer);
    }

    /// @param buffer the receive pipeline between the port and the queue pairs; null: none
    void SetReceiveBuffer(Ptr<NicReceiveBuffer> buffer)
    {
        m_receiveBuffer = buffer;
        SettingChanged();
    }

    /// @return whether frames that arrive go to their queue pairs, and nothing else follows
    bool IsPlain() const
    {
        return m_isPlain;
    }

    /// A setting of the device has changed.
    void SettingChanged();

    /// Count a frame that goes to a queue pair. @param frame the frame
    void CountReceived(const Frame& frame)
    {
        m_dataReceived += CarriesData(frame.opcode);
    }

    /// @return data packets received so far
    uint64_t GetDataReceived() const
    {
        return m_dataReceived;
    }

    /// @return the scheduler of its queue pairs
    QpScheduler& Scheduler()
    {
        return m_scheduler;
    }

    /// @param sender what sends @param cls class of its data @return its slot
    uint32_t Add(RdmaSender* sender, uint8_t cls);

    /// @param slot the slot of a queue pair that leaves
    void Remove(uint32_t slot);

    /// Queue an ACK, NAK or CNP. @param frame the frame, taken over
    void SendControl(Frame* frame);

    /// A queue pair has become ready. @param cls its class
    void Kick(uint32_t cls);

    /// A queue pair will be ready. @param cls its class @param tick when
    void WakeAt(uint32_t cls, int64_t tick);

    /// The pace of a queue pair has changed: check whether a wake-up far ahead is still right.
    void PaceChanged()
    {
        if (m_farAt != QpScheduler::NEVER)
        {
            CheckFarWake();
        }
    }

    /// A rate was set for a gap that has begun. @param tick when the gap ends
    void GapRepaced(int64_t tick);

    /// @return what QbbPortOwner::NextFrame() returns
    Frame* NextFrame();

    /// @return what QbbPortOwner::HasNext() returns
    bool HasNext();

    /// @return connected queue pairs with outstanding requests
    uint32_t GetBusy() const
    {
        return m_busy;
    }

    /// A queue pair has got its first or completed its last outstanding request. @param busy
    /// whether it has one now
    void SetBusy(bool busy)
    {
        m_busy += busy ? 1 : -1;
    }

    /// @param tick a time @return the time stamp, nanoseconds mod 2^32
    uint32_t ClockNs(int64_t tick) const
    {
        return static_cast<uint32_t>(tick * m_nsPerTick / m_ticksPerNs);
    }

    /// @param tick a time @return picoseconds
    int64_t ToPs(int64_t tick) const
    {
        return tick * m_psPerTick / m_ticksPerPs;
    }

    /// @param ps picoseconds @return the tick, rounded up
    int64_t ToTick(int64_t ps) const
    {
        return (ps * m_ticksPerPs + m_psPerTick - 1) / m_psPerTick;
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
    void WakeAsHpcc(int64_t now);
    void FarWake();
    void CheckFarWake();
    Frame* Take(uint32_t cls, int64_t now);

    // What an arrival touches, in one cache line, then what sending touches, in two.
    Ptr<QbbNetDevice> m_device;
    Ptr<NicReceiveBuffer> m_receiveBuffer; //!< receive pipeline, or null
    uint64_t m_dataReceived{0};            //!< data packets
    RdmaAddress m_address;
    uint16_t m_ipId{0};                  //!< IPv4 identification of the next RoCE frame
    uint8_t m_queuePairTurn{0};          //!< classes in which a queue pair goes before IP
    bool m_isPlain{true};                //!< IsPlain()
    bool m_isHpcc{false};                //!< the device has Transmitter Hpcc
    int64_t m_farAt{QpScheduler::NEVER}; //!< time of m_far, in ticks
    std::vector<RdmaSender*> m_senders;  //!< by slot
    QpScheduler m_scheduler;
    int64_t m_hpccTimer{0};  //!< of m_isHpcc: when it wakes the port; in the past: not
    int64_t m_farTicks{0};   //!< a wake-up counts as far ahead from so many ticks on
    EventId m_far;           //!< wake-up far ahead
    int32_t m_nsPerTick{1};  //!< nanoseconds in a tick
    int32_t m_ticksPerNs{1}; //!< ticks in a nanosecond
    int32_t m_psPerTick{1};  //!< picoseconds in a tick
    int32_t m_ticksPerPs{1}; //!< ticks in a picosecond
    uint32_t m_busy{0};      //!< connected queue pairs with outstanding requests
    RdmaHw& m_hw;
    Policies m_shared; //!< Shared()
};

} // namespace ns3

#endif // LOSSLESS_RDMA_PORT_H
