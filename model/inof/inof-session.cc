// SPDX-License-Identifier: GPL-2.0-only
#include "inof-session.h"

#include <algorithm>

namespace ns3
{

InofSession::InofSession(InofSessionSink& sink, uint32_t self, uint32_t peer, const Config& config)
    : m_sink(sink),
      m_self(self),
      m_peer(peer),
      m_config(config),
      m_out(config.retransmitPs)
{
}

void
InofSession::Start(uint32_t epoch, int64_t now)
{
    m_epoch = epoch;
    m_nextSign = now;
    Advance(now);
}

void
InofSession::Stop()
{
    m_up = false;
    m_nextSign = InofSendStream::NEVER;
    m_out.Reset();
}

void
InofSession::Send(const InofMessage* message, uint32_t sequence)
{
    InofDatagram datagram;
    datagram.kind = InofDatagram::SESSION;
    datagram.sender = m_self;
    datagram.senderEpoch = m_epoch;
    datagram.receiverEpoch = m_peerEpoch;
    datagram.acknowledge = m_up ? m_in.Last() : 0;
    if (message)
    {
        datagram.sequence = sequence;
        datagram.message = *message;
    }
    m_sink.SendDatagram(*this, datagram);
}

void
InofSession::Flush(int64_t now)
{
    uint32_t sequence = 0;
    while (const InofMessage* message = m_out.Next(now, sequence))
    {
        Send(message, sequence);
    }
}

void
InofSession::Receive(const InofDatagram& datagram, int64_t now)
{
    if (m_nextSign == InofSendStream::NEVER || datagram.senderEpoch < m_peerEpoch)
    {
        return; // stopped, or a datagram of an earlier life of the peer
    }
    if (datagram.senderEpoch != m_peerEpoch)
    {
        m_peerEpoch = datagram.senderEpoch;
        if (m_up)
        {
            Lose(now);
        }
        Send(nullptr, 0); // so that the peer learns our epoch without waiting
    }
    m_lastHeard = now;
    if (datagram.receiverEpoch != m_epoch)
    {
        return; // it does not know us yet
    }
    if (!m_up)
    {
        m_up = true;
        m_out.Reset();
        m_in.Reset();
        m_sink.SessionUp(*this, now);
        Send(nullptr, 0); // the peer comes up by this
    }
    m_out.Acknowledged(datagram.acknowledge, now);
    if (datagram.message)
    {
        const bool isNew = m_in.Accept(datagram.sequence);
        Send(nullptr, 0); // acknowledges, also what came again
        if (isNew)
        {
            m_sink.MessageReceived(*this, *datagram.message, now);
        }
    }
    Flush(now);
}

void
InofSession::Post(const InofMessage& message, int64_t now)
{
    if (m_up)
    {
        m_out.Post(message);
        Flush(now);
    }
}

void
InofSession::Lose(int64_t now)
{
    m_up = false;
    ++m_epoch;
    m_out.Reset();
    m_sink.SessionDown(*this, now);
}

void
InofSession::Advance(int64_t now)
{
    if (m_nextSign == InofSendStream::NEVER)
    {
        return;
    }
    if (m_up && now - m_lastHeard >= m_config.intervalPs * m_config.misses)
    {
        Lose(now);
    }
    m_out.Advance(now);
    Flush(now);
    if (now >= m_nextSign)
    {
        Send(nullptr, 0);
        m_nextSign = now + m_config.intervalPs;
    }
}

int64_t
InofSession::NextDeadline() const
{
    if (m_nextSign == InofSendStream::NEVER)
    {
        return InofSendStream::NEVER;
    }
    const int64_t silence =
        m_up ? m_lastHeard + m_config.intervalPs * m_config.misses : InofSendStream::NEVER;
    return std::min({m_nextSign, m_out.NextDeadline(), silence});
}

} // namespace ns3
