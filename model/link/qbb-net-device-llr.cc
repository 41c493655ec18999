// SPDX-License-Identifier: GPL-2.0-only

// Link-level retry of a port.

#include "llr-link.h"
#include "qbb-channel.h"
#include "qbb-net-device.h"

#include <algorithm>

namespace ns3
{

PortLlr&
QbbNetDevice::MakeLlr()
{
    if (!m_llr)
    {
        PortLlr::Port& self = *this; // a private base
        m_llr = std::make_unique<PortLlr>(self);
    }
    return *m_llr;
}

void
QbbNetDevice::PrepareLlr()
{
    RequireLlr(*this);
    const auto peer = GetPeer();
    if (!peer || !GetLlrEnabled())
    {
        return;
    }
    m_watched = true; // each frame has a number
    m_peerLlr = peer->MakeLlr().Receiver();
    MakeLlr().Configure(LlrSettingsFor(*peer, m_channel->GetDelay()), m_nodeId);
    if (!peer->m_prepared)
    {
        peer->Prepare();
    }
}

bool
QbbNetDevice::IsDiscarded(Frame* frame)
{
    if (!m_llr || m_llr->Accepts(*frame))
    {
        return false;
    }
    frame->Release();
    return true;
}

bool
QbbNetDevice::DropsSet(Frame* set)
{
    return DropsUpdate(set);
}

void
QbbNetDevice::SendSet(Frame* set)
{
    SendBeside(set, m_peerLlr, LLR_SET_BYTES, false);
}

void
QbbNetDevice::SendAgain(Frame* frame)
{
    const int64_t now = SimulationClock::Now();
    const uint32_t wireBytes = frame->WireBytes();
    ++m_txFrames;
    m_txWireBytes += wireBytes;
    m_lastArrival =
        std::max(m_line.Send(now, wireBytes) + m_delayTicks - TailTicks(wireBytes), m_lastArrival);
    frame->receiver = m_peerReceiver;
    SimulationClock::Post(m_peerNodeId, m_lastArrival - now, frame);
}

bool
QbbNetDevice::SendPfc()
{
    if (!m_pfcPending || !m_linkUp)
    {
        return false;
    }
    Launch(m_pfc.MakeFrame(), SimulationClock::Now());
    return true;
}

int64_t
QbbNetDevice::FreeAt() const
{
    return m_line.BusyUntil();
}

void
QbbNetDevice::Hold(bool held)
{
    if (held)
    {
        m_transmitting |= HELD;
        return;
    }
    m_transmitting &= ~HELD;
    Kick();
}

} // namespace ns3
