// SPDX-License-Identifier: GPL-2.0-only
#include "mmu-settings.h"

#include "mmu-state.h"

#include "ns3/apply-or-undo.h"
#include "ns3/double.h"
#include "ns3/fabric-frame.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MmuSettings");

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
MmuSettings::AddSettings(TypeId tid)
{
    return tid
        .AddAttribute("BufferSize",
                      "Size of the packet buffer in bytes.",
                      UintegerValue(32 * 1024 * 1024),
                      MakeLive(MakeUintegerAccessor(&MmuSettings::m_bufferBytes),
                               &MmuSettings::ConfigChanged),
                      MakeUintegerChecker<uint64_t>(1))
        .AddAttribute("CellBytes",
                      "Bytes of a cell, the unit in which the buffer is allocated, 1 to 65536. "
                      "1: the buffer is counted in bytes.",
                      UintegerValue(208),
                      MakeUintegerAccessor(&MmuSettings::SetCellBytes, &MmuSettings::GetCellBytes),
                      MakeUintegerChecker<uint32_t>(1, 65536))
        .AddAttribute(
            "Alpha",
            "Alpha of lossless classes: the PFC threshold at an ingress port is "
            "alpha times the free shared space. 0 to below 128.",
            DoubleValue(0.125),
            MakeLive(MakeDoubleAccessor(&MmuSettings::m_alpha), &MmuSettings::ConfigChanged),
            MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
        .AddAttribute(
            "LossyAlpha",
            "Alpha of lossy classes: the drop threshold at an ingress port is alpha "
            "times the free shared space. 0 to below 128.",
            DoubleValue(1),
            MakeLive(MakeDoubleAccessor(&MmuSettings::m_lossyAlpha), &MmuSettings::ConfigChanged),
            MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
        .AddAttribute(
            "LossyShare",
            "Largest part of the shared space that all lossy classes together may "
            "hold, 0 to 1: lossless classes keep the rest. Not in force on a switch "
            "without lossless classes.",
            DoubleValue(0.5),
            MakeLive(MakeDoubleAccessor(&MmuSettings::m_lossyShare), &MmuSettings::ConfigChanged),
            MakeDoubleChecker<double>(0, 1))
        .AddAttribute(
            "EgressAlpha",
            "Alpha of lossy egress queues: the limit of a queue is alpha times the "
            "free shared space. 0 to below 128.",
            DoubleValue(1),
            MakeLive(MakeDoubleAccessor(&MmuSettings::m_egressAlpha), &MmuSettings::ConfigChanged),
            MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
        .AddAttribute("XonOffset",
                      "Bytes below the threshold at which a paused class resumes.",
                      UintegerValue(3072),
                      MakeLive(MakeUintegerAccessor(&MmuSettings::m_xonOffsetBytes),
                               &MmuSettings::ConfigChanged),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("GuaranteedBytes",
                      "Space that is guaranteed to each (port, class) at ingress, bytes.",
                      UintegerValue(1518),
                      MakeLive(MakeUintegerAccessor(&MmuSettings::m_guaranteedBytes),
                               &MmuSettings::ConfigChanged),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("EgressGuaranteedBytes",
                      "Bytes that a lossy egress queue may always hold, whatever its limit.",
                      UintegerValue(1518),
                      MakeLive(MakeUintegerAccessor(&MmuSettings::m_egressGuaranteedBytes),
                               &MmuSettings::ConfigChanged),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute(
            "SharedHeadroomPool",
            "Size of a headroom pool that all lossless (port, class) pairs share, each up to "
            "its own headroom, in bytes. A pool smaller than the sum of the headrooms drops "
            "frames if too many pairs need it at once. 0: each pair has its own headroom.",
            UintegerValue(0),
            MakeLive(MakeUintegerAccessor(&MmuSettings::m_headroomPoolBytes),
                     &MmuSettings::ConfigChanged),
            MakeUintegerChecker<uint64_t>())
        .AddAttribute(
            "HeadroomOversubscription",
            "The headroom pool that all lossless (port, class) pairs share is the sum of their "
            "headrooms divided by this, 1 or more; above 1 it drops frames if too many pairs need "
            "it at once. 0: SharedHeadroomPool says what there is.",
            DoubleValue(0),
            MakeLive(MakeDoubleAccessor(&MmuSettings::m_headroomRatio),
                     &MmuSettings::ConfigChanged),
            MakeDoubleChecker<double>(0));
}

uint64_t
MmuSettings::PoolOf(uint64_t headroom, const CellSize& cell) const
{
    if (m_headroomRatio == 0)
    {
        return cell.RoundUp(m_headroomPoolBytes);
    }
    if (!(m_headroomRatio >= 1) || m_headroomPoolBytes > 0)
    {
        std::ostringstream message;
        message << "SwitchMmu: HeadroomOversubscription is " << m_headroomRatio
                << (m_headroomPoolBytes ? ", and SharedHeadroomPool is set, too; set one of them"
                                        : "; it must be 0, or 1 and more");
        throw std::invalid_argument(message.str());
    }
    return static_cast<uint64_t>(std::ceil(static_cast<double>(headroom) / m_headroomRatio));
}

MmuSettings::MmuSettings() = default;
MmuSettings::~MmuSettings() = default;

void
MmuSettings::ResizePorts(uint32_t ports)
{
    m_config.resize(ports * TRAFFIC_CLASSES);
}

uint32_t
MmuSettings::GetPortCount() const
{
    return m_config.size() / TRAFFIC_CLASSES;
}

uint64_t
MmuSettings::GetBufferSize() const
{
    return m_bufferBytes;
}

const MmuClassConfig&
MmuSettings::GetConfig(uint32_t port, uint32_t cls) const
{
    if (port >= GetPortCount() || cls >= TRAFFIC_CLASSES)
    {
        throw std::invalid_argument("SwitchMmu: port " + std::to_string(port) + " class " +
                                    std::to_string(cls) + ": there are " +
                                    std::to_string(GetPortCount()) + " ports with classes 0 to 7");
    }
    return m_config[port * TRAFFIC_CLASSES + cls];
}

void
MmuSettings::SetConfig(uint32_t port, uint32_t cls, const MmuClassConfig& config)
{
    NS_LOG_FUNCTION(this << port << cls);
    Change(port, cls, [&config](MmuClassConfig& all) { all = config; });
}

template <typename Edit>
void
MmuSettings::Change(uint32_t port, uint32_t cls, Edit&& edit)
{
    MmuClassConfig after = GetConfig(port, cls);
    edit(after);
    if (after.staticBytes)
    {
        after.alpha.reset(); // what is not in force would read back as if it were
    }
    if (after.egressStaticBytes)
    {
        after.egressAlpha.reset();
    }
    MmuClassConfig& config = m_config[port * TRAFFIC_CLASSES + cls];
    ApplyOrUndo(MmuClassConfig(config), after, [this, &config](const MmuClassConfig& next) {
        config = next;
        ConfigChanged();
    });
}

void
MmuSettings::SetLossless(uint32_t port, uint32_t cls, uint64_t headroomBytes)
{
    NS_LOG_FUNCTION(this << port << cls << headroomBytes);
    Change(port, cls, [headroomBytes](MmuClassConfig& config) {
        config.kind = MmuClassConfig::LOSSLESS;
        config.headroomBytes = headroomBytes;
    });
}

void
MmuSettings::SetLossy(uint32_t port, uint32_t cls)
{
    NS_LOG_FUNCTION(this << port << cls);
    Change(port, cls, [](MmuClassConfig& config) {
        config.kind = MmuClassConfig::LOSSY;
        config.headroomBytes = 0;
    });
}

void
MmuSettings::SetGuaranteed(uint32_t port, uint32_t cls, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << port << cls << bytes);
    Change(port, cls, [bytes](MmuClassConfig& config) { config.guaranteedBytes = bytes; });
}

void
MmuSettings::SetAlpha(uint32_t port, uint32_t cls, double alpha)
{
    NS_LOG_FUNCTION(this << port << cls << alpha);
    MmuThreshold::Dynamic(alpha); // throws when out of range
    Change(port, cls, [alpha](MmuClassConfig& config) {
        config.alpha = alpha;
        config.staticBytes.reset();
    });
}

void
MmuSettings::SetStaticThreshold(uint32_t port, uint32_t cls, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << port << cls << bytes);
    Change(port, cls, [bytes](MmuClassConfig& config) { config.staticBytes = bytes; });
}

void
MmuSettings::SetXonOffset(uint32_t port, uint32_t cls, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << port << cls << bytes);
    Change(port, cls, [bytes](MmuClassConfig& config) { config.xonOffsetBytes = bytes; });
}

void
MmuSettings::SetEgressGuaranteed(uint32_t port, uint32_t cls, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << port << cls << bytes);
    Change(port, cls, [bytes](MmuClassConfig& config) { config.egressGuaranteedBytes = bytes; });
}

void
MmuSettings::SetEgressAlpha(uint32_t port, uint32_t cls, double alpha)
{
    NS_LOG_FUNCTION(this << port << cls << alpha);
    MmuThreshold::Dynamic(alpha); // throws when out of range
    Change(port, cls, [alpha](MmuClassConfig& config) {
        config.egressAlpha = alpha;
        config.egressStaticBytes.reset();
    });
}

void
MmuSettings::SetEgressStaticThreshold(uint32_t port, uint32_t cls, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << port << cls << bytes);
    Change(port, cls, [bytes](MmuClassConfig& config) { config.egressStaticBytes = bytes; });
}

void
MmuSettings::SetCellBytes(uint32_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    CheckCellBytes(bytes);
    ApplyOrUndo(m_cellBytes, bytes, [this](uint32_t next) {
        m_cellBytes = next;
        ConfigChanged();
    });
}

uint32_t
MmuSettings::GetCellBytes() const
{
    return m_cellBytes;
}

void
MmuSettings::Apply(uint32_t index, const CellSize& cell, MmuIngress& in, MmuEgress& out) const
{
    const MmuClassConfig& config = m_config[index];
    in.lossless = config.kind == MmuClassConfig::LOSSLESS;
    in.headroom = std::min(cell.RoundUp(config.headroomBytes), MAX_CELLS);
    in.guaranteed = cell.RoundUp(config.guaranteedBytes.value_or(m_guaranteedBytes));
    in.threshold =
        config.staticBytes
            ? StaticThreshold(*config.staticBytes, cell)
            : MmuThreshold::Dynamic(config.alpha.value_or(in.lossless ? m_alpha : m_lossyAlpha));
    in.xonOffset =
        std::min(cell.RoundUp(config.xonOffsetBytes.value_or(m_xonOffsetBytes)), MAX_CELLS);

    out.threshold = config.egressStaticBytes
                        ? StaticThreshold(*config.egressStaticBytes, cell)
                        : MmuThreshold::Dynamic(config.egressAlpha.value_or(m_egressAlpha));
    out.guaranteed =
        std::min(cell.RoundUp(config.egressGuaranteedBytes.value_or(m_egressGuaranteedBytes)),
                 MAX_CELLS);
}

MmuSettings::Division
MmuSettings::Divide(const CellSize& cell) const
{
    Division division;
    division.buffer = m_bufferBytes / cell.Bytes();
    const uint64_t buffer = division.buffer;
    if (buffer > MAX_CELLS)
    {
        throw std::invalid_argument(
            "SwitchMmu: a buffer of " + std::to_string(m_bufferBytes) +
            " bytes has more than 2^31 - 1 cells: CellBytes must be larger");
    }
    uint64_t headroom = 0;
    bool protects = false;
    for (const MmuClassConfig& config : m_config)
    {
        headroom += cell.RoundUp(config.headroomBytes);
        protects = protects || config.kind == MmuClassConfig::LOSSLESS;
    }
    const uint64_t pool = PoolOf(headroom, cell);
    uint64_t needed = pool;
    std::string ranOut = needed > buffer ? " (the shared headroom pool alone)" : "";
    for (uint32_t index = 0; index < m_config.size(); ++index)
    {
        const MmuClassConfig& config = m_config[index];
        needed += cell.RoundUp(config.guaranteedBytes.value_or(m_guaranteedBytes));
        needed += pool ? 0 : cell.RoundUp(config.headroomBytes);
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
                << (needed - buffer) * cell.Bytes()
                << " bytes short of the guaranteed space and headroom of " << GetPortCount()
                << " ports" << ranOut;
        throw std::invalid_argument(message.str());
    }
    division.sharesHeadroom = pool > 0;
    division.headroom = std::min(pool ? pool : headroom, MAX_CELLS);
    division.shared = buffer - needed;
    division.lossy =
        protects ? static_cast<uint64_t>(m_lossyShare * static_cast<double>(division.shared))
                 : division.shared;
    return division;
}

} // namespace ns3
