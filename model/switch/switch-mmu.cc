// SPDX-License-Identifier: GPL-2.0-only
//
// The data path of the MMU. Configuration is in switch-mmu-setup.cc, reports and invariants are in
// switch-mmu-audit.cc.
#include "switch-mmu.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return the place of a reason that the MMU knows in its counters
uint32_t
CounterOf(DropReason reason)
{
    switch (reason)
    {
    case DropReason::HEADROOM_FULL:
        return 0;
    case DropReason::POOL_FULL:
        return 1;
    case DropReason::INGRESS_LIMIT:
        return 2;
    default:
        NS_ASSERT(reason == DropReason::EGRESS_LIMIT);
        return 3;
    }
}

} // namespace

MmuVerdict
SwitchMmu::Admit(uint32_t inPort,
                 uint32_t inClass,
                 uint32_t outPort,
                 uint32_t outClass,
                 uint32_t frameBytes)
{
    NS_ASSERT_MSG(m_final, "SwitchMmu: Finalize() has not been called");
    const uint32_t index = inPort * TRAFFIC_CLASSES + inClass;
    MmuIngress& in = m_ingress[index];
    MmuEgress& out = m_egress[outPort * TRAFFIC_CLASSES + outClass];
    MmuVerdict verdict;
    verdict.cells = m_cell.OfFrame(frameBytes);
    const uint32_t guaranteed = std::min(verdict.cells, in.guaranteed - in.guaranteedUsed);
    const uint32_t excess = verdict.cells - guaranteed;

    // Both bookings must be possible before either is made.
    if (!Place(in, excess, verdict))
    {
        return Refuse(index, verdict.reason);
    }
    // A lossless frame has no egress limit: its ingress has promised not to drop it.
    if (!in.lossless && !EgressAccepts(out, verdict.cells))
    {
        return Refuse(index, DropReason::EGRESS_LIMIT);
    }

    in.guaranteedUsed += guaranteed;
    if (verdict.region == MmuRegion::SHARED)
    {
        in.sharedUsed += excess;
        m_sharedUsed += excess;
        m_sharedPeak = std::max(m_sharedPeak, m_sharedUsed);
    }
    else if (verdict.region == MmuRegion::HEADROOM)
    {
        in.headroomUsed += excess;
        m_headroomUsed += excess;
        in.headroomPeak = std::max(in.headroomPeak, in.headroomUsed);
        m_headroomPeak = std::max(m_headroomPeak, m_headroomUsed);
    }
    out.used += verdict.cells;
    m_totalUsed += verdict.cells;
    in.peak = std::max(in.peak, in.Used());
    out.peak = std::max(out.peak, out.used);
    verdict.accepted = true;
    UpdatePause(index, verdict);
    return verdict;
}

bool
SwitchMmu::Place(const MmuIngress& in, uint32_t excess, MmuVerdict& verdict) const
{
    if (excess == 0)
    {
        verdict.region = MmuRegion::GUARANTEED;
        return true;
    }
    // A frame is never split between shared space and headroom; once in headroom, the class stays
    // there until it has left it.
    const uint64_t freeShared = FreeShared();
    if (in.headroomUsed == 0 && excess <= freeShared &&
        uint64_t{in.sharedUsed} + excess <= in.threshold.Cells(freeShared))
    {
        verdict.region = MmuRegion::SHARED;
        return true;
    }
    if (!in.lossless)
    {
        verdict.reason = DropReason::INGRESS_LIMIT;
        return false;
    }
    if (excess > in.headroom - in.headroomUsed)
    {
        verdict.reason = DropReason::HEADROOM_FULL;
        return false;
    }
    if (excess > m_headroomPool - m_headroomUsed)
    {
        verdict.reason = DropReason::POOL_FULL;
        return false;
    }
    verdict.region = MmuRegion::HEADROOM;
    return true;
}

bool
SwitchMmu::EgressAccepts(const MmuEgress& out, uint32_t cells) const
{
    const uint64_t wanted = uint64_t{out.used} + cells;
    return wanted <= out.guaranteed || wanted - out.guaranteed <= out.threshold.Cells(FreeShared());
}

MmuVerdict
SwitchMmu::Refuse(uint32_t index, DropReason reason)
{
    ++m_drops[index][CounterOf(reason)];
    MmuVerdict verdict;
    verdict.reason = reason;
    return verdict;
}

void
SwitchMmu::UpdatePause(uint32_t index, MmuVerdict& verdict)
{
    MmuIngress& in = m_ingress[index];
    const uint64_t threshold = in.threshold.Cells(FreeShared());
    const auto shown =
        static_cast<uint32_t>(std::min<uint64_t>(threshold, std::numeric_limits<int32_t>::max()));
    in.lowestThreshold = std::min(in.lowestThreshold, shown);
    in.smallestMargin = std::min(in.smallestMargin,
                                 static_cast<int32_t>(shown) - static_cast<int32_t>(in.sharedUsed));

    // A class that holds guaranteed space alone is never paused, even at a threshold of 0: it would
    // have to be resumed in the same moment.
    const bool reached = in.headroomUsed > 0 || (in.sharedUsed > 0 && in.sharedUsed >= threshold);
    if (!in.lossless || in.paused || !reached)
    {
        AssertInvariants();
        return;
    }
    in.paused = true;
    ++in.xoffCount;
    ++m_pausedCount;
    m_pausedMask[index / TRAFFIC_CLASSES] |= 1U << (index % TRAFFIC_CLASSES);
    WatchForResume(in);
    verdict.xoff = true;
    AssertInvariants();
    if (m_sink)
    {
        m_sink->SetPause(index / TRAFFIC_CLASSES, index % TRAFFIC_CLASSES, true);
    }
}

void
SwitchMmu::Release(uint32_t inPort,
                   uint32_t inClass,
                   uint32_t outPort,
                   uint32_t outClass,
                   uint32_t cells)
{
    const uint32_t index = inPort * TRAFFIC_CLASSES + inClass;
    MmuIngress& in = m_ingress[index];
    MmuEgress& out = m_egress[outPort * TRAFFIC_CLASSES + outClass];
    NS_ASSERT(cells <= in.Used() && cells <= out.used);

    const uint32_t headroom = std::min(in.headroomUsed, cells);
    const uint32_t shared = std::min(in.sharedUsed, cells - headroom);
    in.headroomUsed -= headroom;
    m_headroomUsed -= headroom;
    in.sharedUsed -= shared;
    m_sharedUsed -= shared;
    in.guaranteedUsed -= cells - headroom - shared;
    out.used -= cells;
    m_totalUsed -= cells;
    AssertInvariants();

    if (in.paused)
    {
        if (MayResume(in))
        {
            Resume(index);
        }
        else
        {
            WatchForResume(in);
        }
    }
    // Thresholds have risen for all classes: any of the paused may resume, also those without a
    // departure of their own.
    if (shared > 0 && m_pausedCount > 0 && FreeShared() >= m_resumeFree)
    {
        ResumePaused();
    }
}

bool
SwitchMmu::MayResume(const MmuIngress& in) const
{
    return in.headroomUsed == 0 && (in.sharedUsed == 0 || uint64_t{in.sharedUsed} + in.xonOffset <=
                                                              in.threshold.Cells(FreeShared()));
}

void
SwitchMmu::WatchForResume(const MmuIngress& in)
{
    // With cells in headroom the class waits for its own departures, not for free space.
    if (in.headroomUsed == 0)
    {
        const uint64_t wanted = uint64_t{in.sharedUsed} + in.xonOffset;
        m_resumeFree = std::min(m_resumeFree, in.threshold.FreeFor(wanted));
    }
}

void
SwitchMmu::Resume(uint32_t index)
{
    const uint32_t port = index / TRAFFIC_CLASSES;
    const uint32_t cls = index % TRAFFIC_CLASSES;
    MmuIngress& in = m_ingress[index];
    in.paused = false;
    ++in.xonCount;
    --m_pausedCount;
    m_pausedMask[port] &= ~(1U << cls);
    AssertInvariants();
    if (m_sink)
    {
        m_sink->SetPause(port, cls, false);
    }
}

void
SwitchMmu::ResumePaused()
{
    // The sink may come back with another Release(); that one leaves the rest to this loop.
    m_rescan = true;
    if (m_resuming)
    {
        return;
    }
    m_resuming = true;
    while (m_rescan)
    {
        m_rescan = false;
        m_resumeFree = NOBODY; // found anew
        for (uint32_t port = 0; port < m_portCount; ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES && m_pausedMask[port] >> cls; ++cls)
            {
                const uint32_t index = port * TRAFFIC_CLASSES + cls;
                const MmuIngress& in = m_ingress[index];
                if (!in.paused)
                {
                    continue;
                }
                if (MayResume(in))
                {
                    Resume(index);
                }
                else
                {
                    WatchForResume(in);
                }
            }
        }
    }
    m_resuming = false;
}

uint64_t
SwitchMmu::GetDrops(uint32_t port, uint32_t cls, DropReason reason) const
{
    return m_drops.at(port * TRAFFIC_CLASSES + cls)[CounterOf(reason)];
}

bool
SwitchMmu::IsIdle() const
{
    return m_totalUsed == 0 && m_sharedUsed == 0 && m_headroomUsed == 0 && m_pausedCount == 0;
}

} // namespace ns3
