// SPDX-License-Identifier: GPL-2.0-only

#include "switch-mmu.h"

#include "mmu-invariants.h"
#include "mmu-report.h"

#include "ns3/assert.h"
#include "ns3/log.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SwitchMmu");

NS_OBJECT_ENSURE_REGISTERED(SwitchMmu);

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

TypeId
SwitchMmu::GetTypeId()
{
    static TypeId tid = AddSettings(TypeId("ns3::SwitchMmu")
                                        .SetParent<Object>()
                                        .SetGroupName("Lossless")
                                        .AddConstructor<SwitchMmu>());
    return tid;
}

SwitchMmu::SwitchMmu() = default;
SwitchMmu::~SwitchMmu() = default;

void
SwitchMmu::SetPortCount(uint32_t ports)
{
    // What is not final stores nothing: the next of many ports need not look through all of them.
    if (ports < GetPortCount() || (m_final && GetTotalUsed() > 0))
    {
        throw std::invalid_argument("SwitchMmu: " + std::to_string(ports) +
                                    " ports: there are already " + std::to_string(GetPortCount()) +
                                    ", and ports cannot be added while frames are stored");
    }
    ResizePorts(ports);
    m_ingress.resize(ports * TRAFFIC_CLASSES);
    m_egress.resize(ports * TRAFFIC_CLASSES);
    m_in = m_ingress.data();
    m_out = m_egress.data();
    m_drops.resize(ports * TRAFFIC_CLASSES);
    m_pausedMask.resize(ports);
    m_ports.resize(ports);
    m_final = false;
}

void
SwitchMmu::CheckCellBytes(uint32_t bytes) const
{
    if (bytes != m_cell.Bytes() && GetTotalUsed() > 0)
    {
        throw std::invalid_argument("SwitchMmu: CellBytes " + std::to_string(bytes) +
                                    ": cells of " + std::to_string(m_cell.Bytes()) +
                                    " bytes are in use; set CellBytes while the buffer is empty");
    }
}

void
SwitchMmu::ConfigChanged()
{
    if (m_sink)
    {
        m_final = false;
        m_sink->ConfigChanged();
    }
    else if (m_final)
    {
        Finalize(); // where it throws, the division before stays, and is final
    }
}

void
SwitchMmu::Finalize()
{
    NS_LOG_FUNCTION(this);
    if (m_cell.Bytes() != GetCellBytes() && GetTotalUsed() == 0)
    {
        KeepPeaks(); // they are in cells
        m_cell = CellSize(GetCellBytes());
    }
    const Division division = Divide(m_cell);
    const std::vector<bool> reached = GetReached();
    m_bufferCells = division.buffer;
    m_sharesHeadroom = division.sharesHeadroom;
    m_headroomPool = division.headroom;
    m_poolCount = division.pools.size();
    for (std::size_t i = 0; i < m_pools.size(); ++i)
    {
        const MmuPool pool = i < m_poolCount ? division.pools[i] : MmuPool();
        m_pools[i].size = pool.size;
        m_pools[i].lossyLimit = pool.lossyLimit;
        m_pools[i].used = 0;
        m_pools[i].lossyUsed = 0;
    }
    m_headroomUsed = 0;
    m_limitsPorts = false;
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        m_ports[port] = LimitsOf(port, m_cell);
        m_limitsPorts = m_limitsPorts || m_ports[port].IsLimited();
    }
    for (uint32_t index = 0; index < m_ingress.size(); ++index)
    {
        MmuEgress& out = m_egress[index];
        const MmuEgress before = out;
        Apply(index, m_cell, m_ingress[index], out);
        if (out.guaranteed != before.guaranteed && out.peak > 0)
        {
            // What was beyond the guarantee was beyond that of then.
            m_watermarks.Keep(index,
                              m_egress.size(),
                              BufferWatermarks::Counted({}, before, m_cell.Bytes()));
            out.peak = out.used;
        }
        Rebook(index);
    }
    for (std::size_t i = 0; i < m_pools.size(); ++i)
    {
        MmuPool& pool = m_pools[i];
        m_poolMost[i] = std::max(pool.size, pool.used);
        pool.peak = std::max(pool.peak, pool.used);
    }
    m_headroomMost = std::max(m_headroomPool, m_headroomUsed);
    m_final = true;
    ApplyPauses(reached);
}

void
SwitchMmu::Rebook(uint32_t index)
{
    MmuIngress& in = m_ingress[index];
    const uint32_t used = in.Used();
    in.guaranteedUsed = std::min(used, in.guaranteed);
    const uint32_t excess = used - in.guaranteedUsed;
    // What was in headroom stays there, and what finds no place goes to shared space.
    in.headroomUsed = in.lossless ? std::min({in.headroomUsed, in.headroom, excess}) : 0;
    in.sharedUsed = excess - in.headroomUsed;
    in.sharedPeak = std::max(in.sharedPeak, in.sharedUsed);
    m_headroomUsed += in.headroomUsed;
    MmuPool& pool = m_pools[in.pool];
    pool.used += in.sharedUsed;
    pool.lossyUsed += in.lossless ? 0 : in.sharedUsed;
    MmuPortLimits& port = m_ports[index / TRAFFIC_CLASSES];
    MmuEgress& out = m_egress[index];
    in.limited = port.limit != MmuPortLimits::NONE;
    out.limited = port.egressLimit != MmuPortLimits::NONE;
    port.shared += in.limited ? in.sharedUsed : 0;
    port.queued += out.limited ? out.used : 0;
}

std::vector<bool>
SwitchMmu::GetReached() const
{
    std::vector<bool> reached;
    for (uint32_t index = 0; index < m_ingress.size(); ++index)
    {
        reached.push_back(MustPause(index));
    }
    return reached;
}

bool
SwitchMmu::MustPause(uint32_t index) const
{
    const MmuIngress& in = m_ingress[index];
    return in.lossless && (in.HasReached(in.threshold.Cells(PoolOf(in).Free())) ||
                           (in.limited && m_ports[index / TRAFFIC_CLASSES].IsFull()));
}

void
SwitchMmu::ApplyPauses(const std::vector<bool>& reachedBefore)
{
    ResumePaused();
    for (uint32_t index = 0; index < m_ingress.size(); ++index)
    {
        // What had reached its threshold before, as others took shared space, is paused at its next
        // arrival, as always. Each is asked now: the pause of another may have made a port send.
        if (!reachedBefore[index] && !m_ingress[index].paused && MustPause(index))
        {
            Pause(index);
        }
    }
}

void
SwitchMmu::SetPauseSink(MmuPauseSink* sink)
{
    m_sink = sink;
}

// ---- the data path

MmuVerdict
SwitchMmu::Admit(uint32_t inPort,
                 uint32_t inClass,
                 uint32_t outPort,
                 uint32_t outClass,
                 uint32_t frameBytes)
{
    NS_ASSERT_MSG(m_final, "SwitchMmu: Finalize() has not been called");
    const uint32_t index = inPort * TRAFFIC_CLASSES + inClass;
    MmuIngress& in = m_in[index];
    MmuEgress& out = m_out[outPort * TRAFFIC_CLASSES + outClass];
    MmuVerdict verdict;
    verdict.cells = m_cell.OfFrame(frameBytes);
    const uint32_t guaranteed = std::min(verdict.cells, in.guaranteed - in.guaranteedUsed);
    const uint32_t excess = verdict.cells - guaranteed;

    // Both bookings must be possible before either is made.
    if (!Place(index, excess, verdict))
    {
        return Refuse(index, verdict.reason);
    }
    // Its ingress has promised not to drop a lossless frame, unless the queue has its own limit.
    MmuPool& pool = m_pools[in.pool];
    if ((!in.lossless || out.bindsLossless) &&
        !EgressAccepts(outPort, out, verdict.cells, pool.Free(), in.lossless))
    {
        return Refuse(index, DropReason::EGRESS_LIMIT);
    }

    in.guaranteedUsed += guaranteed;
    if (verdict.region == MmuRegion::SHARED)
    {
        in.sharedUsed += excess;
        in.sharedPeak = std::max(in.sharedPeak, in.sharedUsed);
        pool.used += excess;
        pool.lossyUsed += in.lossless ? 0 : excess;
        pool.peak = std::max(pool.peak, pool.used);
    }
    else if (verdict.region == MmuRegion::HEADROOM)
    {
        in.headroomUsed += excess;
        m_headroomUsed += excess;
        in.headroomPeak = std::max(in.headroomPeak, in.headroomUsed);
        m_headroomPeak = std::max(m_headroomPeak, m_headroomUsed);
    }
    out.used += verdict.cells;
    in.peak = std::max(in.peak, in.Used());
    out.peak = std::max(out.peak, out.used);
    verdict.accepted = true;
    bool mustPause = in.Note(in.threshold.Cells(pool.Free()));
    if (m_limitsPorts)
    {
        const uint32_t shared = verdict.region == MmuRegion::SHARED ? excess : 0;
        mustPause = CountAtPorts(inPort, shared, outPort, verdict.cells) || mustPause;
    }
    if (mustPause)
    {
        verdict.xoff = PauseFull(index);
    }
    AssertInvariants();
    return verdict;
}

bool
SwitchMmu::Pass(uint32_t inPort,
                uint32_t inClass,
                uint32_t outPort,
                uint32_t outClass,
                uint32_t frameBytes)
{
    MmuIngress& in = m_in[inPort * TRAFFIC_CLASSES + inClass];
    MmuEgress& out = m_out[outPort * TRAFFIC_CLASSES + outClass];
    MmuPool& pool = m_pools[in.pool];
    const uint32_t cells = m_cell.OfFrame(frameBytes);
    const uint32_t excess = cells - std::min(cells, in.guaranteed - in.guaranteedUsed);
    const uint64_t free = pool.Free();
    if (m_limitsPorts || m_pausedCount > 0 || !in.lossless || out.bindsLossless ||
        in.headroomUsed > 0 || excess > free)
    {
        return false;
    }
    NS_ASSERT(in.sharedUsed == 0 || in.guaranteedUsed == in.guaranteed); // released in this order
    const uint32_t shared = in.sharedUsed + excess;
    const uint64_t threshold = in.threshold.Cells(free - excess);
    if (shared > 0 && (shared >= threshold || (excess > 0 && shared > in.threshold.Cells(free))))
    {
        return false; // to be paused, or refused
    }
    in.sharedPeak = std::max(in.sharedPeak, shared);
    in.peak = std::max(in.peak, in.Used() + cells);
    out.peak = std::max(out.peak, out.used + cells);
    pool.peak = std::max(pool.peak, pool.used + excess);
    in.NoteMargin(threshold, shared);
    return true;
}

bool
SwitchMmu::IsWithin(double share,
                    uint32_t inPort,
                    uint32_t inClass,
                    uint32_t outPort,
                    uint32_t outClass,
                    uint32_t frameBytes) const
{
    const MmuIngress& in = GetIngress(inPort, inClass);
    const MmuEgress& out = GetEgress(outPort, outClass);
    const MmuPool& pool = PoolOf(in);
    const double cells = m_cell.OfFrame(frameBytes);
    const auto limit = [share](uint32_t guaranteed, uint64_t shared) {
        return guaranteed + share * static_cast<double>(shared);
    };
    return in.Used() + cells <= limit(in.guaranteed, in.threshold.Cells(pool.Free())) &&
           out.used + cells <= limit(out.guaranteed, out.threshold.Cells(pool.Free())) &&
           (in.Used() + cells <= in.guaranteed ||
            pool.lossyUsed + cells <= limit(0, pool.lossyLimit));
}

bool
SwitchMmu::Place(uint32_t index, uint32_t excess, MmuVerdict& verdict) const
{
    const MmuIngress& in = m_in[index];
    if (excess == 0)
    {
        verdict.region = MmuRegion::GUARANTEED;
        return true;
    }
    // A frame is never split between shared space and headroom; once in headroom, the class stays
    // there until it has left it.
    const MmuPool& pool = PoolOf(in);
    const uint64_t free = pool.Free();
    if (in.headroomUsed == 0 && excess <= free &&
        uint64_t{in.sharedUsed} + excess <= in.threshold.Cells(free) &&
        (in.lossless || pool.lossyUsed + excess <= pool.lossyLimit) &&
        (!in.limited || m_ports[index / TRAFFIC_CLASSES].Takes(excess)))
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
    if (m_headroomUsed + excess > m_headroomPool)
    {
        verdict.reason = DropReason::POOL_FULL;
        return false;
    }
    verdict.region = MmuRegion::HEADROOM;
    return true;
}

__attribute__((noinline)) bool
SwitchMmu::EgressAccepts(uint32_t outPort,
                         const MmuEgress& out,
                         uint32_t cells,
                         uint64_t free,
                         bool lossless) const
{
    const uint64_t wanted = uint64_t{out.used} + cells;
    return wanted <= out.guaranteed ||
           (wanted - out.guaranteed <= out.threshold.Cells(free) &&
            (!out.limited || lossless || m_ports[outPort].Queues(cells)));
}

MmuVerdict
SwitchMmu::Refuse(uint32_t index, DropReason reason)
{
    ++m_drops[index][CounterOf(reason)];
    NS_LOG_DEBUG("refused" << MmuInvariants::Where(index) << ": " << reason);
    MmuVerdict verdict;
    verdict.reason = reason;
    return verdict;
}

bool
SwitchMmu::CountAtPorts(uint32_t inPort, uint32_t shared, uint32_t outPort, uint32_t cells)
{
    MmuPortLimits& in = m_ports[inPort];
    MmuPortLimits& out = m_ports[outPort];
    in.shared += in.limit != MmuPortLimits::NONE ? shared : 0;
    out.queued += out.egressLimit != MmuPortLimits::NONE ? cells : 0;
    return in.IsFull();
}

bool
SwitchMmu::PauseFull(uint32_t index)
{
    const MmuIngress& in = m_ingress[index];
    bool xoff = in.lossless && !in.paused && in.HasReached(in.threshold.Cells(PoolOf(in).Free()));
    if (xoff)
    {
        Pause(index);
    }
    if (in.limited)
    {
        const bool wasPaused = in.paused;
        PausePort(index / TRAFFIC_CLASSES);
        xoff = xoff || (in.paused && !wasPaused);
    }
    return xoff;
}

void
SwitchMmu::PausePort(uint32_t port)
{
    for (uint32_t index = port * TRAFFIC_CLASSES; index < (port + 1) * TRAFFIC_CLASSES; ++index)
    {
        // Each is asked now: the pause of another may have made a port send.
        const MmuIngress& in = m_ingress[index];
        if (in.lossless && !in.paused && m_ports[port].IsFull())
        {
            Pause(index);
        }
    }
}

void
SwitchMmu::Pause(uint32_t index)
{
    MmuIngress& in = m_ingress[index];
    in.paused = true;
    NS_LOG_LOGIC("XOFF" << MmuInvariants::Where(index) << ": " << in.sharedUsed << " cells shared, "
                        << in.headroomUsed << " headroom, threshold "
                        << in.threshold.Cells(PoolOf(in).Free()));
    ++in.xoffCount;
    ++m_pausedCount;
    m_pausedMask[index / TRAFFIC_CLASSES] |= 1U << (index % TRAFFIC_CLASSES);
    WatchForResume(index);
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
    MmuIngress& in = m_in[index];
    MmuEgress& out = m_out[outPort * TRAFFIC_CLASSES + outClass];
    NS_ASSERT(cells <= in.Used() && cells <= out.used);

    const uint32_t headroom = std::min(in.headroomUsed, cells);
    const uint32_t shared = std::min(in.sharedUsed, cells - headroom);
    if (headroom > 0)
    {
        in.headroomUsed -= headroom;
        m_headroomUsed -= headroom;
    }
    MmuPool& pool = m_pools[in.pool];
    in.sharedUsed -= shared;
    pool.used -= shared;
    pool.lossyUsed -= in.lossless ? 0 : shared;
    in.guaranteedUsed -= cells - headroom - shared;
    out.used -= cells;
    if (m_limitsPorts)
    {
        m_ports[inPort].shared -= in.limited ? shared : 0;
        m_ports[outPort].queued -= out.limited ? cells : 0;
    }
    AssertInvariants();
    if (m_pausedCount > 0)
    {
        ResumeAfter(index, shared);
    }
}

void
SwitchMmu::ResumeAfter(uint32_t index, uint32_t shared)
{
    const MmuIngress& in = m_ingress[index];
    if (in.paused)
    {
        if (MayResume(index))
        {
            Resume(index);
        }
        else
        {
            WatchForResume(index);
        }
    }
    // Thresholds have risen for all classes: any of the paused may resume, also those without a
    // departure of their own.
    const MmuPool& pool = PoolOf(in);
    const bool mayAny = ResumesAll() && pool.Free() >= pool.resumeFree;
    if (shared > 0 && m_pausedCount > 0 &&
        (mayAny || (in.limited && m_pausedMask[index / TRAFFIC_CLASSES])))
    {
        ResumePaused();
    }
}

bool
SwitchMmu::MayResume(uint32_t index) const
{
    const MmuIngress& in = m_ingress[index];
    const uint64_t wanted = uint64_t{in.sharedUsed} + in.xonOffset;
    return !in.lossless ||
           (in.headroomUsed == 0 &&
            (in.sharedUsed == 0 || wanted <= in.threshold.Cells(PoolOf(in).Free())) &&
            (!in.limited || m_ports[index / TRAFFIC_CLASSES].LetsResume(in.xonOffset)));
}

void
SwitchMmu::WatchForResume(uint32_t index)
{
    // With cells in headroom the class waits for its own departures, and at the limit of its port
    // for those of the port, not for free space.
    const MmuIngress& in = m_ingress[index];
    if (in.headroomUsed == 0 &&
        (!in.limited || m_ports[index / TRAFFIC_CLASSES].LetsResume(in.xonOffset)))
    {
        const uint64_t wanted = uint64_t{in.sharedUsed} + in.xonOffset;
        MmuPool& pool = m_pools[in.pool];
        pool.resumeFree = std::min(pool.resumeFree, in.threshold.FreeFor(wanted));
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
    NS_LOG_LOGIC("XON" << MmuInvariants::Where(index) << ": " << in.sharedUsed << " cells shared");
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
    const auto ports = static_cast<uint32_t>(m_pausedMask.size());
    while (m_rescan)
    {
        m_rescan = false;
        for (MmuPool& pool : m_pools)
        {
            pool.resumeFree = MmuPool::NOBODY; // found anew
        }
        for (uint32_t port = 0; port < ports; ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES && m_pausedMask[port] >> cls; ++cls)
            {
                const uint32_t index = port * TRAFFIC_CLASSES + cls;
                if (!m_ingress[index].paused)
                {
                    continue;
                }
                if (MayResume(index))
                {
                    Resume(index);
                }
                else
                {
                    WatchForResume(index);
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
    return GetTotalUsed() == 0 && GetSharedUsed() == 0 && m_headroomUsed == 0 && m_pausedCount == 0;
}

// ---- reports and invariants

std::string
SwitchMmu::CheckInvariants() const
{
    return MmuInvariants(*this).FindViolated();
}

uint32_t
SwitchMmu::GetSharedPool() const
{
    return std::accumulate(m_pools.begin(), m_pools.end(), 0U, [](uint32_t sum, const auto& pool) {
        return sum + pool.size;
    });
}

uint32_t
SwitchMmu::GetSharedUsed() const
{
    return std::accumulate(m_pools.begin(), m_pools.end(), 0U, [](uint32_t sum, const auto& pool) {
        return sum + pool.used;
    });
}

uint32_t
SwitchMmu::GetSharedPeak() const
{
    const auto& pools = GetMarks(WatermarkView::RUN).pools;
    return static_cast<uint32_t>(std::accumulate(pools.begin(), pools.end(), uint64_t{0}) /
                                 m_cell.Bytes());
}

uint32_t
SwitchMmu::GetTotalUsed() const
{
    return std::accumulate(m_ingress.begin(),
                           m_ingress.end(),
                           0U,
                           [](uint32_t sum, const auto& in) { return sum + in.Used(); });
}

SwitchMmu::Counts
SwitchMmu::GetCounts(uint32_t port, uint32_t cls) const
{
    const MmuIngress& in = GetIngress(port, cls);
    return {in.xoffCount, in.xonCount, m_drops.at(port * TRAFFIC_CLASSES + cls)};
}

void
SwitchMmu::ClearPeaks()
{
    ClearWatermarks(WatermarkView::RUN);
    for (MmuIngress& in : m_ingress)
    {
        in.lowestThreshold = MmuIngress().lowestThreshold;
        in.smallestMargin = MmuIngress().smallestMargin;
    }
}

void
SwitchMmu::KeepPeaks()
{
    const uint64_t cell = m_cell.Bytes();
    m_watermarks.Keep(CountedMarks());
    for (MmuPool& pool : m_pools)
    {
        pool.peak = pool.used;
    }
    m_headroomPeak = m_headroomUsed;
    for (uint32_t index = 0; index < m_ingress.size(); ++index)
    {
        MmuIngress& in = m_ingress[index];
        MmuEgress& out = m_egress[index];
        if (in.peak > 0 || out.peak > 0) // else nothing is stored either
        {
            m_watermarks.Keep(index, m_ingress.size(), BufferWatermarks::Counted(in, out, cell));
        }
        in.peak = in.Used();
        in.sharedPeak = in.sharedUsed;
        in.headroomPeak = in.headroomUsed;
        out.peak = out.used;
    }
}

void
SwitchMmu::ClearWatermarks(WatermarkView view)
{
    KeepPeaks();
    m_watermarks.Clear(view);
}

BufferWatermarks::ClassMarks
SwitchMmu::GetMarks(WatermarkView view, uint32_t port, uint32_t cls) const
{
    const uint32_t index = port * TRAFFIC_CLASSES + cls;
    return m_watermarks.Get(
        view,
        index,
        BufferWatermarks::Counted(m_ingress.at(index), m_egress.at(index), m_cell.Bytes()));
}

BufferWatermarks::SwitchMarks
SwitchMmu::GetMarks(WatermarkView view) const
{
    return m_watermarks.Get(view, CountedMarks());
}

BufferWatermarks::SwitchMarks
SwitchMmu::CountedMarks() const
{
    BufferWatermarks::SwitchMarks marks;
    for (std::size_t i = 0; i < m_pools.size(); ++i)
    {
        marks.pools[i] = uint64_t{m_pools[i].peak} * m_cell.Bytes();
    }
    marks.headroom = uint64_t{m_headroomPeak} * m_cell.Bytes();
    return marks;
}

std::string
SwitchMmu::Explain(uint32_t port, uint32_t cls) const
{
    return Explain(port, cls, Counts());
}

std::string
SwitchMmu::Explain(uint32_t port, uint32_t cls, const Counts& since) const
{
    return ExplainPfc(*this, port, cls, since);
}

std::vector<Watermark>
SwitchMmu::GetWatermarks(WatermarkView view) const
{
    return ListWatermarks(*this, view);
}

} // namespace ns3
