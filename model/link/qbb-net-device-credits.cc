// SPDX-License-Identifier: GPL-2.0-only

// Credits (CBFC) of a port.

#include "credit-link.h"
#include "lossless-link.h"
#include "qbb-channel.h"
#include "qbb-net-device.h"

#include <algorithm>

namespace ns3
{

PortCbfc&
QbbNetDevice::MakeCbfc()
{
    if (!m_cbfc)
    {
        PortCbfc::Port& self = *this; // a private base
        m_cbfc = std::make_unique<PortCbfc>(self);
    }
    return *m_cbfc;
}

void
QbbNetDevice::PrepareCredits()
{
    const auto peer = GetPeer();
    if (!peer || !(GetCbfcClasses() | peer->GetCbfcClasses()))
    {
        return;
    }
    RequireCredits(*this);
    m_watched = true; // each frame is counted
    PortCbfc::Settings settings;
    settings.classes = GetCbfcClasses();
    settings.granted = GetCreditUnit();
    settings.used = peer->GetCreditUnit();
    settings.limit = GetGrantedCredits(*peer);
    settings.maxFrameBytes = LongestFrameBytes(GetMtu());
    settings.spacingTicks = m_line.TicksOfBits(uint64_t{8} * GetCfMinSpacing());
    settings.ccTicks = GetCcTimer().GetTimeStep();
    m_peerCredits = peer->MakeCbfc().Receiver();
    MakeCbfc().Configure(settings, m_nodeId);
    if (!peer->m_prepared)
    {
        peer->Prepare(); // it counts what this port sends
    }
}

bool
QbbNetDevice::DropsUpdate(Frame* frame)
{
    DropReason reason;
    if (!m_linkUp || (m_lossy && IsLost(*frame, reason)))
    {
        Drop(frame, m_linkUp ? reason : DropReason::LINK_DOWN);
        return true;
    }
    return false;
}

void
QbbNetDevice::SendUpdate(Frame* update, uint32_t wireBytes, bool inOrder)
{
    SendBeside(update, m_peerCredits, wireBytes, inOrder);
}

void
QbbNetDevice::SendBeside(Frame* set, FrameReceiver* receiver, uint32_t wireBytes, bool inOrder)
{
    if (!m_linkUp)
    {
        set->Release();
        return;
    }
    const int64_t now = SimulationClock::Now();
    const int64_t begin = std::max(now, m_line.BusyUntil());
    const int64_t end = m_line.Send(begin, wireBytes); // later frames wait for it
    int64_t arrival = (inOrder ? end : now + end - begin) + m_delayTicks;
    if (inOrder)
    {
        arrival = std::max(arrival, m_lastArrival);
        m_lastArrival = arrival;
    }
    m_lastUpdate = std::max(arrival, m_lastUpdate);
    set->receiver = receiver;
    SimulationClock::Post(m_peerNodeId, m_lastUpdate - now, set);
}

bool
QbbNetDevice::MaySendAgain() const
{
    return m_llr && m_llr->Outstanding() > 0;
}

void
QbbNetDevice::CreditsChanged(uint32_t cls, bool starved)
{
    m_pfc.SetStarved(cls, starved);
}

} // namespace ns3
