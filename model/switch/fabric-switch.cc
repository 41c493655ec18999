// SPDX-License-Identifier: GPL-2.0-only

// The pipeline of a switch. Attributes, assembly and checks are in fabric-switch-setup.cc.

#include "fabric-switch.h"

#include "ns3/assert.h"

namespace ns3
{

namespace
{

/// @return whether a frame could carry a CE mark and does not yet
bool
IsMarkable(const Frame& frame)
{
    return frame.ecn == Ecn::ECT0 || frame.ecn == Ecn::ECT1;
}

} // namespace

// ---- in

void
FabricSwitch::FrameArrived(QbbNetDevice& port, Frame* frame)
{
    if (!m_started)
    {
        Start();
    }
    const uint16_t inPort = port.GetPortIndex();
    frame->inPort = inPort;
    frame->inClass = m_ports[inPort].map->Classify(*frame);
    frame->trafficClass = frame->inClass;
    m_mmuHot->Prefetch(inPort, frame->inClass); // needed after the route, which takes as long
    for (auto* extension : m_onArrival)
    {
        extension->Arrived(*frame, inPort);
    }

    auto reason = DropReason::NO_ROUTE;
    const uint16_t outPort = Route(*frame, inPort, reason);
    if (outPort == NO_PORT)
    {
        const bool isUnrouted = reason == DropReason::NO_ROUTE || reason == DropReason::LINK_LOCAL;
        if (!isUnrouted || !IsTaken(frame))
        {
            Drop(frame, port, reason);
        }
        return;
    }
    for (auto* extension : m_onRoute)
    {
        const auto verdict = extension->Routed(*frame, outPort);
        if (verdict.kind == SwitchExtension::Verdict::DROP)
        {
            Drop(frame, port, verdict.reason);
        }
        if (verdict.kind != SwitchExtension::Verdict::FORWARD)
        {
            return;
        }
    }
    Forward(frame, outPort);
}

void
FabricSwitch::Forward(Frame* frame, uint16_t outPort)
{
    auto reason = DropReason::NO_ROUTE;
    Port& out = m_ports[outPort];
    out.device->PrefetchQueue(frame->trafficClass);
    if (!Admit(*frame, out, outPort, reason))
    {
        Drop(frame,
             reason == DropReason::EGRESS_LIMIT ? *out.device : *m_ports[frame->inPort].device,
             reason);
        return;
    }
    EgressQueues& queues = out.device->Queues();
    queues.Push(frame);
    const uint64_t queueBytes = queues.Bytes(frame->trafficClass);
    for (auto* extension : m_onEnqueue)
    {
        extension->Enqueued(*frame, outPort, queueBytes);
    }
    m_enqueueTrace(outPort, frame->trafficClass, queueBytes);
    out.device->Kick();
}

uint16_t
FabricSwitch::Route(Frame& frame, uint16_t inPort, DropReason& reason)
{
    if (frame.flooded)
    {
        reason = DropReason::NOT_FOR_US; // it has the MAC address of a host
        return NO_PORT;
    }
    const NextHopGroup* group = m_table.Find(frame);
    if (!group)
    {
        reason = frame.IsLinkLocal() ? DropReason::LINK_LOCAL : DropReason::NO_ROUTE;
        return NO_PORT;
    }
    if (group->ports.empty())
    {
        reason = DropReason::LINK_DOWN;
        return NO_PORT;
    }
    const uint16_t outPort = group->sole != NextHopGroup::NONE
                                 ? group->sole
                                 : m_balancerHot->Pick(frame, inPort, group->ports, *this);
    NS_ASSERT_MSG(outPort < m_ports.size(), "FabricSwitch: a route over a port that is not there");
    if (frame.ttl <= 1)
    {
        reason = DropReason::TTL_EXPIRED;
        return NO_PORT;
    }
    --frame.ttl;
    return outPort;
}

bool
FabricSwitch::Admit(Frame& frame, Port& out, uint16_t outPort, DropReason& reason)
{
    const uint32_t cls = frame.trafficClass;
    if (frame.bytes > out.maxFrameBytes + (frame.tagged ? VLAN_TAG_BYTES : 0))
    {
        reason = DropReason::OVERSIZE;
        return false;
    }
    const uint64_t queueBytes = out.device->Queues().Bytes(cls) + frame.bytes;
    if (frame.ecn == Ecn::NOT_ECT && WredDrops(frame, outPort, queueBytes))
    {
        reason = DropReason::WRED;
        return false;
    }
    const MmuVerdict verdict =
        m_mmuHot->Admit(frame.inPort, frame.inClass, outPort, cls, frame.bytes);
    if (!verdict.accepted)
    {
        reason = verdict.reason;
        return false;
    }
    frame.cells = verdict.cells;
    if (m_markTime == MARK_ENQUEUE)
    {
        Mark(frame, outPort, queueBytes);
    }
    return true;
}

bool
FabricSwitch::WredDrops(const Frame& frame, uint16_t outPort, uint64_t queueBytes)
{
    const uint32_t cls = frame.trafficClass;
    if (!m_markerHot || !m_dropNonEct || queueBytes <= m_markerHot->QuietBelow(outPort, cls) ||
        m_mmuHot->IsLossless(frame.inPort, frame.inClass))
    {
        return false;
    }
    // ACK, NAK and CNP carry the congestion signal back: never a victim of WRED.
    if (frame.kind == FrameKind::ROCE && !CarriesData(frame.opcode))
    {
        return false;
    }
    return m_markerHot->ShouldMark(outPort, cls, queueBytes);
}

// ---- out

Frame*
FabricSwitch::NextFrame(QbbNetDevice& port)
{
    Frame* frame = port.PopQueues();
    if (!frame)
    {
        return nullptr;
    }
    const uint16_t outPort = port.GetPortIndex();
    const uint32_t cls = frame->trafficClass;
    if (m_releaseTime == LAST_BIT)
    {
        Port& out = m_ports[outPort];
        ReleaseFlight(out, outPort);
        out.flightCells = frame->cells;
        out.flightInPort = frame->inPort;
        out.flightInClass = frame->inClass;
        out.flightOutClass = cls;
        frame->cells = 0;
    }
    else
    {
        ReleaseBooking(*frame, outPort);
    }
    const uint64_t queueBytes = port.Queues().Bytes(cls);
    if (m_markTime == MARK_DEQUEUE)
    {
        Mark(*frame, outPort, queueBytes);
    }
    for (auto* extension : m_onDequeue)
    {
        extension->Dequeued(*frame, outPort, queueBytes);
    }
    m_dequeueTrace(outPort, cls, queueBytes);
    return frame;
}

bool
FabricSwitch::HasNext(const QbbNetDevice& port) const
{
    return port.HasSendable();
}

void
FabricSwitch::LastBitSent(QbbNetDevice& port)
{
    const uint16_t outPort = port.GetPortIndex();
    ReleaseFlight(m_ports[outPort], outPort);
}

void
FabricSwitch::Mark(Frame& frame, uint16_t port, uint64_t queueBytes)
{
    const uint32_t cls = frame.trafficClass;
    if (queueBytes > 0 && m_markerHot && IsMarkable(frame) &&
        queueBytes > m_markerHot->QuietBelow(port, cls) &&
        m_markerHot->ShouldMark(port, cls, queueBytes))
    {
        MarkCe(frame, port, queueBytes);
    }
}

void
FabricSwitch::ReleaseBooking(Frame& frame, uint16_t outPort)
{
    // What the IP stack of the switch's own node sends by a port was never booked.
    if (frame.cells > 0)
    {
        m_mmuHot->Release(frame.inPort, frame.inClass, outPort, frame.trafficClass, frame.cells);
        frame.cells = 0;
    }
}

void
FabricSwitch::ReleaseFlight(Port& port, uint16_t outPort)
{
    if (port.flightCells > 0)
    {
        const uint32_t cells = port.flightCells;
        port.flightCells = 0; // first: the MMU may make other ports send
        m_mmuHot->Release(port.flightInPort,
                          port.flightInClass,
                          outPort,
                          port.flightOutClass,
                          cells);
    }
}

// ---- pauses, drops, link state

void
FabricSwitch::SetPause(uint32_t port, uint32_t cls, bool xoff)
{
    m_ports[port].device->RequestPause(cls, xoff);
}

void
FabricSwitch::CountDrop(const Frame& frame, DropReason reason)
{
    ++m_counters[frame.inPort].drops[static_cast<size_t>(reason)];
    // A switch does not forward link-local frames: not a loss.
    if (reason != DropReason::LINK_LOCAL)
    {
        ++(m_mmuHot->IsLossless(frame.inPort, frame.inClass) ? m_losslessDrops : m_lossyDrops);
    }
    m_dropTrace(frame.inPort, frame.inClass, frame.bytes, reason);
}

void
FabricSwitch::Drop(Frame* frame, QbbNetDevice& at, DropReason reason)
{
    CountDrop(*frame, reason);
    at.Drop(frame, reason);
}

void
FabricSwitch::Refuse(Frame* frame, DropReason reason)
{
    Drop(frame, *m_ports[frame->inPort].device, reason);
}

void
FabricSwitch::FrameFlushed(QbbNetDevice& port, Frame* frame, DropReason reason)
{
    // The port drops the frame; what remains for the switch is its buffer.
    if (frame->cells > 0)
    {
        CountDrop(*frame, reason);
        ReleaseBooking(*frame, port.GetPortIndex());
    }
}

void
FabricSwitch::LinkChanged(QbbNetDevice& port, bool up)
{
    const uint16_t index = port.GetPortIndex();
    m_table.SetPortUp(index, up);
    if (!m_started)
    {
        return;
    }
    if (!up)
    {
        ReleaseFlight(m_ports[index], index);
        PauseChanged(port, 0); // for extensions: the queues are empty now
        return;
    }
    // The peer has forgotten the pauses that are still due.
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (m_mmuHot->GetIngress(index, cls).paused)
        {
            port.RequestPause(cls, true);
        }
    }
}

// ---- SwitchPorts

uint64_t
FabricSwitch::GetQueueBytes(uint32_t port) const
{
    return m_ports.at(port).device->Queues().TotalBytes();
}

uint64_t
FabricSwitch::GetQueueBytes(uint32_t port, uint32_t cls) const
{
    return m_ports.at(port).device->Queues().Bytes(cls);
}

uint8_t
FabricSwitch::GetPausedMask(uint32_t port) const
{
    return m_ports.at(port).device->PausedMask();
}

int64_t
FabricSwitch::Now() const
{
    return m_ports.at(0).device->Now();
}

} // namespace ns3
