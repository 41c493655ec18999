// SPDX-License-Identifier: GPL-2.0-only
#include "mtt-cache.h"

#include "ns3/assert.h"

namespace ns3
{

void
MttCache::Reset(uint32_t entries, uint32_t pages)
{
    NS_ASSERT(entries > 0 && pages > 0);
    m_slots.assign(entries, Slot{0, NONE, NONE});
    m_slotOf.assign(pages, NONE);
    m_used = 0;
    m_newest = NONE;
    m_oldest = NONE;
}

bool
MttCache::Touch(uint32_t page)
{
    const uint32_t known = m_slotOf[page];
    if (known != NONE)
    {
        if (known != m_newest)
        {
            Unlink(known);
            PushNewest(known);
        }
        return true;
    }
    uint32_t slot = m_used;
    if (m_used < m_slots.size())
    {
        ++m_used;
    }
    else
    {
        slot = m_oldest;
        Unlink(slot);
        m_slotOf[m_slots[slot].page] = NONE;
    }
    m_slots[slot].page = page;
    m_slotOf[page] = slot;
    PushNewest(slot);
    return false;
}

void
MttCache::Unlink(uint32_t slot)
{
    const Slot& gone = m_slots[slot];
    (gone.newer == NONE ? m_newest : m_slots[gone.newer].older) = gone.older;
    (gone.older == NONE ? m_oldest : m_slots[gone.older].newer) = gone.newer;
}

void
MttCache::PushNewest(uint32_t slot)
{
    m_slots[slot].newer = NONE;
    m_slots[slot].older = m_newest;
    (m_newest == NONE ? m_oldest : m_slots[m_newest].newer) = slot;
    m_newest = slot;
}

} // namespace ns3
