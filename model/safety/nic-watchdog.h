// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NIC_WATCHDOG_H
#define LOSSLESS_NIC_WATCHDOG_H

#include "nic-stall-detector.h"
#include "receive-pipeline.h"

#include "ns3/fixed-accessor.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/qbb-net-device.h"
#include "ns3/simulation-clock.h"
#include "ns3/traced-callback.h"
#include "ns3/wake-event.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The watchdog in the NICs of Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016,
 * section 4.3: if the receive pipeline of a NIC makes no progress for 100 ms while the NIC tells
 * its peer to pause, the NIC generates no PAUSE from then on, until Reset(). The watchdog is
 * aggregated to the node of a host and watches the ports of AddPort(). It samples a port at
 * multiples of PollInterval while the port pauses its peer, and so acts up to two intervals late.
 *
 * A stopped port sends an XON to end the pause; a NIC of the paper lets the pause expire.
 */
class NicWatchdog : public Object, public FixedWhenUsed
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    const char* FixedSince() const override
    {
        return m_ports.empty() ? nullptr : "it watches a port";
    }

    NicWatchdog();
    ~NicWatchdog() override;

    /// Watch a port. Throws std::invalid_argument if the times do not fit. @param device the port
    /// @param pipeline its receive pipeline
    void AddPort(Ptr<QbbNetDevice> device, Ptr<ReceivePipeline> pipeline);

    /// @return number of ports watched
    uint32_t GetNPorts() const;
    /// @param port counted from 0, in the order of adding @return whether the port is stopped: it
    /// generates no PAUSE
    bool IsStopped(uint32_t port) const;

    /// @return how often a port was stopped, all ports
    uint64_t GetStopCount() const
    {
        return m_stops;
    }

    /// A port was stopped or reset.
    struct Change
    {
        int64_t tick;    //!< when
        uint32_t port;   //!< which, counted from 0
        uint8_t classes; //!< mask of the classes that it paused when it was stopped
        bool stopped;    //!< its state from then on
    };

    /// @return all changes so far, in their order
    const std::vector<Change>& GetChanges() const
    {
        return m_changes;
    }

    /// Reset the NIC: the port may generate PAUSE again. @param port counted from 0
    void Reset(uint32_t port);

    /// A port was stopped, and generates no PAUSE any more, or was reset. @param port counted from
    /// 0
    /// @param classes mask of the classes that it paused when it was stopped @param stopped new
    /// state
    typedef void (*StoppedTracedCallback)(uint32_t port, uint8_t classes, bool stopped);

    /// @return DetectionTime after TimeScale
    Time GetDetectionTime() const;

    /// @return longest time, in ticks, that a pause lasts before the watchdog acts
    int64_t GetReactionTicks() const;

  protected:
    void DoDispose() override;

  private:
    /// A port that is watched.
    struct Port
    {
        Ptr<QbbNetDevice> device;
        Ptr<ReceivePipeline> pipeline;
        NicStallDetector detector;
        bool stopped{false};
        uint8_t classes{0}; //!< classes that it paused when it was last stopped
    };

    /// Throws std::invalid_argument if there is no such port. @param port counted from 0
    void RequirePort(uint32_t port) const;
    /// Trace sink for sent PFC frames, which start the polls.
    void PfcSent(const QbbNetDevice& device, uint32_t cls, uint16_t quanta);
    /// Take samples.
    void Poll();
    /// Schedule the next Poll().
    void Arm();
    /// Stop a port. @param index the port @param classes mask of the classes that it pauses
    void Stop(uint32_t index, uint8_t classes);

    Ptr<WakeEvent<NicWatchdog, &NicWatchdog::Poll>> m_wake;
    std::vector<Change> m_changes;
    std::vector<Port> m_ports;
    int64_t m_interval{1}; //!< time between two polls, in ticks
    uint64_t m_stops{0};
    Time m_detection; //!< attribute DetectionTime
    Time m_poll;      //!< attribute PollInterval
    double m_scale;   //!< attribute TimeScale

    TracedCallback<uint32_t, uint8_t, bool> m_stoppedTrace;
};

} // namespace ns3

#endif // LOSSLESS_NIC_WATCHDOG_H
