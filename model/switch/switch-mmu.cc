// SPDX-License-Identifier: GPL-2.0-only

#include "switch-mmu.h"

#include "ns3/assert.h"
#include "ns3/log.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

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

/// @return the (port, class) of an index, for messages
std::string
Where(uint32_t index)
{
    return " at port " + std::to_string(index / TRAFFIC_CLASSES) + " class " +
           std::to_string(index % TRAFFIC_CLASSES);
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
    if (ports < GetPortCount() || m_totalUsed > 0)
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
    m_final = false;
}

void
SwitchMmu::CheckCellBytes(uint32_t bytes) const
{
    if (m_totalUsed > 0 && bytes != m_cell.Bytes())
    {
        throw std::invalid_argument("SwitchMmu: CellBytes " + std::to_string(bytes) +
                                    ": cells of " + std::to_string(m_cell.Bytes()) +
                                    " bytes are in use; set CellBytes while the buffer is empty");
    }
}

void
SwitchMmu::ConfigChanged()
{
    const bool isFinal = std::exchange(m_final, false);
    if (m_sink)
    {
        m_sink->ConfigChanged();
    }
    else if (isFinal)
    {
        Finalize();
    }
}

void
SwitchMmu::Finalize()
{
    NS_LOG_FUNCTION(this);
    if (m_totalUsed == 0 && m_cell.Bytes() != GetCellBytes())
    {
        KeepPeaks(); // they are in cells
        m_cell = CellSize(GetCellBytes());
    }
    const Division division = Divide(m_cell);
    const std::vector<bool> reached = GetReached();
    m_bufferCells = division.buffer;
    m_sharesHeadroom = division.sharesHeadroom;
    m_headroomPool = division.headroom;
    m_sharedPool = division.shared;
    m_lossyLimit = division.lossy;
    m_sharedUsed = 0;
    m_lossyUsed = 0;
    m_headroomUsed = 0;
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
        Rebook(m_ingress[index]);
    }
    m_sharedMost = std::max(m_sharedPool, m_sharedUsed);
    m_headroomMost = std::max(m_headroomPool, m_headroomUsed);
    m_sharedPeak = std::max(m_sharedPeak, m_sharedUsed);
    m_final = true;
    ApplyPauses(reached);
}

void
SwitchMmu::Rebook(MmuIngress& in)
{
    const uint32_t used = in.Used();
    in.guaranteedUsed = std::min(used, in.guaranteed);
    const uint32_t excess = used - in.guaranteedUsed;
    // What was in headroom stays there, and what finds no place goes to shared space.
    in.headroomUsed = in.lossless ? std::min({in.headroomUsed, in.headroom, excess}) : 0;
    in.sharedUsed = excess - in.headroomUsed;
    in.sharedPeak = std::max(in.sharedPeak, in.sharedUsed);
    m_headroomUsed += in.headroomUsed;
    m_sharedUsed += in.sharedUsed;
    m_lossyUsed += in.lossless ? 0 : in.sharedUsed;
}

std::vector<bool>
SwitchMmu::GetReached() const
{
    std::vector<bool> reached;
    for (const MmuIngress& in : m_ingress)
    {
        reached.push_back(in.lossless && HasReached(in, in.threshold.Cells(FreeShared())));
    }
    return reached;
}

void
SwitchMmu::ApplyPauses(const std::vector<bool>& reachedBefore)
{
    ResumePaused();
    for (uint32_t index = 0; index < m_ingress.size(); ++index)
    {
        const MmuIngress& in = m_ingress[index];
        // What had reached its threshold before, as others took shared space, is paused at its next
        // arrival, as always. Each is asked now: the pause of another may have made a port send.
        if (!reachedBefore[index] && in.lossless && !in.paused &&
            HasReached(in, in.threshold.Cells(FreeShared())))
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
        in.sharedPeak = std::max(in.sharedPeak, in.sharedUsed);
        m_sharedUsed += excess;
        m_lossyUsed += in.lossless ? 0 : excess;
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
        uint64_t{in.sharedUsed} + excess <= in.threshold.Cells(freeShared) &&
        (in.lossless || m_lossyUsed + excess <= m_lossyLimit))
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
    NS_LOG_DEBUG("refused" << Where(index) << ": " << reason);
    MmuVerdict verdict;
    verdict.reason = reason;
    return verdict;
}

void
SwitchMmu::UpdatePause(uint32_t index, MmuVerdict& verdict)
{
    MmuIngress& in = m_in[index];
    const uint64_t threshold = in.threshold.Cells(FreeShared());
    const auto shown =
        static_cast<uint32_t>(std::min<uint64_t>(threshold, std::numeric_limits<int32_t>::max()));
    in.lowestThreshold = std::min(in.lowestThreshold, shown);
    in.smallestMargin = std::min(in.smallestMargin,
                                 static_cast<int32_t>(shown) - static_cast<int32_t>(in.sharedUsed));

    if (!in.lossless || in.paused || !HasReached(in, threshold))
    {
        AssertInvariants();
        return;
    }
    verdict.xoff = true;
    Pause(index);
}

bool
SwitchMmu::HasReached(const MmuIngress& in, uint64_t threshold) const
{
    // A class that holds guaranteed space alone is never paused, even at a threshold of 0: it would
    // have to be resumed in the same moment.
    return in.headroomUsed > 0 || (in.sharedUsed > 0 && in.sharedUsed >= threshold);
}

void
SwitchMmu::Pause(uint32_t index)
{
    MmuIngress& in = m_ingress[index];
    in.paused = true;
    NS_LOG_LOGIC("XOFF" << Where(index) << ": " << in.sharedUsed << " cells shared, "
                        << in.headroomUsed << " headroom, threshold "
                        << in.threshold.Cells(FreeShared()));
    ++in.xoffCount;
    ++m_pausedCount;
    m_pausedMask[index / TRAFFIC_CLASSES] |= 1U << (index % TRAFFIC_CLASSES);
    WatchForResume(in);
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
    in.sharedUsed -= shared;
    m_sharedUsed -= shared;
    m_lossyUsed -= in.lossless ? 0 : shared;
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
    const uint64_t wanted = uint64_t{in.sharedUsed} + in.xonOffset;
    return !in.lossless || (in.headroomUsed == 0 &&
                            (in.sharedUsed == 0 || wanted <= in.threshold.Cells(FreeShared())));
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
    NS_LOG_LOGIC("XON" << Where(index) << ": " << in.sharedUsed << " cells shared");
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
        m_resumeFree = NOBODY; // found anew
        for (uint32_t port = 0; port < ports; ++port)
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

// ---- reports and invariants

std::string
SwitchMmu::CheckInvariants() const
{
    uint64_t stored = 0;
    uint64_t shared = 0;
    uint64_t lossy = 0;
    uint64_t headroom = 0;
    uint64_t queued = 0;
    uint32_t paused = 0;
    uint64_t reserved = 0;
    for (uint32_t index = 0; index < m_ingress.size(); ++index)
    {
        const MmuIngress& in = m_ingress[index];
        stored += in.Used();
        shared += in.sharedUsed;
        headroom += in.headroomUsed;
        queued += m_egress[index].used;
        paused += in.paused;
        reserved += in.guaranteed;
        lossy += in.lossless ? 0 : in.sharedUsed;
        if (in.guaranteedUsed > in.guaranteed || in.headroomUsed > in.headroom)
        {
            return "I2: guaranteed space or headroom is over its limit" + Where(index);
        }
        if (in.lossless && in.headroomUsed > 0 && !in.paused)
        {
            return "I3/I4: headroom in use without a pause" + Where(index);
        }
        const bool inMask =
            m_pausedMask[index / TRAFFIC_CLASSES] & (1U << (index % TRAFFIC_CLASSES));
        if (in.paused != inMask)
        {
            return "the mask of paused classes is wrong" + Where(index);
        }
    }
    if (stored != queued || stored != m_totalUsed)
    {
        return "I1: ingress books " + std::to_string(stored) + ", egress books " +
               std::to_string(queued) + ", total " + std::to_string(m_totalUsed) + " cells";
    }
    if (shared != m_sharedUsed || lossy != m_lossyUsed || m_sharedUsed > m_sharedMost)
    {
        return "I2: shared space " + std::to_string(shared) + ", booked " +
               std::to_string(m_sharedUsed) + " of " + std::to_string(m_sharedPool) + " cells, " +
               std::to_string(lossy) + " of them lossy, booked " + std::to_string(m_lossyUsed);
    }
    if (headroom != m_headroomUsed || m_headroomUsed > m_headroomMost || paused != m_pausedCount)
    {
        return "I2: headroom or the number of paused classes is miscounted";
    }
    const uint64_t pool = m_headroomPool; // without a shared pool, the sum of all headrooms
    if (m_final && !m_sharesHeadroom && reserved + pool + m_sharedPool > m_bufferCells)
    {
        return "I5: the parts are larger than the buffer";
    }
    return "";
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
    m_watermarks.Keep({m_sharedPeak * cell, m_headroomPeak * cell});
    m_sharedPeak = m_sharedUsed;
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
SwitchMmu::GetMarks(WatermarkView view, uint32_t index) const
{
    return m_watermarks.Get(
        view,
        index,
        BufferWatermarks::Counted(m_ingress.at(index), m_egress.at(index), m_cell.Bytes()));
}

BufferWatermarks::SwitchMarks
SwitchMmu::GetMarks(WatermarkView view) const
{
    const uint64_t cell = m_cell.Bytes();
    return m_watermarks.Get(view, {m_sharedPeak * cell, m_headroomPeak * cell});
}

std::vector<Watermark>
SwitchMmu::GetWatermarks(WatermarkView view) const
{
    using Statistic = WatermarkStatistic;
    using Marks = BufferWatermarks::ClassMarks;
    std::vector<Watermark> list;
    const auto add = [&list](Statistic statistic, int32_t port, int32_t cls, uint64_t bytes) {
        if (bytes > 0)
        {
            list.push_back({statistic, port, cls, bytes});
        }
    };
    static constexpr std::pair<Statistic, uint64_t Marks::*> KINDS[] = {
        {Statistic::INGRESS_SHARED, &Marks::shared},
        {Statistic::INGRESS_HEADROOM, &Marks::headroom},
        {Statistic::QUEUE_SHARED, &Marks::beyond}};
    for (const auto& [statistic, member] : KINDS)
    {
        for (uint32_t index = 0; index < m_ingress.size(); ++index)
        {
            const Marks marks = GetMarks(view, index);
            add(statistic, index / TRAFFIC_CLASSES, index % TRAFFIC_CLASSES, marks.*member);
        }
    }
    const BufferWatermarks::SwitchMarks whole = GetMarks(view);
    add(Statistic::POOL, -1, -1, whole.shared);
    add(Statistic::POOL_HEADROOM, -1, -1, whole.headroom);
    return list;
}

std::string
SwitchMmu::Explain(uint32_t port, uint32_t cls) const
{
    return Explain(port, cls, Counts());
}

std::string
SwitchMmu::Explain(uint32_t port, uint32_t cls, const Counts& since) const
{
    const MmuClassConfig& config = GetConfig(port, cls); // throws when out of range
    const MmuIngress& in = GetIngress(port, cls);
    const Counts counts = GetCounts(port, cls);
    const bool hasArrived = in.lowestThreshold != MmuIngress().lowestThreshold;
    const uint64_t cell = m_cell.Bytes();
    const BufferWatermarks::ClassMarks peaks = GetPeaks(port, cls);
    std::ostringstream text;
    text << "port " << port << " class " << cls << ": ";
    if (!in.lossless)
    {
        text << "PFC cannot fire: the class is lossy here"
             << (config.kind == MmuClassConfig::UNSET ? " (not configured)" : "");
    }
    else if (counts.xoffs > since.xoffs)
    {
        text << "PFC fired: " << counts.xoffs - since.xoffs << " XOFF, " << counts.xons - since.xons
             << " XON";
    }
    else if (!hasArrived)
    {
        text << "PFC did not fire: no frame arrived";
    }
    else
    {
        text << "PFC did not fire: it came no nearer to its threshold than "
             << in.smallestMargin * static_cast<int64_t>(cell) << " B";
    }
    text << "; threshold now " << GetThreshold(port, cls) * cell << " B";
    if (hasArrived)
    {
        text << ", lowest at an arrival " << in.lowestThreshold * cell << " B";
    }
    text << "; holds " << in.Used() * cell << " B, peak " << peaks.ingress << " B; headroom "
         << in.headroom * cell << " B, peak " << peaks.headroom << " B; drops";
    for (auto reason : {DropReason::HEADROOM_FULL,
                        DropReason::POOL_FULL,
                        DropReason::INGRESS_LIMIT,
                        DropReason::EGRESS_LIMIT})
    {
        const std::size_t place = CounterOf(reason);
        text << " " << reason << " " << counts.drops[place] - since.drops[place];
    }
    return text.str();
}

} // namespace ns3
