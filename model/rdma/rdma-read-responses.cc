// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-read-responses.h"

#include "psn.h"

#include <algorithm>

namespace ns3
{

bool
RdmaReadResponses::MakeRoom(uint64_t psn)
{
    if (m_end.receiver)
    {
        // It asks for what is missing and for no more: the rest goes on. A READ comes in as many
        // requests as it has packets, or fewer; the requester bounds what is outstanding.
        return true;
    }
    // The requester asks again for all from here on: what was left of that is void.
    while (!m_reads.IsEmpty() && m_reads.Back().first >= psn)
    {
        m_reads.PopBack();
    }
    if (!m_reads.IsEmpty() && m_reads.Back().end > psn)
    {
        Read& cut = m_reads.Back();
        cut.end = psn;
        cut.bytes = std::min(cut.bytes, (psn - cut.first) * m_end.connection.mtu);
        if (cut.next >= cut.end)
        {
            m_reads.PopBack();
        }
    }
    return m_reads.Size() < m_end.connection.maxReads;
}

void
RdmaReadResponses::Add(uint64_t psn, uint64_t bytes, uint64_t expected, int64_t now)
{
    const uint64_t end = psn + m_end.connection.Packets(bytes);
    const int64_t ready = now + (m_end.times ? m_end.times->txTicks : 0);
    const Read read{psn, psn, end, bytes, ready};
    if (psn >= expected || !m_end.connection.acknowledgesReads)
    {
        m_reads.Push(read);
    }
    else
    {
        AddAgain(read, expected);
    }
    HoldNext(now);
}

void
RdmaReadResponses::AddAgain(const Read& read, uint64_t expected)
{
    m_flight.Acknowledge(read.first); // the requester has all before it
    if (!m_end.receiver)
    {
        m_flight.SendAgain(read.first);
        m_asks.GoBack(read.first);
        m_reads.Push(read);
        return;
    }
    // A window that new responses have closed opens when the missing ones have arrived: these go
    // first. What has not been sent yet waits in the queue already.
    const auto queue = [&](uint64_t first, uint64_t end, bool front) {
        if (first < end)
        {
            const uint64_t mtu = m_end.connection.mtu;
            const uint64_t bytes =
                std::min(read.bytes - (first - read.first) * mtu, (end - first) * mtu);
            const Read part{first, first, end, bytes, read.ready};
            front ? m_reads.PushFront(part) : m_reads.Push(part);
        }
    };
    queue(read.first, std::min(read.end, m_flight.Next()), true);
    queue(expected, read.end, false);
}

void
RdmaReadResponses::HoldNext(int64_t now)
{
    m_hold.Clear();
    if (m_end.times && m_end.times->txTicks > 0 && !m_reads.IsEmpty())
    {
        m_hold.Set(m_reads[0].ready, now);
    }
}

RdmaReadResponses::Head
RdmaReadResponses::NextHead() const
{
    const Read& read = m_reads[0];
    uint64_t mtu = m_end.connection.mtu;
    bool first = read.next == read.first;
    if (read.next + 1 != read.end)
    {
        return {first ? RoceOpcode::READ_RESPONSE_FIRST : RoceOpcode::READ_RESPONSE_MIDDLE,
                static_cast<uint32_t>(mtu)};
    }
    return {first ? RoceOpcode::READ_RESPONSE_ONLY : RoceOpcode::READ_RESPONSE_LAST,
            static_cast<uint32_t>(read.bytes - (read.next - read.first) * mtu)};
}

uint32_t
RdmaReadResponses::HeadWireBytes() const
{
    const RdmaConnection& connection = m_end.connection;
    Head head = NextHead();
    return connection.WireBytes(head.opcode, head.payload, connection.readTelemetry);
}

Frame*
RdmaReadResponses::Build(uint64_t window, uint64_t messages, int64_t now)
{
    Head head = NextHead();
    auto frame = new Frame;
    frame->payloadBytes = head.payload;
    RdmaConnection::StartTelemetry(*frame, m_end.connection.readTelemetry, now);
    m_end.connection.Address(*frame, head.opcode, m_end.connection.data);
    if (m_end.Entropy())
    {
        frame->srcPort = m_end.Entropy()->PortInTurn();
    }
    frame->ecn = m_end.connection.dataEcn;
    frame->syndrome = aeth::ACK;
    frame->msn = messages & 0xffffff;
    Read& read = m_reads.Front();
    frame->psn = read.next++;
    m_end.counters->dataPackets++;
    if (frame->psn < m_responseHigh)
    {
        m_end.counters->retransmitted++;
    }
    m_responseHigh = std::max(m_responseHigh, read.next);
    if (read.next == read.end)
    {
        m_reads.PopFront();
        HoldNext(now);
    }
    if (m_end.connection.acknowledgesReads)
    {
        m_flight.Add(frame->psn, frame->payloadBytes, m_end.connection.mtu);
        const bool closed = window && m_flight.Bytes() >= window;
        const bool asks = IsLast(frame->opcode) || (closed && !m_asks.AreOpen(m_flight.Unacked()));
        frame->ackRequest = m_asks.Sent(frame->psn + 1, asks, m_end.connection.ackInterval);
    }
    return frame;
}

uint64_t
RdmaReadResponses::OnAcknowledge(const Frame& frame)
{
    const uint64_t psn = Psn::Extend(frame.psn, m_flight.Next());
    const bool isAck = (frame.syndrome & aeth::TYPE_MASK) == 0;
    return m_flight.Acknowledge(isAck ? psn + 1 : psn);
}

void
RdmaReadResponses::Clear()
{
    while (!m_reads.IsEmpty())
    {
        m_reads.PopFront();
    }
    m_hold.Clear();
}

} // namespace ns3
