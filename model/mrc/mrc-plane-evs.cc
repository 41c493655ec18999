// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-plane-evs.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

MrcPlaneEvs::MrcPlaneEvs(std::vector<uint32_t> values,
                         uint32_t active,
                         uint32_t floor,
                         uint32_t successes,
                         Ptr<RandomVariableStream> draws)
    : m_evs(values.size()),
      m_byValue(values.size()),
      m_draws(draws),
      m_active(std::min<uint32_t>(active, values.size())),
      m_floor(floor),
      m_successes(successes)
{
    for (uint16_t ev = 0; ev < m_evs.size(); ++ev)
    {
        m_evs[ev].value = values[ev];
        (ev < m_active ? m_slots : m_backups).push_back(ev);
    }
    std::iota(m_byValue.begin(), m_byValue.end(), 0);
    std::stable_sort(m_byValue.begin(), m_byValue.end(), [&values](uint16_t a, uint16_t b) {
        return values[a] < values[b];
    });
    Shuffle();
}

uint16_t
MrcPlaneEvs::Choose()
{
    bool hasRestored = false;
    for (uint32_t i = 2 * m_slots.size(); i > 0; --i)
    {
        const uint16_t ev = m_slots[m_cursor];
        if (++m_cursor >= m_slots.size())
        {
            m_cursor = 0;
            Shuffle();
        }
        if (m_evs[ev].state == GOOD)
        {
            return ev;
        }
        if (m_evs[ev].state == SKIP && !hasRestored)
        {
            m_evs[ev].state = GOOD; // from the next packet on
            hasRestored = true;
        }
    }
    return NONE;
}

bool
MrcPlaneEvs::HasEv() const
{
    return !m_slots.empty(); // what is in a slot is GOOD or SKIP
}

void
MrcPlaneEvs::Mark(uint16_t ev)
{
    if (m_evs[ev].state == GOOD && std::find(m_slots.begin(), m_slots.end(), ev) != m_slots.end())
    {
        m_evs[ev].state = SKIP;
    }
}

bool
MrcPlaneEvs::NoteLoss(uint16_t ev)
{
    if (m_evs[ev].state != GOOD && m_evs[ev].state != SKIP)
    {
        return false;
    }
    const bool inSlot = std::find(m_slots.begin(), m_slots.end(), ev) != m_slots.end();
    if (inSlot && m_backups.empty() && m_slots.size() <= m_floor)
    {
        ++m_refused;
        return false;
    }
    m_evs[ev].state = ASSUMED_BAD;
    m_evs[ev].answered = 0;
    ++m_bad;
    TakeOut(ev);
    return true;
}

void
MrcPlaneEvs::TakeOut(uint16_t ev)
{
    const auto slot = std::find(m_slots.begin(), m_slots.end(), ev);
    if (slot == m_slots.end())
    {
        m_backups.erase(std::remove(m_backups.begin(), m_backups.end(), ev), m_backups.end());
        return;
    }
    if (!m_backups.empty())
    {
        *slot = m_backups.front();
        m_backups.erase(m_backups.begin());
        return;
    }
    const auto index = static_cast<uint32_t>(slot - m_slots.begin());
    m_slots.erase(slot);
    m_cursor -= m_cursor > index;
    m_cursor = m_cursor < m_slots.size() ? m_cursor : 0;
}

void
MrcPlaneEvs::PutBack(uint16_t ev)
{
    (m_slots.size() < m_active ? m_slots : m_backups).push_back(ev);
}

void
MrcPlaneEvs::NoteSpurious(uint16_t ev)
{
    if (m_evs[ev].state == ASSUMED_BAD)
    {
        m_evs[ev].state = GOOD;
        --m_bad;
        PutBack(ev);
    }
}

void
MrcPlaneEvs::Probed(uint16_t ev, bool answered, bool marked)
{
    Ev& probed = m_evs[ev];
    if (probed.state != ASSUMED_BAD)
    {
        return;
    }
    probed.answered = answered ? probed.answered + 1 : 0;
    if (probed.answered < m_successes)
    {
        return;
    }
    // A backup has no turn that it could miss.
    probed.state = marked && m_slots.size() < m_active ? SKIP : GOOD;
    --m_bad;
    PutBack(ev);
}

void
MrcPlaneEvs::Deny(uint16_t ev)
{
    const State before = std::exchange(m_evs[ev].state, DENIED);
    m_bad -= before == ASSUMED_BAD;
    if (before == GOOD || before == SKIP)
    {
        TakeOut(ev);
    }
}

void
MrcPlaneEvs::Allow(uint16_t ev)
{
    if (m_evs[ev].state == DENIED)
    {
        m_evs[ev].state = GOOD;
        PutBack(ev);
    }
}

uint16_t
MrcPlaneEvs::Find(uint32_t value) const
{
    auto found =
        std::lower_bound(m_byValue.begin(),
                         m_byValue.end(),
                         value,
                         [this](uint16_t ev, uint32_t wanted) { return m_evs[ev].value < wanted; });
    uint16_t any = NONE;
    for (; found != m_byValue.end() && m_evs[*found].value == value; ++found)
    {
        any = any == NONE ? *found : any;
        if (m_evs[*found].state == GOOD)
        {
            return *found;
        }
    }
    return any;
}

void
MrcPlaneEvs::Shuffle()
{
    for (uint32_t left = m_draws ? m_slots.size() : 0; left > 1; --left)
    {
        std::swap(m_slots[left - 1], m_slots[static_cast<uint32_t>(m_draws->GetValue() * left)]);
    }
}

} // namespace ns3
