// SPDX-License-Identifier: GPL-2.0-only
#include "pause-monitor.h"

#include "fabric-ports.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-places.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PauseMonitor");

PauseMonitor::PauseMonitor(const Fabric& fabric)
    : TableReport("pause-monitor", {GetTable()}),
      m_fabric(fabric),
      m_interval(MicroSeconds(100)),
      m_thresholds{}
{
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            Watched watched;
            watched.device = device;
            watched.sample.node = node;
            watched.sample.isSwitch = isSwitch;
            watched.sample.port = port;
            watched.sample.cls = cls;
            m_watched.push_back(watched);
        }
    }
}

PauseMonitor::~PauseMonitor()
{
    m_next.Cancel();
}

void
PauseMonitor::SetInterval(Time interval)
{
    if (interval <= Time(0))
    {
        throw FabricError("the pause monitor's interval is " + ExactText(interval),
                          "it must be more than 0");
    }
    if (!m_next.IsExpired())
    {
        throw FabricError("the interval of a pause monitor that runs", "set it before");
    }
    m_interval = interval;
}

void
PauseMonitor::SetThreshold(Metric metric, double threshold)
{
    const bool isShare = metric == PAUSED_SHARE;
    if (!(threshold > 0) || (isShare && threshold > 1) || !std::isfinite(threshold))
    {
        throw FabricError("the pause monitor's threshold of " + std::string(ToString(metric)) +
                              " is " + std::to_string(threshold),
                          isShare ? "it must be more than 0 and at most 1"
                                  : "it must be more than 0");
    }
    m_thresholds[metric] = threshold;
}

void
PauseMonitor::OnAlert(std::function<void(const Alert&)> listener)
{
    m_onAlert = std::move(listener);
}

TableSpec
PauseMonitor::GetTable()
{
    using C = ColumnSpec;
    return {"pause-monitor",
            "a class of a port that sent or received XOFF, or was paused, in an interval",
            {{"time_ns", "ns", "end of the interval"},
             {"node", "", "node of the port"},
             {"node_type", "", "switch or host", C::TEXT},
             {"port", "", "port of the node"},
             {"class", "", "traffic class"},
             {"xoff_sent", "frames", "XOFF frames sent, refreshes included"},
             {"xoff_received", "frames", "XOFF frames received, refreshes included"},
             {"paused_ns", "ns", "how long the port did not send this class"}}};
}

void
PauseMonitor::Run(Time begin, Time end)
{
    NS_LOG_FUNCTION(this << begin << end);
    if (begin < Simulator::Now() || end <= begin)
    {
        throw FabricError("the pause monitor is to run from " + ExactText(begin) + " to " +
                              ExactText(end),
                          "the begin must not be past, and the end after it");
    }
    if (!m_next.IsExpired())
    {
        throw FabricError("the pause monitor runs already", "make another one");
    }
    Plan(m_fabric);
    m_begin = begin;
    m_end = end;
    m_next = Simulator::Schedule(begin - Simulator::Now(), [this] {
        for (Watched& watched : m_watched)
        {
            Read(watched, Simulator::Now().GetTimeStep());
        }
        m_next = Simulator::Schedule(m_interval, &PauseMonitor::Poll, this);
    });
}

void
PauseMonitor::Read(Watched& watched, int64_t now)
{
    const uint32_t cls = watched.sample.cls;
    const uint64_t sent = watched.device->GetIssuer().Get(cls).txXoff;
    const uint64_t received = watched.device->GetObeyer().Get(cls).rxXoff;
    const int64_t paused = watched.device->GetObeyer().PausedTicks(cls, now);
    watched.sample.when = Simulator::Now();
    watched.sample.xoffSent = sent - watched.xoffSent;
    watched.sample.xoffReceived = received - watched.xoffReceived;
    watched.sample.paused = TimeStep(static_cast<uint64_t>(paused - watched.pausedTicks));
    watched.xoffSent = sent;
    watched.xoffReceived = received;
    watched.pausedTicks = paused;
}

void
PauseMonitor::Poll()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    for (Watched& watched : m_watched)
    {
        Read(watched, now);
        Compare(watched);
        const Reading& sample = watched.sample;
        if (m_rows && (sample.xoffSent || sample.xoffReceived || !sample.paused.IsZero()))
        {
            m_rows->Add(sample.when.GetNanoSeconds(),
                        sample.node,
                        sample.isSwitch ? "switch" : "host",
                        sample.port,
                        sample.cls,
                        sample.xoffSent,
                        sample.xoffReceived,
                        sample.paused.GetNanoSeconds());
        }
    }
    if (Simulator::Now() < m_end)
    {
        m_next = Simulator::Schedule(m_interval, &PauseMonitor::Poll, this);
    }
}

void
PauseMonitor::Compare(Watched& watched)
{
    const Reading& sample = watched.sample;
    const double values[METRICS] = {static_cast<double>(sample.xoffSent),
                                    static_cast<double>(sample.xoffReceived),
                                    sample.paused.GetSeconds() / m_interval.GetSeconds()};
    for (uint32_t metric = 0; metric < METRICS; ++metric)
    {
        const double threshold = m_thresholds[metric];
        const bool isReached = threshold > 0 && values[metric] >= threshold;
        if (isReached && !watched.alerted[metric])
        {
            m_alerts.push_back({sample.when,
                                sample.node,
                                sample.isSwitch,
                                sample.port,
                                sample.cls,
                                static_cast<Metric>(metric),
                                values[metric],
                                threshold,
                                FabricPlaces::NameOf(m_fabric.GetTopology(), sample.node)});
            if (m_onAlert)
            {
                m_onAlert(m_alerts.back());
            }
        }
        watched.alerted[metric] = isReached;
    }
}

const char*
PauseMonitor::ToString(Metric metric)
{
    static const char* names[METRICS] = {"xoff-sent", "xoff-received", "paused-share"};
    return names[metric];
}

std::string
PauseMonitor::ToLine(const Alert& alert)
{
    char line[160];
    std::snprintf(line,
                  sizeof(line),
                  "%.3f ms: %s port %u class %u: %s %.3g, threshold %.3g",
                  alert.when.GetSeconds() * 1000,
                  alert.name.c_str(),
                  alert.port,
                  alert.cls,
                  ToString(alert.metric),
                  alert.value,
                  alert.threshold);
    return line;
}

} // namespace ns3
