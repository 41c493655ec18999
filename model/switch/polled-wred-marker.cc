// SPDX-License-Identifier: GPL-2.0-only
#include "polled-wred-marker.h"

#include "fabric-switch.h"

#include "ns3/boolean.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PolledWredMarker");

NS_OBJECT_ENSURE_REGISTERED(PolledWredMarker);

TypeId
PolledWredMarker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PolledWredMarker")
            .SetParent<WredEcnMarker>()
            .SetGroupName("Lossless")
            .AddConstructor<PolledWredMarker>()
            .AddAttribute("PollInterval",
                          "Time between two polls of the queue lengths; 0: no polls, the marker "
                          "uses the current length. The average goes on from the length in force "
                          "when the interval changes.",
                          TimeValue(Time(0)),
                          MakeLive(MakeTimeAccessor(&PolledWredMarker::m_pollInterval),
                                   &PolledWredMarker::SettingChanged),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "WeightExponent",
                "k, 0 to 31: the weight of a poll in the average is 2^-k. 0: the average "
                "is the last poll.",
                UintegerValue(0),
                UsedWhen(MakeLive(MakeUintegerAccessor(&PolledWredMarker::m_weightExponent),
                                  &PolledWredMarker::SettingChanged),
                         &PolledWredMarker::Polls,
                         "PollInterval above 0"),
                MakeUintegerChecker<uint8_t>(0, 31))
            .AddTraceSource("Alarm",
                            "A queue has grown beyond Kmax for the first time since its alarm was "
                            "cleared: port, class, bytes in the queue.",
                            MakeTraceSourceAccessor(&PolledWredMarker::m_alarmTrace),
                            "ns3::PolledWredMarker::AlarmTracedCallback");
    return tid;
}

uint32_t
PolledWredMarker::GetHooks() const
{
    return ON_ENQUEUE | ON_DEQUEUE | ON_PAUSE;
}

void
PolledWredMarker::TakeOver(const EcnMarker& before)
{
    if (const auto* wred = dynamic_cast<const WredEcnMarker*>(&before))
    {
        Inherit(*wred);
    }
}

uint64_t
PolledWredMarker::AskAbove(uint32_t /* port */, uint64_t /* quiet */) const
{
    return NEVER; // it marks by itself, on the averaged length
}

void
PolledWredMarker::Restarted()
{
    m_queues.clear();
}

void
PolledWredMarker::Start(FabricSwitch& owner)
{
    m_owner = &owner;
    BooleanValue enabled;
    owner.GetAttribute("EcnEnabled", enabled);
    m_marks = enabled.Get();
    const PolledAverage::Config before = m_config;
    m_config.interval = m_pollInterval.GetTimeStep();
    m_config.weight = 1.0 / static_cast<double>(1U << m_weightExponent);
    for (Queue& queue : m_queues)
    {
        queue.average.Configure(before, m_config, owner.Now());
    }
    m_queues.resize(owner.GetNPorts() * TRAFFIC_CLASSES);
}

void
PolledWredMarker::Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes)
{
    const uint32_t cls = frame.trafficClass;
    Queue& queue = m_queues[outPort * TRAFFIC_CLASSES + cls];
    queue.average.Change(m_config, m_owner->Now(), queueBytes);
    if (!queue.alarm && queueBytes > GetCurve(outPort, cls).kmax)
    {
        queue.alarm = true;
        NS_LOG_DEBUG("alarm at port " << outPort << " class " << cls << ": " << queueBytes
                                      << " bytes queued");
        ++m_alarms;
        m_alarmTrace(outPort, cls, queueBytes);
    }
}

void
PolledWredMarker::Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes)
{
    const uint32_t cls = frame.trafficClass;
    Queue& queue = m_queues[outPort * TRAFFIC_CLASSES + cls];
    const int64_t now = m_owner->Now();
    queue.average.Change(m_config, now, queueBytes);
    if (!m_marks || (frame.ecn != Ecn::ECT0 && frame.ecn != Ecn::ECT1))
    {
        return; // no random number for what cannot be marked
    }
    const auto length = static_cast<uint64_t>(queue.average.Get(m_config, now));
    if (ShouldMark(frame, outPort, length))
    {
        m_owner->MarkCe(frame, outPort, queueBytes);
    }
}

void
PolledWredMarker::PauseChanged(uint32_t port, uint8_t /* pausedMask */)
{
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES && !m_queues.empty(); ++cls)
    {
        // A link that failed has lost its queues.
        m_queues[port * TRAFFIC_CLASSES + cls].average.Change(m_config,
                                                              m_owner->Now(),
                                                              m_owner->GetQueueBytes(port, cls));
    }
}

double
PolledWredMarker::GetAverage(uint32_t port, uint32_t cls)
{
    return m_queues.at(port * TRAFFIC_CLASSES + cls).average.Get(m_config, m_owner->Now());
}

bool
PolledWredMarker::GetAlarm(uint32_t port, uint32_t cls) const
{
    return m_queues.at(port * TRAFFIC_CLASSES + cls).alarm;
}

void
PolledWredMarker::ClearAlarm(uint32_t port, uint32_t cls)
{
    NS_LOG_FUNCTION(this << port << cls);
    m_queues.at(port * TRAFFIC_CLASSES + cls).alarm = false;
}

} // namespace ns3
