// SPDX-License-Identifier: GPL-2.0-only

// What a switch has to do with its extensions outside of the pipeline.

#include "fabric-switch.h"

namespace ns3
{

void
FabricSwitch::AddExtension(Ptr<SwitchExtension> extension)
{
    m_extensions.push_back(extension);
    m_started = false;
}

uint32_t
FabricSwitch::GetNExtensions() const
{
    return m_extensions.size();
}

Ptr<SwitchExtension>
FabricSwitch::GetExtension(uint32_t index) const
{
    return m_extensions.at(index);
}

void
FabricSwitch::ForgetHooks()
{
    for (auto* hooked :
         {&m_onArrival, &m_onRoute, &m_onUnrouted, &m_onEnqueue, &m_onDequeue, &m_onPause})
    {
        hooked->clear();
    }
}

void
FabricSwitch::StartExtensions()
{
    ForgetHooks();
    for (const auto& extension : m_extensions)
    {
        extension->Start(*this);
        const uint32_t hooks = extension->GetHooks();
        const auto hook = [&](SwitchExtension::Hook which, std::vector<SwitchExtension*>& list) {
            if (hooks & which)
            {
                list.push_back(PeekPointer(extension));
            }
        };
        hook(SwitchExtension::ON_ARRIVAL, m_onArrival);
        hook(SwitchExtension::ON_ROUTE, m_onRoute);
        hook(SwitchExtension::ON_UNROUTED, m_onUnrouted);
        hook(SwitchExtension::ON_ENQUEUE, m_onEnqueue);
        hook(SwitchExtension::ON_DEQUEUE, m_onDequeue);
        hook(SwitchExtension::ON_PAUSE, m_onPause);
        if (extension->ReplacesEcnMarker())
        {
            m_markerHot = nullptr;
        }
    }
}

bool
FabricSwitch::IsTaken(Frame* frame)
{
    for (auto* extension : m_onUnrouted)
    {
        if (extension->Unrouted(frame))
        {
            return true;
        }
    }
    return false;
}

bool
FabricSwitch::MarkCe(Frame& frame, uint32_t port, uint64_t queueBytes)
{
    if (frame.ecn != Ecn::ECT0 && frame.ecn != Ecn::ECT1)
    {
        return false;
    }
    frame.ecn = Ecn::CE;
    ++m_counters[port].ecnMarks[frame.trafficClass];
    m_markTrace(port, frame.trafficClass, queueBytes);
    return true;
}

uint32_t
FabricSwitch::GetQueueFrames(uint32_t port, uint32_t cls) const
{
    return m_ports.at(port).device->Queues().Frames(cls);
}

void
FabricSwitch::SendOwn(Frame* frame)
{
    auto reason = DropReason::NO_ROUTE;
    frame->inPort = 0;
    frame->inClass = frame->trafficClass;
    const uint16_t outPort = Route(*frame, 0, reason);
    if (outPort == NO_PORT)
    {
        frame->Release();
        return;
    }
    QbbNetDevice& out = *m_ports[outPort].device;
    out.Queues().Push(frame);
    m_enqueueTrace(outPort, frame->trafficClass, out.Queues().Bytes(frame->trafficClass));
    out.Kick();
}

void
FabricSwitch::PauseChanged(QbbNetDevice& port, uint8_t pausedMask)
{
    for (auto* extension : m_onPause)
    {
        extension->PauseChanged(port.GetPortIndex(), pausedMask);
    }
}

} // namespace ns3
