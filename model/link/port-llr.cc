// SPDX-License-Identifier: GPL-2.0-only
#include "port-llr.h"

#include "simulation-clock.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PortLlr");

PortLlr::PortLlr(Port& port)
    : m_port(port),
      m_ack(Ptr<AckEvent>(new AckEvent(this), false)),
      m_replay(Ptr<ReplayEvent>(new ReplayEvent(this), false)),
      m_pump(Ptr<PumpEvent>(new PumpEvent(this), false))
{
}

PortLlr::~PortLlr() = default;

void
PortLlr::Configure(const Settings& settings, uint32_t node)
{
    NS_LOG_FUNCTION(this << settings.mostBytes << settings.replayTicks << node);
    m_settings = settings;
    m_node = node;
}

// ---- the sender of frames

void
PortLlr::Sent(Frame& frame)
{
    if (!IsEligible(frame))
    {
        return;
    }
    if (m_state != ADVANCE)
    {
        frame.linkNumber = 0;
        return;
    }
    if (m_sender.Frames() == 0)
    {
        m_replaysInRow = 0;
        m_sender.Sent(frame);
        Restart();
    }
    else
    {
        m_sender.Sent(frame);
    }
    m_counters.peakBytes = std::max(m_counters.peakBytes, m_sender.Bytes());
    Compare();
}

bool
PortLlr::MustHold() const
{
    switch (m_state)
    {
    case ADVANCE:
        return m_sender.IsReplaying() ||
               m_sender.Bytes() + m_settings.frameBytes > m_settings.mostBytes;
    case INIT:
        return true;
    default:
        return m_settings.flush == LLR_BLOCK;
    }
}

void
PortLlr::Compare()
{
    const bool held = MustHold();
    if (held == m_held)
    {
        return;
    }
    m_held = held;
    m_port.Hold(held);
    if (held) // a PFC frame may be due: not now, as a frame may just be leaving
    {
        const int64_t now = SimulationClock::Now();
        m_pump->Arm(m_node, now, now);
    }
}

void
PortLlr::Pump()
{
    if (!m_held)
    {
        return;
    }
    const int64_t now = SimulationClock::Now();
    if (m_port.FreeAt() > now)
    {
        m_pump->Arm(m_node, now, m_port.FreeAt());
        return;
    }
    if (m_port.SendPfc())
    {
        m_pump->Arm(m_node, now, m_port.FreeAt());
        return;
    }
    if (!m_sender.IsReplaying())
    {
        return; // an ACK or a timer comes
    }
    ++m_counters.replayed;
    m_port.SendAgain(m_sender.NextReplay());
    m_pump->Arm(m_node, now, m_port.FreeAt());
    if (!m_sender.IsReplaying())
    {
        Restart(); // the peer has had no time to answer
        Compare();
    }
}

void
PortLlr::Restart()
{
    const int64_t now = SimulationClock::Now();
    m_deadline = now + m_settings.replayTicks;
    m_replay->Arm(m_node, now, m_deadline);
}

void
PortLlr::ReplayDue()
{
    const bool isWaiting = m_state == INIT || (m_state == ADVANCE && m_sender.Frames() > 0);
    if (!isWaiting || m_sender.IsReplaying())
    {
        return; // the next frame, or the end of the replay, plans the next one
    }
    const int64_t now = SimulationClock::Now();
    if (now < m_deadline)
    {
        m_replay->Arm(m_node, now, m_deadline);
        return;
    }
    ++m_counters.timeouts;
    if (m_state == INIT)
    {
        Init();
        return;
    }
    Replay();
}

void
PortLlr::Replay()
{
    if (m_replaysInRow >= m_settings.replayCount)
    {
        Flush();
        return;
    }
    ++m_replaysInRow;
    ++m_counters.replays;
    NS_LOG_LOGIC("node " << m_node << " sends " << m_sender.Frames() << " frames again");
    m_sender.Replay();
    Compare();
    Pump();
}

void
PortLlr::Flush()
{
    ++m_counters.flushes;
    m_counters.flushed += m_sender.Forget();
    m_replaysInRow = 0;
    const bool beginsAnew = m_state == ADVANCE && m_settings.beginsAnew;
    m_state = FLUSHED;
    NS_LOG_DEBUG("node " << m_node << " gives up");
    if (beginsAnew)
    {
        Init();
    }
    Compare();
}

void
PortLlr::Init()
{
    if (m_state == INIT && m_replaysInRow >= m_settings.replayCount)
    {
        Flush();
        return;
    }
    m_replaysInRow = m_state == INIT ? m_replaysInRow + 1 : 0;
    m_state = INIT;
    SendSet(LlrSetType::INIT, m_sender.Next());
    Restart();
    Compare();
}

// ---- the receiver of frames

bool
PortLlr::Accepts(const Frame& frame)
{
    if (!IsEligible(frame) || frame.linkNumber == 0)
    {
        return true;
    }
    const auto verdict = m_receiver.Arrived(LlrSender::NumberOf(frame));
    m_counters.discarded += verdict != LlrReceiver::DELIVER;
    Tell();
    return verdict == LlrReceiver::DELIVER;
}

void
PortLlr::Destroyed()
{
    ++m_counters.bad;
    m_receiver.Missing();
    Tell();
}

void
PortLlr::Tell()
{
    if (m_receiver.IsNackDue())
    {
        m_receiver.Told();
        ++m_counters.nacksSent;
        SendSet(LlrSetType::NACK, m_receiver.LastGood());
        return;
    }
    if (!m_receiver.IsAckDue())
    {
        return;
    }
    const int64_t now = SimulationClock::Now();
    if (now < m_nextAck)
    {
        m_ack->Arm(m_node, now, m_nextAck);
        return;
    }
    m_receiver.Told();
    m_nextAck = now + m_settings.ackTicks;
    ++m_counters.acksSent;
    SendSet(LlrSetType::ACK, m_receiver.LastGood());
}

// ---- ordered sets

void
PortLlr::SendSet(LlrSetType type, uint32_t number)
{
    auto* const set = new Frame;
    set->kind = FrameKind::PFC; // with no class paused: to losses a MAC control frame as others
    set->bytes = ETHERNET_MIN_FRAME_BYTES;
    set->linkSet = static_cast<uint8_t>(type);
    set->linkNumber = number + 1;
    m_port.SendSet(set);
}

void
PortLlr::ReceiveFrame(Frame* frame)
{
    if (m_port.DropsSet(frame))
    {
        return;
    }
    const auto type = static_cast<LlrSetType>(frame->linkSet);
    const uint32_t number = LlrSender::NumberOf(*frame);
    frame->Release();
    if (type == LlrSetType::INIT)
    {
        m_receiver.Begin(number);
        SendSet(LlrSetType::INIT_ECHO, number);
        return;
    }
    if (type == LlrSetType::INIT_ECHO)
    {
        m_state = m_state == INIT && number == m_sender.Next() ? ADVANCE : m_state;
        m_replaysInRow = 0;
        Compare();
        return;
    }
    if (m_state != ADVANCE)
    {
        return;
    }
    if (m_sender.Acknowledged(number))
    {
        m_replaysInRow = 0;
        Restart();
    }
    if (type == LlrSetType::NACK && m_sender.Frames() > 0)
    {
        Replay();
        return;
    }
    Compare();
}

void
PortLlr::LinkChanged(bool up)
{
    m_sender.Forget();
    m_replaysInRow = 0;
    m_receiver = LlrReceiver();
    m_nextAck = 0;
    if (up)
    {
        m_state = FLUSHED;
        Init();
    }
}

void
PortLlr::Detach()
{
    m_ack->Detach();
    m_replay->Detach();
    m_pump->Detach();
}

} // namespace ns3
