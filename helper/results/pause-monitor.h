// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_MONITOR_H
#define LOSSLESS_PAUSE_MONITOR_H

#include "result-report.h"

#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What operators of a lossless fabric watch first (C. Guo et al., RDMA over commodity Ethernet at
 * scale, SIGCOMM 2016): pause frames of each port of switches and servers, read from the counters
 * at an interval, with thresholds and alerts. It reads counters and touches no data path.
 */
class PauseMonitor : public TableReport
{
  public:
    /// What was read of a (node, port, class) in an interval.
    struct Reading
    {
        Time when;                //!< end of the interval
        NodeId node;              //!< of the port
        bool isSwitch{false};     //!< else a server
        uint32_t port{0};         //!< of the node
        uint32_t cls{0};          //!< class
        uint64_t xoffSent{0};     //!< PFC frames with a pause, refreshes included
        uint64_t xoffReceived{0}; //!< the same, received
        Time paused;              //!< how long the port did not send this class
    };

    /// What thresholds are about.
    enum Metric : uint8_t
    {
        XOFF_SENT,     //!< frames in an interval
        XOFF_RECEIVED, //!< frames in an interval
        PAUSED_SHARE   //!< share of the interval, 0..1
    };

    /// A threshold was reached after an interval in which it was not.
    struct Alert
    {
        Time when;        //!< end of the interval
        NodeId node;      //!< of the port
        bool isSwitch;    //!< else a server
        uint32_t port;    //!< of the node
        uint32_t cls;     //!< class
        Metric metric;    //!< what
        double value;     //!< how much
        double threshold; //!< from which on it is an alert
        std::string name; //!< of the node, for people: "leaf 2"
    };

    /// @param fabric whose ports
    explicit PauseMonitor(const Fabric& fabric);
    /// It reads no more.
    ~PauseMonitor() override;
    PauseMonitor(const PauseMonitor&) = delete;
    PauseMonitor& operator=(const PauseMonitor&) = delete;

    /// @param interval between readings, 100 us by default
    void SetInterval(Time interval);
    /// @param metric what @param threshold alert from this value on, more than 0
    void SetThreshold(Metric metric, double threshold);
    /// @param listener called at each alert
    void OnAlert(std::function<void(const Alert&)> listener);

    /// @param begin of the first interval @param end no interval begins then or later
    void Run(Time begin, Time end);

    bool IsDividable() const override
    {
        return true; // its events are of no node
    }

    /// @return pause-monitor.csv
    static TableSpec GetTable();

    /// @return the alerts so far, in order
    const std::vector<Alert>& GetAlerts() const
    {
        return m_alerts;
    }

    /// @param metric a metric @return its name, such as "xoff-received"
    static const char* ToString(Metric metric);

    /// @param alert an alert @return one line
    static std::string ToLine(const Alert& alert);

    /// @return the fabric that it belongs to
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

  private:
    static constexpr uint32_t METRICS = 3;

    /// Counters of a (port, class) at the last reading.
    struct Watched
    {
        Reading sample; //!< names it
        Ptr<QbbNetDevice> device;
        uint64_t xoffSent{0};
        uint64_t xoffReceived{0};
        int64_t pausedTicks{0};
        bool alerted[METRICS]{}; //!< the threshold was reached in the last interval
    };

    /// Read the counters of one. @param now tick
    void Read(Watched& watched, int64_t now);
    /// Compare with the thresholds. @param watched with the sample of this interval
    void Compare(Watched& watched);
    /// End of an interval.
    void Poll();

    Fabric m_fabric;
    Time m_interval;
    Time m_begin; //!< of the first interval
    Time m_end;
    EventId m_next;               //!< reading
    double m_thresholds[METRICS]; //!< 0: none
    std::vector<Watched> m_watched;
    std::vector<Alert> m_alerts;
    std::function<void(const Alert&)> m_onAlert;
};

} // namespace ns3

#endif // LOSSLESS_PAUSE_MONITOR_H
