// SPDX-License-Identifier: GPL-2.0-only
#include "mmu-settings.h"

#include "buffer-too-small.h"
#include "mmu-port-limits.h"
#include "mmu-state.h"

#include "ns3/apply-or-undo.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fabric-frame.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
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
    return AddPartSettings(tid)
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
        .AddAttribute("Alpha",
                      "Alpha of lossless classes: the PFC threshold at an ingress port is "
                      "alpha times the free shared space. 0 to below 128.",
                      DoubleValue(0.125),
                      UsedWhen(MakeLive(MakeDoubleAccessor(&MmuSettings::m_alpha),
                                        &MmuSettings::ConfigChanged),
                               &MmuSettings::UsesAlpha,
                               "a lossless class without a threshold of its own"),
                      MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
        .AddAttribute("LossyAlpha",
                      "Alpha of lossy classes: the drop threshold at an ingress port is alpha "
                      "times the free shared space. 0 to below 128.",
                      DoubleValue(1),
                      UsedWhen(MakeLive(MakeDoubleAccessor(&MmuSettings::m_lossyAlpha),
                                        &MmuSettings::ConfigChanged),
                               &MmuSettings::UsesLossyAlpha,
                               "a lossy class without a threshold of its own"),
                      MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
        .AddAttribute("LossyShare",
                      "Largest part of the shared space that all lossy classes together may "
                      "hold, 0 to 1: lossless classes keep the rest. Not in force on a switch "
                      "without lossless classes.",
                      DoubleValue(0.5),
                      UsedWhen(MakeLive(MakeDoubleAccessor(&MmuSettings::m_lossyShare),
                                        &MmuSettings::ConfigChanged),
                               &MmuSettings::SharesPools,
                               "lossy and lossless classes in one pool that does not say it"),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("EgressAlpha",
                      "Alpha of lossy frames in egress queues: the limit of a queue is alpha times "
                      "the free shared space. 0 to below 128. One that a queue has of its own "
                      "drops lossless frames, too.",
                      DoubleValue(1),
                      UsedWhen(MakeLive(MakeDoubleAccessor(&MmuSettings::m_egressAlpha),
                                        &MmuSettings::ConfigChanged),
                               &MmuSettings::UsesEgressAlpha,
                               "a lossy class without a limit of its own"),
                      MakeDoubleChecker<double>(0, MmuThreshold::MAX_ALPHA))
        .AddAttribute("XonOffset",
                      "Bytes below the threshold at which a paused class resumes.",
                      UintegerValue(3072),
                      UsedWhen(MakeLive(MakeUintegerAccessor(&MmuSettings::m_xonOffsetBytes),
                                        &MmuSettings::ConfigChanged),
                               &MmuSettings::UsesXonOffset,
                               "a lossless class without an XON offset of its own"),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("ResumeTest",
                      "Which paused classes may resume when a frame leaves: AllPaused, at any "
                      "ingress port, or Departing, that of the frame alone (HPCC simulator).",
                      EnumValue(ALL_PAUSED),
                      MakeLive(MakeLosslessEnumAccessor<ResumeTest>(&MmuSettings::m_resumeTest),
                               &MmuSettings::ConfigChanged),
                      MakeEnumChecker(ALL_PAUSED, "AllPaused", DEPARTING, "Departing"))
        .AddAttribute("GuaranteedBytes",
                      "Space that is guaranteed to each (port, class) at ingress, bytes.",
                      UintegerValue(1518),
                      MakeLive(MakeUintegerAccessor(&MmuSettings::m_guaranteedBytes),
                               &MmuSettings::ConfigChanged),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("EgressGuaranteedBytes",
                      "Bytes that an egress queue may always hold, whatever its limit.",
                      UintegerValue(1518),
                      UsedWhen(MakeLive(MakeUintegerAccessor(&MmuSettings::m_egressGuaranteedBytes),
                                        &MmuSettings::ConfigChanged),
                               &MmuSettings::UsesEgressGuarantee,
                               "a lossy class without a guarantee of its own"),
                      MakeUintegerChecker<uint64_t>());
}

TypeId
MmuSettings::AddPartSettings(TypeId tid)
{
    return tid
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
            "ServicePools",
            "Parts of the shared space, each with the classes that draw from it: name, kind "
            "(lossless, lossy or any), size (bytes, or share of the shared space), and perhaps how "
            "much lossy classes may hold of it, as in \"roce lossless 60%; bulk any 4MiB 50%\". "
            "Empty: one pool for all classes.",
            StringValue(""),
            MakeStringAccessor(&MmuSettings::SetServicePools, &MmuSettings::GetServicePools),
            MakeStringChecker())
        .AddAttribute(
            "HeadroomOversubscription",
            "The headroom pool that all lossless (port, class) pairs share is the sum of their "
            "headrooms divided by this, 1 or more; above 1 it drops frames if too many pairs need "
            "it at once. 0: SharedHeadroomPool says what there is.",
            DoubleValue(0),
            UsedWhen(MakeLive(MakeDoubleAccessor(&MmuSettings::m_headroomRatio),
                              &MmuSettings::ConfigChanged),
                     &MmuSettings::HasLossless,
                     "a lossless class"),
            MakeDoubleChecker<double>(0))
        .AddAttribute(
            "PortLimit",
            "Shared space that all classes of an ingress port may hold together, in bytes: at the "
            "limit all lossless classes of the port are paused, and frames of lossy classes are "
            "dropped beyond it. 0: none.",
            UintegerValue(0),
            MakeLive(MakeUintegerAccessor(&MmuSettings::m_portLimitBytes),
                     &MmuSettings::ConfigChanged),
            MakeUintegerChecker<uint64_t>())
        .AddAttribute(
            "EgressPortLimit",
            "Bytes that all queues of an egress port may hold together: lossy frames are dropped "
            "beyond it, lossless ones count and are never dropped. 0: none.",
            UintegerValue(0),
            MakeLive(MakeUintegerAccessor(&MmuSettings::m_egressPortLimitBytes),
                     &MmuSettings::ConfigChanged),
            MakeUintegerChecker<uint64_t>());
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
    m_configs.classes.resize(ports * TRAFFIC_CLASSES);
    m_configs.ports.resize(ports);
}

uint32_t
MmuSettings::GetPortCount() const
{
    return m_configs.classes.size() / TRAFFIC_CLASSES;
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
    return m_configs.classes[port * TRAFFIC_CLASSES + cls];
}

void
MmuSettings::SetConfig(uint32_t port, uint32_t cls, const MmuClassConfig& config)
{
    NS_LOG_FUNCTION(this << port << cls);
    Change(port, cls, [&config](MmuClassConfig& all) { all = config; });
}

void
MmuSettings::SetConfigs(const Configs& configs)
{
    NS_LOG_FUNCTION(this);
    if (configs.classes.size() != m_configs.classes.size() ||
        configs.ports.size() != m_configs.ports.size())
    {
        throw std::invalid_argument("SwitchMmu: configurations of another number of ports");
    }
    ApplyOrUndo(Configs(m_configs), configs, [this](const Configs& next) {
        m_configs = next;
        ConfigChanged();
    });
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
    MmuClassConfig& config = m_configs.classes[port * TRAFFIC_CLASSES + cls];
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

const MmuPortConfig&
MmuSettings::GetPortConfig(uint32_t port) const
{
    GetConfig(port, 0); // throws where there is none
    return m_configs.ports[port];
}

void
MmuSettings::SetPortConfig(uint32_t port, const MmuPortConfig& config)
{
    NS_LOG_FUNCTION(this << port);
    ApplyOrUndo(MmuPortConfig(GetPortConfig(port)), config, [this, port](const auto& next) {
        m_configs.ports[port] = next;
        ConfigChanged();
    });
}

void
MmuSettings::ChangePort(uint32_t port,
                        std::optional<uint64_t> MmuPortConfig::* limit,
                        uint64_t bytes)
{
    MmuPortConfig config = GetPortConfig(port);
    config.*limit = bytes;
    SetPortConfig(port, config);
}

void
MmuSettings::SetPortLimit(uint32_t port, uint64_t bytes)
{
    ChangePort(port, &MmuPortConfig::limitBytes, bytes);
}

void
MmuSettings::SetEgressPortLimit(uint32_t port, uint64_t bytes)
{
    ChangePort(port, &MmuPortConfig::egressLimitBytes, bytes);
}

MmuPortLimits
MmuSettings::LimitsOf(uint32_t port, const CellSize& cell) const
{
    const auto cells = [&cell](uint64_t bytes) {
        const uint64_t limit = std::min(cell.RoundUp(bytes), MAX_CELLS);
        return bytes ? static_cast<uint32_t>(limit) : MmuPortLimits::NONE;
    };
    const MmuPortConfig& config = m_configs.ports[port];
    MmuPortLimits limits;
    limits.limit = cells(config.limitBytes.value_or(m_portLimitBytes));
    limits.egressLimit = cells(config.egressLimitBytes.value_or(m_egressPortLimitBytes));
    return limits;
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
MmuSettings::SetServicePools(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    ServicePool::Parse(text); // throws
    ApplyOrUndo(std::string(m_poolsText), text, [this](const std::string& next) {
        m_pools = ServicePool::Parse(next);
        m_poolsText = next;
        ConfigChanged();
    });
}

std::string
MmuSettings::GetServicePools() const
{
    return m_poolsText;
}

std::string
MmuSettings::GetPoolName(uint32_t place) const
{
    return m_pools.empty() ? "shared" : m_pools.at(place).name;
}

void
MmuSettings::SetServicePool(uint32_t port, uint32_t cls, const std::string& pool)
{
    NS_LOG_FUNCTION(this << port << cls << pool);
    Change(port, cls, [&pool](MmuClassConfig& config) { config.pool = NameOf(pool); });
}

const std::string*
MmuSettings::NameOf(const std::string& pool)
{
    static std::set<std::string> names; // of all switches; they stay where they are
    return &*names.insert(pool).first;
}

uint8_t
MmuSettings::PoolOfClass(uint32_t index) const
{
    const MmuClassConfig& config = m_configs.classes[index];
    const bool lossless = config.kind == MmuClassConfig::LOSSLESS;
    if (m_pools.empty() && !config.pool)
    {
        return 0;
    }
    const auto found = std::find_if(m_pools.begin(), m_pools.end(), [&](const ServicePool& pool) {
        return config.pool ? pool.name == *config.pool : pool.Takes(lossless);
    });
    if (found != m_pools.end() && found->Takes(lossless))
    {
        return static_cast<uint8_t>(found - m_pools.begin());
    }
    const std::string who = "class " + std::to_string(index % TRAFFIC_CLASSES) + " of port " +
                            std::to_string(index / TRAFFIC_CLASSES);
    const std::string kind = lossless ? "lossless" : "lossy";
    if (found != m_pools.end())
    {
        throw std::invalid_argument("SwitchMmu: " + who + " is " + kind +
                                    ", and its service pool " + found->name +
                                    " is not; choose a pool that is " + kind + " or any");
    }
    if (config.pool)
    {
        throw std::invalid_argument("SwitchMmu: the service pool \"" + *config.pool + "\" of " +
                                    who + " is not among ServicePools \"" + m_poolsText + "\"");
    }
    throw std::invalid_argument("SwitchMmu: " + who + " is " + kind +
                                ", and none of ServicePools \"" + m_poolsText +
                                "\" takes it; add one "
                                "that is " +
                                kind + " or any");
}

template <typename Reads>
bool
MmuSettings::IsReadBy(bool isLossless, const Reads& reads) const
{
    return std::any_of(m_configs.classes.begin(),
                       m_configs.classes.end(),
                       [&](const MmuClassConfig& config) {
                           return (config.kind == MmuClassConfig::LOSSLESS) == isLossless &&
                                  reads(config);
                       });
}

bool
MmuSettings::HasLossless() const
{
    return IsReadBy(true, [](const auto&) { return true; });
}

bool
MmuSettings::SharesPools() const
{
    return m_lossyShare == 1 || UsesLossyShare(); // all of it: nobody asks for a limit
}

bool
MmuSettings::UsesAlpha() const
{
    return IsReadBy(true, [](const auto& own) { return !own.alpha && !own.staticBytes; });
}

bool
MmuSettings::UsesLossyAlpha() const
{
    return IsReadBy(false, [](const auto& own) { return !own.alpha && !own.staticBytes; });
}

bool
MmuSettings::UsesEgressAlpha() const
{
    return IsReadBy(false,
                    [](const auto& own) { return !own.egressAlpha && !own.egressStaticBytes; });
}

bool
MmuSettings::UsesXonOffset() const
{
    return IsReadBy(true, [](const auto& own) { return !own.xonOffsetBytes; });
}

bool
MmuSettings::UsesEgressGuarantee() const
{
    return IsReadBy(false, [](const auto& own) { return !own.egressGuaranteedBytes; });
}

bool
MmuSettings::UsesLossyShare() const
{
    bool protects[ServicePool::MOST] = {};
    bool limits[ServicePool::MOST] = {};
    for (uint32_t index = 0; index < m_configs.classes.size(); ++index)
    {
        const bool isLossless = m_configs.classes[index].kind == MmuClassConfig::LOSSLESS;
        (isLossless ? protects : limits)[PoolOfClass(index)] = true;
    }
    for (std::size_t i = 0; i < std::max<std::size_t>(1, m_pools.size()); ++i)
    {
        if (protects[i] && limits[i] && (m_pools.empty() || !m_pools[i].cap))
        {
            return true;
        }
    }
    return false;
}

void
MmuSettings::DividePools(Division& division, const CellSize& cell) const
{
    bool protects[ServicePool::MOST] = {};
    for (uint32_t index = 0; index < m_configs.classes.size(); ++index)
    {
        const uint8_t pool = PoolOfClass(index);
        protects[pool] =
            protects[pool] || m_configs.classes[index].kind == MmuClassConfig::LOSSLESS;
    }
    const auto share = [this](uint64_t size) {
        return static_cast<uint64_t>(m_lossyShare * static_cast<double>(size));
    };
    uint64_t sum = 0;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, m_pools.size()); ++i)
    {
        const ServicePool* const pool = m_pools.empty() ? nullptr : &m_pools[i];
        const uint64_t size = pool ? pool->size.Cells(division.shared, cell) : division.shared;
        uint64_t lossy = protects[i] ? share(size) : size;
        lossy = pool && pool->cap ? std::min(size, pool->cap->Cells(size, cell)) : lossy;
        sum += size;
        division.pools.emplace_back();
        division.pools.back().size = static_cast<uint32_t>(std::min(size, MAX_CELLS));
        division.pools.back().lossyLimit = static_cast<uint32_t>(std::min(lossy, MAX_CELLS));
    }
    if (sum > division.shared)
    {
        throw std::invalid_argument("SwitchMmu: ServicePools have " +
                                    std::to_string((sum - division.shared) * cell.Bytes()) +
                                    " bytes more than the shared space of " +
                                    std::to_string(division.shared * cell.Bytes()) +
                                    " bytes; make them smaller");
    }
}

void
MmuSettings::Apply(uint32_t index, const CellSize& cell, MmuIngress& in, MmuEgress& out) const
{
    const MmuClassConfig& config = m_configs.classes[index];
    in.lossless = config.kind == MmuClassConfig::LOSSLESS;
    in.pool = PoolOfClass(index);
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
    out.bindsLossless = config.egressStaticBytes || config.egressAlpha;
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
    for (const MmuClassConfig& config : m_configs.classes)
    {
        headroom += cell.RoundUp(config.headroomBytes);
    }
    const uint64_t pool = PoolOf(headroom, cell);
    uint64_t needed = pool;
    std::string ranOut = needed > buffer ? " (the shared headroom pool alone)" : "";
    for (uint32_t index = 0; index < m_configs.classes.size(); ++index)
    {
        const MmuClassConfig& config = m_configs.classes[index];
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
        throw BufferTooSmall(message.str(), needed * cell.Bytes());
    }
    division.sharesHeadroom = pool > 0;
    division.headroom = std::min(pool ? pool : headroom, MAX_CELLS);
    division.shared = buffer - needed;
    DividePools(division, cell);
    return division;
}

} // namespace ns3
