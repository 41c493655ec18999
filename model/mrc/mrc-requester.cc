// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-requester.h"

#include "mrc-responder.h"
#include "psn.h"

#include "ns3/log.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MrcRequester");

MrcRequester::MrcRequester(const RdmaEnd& end,
                           const MrcTerms& terms,
                           MrcCounters& counters,
                           std::vector<MrcPlaneEvs>& planes)
    : m_end(end),
      m_terms(terms),
      m_counters(counters),
      m_planes(planes),
      m_threshold(terms.reorderThreshold),
      m_capacity(1)
{
    while (m_capacity < terms.window * MrcTerms::WINDOW_UNIT)
    {
        m_capacity *= 2;
    }
}

// ---- sending

uint64_t
MrcRequester::Post(const RdmaWorkRequest& request, int64_t now)
{
    if (request.verb != RdmaVerb::WRITE && request.verb != RdmaVerb::WRITE_IMM)
    {
        throw std::invalid_argument(std::string("RdmaMrc: MRC has no ") + ToString(request.verb) +
                                    "; post a WRITE or WRITE_IMM");
    }
    if (request.bytes >= MAX_MESSAGE)
    {
        throw std::invalid_argument("RdmaMrc: a message of " + std::to_string(request.bytes) +
                                    " bytes is longer than 2^32 - 1 bytes");
    }
    const bool isImmediate = request.verb == RdmaVerb::WRITE_IMM;
    m_rqMsns.Push(m_immediates);
    m_immediates += isImmediate;
    if (m_blocked && !IsBusy())
    {
        m_countedAt = now;
    }
    return m_requests.Post(request, m_end.connection, now).id;
}

bool
MrcRequester::Fits(uint64_t window) const
{
    // A transport ACK does not count bytes: nothing may be in flight before a SACK has said so.
    return window == 0 || m_inFlight < static_cast<int64_t>(window) || m_outstanding == 0;
}

bool
MrcRequester::HasNew() const
{
    if (m_cursor >= m_requests.Size() ||
        m_next - m_unacked >= int64_t{m_terms.window} * MrcTerms::WINDOW_UNIT)
    {
        return false;
    }
    const RdmaRequest& request = m_requests[m_cursor];
    const bool begins = m_next == static_cast<int64_t>(request.first);
    return !begins || request.verb != RdmaVerb::WRITE_IMM ||
           m_openImmediates < m_terms.maxImmediates;
}

bool
MrcRequester::CanSend(uint64_t window) const
{
    return (m_lost > 0 || HasNew()) && Fits(window);
}

int64_t
MrcRequester::NextPsn() const
{
    if (m_lost == 0)
    {
        return m_next;
    }
    int64_t psn = m_firstLost;
    while (At(psn).state != LOST)
    {
        ++psn;
    }
    return psn;
}

uint32_t
MrcRequester::HeadWireBytes() const
{
    if (m_lost == 0 && m_cursor >= m_requests.Size())
    {
        return ETHERNET_MIN_FRAME_BYTES + ETHERNET_GAP_BYTES; // another plane has sent the last one
    }
    const int64_t psn = NextPsn();
    const auto head = m_requests[m_requests.IndexOf(psn)].HeadOf(m_end.connection.mtu, psn);
    return RoceFrameBytes(ToMrc(head.opcode),
                          head.payload,
                          m_end.connection.local.ipVersion,
                          m_end.connection.data.tagged,
                          TelemetryBytes(TelemetryKind::MRC, m_terms.timeStamp)) +
           ETHERNET_GAP_BYTES;
}

RdmaRing<MrcRequester::Transmission>&
MrcRequester::PathOf(uint32_t plane, uint16_t ev, bool isRepeat)
{
    m_paths.resize(m_planes.size());
    m_paths[plane].resize(2 * m_planes[plane].GetN());
    return m_paths[plane][2 * ev + isRepeat];
}

Frame*
MrcRequester::Build(uint32_t plane, uint16_t ev, uint64_t window, int64_t now)
{
    if (!m_records)
    {
        m_records.reset(new Record[m_capacity]);
    }
    const int64_t psn = NextPsn();
    const bool isRepeat = psn < m_next;
    const uint32_t index = isRepeat ? m_requests.IndexOf(psn) : m_cursor;
    RdmaRequest& request = m_requests[index];
    Frame* frame = request.MakeData(m_end.connection, psn, now);
    frame->opcode = ToMrc(frame->opcode);
    frame->remoteAddress += (psn - static_cast<int64_t>(request.first)) * m_end.connection.mtu;
    frame->telemetryKind = TelemetryKind::MRC;
    MrcHeader& header = frame->telemetry.mrc = {};
    header.msn = static_cast<uint16_t>(m_completed + index);
    header.rqMsn = m_rqMsns[index];
    header.stamped = m_terms.timeStamp;
    header.time = m_terms.StampOf(now);
    header.repeated = isRepeat;
    frame->bytes = RoceFrameBytes(frame->opcode,
                                  frame->payloadBytes,
                                  frame->ipVersion,
                                  frame->tagged,
                                  frame->GetTelemetryBytes());
    Record& record = At(psn);
    const uint16_t before = isRepeat ? record.times : 0;
    if (!isRepeat)
    {
        record.blamedEv = MrcPlaneEvs::NONE;
    }
    else
    {
        --m_lost;
        m_firstLost = psn + 1;
        m_end.counters->retransmitted++;
    }
    record.sentAt = now;
    record.order = m_order++;
    record.nominal = MrcResponder::NominalBytes(*frame);
    record.ev = ev;
    record.plane = static_cast<uint8_t>(plane);
    record.times = static_cast<uint8_t>(std::min(before + 1, 255));
    record.state = SENT;
    ++m_outstanding;
    m_inFlight += record.nominal;
    m_sent.Push({psn, record.order});
    if (m_terms.lossRule & MrcTerms::PER_EV)
    {
        PathOf(plane, ev, isRepeat).Push({psn, record.order});
    }
    m_end.counters->dataPackets++;
    if (!isRepeat)
    {
        const bool begins = psn == static_cast<int64_t>(request.first);
        m_newBytes += record.nominal;
        request.firstSent = begins ? now : request.firstSent;
        m_openImmediates += begins && request.verb == RdmaVerb::WRITE_IMM;
        ++m_next;
        m_cursor += m_next == static_cast<int64_t>(request.end);
    }
    const bool isLast = m_lost == 0 && m_cursor >= m_requests.Size();
    frame->ackRequest =
        isLast || (window && (!Fits(window) || window + m_end.connection.mtu <= m_terms.sackBytes));
    return frame;
}

std::optional<MrcRequester::Waiting>
MrcRequester::GetWaiting() const
{
    if (m_sent.IsEmpty())
    {
        return std::nullopt;
    }
    const Record& record = At(m_sent[0].psn);
    return Waiting{record.plane, record.ev, m_order - 1, record.sentAt};
}

// ---- receiving

void
MrcRequester::ProbePassed(const Waiting& waiting)
{
    if (m_terms.lossRule & MrcTerms::PER_EV)
    {
        // A probe is in the class of new packets.
        m_arrivals.push_back({waiting.order, waiting.ev, waiting.plane, false});
    }
}

int64_t
MrcRequester::Extend(uint64_t wire) const
{
    return m_unacked + Psn::Distance(wire, m_unacked);
}

MrcRequester::Outcome
MrcRequester::OnSack(const Frame& frame, uint32_t plane, int64_t now)
{
    const MrcHeader& header = frame.telemetry.mrc;
    Outcome outcome;
    m_end.counters->acksReceived++;
    const int64_t units = Psn::Distance(header.received, m_received);
    if (units > 0) // else a later SACK has come before
    {
        outcome.delivered = units * MrcTerms::RECEIVED_UNIT;
        m_received = header.received;
        m_inFlight -= outcome.delivered;
    }
    const int64_t cack = std::min(Extend(frame.psn), m_next - 1);
    const int64_t acked = header.answersProbe ? -1 : cack + header.acked;
    const bool isKnown = IsOpen(acked);
    if (isKnown && At(acked).times > 1 && !header.repeated)
    {
        NoteSpurious(At(acked));
    }
    if (!header.answersProbe)
    {
        outcome.marked = header.mark != MrcMark::NONE;
        m_counters.marks += outcome.marked;
        const uint16_t units128 = m_terms.StampOf(now) - header.time;
        outcome.rttTicks =
            m_terms.timeStamp ? units128 * m_terms.ticksPerSecond / MrcTerms::STAMPS_PER_SECOND
            : isKnown && At(acked).times == (header.repeated ? 2 : 1) ? now - At(acked).sentAt
                                                                      : 0;
        for (uint32_t i = 0; outcome.marked && i < m_planes.size(); ++i)
        {
            MrcPlaneEvs& evs = m_planes[(plane + i) % m_planes.size()];
            const uint16_t ev = evs.Find(header.ev);
            if (ev != MrcPlaneEvs::NONE)
            {
                evs.Mark(ev);
                break;
            }
        }
    }
    // Of a packet beyond the bitmap nothing is known of those before it.
    const bool isInBitmap = acked < cack + header.base + MrcTerms::BITMAP;
    NoteArrival(acked, isKnown && isInBitmap && At(acked).times > 1 && header.repeated);
    Advance(cack);
    for (uint64_t bits = header.bitmap; bits; bits &= bits - 1)
    {
        NoteArrival(cack + header.base + __builtin_ctzll(bits), false);
    }
    ApplyPerEv(outcome);
    if (m_terms.lossRule & MrcTerms::THRESHOLD)
    {
        ApplyThreshold(outcome);
    }
    NoteAllReceived(outcome);
    return outcome;
}

MrcRequester::Outcome
MrcRequester::OnAcknowledge(const Frame& frame)
{
    m_end.counters->acksReceived++;
    Outcome outcome;
    Advance(std::min(Extend(frame.psn), m_next - 1));
    ApplyPerEv(outcome);
    NoteAllReceived(outcome);
    return outcome;
}

void
MrcRequester::NoteAllReceived(Outcome& outcome)
{
    if (m_unacked < m_next)
    {
        return;
    }
    // A transport ACK has no count of bytes, and the counts of SACKs are rounded up.
    constexpr int64_t UNIT = MrcTerms::RECEIVED_UNIT;
    const uint64_t all = (m_newBytes + UNIT - 1) / UNIT;
    outcome.delivered += std::max(0, Psn::Distance(all, m_received)) * UNIT;
    m_received = Psn::Truncate(all);
    m_inFlight = static_cast<int64_t>(m_newBytes - all * UNIT);
}

void
MrcRequester::Advance(int64_t cack)
{
    if (cack < m_unacked)
    {
        return;
    }
    for (int64_t psn = m_unacked; psn <= cack; ++psn)
    {
        NoteArrival(psn, false);
        if (psn >= m_edge)
        {
            --m_above; // judged: nothing before m_unacked is missing
        }
    }
    m_unacked = cack + 1;
    m_edge = std::max(m_edge, m_unacked);
    m_firstLost = std::max(m_firstLost, m_unacked);
    m_retries = 0;
    m_countedAt = -1;
}

void
MrcRequester::NoteArrival(int64_t psn, bool isOfRepeat)
{
    if (!IsOpen(psn) || At(psn).state == RECEIVED)
    {
        return;
    }
    Record& record = At(psn);
    if (record.state == LOST)
    {
        --m_lost;
        m_inFlight += record.nominal; // SACKs count the packet as received
        NoteSpurious(record);
    }
    m_outstanding -= record.state == SENT;
    // Of a packet that was sent again, a bit does not say which transmission has arrived.
    if ((m_terms.lossRule & MrcTerms::PER_EV) && record.state == SENT &&
        (record.times == 1 || isOfRepeat))
    {
        m_arrivals.push_back({record.order, record.ev, record.plane, record.times > 1});
    }
    record.state = RECEIVED;
    m_above += psn >= m_edge;
}

void
MrcRequester::ApplyThreshold(Outcome& outcome)
{
    while (m_edge < m_next)
    {
        const Record& record = At(m_edge);
        const int64_t above = m_above - (record.state == RECEIVED);
        if (above < int64_t{m_threshold})
        {
            return;
        }
        if (record.state == SENT && record.times == 1) // a repeat is not late by its PSN
        {
            NoteLost(m_edge, outcome);
        }
        m_above = above;
        ++m_edge;
    }
}

void
MrcRequester::ApplyPerEv(Outcome& outcome)
{
    for (const Arrival& arrival : m_arrivals)
    {
        RdmaRing<Transmission>& path = PathOf(arrival.plane, arrival.ev, arrival.isRepeat);
        while (!path.IsEmpty() && path.Front().order <= arrival.order)
        {
            const Transmission earlier = path.Front();
            path.PopFront();
            if (IsInFlight(earlier))
            {
                NoteLost(earlier.psn, outcome);
            }
        }
    }
    m_arrivals.clear();
}

bool
MrcRequester::IsInFlight(const Transmission& transmission) const
{
    return transmission.psn >= m_unacked && At(transmission.psn).order == transmission.order &&
           At(transmission.psn).state == SENT;
}

void
MrcRequester::NoteLost(int64_t psn, Outcome& outcome)
{
    Record& record = At(psn);
    NS_LOG_DEBUG("PSN " << psn << " is lost, plane " << +record.plane << " EV " << record.ev);
    m_counters.lost++;
    outcome.lost += record.nominal;
    MrcPlaneEvs& evs = m_planes[record.plane];
    record.blamedEv = record.ev;
    record.blamedPlane = record.plane;
    if (!m_terms.trimNack)
    {
        evs.Mark(record.ev); // a full queue drops where nothing is trimmed
    }
    else
    {
        const uint64_t refused = evs.GetRefused();
        m_counters.evsLost += evs.NoteLoss(record.ev);
        m_counters.evsKept += evs.GetRefused() - refused;
    }
    Repeat(psn);
}

void
MrcRequester::Repeat(int64_t psn)
{
    Record& record = At(psn);
    m_firstLost = m_lost == 0 ? psn : std::min(m_firstLost, psn);
    ++m_lost;
    --m_outstanding;
    m_inFlight -= record.nominal;
    record.state = LOST;
}

void
MrcRequester::NoteSpurious(Record& record)
{
    if (record.blamedEv != MrcPlaneEvs::NONE)
    {
        m_counters.spurious++;
        m_planes[record.blamedPlane].NoteSpurious(record.blamedEv);
        record.blamedEv = MrcPlaneEvs::NONE;
    }
}

MrcRequester::Outcome
MrcRequester::OnNack(const Frame& frame, int64_t now)
{
    const MrcHeader& header = frame.telemetry.mrc;
    Outcome outcome;
    m_end.counters->naksReceived++;
    const int64_t psn = Extend(frame.psn);
    if (!IsOpen(psn) || At(psn).state == RECEIVED)
    {
        return outcome;
    }
    Record& record = At(psn);
    if (record.state == LOST || header.repeated != (record.times > 1))
    {
        NoteSpurious(record); // a transmission that is over: no bad path has lost it
        return outcome;
    }
    const bool onPath = header.reason == MrcReason::TRIMMED;
    outcome.lastHop = header.reason == MrcReason::TRIMMED_LAST_HOP;
    if (onPath)
    {
        m_planes[record.plane].Mark(record.ev);
    }
    if (onPath || outcome.lastHop)
    {
        m_counters.trims++;
        outcome.trimmed = record.nominal;
        outcome.rttTicks = now - record.sentAt;
    }
    record.blamedEv = MrcPlaneEvs::NONE;
    Repeat(psn);
    return outcome;
}

// ---- timer

int64_t
MrcRequester::Patience() const
{
    const uint32_t doublings =
        m_retries > m_terms.linearRetries ? m_retries - m_terms.linearRetries : 0;
    return m_terms.timeoutTicks << std::min(doublings, MrcTerms::FOR_EVER);
}

int64_t
MrcRequester::Deadline() const
{
    if (m_blocked)
    {
        return IsBusy() ? m_countedAt + Patience() : RDMA_NEVER;
    }
    return m_sent.IsEmpty() ? RDMA_NEVER : WaitsSince() + Patience();
}

int64_t
MrcRequester::WaitsSince() const
{
    return m_sent.IsEmpty() ? RDMA_NEVER : At(m_sent[0].psn).sentAt;
}

MrcRequester::Outcome
MrcRequester::OnTimer(int64_t now)
{
    Outcome outcome;
    const int64_t patience = Patience();
    const auto expired = [this, now, patience] {
        return !m_sent.IsEmpty() && At(m_sent.Front().psn).sentAt + patience <= now;
    };
    bool isDue = m_blocked && IsBusy() && m_countedAt + patience <= now;
    for (DropSent(); expired(); DropSent())
    {
        isDue = true;
        NoteLost(m_sent.Front().psn, outcome);
    }
    // What was sent together expires together, and counts as one timeout.
    if (isDue && (m_countedAt < 0 || m_countedAt + patience <= now))
    {
        m_end.counters->timeouts++;
        m_countedAt = now;
        ++m_retries;
        outcome.failed = m_terms.expRetries < MrcTerms::FOR_EVER &&
                         m_retries > m_terms.linearRetries + m_terms.expRetries;
    }
    return outcome;
}

void
MrcRequester::DropSent()
{
    while (!m_sent.IsEmpty() && !IsInFlight(m_sent.Front()))
    {
        m_sent.PopFront();
    }
}

void
MrcRequester::SetBlocked(bool blocked, int64_t now)
{
    m_countedAt = blocked != m_blocked ? (blocked ? now : -1) : m_countedAt;
    m_blocked = blocked;
}

// ---- end

void
MrcRequester::Complete(int64_t now)
{
    DropSent();
    while (!m_requests.IsEmpty() && static_cast<int64_t>(m_requests[0].end) <= m_unacked)
    {
        const RdmaRequest request = m_requests.Take();
        m_rqMsns.PopFront();
        ++m_completed;
        --m_cursor;
        m_openImmediates -= request.verb == RdmaVerb::WRITE_IMM;
        m_end.counters->messagesCompleted++;
        // User code: may post, or fail the queue pair.
        m_end.sink->RequestCompleted(request.Complete(RdmaStatus::SUCCESS, now));
    }
}

void
MrcRequester::Fail(RdmaStatus status, int64_t now)
{
    RdmaRing<RdmaRequest> all = m_requests.TakeAll();
    m_rqMsns = {};
    m_sent = {};
    m_paths.clear();
    m_cursor = 0;
    m_lost = 0;
    m_outstanding = 0;
    m_inFlight = 0;
    m_unacked = m_next = static_cast<int64_t>(m_requests.EndPsn());
    for (; !all.IsEmpty(); all.PopFront(), status = RdmaStatus::FLUSHED)
    {
        m_end.counters->messagesFailed++;
        m_end.sink->RequestCompleted(all.Front().Complete(status, now));
    }
}

} // namespace ns3
