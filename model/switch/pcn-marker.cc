// SPDX-License-Identifier: GPL-2.0-only
#include "pcn-marker.h"

#include "fabric-switch.h"

#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PcnMarker");

NS_OBJECT_ENSURE_REGISTERED(PcnMarker);

TypeId
PcnMarker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PcnMarker")
            .SetParent<EcnMarker>()
            .SetGroupName("Lossless")
            .AddConstructor<PcnMarker>()
            .AddAttribute("ThresholdBytes",
                          "A departing frame that leaves at most so many frame "
                          "bytes in the queue is not marked.",
                          UintegerValue(0),
                          MakeLive(MakeUintegerAccessor(&PcnMarker::m_thresholdBytes),
                                   &PcnMarker::SettingChanged),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

uint32_t
PcnMarker::GetHooks() const
{
    return ON_DEQUEUE | ON_PAUSE;
}

int64_t
PcnMarker::AssignStreams(int64_t /* stream */)
{
    return 1; // as a WredEcnMarker: what comes after draws the same numbers with PCN and without
}

void
PcnMarker::Restarted()
{
    m_ports.clear();
}

void
PcnMarker::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this);
    m_owner = &owner;
    m_ports.resize(owner.GetNPorts()); // what is known of earlier ports stays
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        m_ports[port].pausedMask = owner.GetPausedMask(port);
    }
}

void
PcnMarker::Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes)
{
    if (m_ports[outPort].queues[frame.trafficClass].Departed(queueBytes, m_thresholdBytes))
    {
        m_owner->MarkCe(frame, outPort, queueBytes);
    }
}

void
PcnMarker::PauseChanged(uint32_t port, uint8_t pausedMask)
{
    if (port >= m_ports.size())
    {
        return; // before the start
    }
    Port& state = m_ports[port];
    const uint8_t resumed = state.pausedMask & ~pausedMask;
    state.pausedMask = pausedMask;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const uint32_t frames = m_owner->GetQueueFrames(port, cls);
        if (resumed & (1U << cls))
        {
            NS_LOG_LOGIC("port " << port << " class " << cls << " resumes with " << frames
                                 << " frames");
            state.queues[cls].Resumed(frames);
        }
        else
        {
            state.queues[cls].Limit(frames); // a link that failed has lost its queues
        }
    }
}

uint32_t
PcnMarker::GetPaused(uint32_t port, uint32_t cls) const
{
    return m_ports.at(port).queues.at(cls).GetPaused();
}

} // namespace ns3
