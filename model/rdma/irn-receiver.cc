// SPDX-License-Identifier: GPL-2.0-only
#include "irn-receiver.h"

#include "ns3/fabric-frame.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @param frame a request packet @return what executing it needs, without its telemetry: that was
/// told when it arrived
Frame*
CopyForExecution(const Frame& frame)
{
    auto copy = new Frame;
    copy->opcode = frame.opcode;
    copy->psn = frame.psn;
    copy->ackRequest = frame.ackRequest;
    copy->payloadBytes = frame.payloadBytes;
    copy->immediate = frame.immediate;
    copy->remoteAddress = frame.remoteAddress;
    copy->remoteKey = frame.remoteKey;
    copy->dmaBytes = frame.dmaBytes;
    return copy;
}

} // namespace

IrnReceiver::~IrnReceiver()
{
    Clear();
}

void
IrnReceiver::Clear()
{
    for (Frame*& slot : m_slots)
    {
        if (slot)
        {
            slot->Release();
            slot = nullptr;
        }
    }
    m_count = 0;
    m_end = m_expected;
}

void
IrnReceiver::Advance(uint64_t expected)
{
    for (; m_count && m_expected < expected; ++m_expected)
    {
        Frame*& slot = At(m_expected);
        if (slot)
        {
            slot->Release();
            slot = nullptr;
            m_count--;
        }
    }
    m_expected = expected;
}

void
IrnReceiver::Grow(uint64_t span)
{
    constexpr std::size_t SMALLEST = 16;
    std::size_t size = std::max(SMALLEST, m_slots.size());
    while (size < span)
    {
        size *= 2;
    }
    std::vector<Frame*> slots(size, nullptr);
    for (uint64_t psn = m_expected; m_count && psn < m_end; ++psn)
    {
        slots[psn & (size - 1)] = At(psn);
    }
    m_slots = std::move(slots);
}

RdmaSelectiveReceiver::Verdict
IrnReceiver::Keep(const Frame& frame, uint64_t expected)
{
    Advance(expected);
    const uint64_t span = frame.psn - expected + 1;
    if (span > m_span)
    {
        return NOT_KEPT;
    }
    if (span > m_slots.size())
    {
        Grow(span);
    }
    Frame*& slot = At(frame.psn);
    if (slot)
    {
        return HAD;
    }
    slot = CopyForExecution(frame);
    m_end = std::max(m_end, frame.psn + 1);
    m_count++;
    return KEPT;
}

bool
IrnReceiver::Has(uint64_t psn) const
{
    return m_count && psn >= m_expected && psn < m_end && m_slots[psn & (m_slots.size() - 1)];
}

Frame*
IrnReceiver::Take(uint64_t expected)
{
    if (m_count == 0)
    {
        return nullptr;
    }
    Advance(expected);
    if (m_count == 0)
    {
        return nullptr;
    }
    Frame* frame = At(expected);
    if (frame)
    {
        At(expected) = nullptr;
        m_count--;
    }
    return frame;
}

} // namespace ns3
