// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-entropy-reps.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaEntropyReps);

TypeId
RdmaEntropyReps::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaEntropyReps")
            .SetParent<RdmaEntropyPolicy>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaEntropyReps>()
            .AddAttribute("BufferSize",
                          "Number of entropy values that are kept",
                          UintegerValue(8),
                          MakeFixed(MakeUintegerAccessor(&RdmaEntropyReps::m_bufferSize)),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute(
                "FreezeTime",
                "Time after a timeout in which only entropy values that have come back are used",
                TimeValue(MilliSeconds(10)),
                MakeFixed(MakeTimeAccessor(&RdmaEntropyReps::m_freezeTime)),
                MakeTimeChecker(Time(0)))
            .AddAttribute("ExplorePackets",
                          "Number of packets with random entropy values after that time",
                          UintegerValue(16),
                          MakeFixed(MakeUintegerAccessor(&RdmaEntropyReps::m_explorePackets)),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

uint32_t
RdmaEntropyReps::Next(int64_t /* now */)
{
    if (m_explore > 0)
    {
        m_explore--;
        return Draw();
    }
    if (m_isFrozen)
    {
        return m_buffer.empty() ? Draw() : NextFrozen();
    }
    if (m_fresh == 0)
    {
        return Draw();
    }
    Entry& oldest = m_buffer[(m_head + m_bufferSize - m_fresh) % m_bufferSize];
    oldest.isFresh = false;
    m_fresh--;
    return oldest.ev;
}

uint32_t
RdmaEntropyReps::NextFrozen()
{
    Entry& entry = m_buffer[m_turn];
    m_fresh -= entry.isFresh ? 1 : 0;
    entry.isFresh = false;
    m_turn = (m_turn + 1) % m_buffer.size();
    return entry.ev;
}

void
RdmaEntropyReps::OnFeedback(uint32_t ev, Feedback feedback, int64_t now)
{
    if (feedback == LOST)
    {
        if (!m_isFrozen && m_explore == 0)
        {
            m_isFrozen = true;
            m_frozenUntil = now + m_freezeTime.GetTimeStep();
        }
        return;
    }
    if (m_isFrozen && now > m_frozenUntil)
    {
        Thaw();
    }
    if (feedback == GOOD) // else it is forgotten
    {
        Keep(ev);
    }
}

void
RdmaEntropyReps::Keep(uint32_t ev)
{
    if (m_buffer.size() < m_bufferSize)
    {
        m_buffer.emplace_back();
    }
    Entry& entry = m_buffer[m_head];
    m_fresh += entry.isFresh ? 0 : 1;
    entry = {static_cast<uint16_t>(ev), true};
    m_head = (m_head + 1) % m_bufferSize;
}

void
RdmaEntropyReps::Thaw()
{
    m_isFrozen = false;
    m_buffer.clear();
    m_head = m_fresh = m_turn = 0;
    m_explore = m_explorePackets;
}

} // namespace ns3
