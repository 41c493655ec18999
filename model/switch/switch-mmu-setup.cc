// SPDX-License-Identifier: GPL-2.0-only
//
// Configuration of the MMU: attributes, setters, the partition of the buffer.
#include "switch-mmu.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3
{

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
                          "Packet memory in bytes.",
                          UintegerValue(32 * 1024 * 1024),
                          MakeUintegerAccessor(&SwitchMmu::m_bufferBytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("CellBytes",
                          "Bytes of a cell, the unit of memory. 1: count bytes.",
                          UintegerValue(208),
                          MakeUintegerAccessor(&SwitchMmu::m_cellBytes),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("Alpha",
                          "Threshold of a lossless class at an ingress port, as a share of the "
                          "free shared space; below 128.",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&SwitchMmu::m_alpha),
                          MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
            .AddAttribute("LossyAlpha",
                          "Threshold of a lossy class at an ingress port, as a share of the free "
                          "shared space; below 128.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&SwitchMmu::m_lossyAlpha),
                          MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
            .AddAttribute("EgressAlpha",
                          "Limit of a lossy egress queue, as a share of the free shared space; "
                          "below 128.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&SwitchMmu::m_egressAlpha),
                          MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
            .AddAttribute("XonOffset",
                          "Bytes below the threshold at which a paused class resumes.",
                          UintegerValue(3072),
                          MakeUintegerAccessor(&SwitchMmu::m_xonOffsetBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("GuaranteedBytes",
                          "Space that each (port, class) has for itself at ingress, bytes.",
                          UintegerValue(1518),
                          MakeUintegerAccessor(&SwitchMmu::m_guaranteedBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("EgressGuaranteedBytes",
                          "Bytes that a lossy egress queue may hold whatever its limit.",
                          UintegerValue(1518),
                          MakeUintegerAccessor(&SwitchMmu::m_egressGuaranteedBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SharedHeadroomPool",
                          "Bytes of headroom that all lossless (port, class) pairs share, each up "
                          "to its own limit; lossless only if not all of them need it at once. "
                          "0: each has its own headroom.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SwitchMmu::m_headroomPoolBytes),
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

MmuClassConfig&
SwitchMmu::Config(uint32_t port, uint32_t cls)
{
    return const_cast<MmuClassConfig&>(GetConfig(port, cls));
}

MmuClassConfig&
SwitchMmu::Partition(uint32_t port, uint32_t cls)
{
    MmuClassConfig& config = Config(port, cls);
    if (m_totalUsed > 0)
    {
        throw std::logic_error("SwitchMmu: port " + std::to_string(port) + " class " +
                               std::to_string(cls) +
                               ": the buffer cannot be parted anew while frames are stored");
    }
    m_final = false;
    return config;
}

void
SwitchMmu::SetLossless(uint32_t port, uint32_t cls, uint64_t headroomBytes)
{
    MmuClassConfig& config = Partition(port, cls);
    config.kind = MmuClassConfig::LOSSLESS;
    config.headroomBytes = headroomBytes;
}

void
SwitchMmu::SetLossy(uint32_t port, uint32_t cls)
{
    MmuClassConfig& config = Partition(port, cls);
    config.kind = MmuClassConfig::LOSSY;
    config.headroomBytes = 0;
}

void
SwitchMmu::SetGuaranteed(uint32_t port, uint32_t cls, uint64_t bytes)
{
    Partition(port, cls).guaranteedBytes = bytes;
}

void
SwitchMmu::SetAlpha(uint32_t port, uint32_t cls, double alpha)
{
    MmuThreshold::Dynamic(alpha); // throws when out of range
    Config(port, cls).alpha = alpha;
    Config(port, cls).staticBytes.reset();
    ThresholdsChanged(port, cls);
}

void
SwitchMmu::SetStaticThreshold(uint32_t port, uint32_t cls, uint64_t bytes)
{
    Config(port, cls).staticBytes = bytes;
    ThresholdsChanged(port, cls);
}

void
SwitchMmu::SetXonOffset(uint32_t port, uint32_t cls, uint64_t bytes)
{
    Config(port, cls).xonOffsetBytes = bytes;
    ThresholdsChanged(port, cls);
}

void
SwitchMmu::SetEgressGuaranteed(uint32_t port, uint32_t cls, uint64_t bytes)
{
    Config(port, cls).egressGuaranteedBytes = bytes;
    ThresholdsChanged(port, cls);
}

void
SwitchMmu::SetEgressAlpha(uint32_t port, uint32_t cls, double alpha)
{
    MmuThreshold::Dynamic(alpha); // throws when out of range
    Config(port, cls).egressAlpha = alpha;
    Config(port, cls).egressStaticBytes.reset();
    ThresholdsChanged(port, cls);
}

void
SwitchMmu::SetEgressStaticThreshold(uint32_t port, uint32_t cls, uint64_t bytes)
{
    Config(port, cls).egressStaticBytes = bytes;
    ThresholdsChanged(port, cls);
}

void
SwitchMmu::ThresholdsChanged(uint32_t port, uint32_t cls)
{
    if (m_final)
    {
        ApplyThresholds(port, cls);
        ResumePaused();
    }
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
SwitchMmu::Finalize()
{
    if (m_totalUsed == 0)
    {
        m_cell = CellSize(m_cellBytes);
    }
    const uint64_t buffer = m_bufferBytes / m_cell.Bytes();
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
    m_bufferCells = buffer;
    m_sharesHeadroom = pool > 0;
    m_headroomPool = std::min(pool ? pool : headroom, MAX_CELLS);
    m_sharedPool = buffer - needed;
    for (uint32_t index = 0; index < m_config.size(); ++index)
    {
        const MmuClassConfig& config = m_config[index];
        MmuIngress& in = m_ingress[index];
        in.lossless = config.kind == MmuClassConfig::LOSSLESS;
        in.headroom = std::min(m_cell.RoundUp(config.headroomBytes), MAX_CELLS);
        in.guaranteed = m_cell.RoundUp(config.guaranteedBytes.value_or(m_guaranteedBytes));
        ApplyThresholds(index / TRAFFIC_CLASSES, index % TRAFFIC_CLASSES);
    }
    m_final = true;
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

} // namespace ns3
