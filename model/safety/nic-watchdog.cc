// SPDX-License-Identifier: GPL-2.0-only
#include "nic-watchdog.h"

#include "watchdog-time.h"

#include "ns3/double.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/node.h"

#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NicWatchdog");

NS_OBJECT_ENSURE_REGISTERED(NicWatchdog);

TypeId
NicWatchdog::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NicWatchdog")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<NicWatchdog>()
            .AddAttribute("DetectionTime",
                          "Time without progress of the receive pipeline, during which the NIC "
                          "pauses its peer, after which the port is stopped; at least PollInterval",
                          TimeValue(MilliSeconds(100)),
                          MakeFixed(MakeTimeAccessor(&NicWatchdog::m_detection)),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("PollInterval",
                          "Time between two polls of the receive pipeline",
                          TimeValue(MilliSeconds(10)),
                          MakeFixed(MakeTimeAccessor(&NicWatchdog::m_poll)),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("TimeScale",
                          "Factor of DetectionTime and PollInterval, 1e-9 to 1000, for storms in "
                          "short simulations",
                          DoubleValue(1),
                          MakeFixed(MakeDoubleAccessor(&NicWatchdog::m_scale)),
                          MakeDoubleChecker<double>(1e-9, 1e3))
            .AddTraceSource("Stopped",
                            "A port was stopped, and generates no PAUSE any more, or was reset: "
                            "port, mask of the classes that it paused, whether it is stopped.",
                            MakeTraceSourceAccessor(&NicWatchdog::m_stoppedTrace),
                            "ns3::NicWatchdog::StoppedTracedCallback");
    return tid;
}

NicWatchdog::NicWatchdog()
    : m_wake(Ptr<WakeEvent<NicWatchdog, &NicWatchdog::Poll>>(
          new WakeEvent<NicWatchdog, &NicWatchdog::Poll>(this),
          false))
{
}

NicWatchdog::~NicWatchdog()
{
    m_wake->Detach();
}

void
NicWatchdog::DoDispose()
{
    m_wake->Detach();
    m_ports.clear();
    Object::DoDispose();
}

void
NicWatchdog::AddPort(Ptr<QbbNetDevice> device, Ptr<ReceivePipeline> pipeline)
{
    NS_LOG_FUNCTION(this << device);
    const int64_t detection =
        ScaleWatchdogTime("NicWatchdog: DetectionTime", m_detection, m_scale, 1);
    m_interval = ScaleWatchdogTime("NicWatchdog: PollInterval", m_poll, m_scale, 1);
    if (detection < m_interval)
    {
        throw std::invalid_argument("NicWatchdog: DetectionTime is " +
                                    std::to_string(m_detection.GetNanoSeconds()) +
                                    " ns; it must not be below PollInterval, " +
                                    std::to_string(m_poll.GetNanoSeconds()) + " ns");
    }
    m_ports.push_back({device, pipeline, NicStallDetector(detection)});
    device->TraceConnectWithoutContext("PfcTx", MakeCallback(&NicWatchdog::PfcSent, this));
}

uint32_t
NicWatchdog::GetNPorts() const
{
    return m_ports.size();
}

void
NicWatchdog::RequirePort(uint32_t port) const
{
    if (port >= m_ports.size())
    {
        throw std::invalid_argument("NicWatchdog: there is no port " + std::to_string(port) +
                                    "; it watches " + std::to_string(m_ports.size()) +
                                    ", counted from 0");
    }
}

bool
NicWatchdog::IsStopped(uint32_t port) const
{
    RequirePort(port);
    return m_ports[port].stopped;
}

Time
NicWatchdog::GetDetectionTime() const
{
    return TimeStep(ScaleWatchdogTime("NicWatchdog: DetectionTime", m_detection, m_scale, 1));
}

int64_t
NicWatchdog::GetReactionTicks() const
{
    return GetDetectionTime().GetTimeStep() +
           2 * ScaleWatchdogTime("NicWatchdog: PollInterval", m_poll, m_scale, 1);
}

void
NicWatchdog::PfcSent(const QbbNetDevice& /* device */, uint32_t /* cls */, uint16_t quanta)
{
    if (quanta > 0)
    {
        Arm();
    }
}

void
NicWatchdog::Arm()
{
    const int64_t now = SimulationClock::Now();
    const auto node = m_ports.front().device->GetNode();
    m_wake->Arm(node ? node->GetId() : 0, now, (now / m_interval + 1) * m_interval);
}

void
NicWatchdog::Poll()
{
    const int64_t now = SimulationClock::Now();
    bool pausing = false;
    for (uint32_t index = 0; index < m_ports.size(); ++index)
    {
        Port& port = m_ports[index];
        const uint8_t classes = port.stopped ? 0 : port.pipeline->GetPausedClasses();
        if (port.detector.Sample(now, port.pipeline->GetProgress(), classes != 0))
        {
            Stop(index, classes);
        }
        else
        {
            pausing = pausing || classes;
        }
    }
    if (pausing)
    {
        Arm();
    }
}

void
NicWatchdog::Stop(uint32_t index, uint8_t classes)
{
    NS_LOG_FUNCTION(this << index << +classes);
    Port& port = m_ports[index];
    port.stopped = true;
    port.classes = classes;
    port.detector.Reset();
    ++m_stops;
    port.device->OverridePause(port.device->GetIssuer().Stuck(), 0xff);
    m_changes.push_back({SimulationClock::Now(), index, classes, true});
    m_stoppedTrace(index, classes, true);
}

void
NicWatchdog::Reset(uint32_t index)
{
    NS_LOG_FUNCTION(this << index);
    RequirePort(index);
    Port& port = m_ports[index];
    if (!port.stopped)
    {
        return;
    }
    port.stopped = false;
    port.device->OverridePause(port.device->GetIssuer().Stuck(), 0);
    m_changes.push_back({SimulationClock::Now(), index, port.classes, false});
    m_stoppedTrace(index, port.classes, false);
}

} // namespace ns3
