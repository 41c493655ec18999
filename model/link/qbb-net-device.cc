// SPDX-License-Identifier: GPL-2.0-only

// The data path of a port. What the rest of ns-3 asks of a NetDevice is in qbb-net-device-stack.cc.

#include "qbb-net-device.h"

#include "ip-frame.h"
#include "qbb-channel.h"
#include "qbb-port-owner.h"

#include "ns3/log.h"
#include "ns3/node.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNetDevice");

namespace
{

/// Duration of the pauses that the SHORT_QUANTA dialect asks for.
const int64_t SHORT_PAUSE_US = 5;

/// Bit times of one pause quantum.
constexpr uint64_t QUANTUM_BITS = 512;

} // namespace

void
QbbNetDevice::Prepare()
{
    NS_ASSERT_MSG(m_node, "QbbNetDevice: the port belongs to no node");
    m_prepared = true;
    const auto ticksPerSecond = static_cast<uint64_t>(SimulationClock::TicksPerSecond());
    m_line.SetRate(m_rate.GetBitRate(), ticksPerSecond);
    m_nodeId = m_node->GetId();
    m_reactionTicks = m_reactionDelay.GetTimeStep();
    if (auto peer = GetPeer())
    {
        NS_ASSERT_MSG(peer->GetNode(), "QbbNetDevice: the peer port belongs to no node");
        m_peerReceiver = PeekPointer(peer);
        m_peerNodeId = peer->GetNode()->GetId();
        m_delayTicks = m_channel->GetDelay().GetTimeStep();
    }

    uint16_t quanta = m_quanta;
    if (m_dialect == SHORT_QUANTA)
    {
        const uint64_t bits = m_rate.GetBitRate() / 1000000 * SHORT_PAUSE_US;
        quanta = std::clamp<uint64_t>((bits + QUANTUM_BITS - 1) / QUANTUM_BITS, 1, 65535);
    }
    const int64_t pause = m_line.TicksOfBits(QUANTUM_BITS * quanta);
    int64_t refresh = m_refreshInterval.GetTimeStep();
    if (m_dialect == ENDLESS_XOFF)
    {
        refresh = 0;
    }
    else if (m_dialect == SHORT_QUANTA)
    {
        refresh = pause;
    }
    else if (refresh < 0)
    {
        refresh = pause / 2;
    }
    m_issuer.Configure(quanta, refresh);
}

void
QbbNetDevice::LineChanged()
{
    m_prepared = false; // the next frame sees the new numbers
}

void
QbbNetDevice::Kick()
{
    if (m_transmitting)
    {
        return; // Transmit() looks again before it returns
    }
    if (!m_prepared)
    {
        Prepare();
    }
    const int64_t now = m_clock.Now();
    if (m_line.BusyUntil() > now)
    {
        m_transmitEnd->Arm(m_clock, m_nodeId, now, m_line.BusyUntil());
        return;
    }
    Transmit(now);
}

void
QbbNetDevice::WakeAt(int64_t tick)
{
    const int64_t now = m_clock.Now();
    m_transmitEnd->Arm(m_clock, m_nodeId, now, std::max(tick, now));
}

void
QbbNetDevice::TransmitEnd()
{
    Kick();
}

void
QbbNetDevice::Transmit(int64_t now)
{
    m_transmitting = true;
    if (m_lastBitPending)
    {
        // Releases buffer, which may make an XON due at this very port: within the guard.
        m_lastBitPending = false;
        m_owner->LastBitSent(*this);
    }
    if (!m_linkUp)
    {
        m_transmitting = false;
        return;
    }
    Frame* frame = nullptr;
    if (!m_issuer.Pending())
    {
        frame = m_owner ? m_owner->NextFrame(*this) : PopQueues();
    }
    // Also when releasing buffer in NextFrame() made an XON due and there was nothing to send.
    if (!frame && m_issuer.Pending())
    {
        frame = MakePfcFrame(now);
    }
    m_transmitting = false;
    if (!frame)
    {
        return;
    }
    Launch(frame, now);
    if (m_notifyLastBit && m_owner)
    {
        m_lastBitPending = true;
    }
    if (m_lastBitPending || m_issuer.Pending() ||
        (m_owner ? m_owner->HasNext(*this) : HasSendable()))
    {
        m_transmitEnd->Arm(m_clock, m_nodeId, now, m_line.BusyUntil());
    }
}

void
QbbNetDevice::Launch(Frame* frame, int64_t now)
{
    const uint32_t wireBytes = frame->WireBytes();
    ++m_counters.txFrames;
    m_counters.txWireBytes += wireBytes;
    m_counters.txClassBytes[frame->trafficClass] += frame->bytes;
    m_frameTx(*this, *frame);
    Sniff(*frame, true);
    const int64_t end = m_line.Send(now, wireBytes);
    frame->receiver = m_peerReceiver;
    m_clock.Post(m_peerNodeId, end - now + m_delayTicks, frame);
}

Frame*
QbbNetDevice::PopQueues()
{
    const uint8_t eligible = m_queues.NonEmpty() & ~m_pausedMask;
    if (!eligible)
    {
        return nullptr;
    }
    const bool sole = (eligible & (eligible - 1)) == 0;
    if (sole && m_soleClassFast)
    {
        return m_queues.Pop(__builtin_ctz(eligible));
    }
    const uint32_t cls = m_schedulerHot->Pick(eligible, *this);
    Frame* frame = m_queues.Pop(cls);
    if (!(m_queues.NonEmpty() & (1U << cls)))
    {
        m_schedulerHot->ClassEmptied(cls);
    }
    return frame;
}

uint32_t
QbbNetDevice::HeadWireBytes(uint32_t cls) const
{
    return m_queues.HeadWireBytes(cls);
}

void
QbbNetDevice::ReceiveFrame(Frame* frame)
{
    if (m_lossy)
    {
        DropReason reason;
        if (IsLost(*frame, reason))
        {
            Drop(frame, reason);
            return;
        }
    }
    ++m_counters.rxFrames;
    m_counters.rxWireBytes += frame->WireBytes();
    m_frameRx(*this, *frame);
    Sniff(*frame, false);
    if (frame->kind == FrameKind::PFC)
    {
        if (m_reactionTicks > 0)
        {
            frame->receiver = &m_pfcReaction;
            m_clock.Post(m_nodeId, m_reactionTicks, frame);
        }
        else
        {
            ObeyPfc(frame);
        }
        return;
    }
    if (m_owner)
    {
        m_owner->FrameArrived(*this, frame);
    }
    else if (frame->kind == FrameKind::IP)
    {
        DeliverUp(frame);
    }
    else
    {
        Drop(frame, DropReason::NO_QUEUE_PAIR);
    }
}

bool
QbbNetDevice::IsLost(const Frame& frame, DropReason& reason)
{
    if (!m_prepared)
    {
        Prepare();
    }
    if (m_cutAt >= 0)
    {
        const int64_t serialisation = GetPeer()->m_line.TicksOfBits(8ULL * frame.WireBytes());
        const int64_t flight = m_delayTicks + serialisation;
        if (!m_linkUp || m_clock.Now() - flight < m_cutAt)
        {
            reason = DropReason::LINK_DOWN;
            return true;
        }
    }
    for (const auto& loss : m_losses)
    {
        if (loss->IsLost(frame))
        {
            reason = DropReason::INJECTED;
            return true;
        }
    }
    if (m_errorModel && m_errorModel->IsEnabled() &&
        m_errorModel->IsCorrupt(Create<Packet>(frame.bytes)))
    {
        reason = DropReason::CORRUPTED;
        return true;
    }
    return false;
}

void
QbbNetDevice::Drop(Frame* frame, DropReason reason)
{
    ++m_counters.drops[static_cast<size_t>(reason)];
    m_drop(*this, *frame, reason);
    frame->Release();
}

// ---- PFC

void
QbbNetDevice::RequestPause(uint32_t cls, bool xoff)
{
    if (!IsPfcEnabled(cls) || !m_linkUp)
    {
        return;
    }
    m_issuer.Request(cls, xoff);
    Kick();
    ArmPfcTimer(m_clock.Now());
}

void
QbbNetDevice::SetPfcIgnored(uint8_t classes)
{
    Opened(m_obeyer.SetIgnored(classes, m_clock.Now()));
}

void
QbbNetDevice::OverridePause(uint8_t stuck, uint8_t muted)
{
    m_issuer.Override(stuck & m_pfcEnabled, muted);
    if (m_linkUp)
    {
        Kick();
        ArmPfcTimer(m_clock.Now());
    }
}

Frame*
QbbNetDevice::MakePfcFrame(int64_t now)
{
    auto frame = new Frame;
    frame->kind = FrameKind::PFC;
    frame->bytes = ETHERNET_MIN_FRAME_BYTES;
    m_issuer.Fill(now, *frame);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (frame->pfcEnable & (1U << cls))
        {
            m_pfcTx(*this, cls, frame->pfcQuanta[cls]);
        }
    }
    ArmPfcTimer(now);
    return frame;
}

void
QbbNetDevice::ObeyPfc(Frame* frame)
{
    const int64_t now = m_clock.Now();
    if (!m_linkUp || now - m_reactionTicks < m_cutAt)
    {
        frame->Release(); // the cable was cut during the reaction delay
        return;
    }
    const uint8_t before = m_obeyer.PausedMask();
    frame->pfcEnable &= m_pfcEnabled;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (frame->pfcEnable & (1U << cls))
        {
            m_pfcRx(*this, cls, frame->pfcQuanta[cls]);
        }
    }
    const uint8_t opened = m_obeyer.Apply(now, *frame, m_line, m_dialect == ENDLESS_XOFF);
    frame->Release();
    m_pausedMask = m_obeyer.PausedMask();
    const uint8_t closed = m_pausedMask & ~before;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (closed & (1U << cls))
        {
            m_pauseState(*this, cls, true);
        }
    }
    if (closed && m_owner)
    {
        m_owner->PauseChanged(*this, m_pausedMask);
    }
    ArmPfcTimer(now);
    Opened(opened);
}

void
QbbNetDevice::Opened(uint8_t opened)
{
    if (!opened)
    {
        return;
    }
    m_pausedMask = m_obeyer.PausedMask();
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (opened & (1U << cls))
        {
            m_pauseState(*this, cls, false);
        }
    }
    if (m_owner)
    {
        m_owner->PauseChanged(*this, m_pausedMask);
    }
    if (m_linkUp)
    {
        Kick();
    }
}

void
QbbNetDevice::ArmPfcTimer(int64_t now)
{
    const int64_t next = std::min(m_obeyer.NextExpiry(), m_issuer.NextRefresh());
    if (next != PfcObeyer::NEVER)
    {
        // A refresh that was due, taken back by an XON and wanted again, is due at once.
        m_pfcTimer->Arm(m_clock, m_nodeId, now, std::max(next, now));
    }
}

void
QbbNetDevice::PfcTimer()
{
    const int64_t now = m_clock.Now();
    const uint8_t opened = m_obeyer.Expire(now);
    m_issuer.Refresh(now);
    if (m_issuer.Pending())
    {
        Kick();
    }
    ArmPfcTimer(now);
    Opened(opened);
}

// ---- link state

void
QbbNetDevice::LinkChanged(bool up)
{
    NS_LOG_FUNCTION(this << up);
    if (up == m_linkUp)
    {
        return;
    }
    m_linkUp = up;
    if (!up)
    {
        Flush(m_clock.Now());
    }
    m_linkChanges();
    if (m_owner)
    {
        m_owner->LinkChanged(*this, up);
    }
    if (up && m_cutAt >= 0)
    {
        Kick(); // mended; at the first plugging-in there is nothing to send yet
    }
}

void
QbbNetDevice::Flush(int64_t now)
{
    m_cutAt = now;
    m_lossy = true;
    m_issuer.Reset();
    const uint8_t opened = m_obeyer.PausedMask();
    m_obeyer.Reset(now);
    m_pausedMask = 0;
    while (uint8_t waiting = m_queues.NonEmpty())
    {
        FlushClass(__builtin_ctz(waiting), DropReason::LINK_DOWN);
    }
    Opened(opened);
}

uint32_t
QbbNetDevice::FlushClass(uint32_t cls, DropReason reason)
{
    uint32_t flushed = 0;
    // By number: what comes in meanwhile stays. Giving buffer back may also send some of it.
    for (uint32_t left = m_queues.Frames(cls); left > 0 && m_queues.Frames(cls) > 0; --left)
    {
        Frame* frame = m_queues.Pop(cls);
        if (m_queues.Frames(cls) == 0)
        {
            m_schedulerHot->ClassEmptied(cls);
        }
        if (m_owner)
        {
            m_owner->FrameFlushed(*this, frame, reason);
        }
        Drop(frame, reason);
        ++flushed;
    }
    return flushed;
}

} // namespace ns3
