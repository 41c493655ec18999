// SPDX-License-Identifier: GPL-2.0-only

#include "switch-mmu.h"

#include "ns3/apply-or-undo.h"
#include "ns3/assert.h"
#include "ns3/double.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

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

/// Counts are kept in 32 bits with a sign for margins.
constexpr uint64_t MAX_CELLS = std::numeric_limits<int32_t>::max();

/// @return a static threshold of a number of bytes
MmuThreshold
StaticThreshold(uint64_t bytes, const CellSize& cell)
{
    return MmuThreshold::Static(std::min(cell.RoundUp(bytes), MAX_CELLS));
}

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
    static TypeId tid =
        TypeId("ns3::SwitchMmu")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<SwitchMmu>()
            .AddAttribute("BufferSize",
                          "Size of the packet buffer in bytes.",
                          UintegerValue(32 * 1024 * 1024),
                          MakeLive(MakeUintegerAccessor(&SwitchMmu::m_bufferBytes),
                                   &SwitchMmu::ConfigChanged),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("CellBytes",
                          "Bytes of a cell, the unit in which the buffer is allocated, 1 to 65536. "
                          "1: the buffer is counted in bytes.",
                          UintegerValue(208),
                          MakeUintegerAccessor(&SwitchMmu::SetCellBytes, &SwitchMmu::GetCellBytes),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute(
                "Alpha",
                "Alpha of lossless classes: the PFC threshold at an ingress port is "
                "alpha times the free shared space. 0 to below 128.",
                DoubleValue(0.125),
                MakeLive(MakeDoubleAccessor(&SwitchMmu::m_alpha), &SwitchMmu::ConfigChanged),
                MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
            .AddAttribute(
                "LossyAlpha",
                "Alpha of lossy classes: the drop threshold at an ingress port is alpha "
                "times the free shared space. 0 to below 128.",
                DoubleValue(1),
                MakeLive(MakeDoubleAccessor(&SwitchMmu::m_lossyAlpha), &SwitchMmu::ConfigChanged),
                MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
            .AddAttribute(
                "LossyShare",
                "Largest part of the shared space that all lossy classes together may "
                "hold, 0 to 1: lossless classes keep the rest. Not in force on a switch "
                "without lossless classes.",
                DoubleValue(0.5),
                MakeLive(MakeDoubleAccessor(&SwitchMmu::m_lossyShare), &SwitchMmu::ConfigChanged),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "EgressAlpha",
                "Alpha of lossy egress queues: the limit of a queue is alpha times the "
                "free shared space. 0 to below 128.",
                DoubleValue(1),
                MakeLive(MakeDoubleAccessor(&SwitchMmu::m_egressAlpha), &SwitchMmu::ConfigChanged),
                MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
            .AddAttribute("XonOffset",
                          "Bytes below the threshold at which a paused class resumes.",
                          UintegerValue(3072),
                          MakeLive(MakeUintegerAccessor(&SwitchMmu::m_xonOffsetBytes),
                                   &SwitchMmu::ConfigChanged),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("GuaranteedBytes",
                          "Space that is guaranteed to each (port, class) at ingress, bytes.",
                          UintegerValue(1518),
                          MakeLive(MakeUintegerAccessor(&SwitchMmu::m_guaranteedBytes),
                                   &SwitchMmu::ConfigChanged),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("EgressGuaranteedBytes",
                          "Bytes that a lossy egress queue may always hold, whatever its limit.",
                          UintegerValue(1518),
                          MakeLive(MakeUintegerAccessor(&SwitchMmu::m_egressGuaranteedBytes),
                                   &SwitchMmu::ConfigChanged),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "SharedHeadroomPool",
                "Size of a headroom pool that all lossless (port, class) pairs share, each up to "
                "its own headroom, in bytes. A pool smaller than the sum of the headrooms drops "
                "frames if too many pairs need it at once. 0: each pair has its own headroom.",
                UintegerValue(0),
                MakeLive(MakeUintegerAccessor(&SwitchMmu::m_headroomPoolBytes),
                         &SwitchMmu::ConfigChanged),
                MakeUintegerChecker<uint64_t>());
    return tid;
}

SwitchMmu::SwitchMmu() = default;
SwitchMmu::~SwitchMmu() = default;

void
SwitchMmu::SetPortCount(uint32_t ports)
{
    if (ports < m_portCount || m_totalUsed > 0)
    {
        throw std::invalid_argument("SwitchMmu: " + std::to_string(ports) +
                                    " ports: there are already " + std::to_string(m_portCount) +
                                    ", and ports cannot be added while frames are stored");
    }
    m_portCount = ports;
    m_ingress.resize(ports * TRAFFIC_CLASSES);
    m_egress.resize(ports * TRAFFIC_CLASSES);
    m_drops.resize(ports * TRAFFIC_CLASSES);
    m_config.resize(ports * TRAFFIC_CLASSES);
    m_pausedMask.resize(ports);
    m_final = false;
}

void
SwitchMmu::SetCellBytes(uint32_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    if (m_totalUsed > 0 && bytes != m_cell.Bytes())
    {
        throw std::invalid_argument("SwitchMmu: CellBytes " + std::to_string(bytes) +
                                    ": cells of " + std::to_string(m_cell.Bytes()) +
                                    " bytes are in use; set CellBytes while the buffer is empty");
    }
    ApplyOrUndo(m_cellBytes, bytes, [this](uint32_t next) {
        m_cellBytes = next;
        ConfigChanged();
    });
}

uint32_t
SwitchMmu::GetCellBytes() const
{
    return m_cellBytes;
}

uint32_t
SwitchMmu::GetPortCount() const
{
    return m_portCount;
}

const MmuClassConfig&
SwitchMmu::GetConfig(uint32_t port, uint32_t cls) const
{
    if (port >= m_portCount || cls >= TRAFFIC_CLASSES)
    {
        throw std::invalid_argument("SwitchMmu: port " + std::to_string(port) + " class " +
                                    std::to_string(cls) + ": there are " +
                                    std::to_string(m_portCount) + " ports with classes 0 to 7");
    }
    return m_config[port * TRAFFIC_CLASSES + cls];
}

template <typename Edit>
void
SwitchMmu::Change(uint32_t port, uint32_t cls, Edit&& edit)
{
    MmuClassConfig after = GetConfig(port, cls);
    edit(after);
    MmuClassConfig& config = m_config[port * TRAFFIC_CLASSES + cls];
    ApplyOrUndo(MmuClassConfig(config), after, [this, &config](const MmuClassConfig& next) {
        config = next;
        ConfigChanged();
    });
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
SwitchMmu::SetLossless(uint32_t port, uint32_t cls, uint64_t headroomBytes)
{
    NS_LOG_FUNCTION(this << port << cls << headroomBytes);
    Change(port, cls, [headroomBytes](MmuClassConfig& config) {
        config.kind = MmuClassConfig::LOSSLESS;
        config.headroomBytes = headroomBytes;
    });
}

void
SwitchMmu::SetLossy(uint32_t port, uint32_t cls)
{
    NS_LOG_FUNCTION(this << port << cls);
    Change(port, cls, [](MmuClassConfig& config) {
        config.kind = MmuClassConfig::LOSSY;
        config.headroomBytes = 0;
    });
}

void
SwitchMmu::SetGuaranteed(uint32_t port, uint32_t cls, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << port << cls << bytes);
    Change(port, cls, [bytes](MmuClassConfig& config) { config.guaranteedBytes = bytes; });
}

void
SwitchMmu::SetAlpha(uint32_t port, uint32_t cls, double alpha)
{
    NS_LOG_FUNCTION(this << port << cls << alpha);
    MmuThreshold::Dynamic(alpha); // throws when out of range
    Change(port, cls, [alpha](MmuClassConfig& config) {
        config.alpha = alpha;
        config.staticBytes.reset();
    });
}

void
SwitchMmu::SetStaticThreshold(uint32_t port, uint32_t cls, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << port << cls << bytes);
    Change(port, cls, [bytes](MmuClassConfig& config) { config.staticBytes = bytes; });
}

void
SwitchMmu::SetXonOffset(uint32_t port, uint32_t cls, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << port << cls << bytes);
    Change(port, cls, [bytes](MmuClassConfig& config) { config.xonOffsetBytes = bytes; });
}

void
SwitchMmu::SetEgressGuaranteed(uint32_t port, uint32_t cls, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << port << cls << bytes);
    Change(port, cls, [bytes](MmuClassConfig& config) { config.egressGuaranteedBytes = bytes; });
}

void
SwitchMmu::SetEgressAlpha(uint32_t port, uint32_t cls, double alpha)
{
    NS_LOG_FUNCTION(this << port << cls << alpha);
    MmuThreshold::Dynamic(alpha); // throws when out of range
    Change(port, cls, [alpha](MmuClassConfig& config) {
        config.egressAlpha = alpha;
        config.egressStaticBytes.reset();
    });
}

void
SwitchMmu::SetEgressStaticThreshold(uint32_t port, uint32_t cls, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << port << cls << bytes);
    Change(port, cls, [bytes](MmuClassConfig& config) { config.egressStaticBytes = bytes; });
}

void
SwitchMmu::ApplyThresholds(uint32_t port, uint32_t cls)
{
    const MmuClassConfig& config = GetConfig(port, cls);
    const uint32_t index = port * TRAFFIC_CLASSES + cls;
    MmuIngress& in = m_ingress[index];
    in.threshold =
        config.staticBytes
            ? StaticThreshold(*config.staticBytes, m_cell)
            : MmuThreshold::Dynamic(config.alpha.value_or(in.lossless ? m_alpha : m_lossyAlpha));
    in.xonOffset =
        std::min(m_cell.RoundUp(config.xonOffsetBytes.value_or(m_xonOffsetBytes)), MAX_CELLS);

    MmuEgress& out = m_egress[index];
    out.threshold = config.egressStaticBytes
                        ? StaticThreshold(*config.egressStaticBytes, m_cell)
                        : MmuThreshold::Dynamic(config.egressAlpha.value_or(m_egressAlpha));
    out.guaranteed =
        std::min(m_cell.RoundUp(config.egressGuaranteedBytes.value_or(m_egressGuaranteedBytes)),
                 MAX_CELLS);
}

void
SwitchMmu::SetConfig(uint32_t port, uint32_t cls, const MmuClassConfig& config)
{
    NS_LOG_FUNCTION(this << port << cls);
    Change(port, cls, [&config](MmuClassConfig& all) { all = config; });
}

SwitchMmu::Division
SwitchMmu::Divide() const
{
    Division division;
    division.buffer = m_bufferBytes / m_cell.Bytes();
    const uint64_t buffer = division.buffer;
    if (buffer > MAX_CELLS)
    {
        throw std::invalid_argument(
            "SwitchMmu: a buffer of " + std::to_string(m_bufferBytes) +
            " bytes has more than 2^31 - 1 cells: CellBytes must be larger");
    }
    const uint64_t pool = m_cell.RoundUp(m_headroomPoolBytes);
    uint64_t needed = pool;
    uint64_t headroom = 0;
    std::string ranOut = needed > buffer ? " (the shared headroom pool alone)" : "";
    for (uint32_t index = 0; index < m_config.size(); ++index)
    {
        const MmuClassConfig& config = m_config[index];
        const uint64_t own = m_cell.RoundUp(config.headroomBytes);
        headroom += own;
        needed += m_cell.RoundUp(config.guaranteedBytes.value_or(m_guaranteedBytes));
        needed += pool ? 0 : own;
        if (needed > buffer && ranOut.empty())
        {
            ranOut = " (exhausted at port " + std::to_string(index / TRAFFIC_CLASSES) + " class " +
                     std::to_string(index % TRAFFIC_CLASSES) + ")";
        }
    }
    if (needed > buffer)
    {
        std::ostringstream message;
        message << "SwitchMmu: buffer of " << m_bufferBytes << " bytes is "
                << (needed - buffer) * m_cell.Bytes()
                << " bytes short of the guaranteed space and headroom of " << m_portCount
                << " ports" << ranOut;
        throw std::invalid_argument(message.str());
    }
    division.sharesHeadroom = pool > 0;
    division.headroom = std::min(pool ? pool : headroom, MAX_CELLS);
    division.shared = buffer - needed;
    return division;
}

void
SwitchMmu::Finalize()
{
    NS_LOG_FUNCTION(this);
    if (m_totalUsed == 0)
    {
        m_cell = CellSize(m_cellBytes);
    }
    const Division division = Divide();
    const std::vector<bool> reached = GetReached();
    m_bufferCells = division.buffer;
    m_sharesHeadroom = division.sharesHeadroom;
    m_headroomPool = division.headroom;
    m_sharedPool = division.shared;
    m_sharedUsed = 0;
    m_lossyUsed = 0;
    m_headroomUsed = 0;
    bool protects = false;
    for (uint32_t index = 0; index < m_config.size(); ++index)
    {
        const MmuClassConfig& config = m_config[index];
        MmuIngress& in = m_ingress[index];
        in.lossless = config.kind == MmuClassConfig::LOSSLESS;
        in.headroom = std::min(m_cell.RoundUp(config.headroomBytes), MAX_CELLS);
        in.guaranteed = m_cell.RoundUp(config.guaranteedBytes.value_or(m_guaranteedBytes));
        Rebook(in);
        ApplyThresholds(index / TRAFFIC_CLASSES, index % TRAFFIC_CLASSES);
        protects = protects || in.lossless;
    }
    m_lossyLimit = protects ? static_cast<uint32_t>(m_lossyShare * m_sharedPool) : m_sharedPool;
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

uint64_t
SwitchMmu::GetBufferSize() const
{
    return m_bufferBytes;
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
    MmuIngress& in = m_ingress[index];
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
    MmuIngress& in = m_ingress[index];
    MmuEgress& out = m_egress[outPort * TRAFFIC_CLASSES + outClass];
    NS_ASSERT(cells <= in.Used() && cells <= out.used);

    const uint32_t headroom = std::min(in.headroomUsed, cells);
    const uint32_t shared = std::min(in.sharedUsed, cells - headroom);
    in.headroomUsed -= headroom;
    m_headroomUsed -= headroom;
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
    for (MmuIngress& in : m_ingress)
    {
        in.peak = in.Used();
        in.headroomPeak = in.headroomUsed;
        in.lowestThreshold = MmuIngress().lowestThreshold;
        in.smallestMargin = MmuIngress().smallestMargin;
    }
    for (MmuEgress& out : m_egress)
    {
        out.peak = out.used;
    }
    m_sharedPeak = m_sharedUsed;
    m_headroomPeak = m_headroomUsed;
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
    text << "; holds " << in.Used() * cell << " B, peak " << in.peak * cell << " B; headroom "
         << in.headroom * cell << " B, peak " << in.headroomPeak * cell << " B; drops";
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
