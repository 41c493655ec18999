// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-buffers.h"

#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/headroom-rules.h"
#include "ns3/headroom.h"
#include "ns3/string.h"
#include "ns3/switch-mmu.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{

namespace
{

/// Beyond it SONiC has no limit: alpha of 128, the largest that SwitchMmu has is just below.
constexpr int32_t NO_LIMIT = 7;
/// The pool that has the whole memory, where pools of ingress have what is left of it.
constexpr const char* MEMORY = "egress_lossless_pool";

/// @param dynamicTh as SONiC has it @return alpha: 2^dynamicTh
double
AlphaOf(int32_t dynamicTh)
{
    return dynamicTh >= NO_LIMIT ? std::nextafter(MmuThreshold::MAX_ALPHA, 0)
                                 : std::ldexp(1.0, dynamicTh);
}

} // namespace

SonicBuffers::SonicBuffers(SonicPlace& place)
    : m_place(place),
      m_mmu(place.fabricSwitch->GetMmu())
{
}

void
SonicBuffers::Apply()
{
    FindGroups();
    ApplyPools();
    ApplyGroups();
    ApplyQueues();
    CheckProfiles();
}

void
SonicBuffers::FindGroups()
{
    for (uint32_t port = 0; port < m_place.ports.size(); ++port)
    {
        for (uint32_t group = 0; group < TRAFFIC_CLASSES; ++group)
        {
            if (auto found = FindGroup(port, group))
            {
                m_groups.push_back(*found);
            }
        }
    }
}

std::optional<SonicBuffers::Group>
SonicBuffers::FindGroup(uint32_t port, uint32_t group)
{
    const SonicConfig& config = m_place.config;
    const auto* const entry = config.FindOf("BUFFER_PG", m_place.ports[port].name, group);
    const bool hasPfc = m_place.GetPausedGroups(port) & (1U << group);
    const bool isOfBuffers =
        config.HasTable("BUFFER_PG") || config.GetMetres(m_place.ports[port].name);
    if (!entry && (!hasPfc || !isOfBuffers))
    {
        return std::nullopt;
    }
    Group found{port, group, {}, false};
    const auto name = entry ? entry->find("profile") : SonicConfig::Fields::const_iterator();
    const bool isNamed = entry && name != entry->end() && name->second != "NULL";
    if (isNamed)
    {
        found.profile = config.GetProfile(name->second);
        if (config.Get("BUFFER_POOL", found.profile.pool, "type") == "egress")
        {
            m_place.Find("sonic-egress",
                         config.PlaceOf("BUFFER_PROFILE", found.profile.name) + ": the pool " +
                             found.profile.pool + " of egress for a priority group",
                         "its frames take space of the first pool of ingress");
            found.profile.pool.clear();
        }
        if (IsEmptyPool(found.profile.pool))
        {
            found.profile.dynamicTh.reset();
            found.profile.staticTh = 0;
        }
    }
    if (!isNamed || found.profile.isDynamic)
    {
        if (!entry && config.GetTable("DEFAULT_LOSSLESS_BUFFER_PARAMETER").empty())
        {
            m_place.Find("sonic-headroom",
                         "no profile in BUFFER_PG for group " + std::to_string(group) +
                             ", which has PFC",
                         "its headroom is computed, as the dynamic model does",
                         port);
        }
        ComputeHeadroom(found);
    }
    const bool isLossless = found.isPlain || found.profile.xoff;
    if (isLossless && !found.profile.dynamicTh && !found.profile.staticTh)
    {
        const std::string th = DefaultOf("default_dynamic_th");
        found.profile.dynamicTh = th.empty() ? 0 : std::stoi(th);
    }
    return found;
}

std::string
SonicBuffers::DefaultOf(const std::string& field) const
{
    const std::string table = "DEFAULT_LOSSLESS_BUFFER_PARAMETER";
    const auto& defaults = m_place.config.GetTable(table);
    return defaults.empty() ? "" : m_place.config.Get(table, defaults.front().first, field);
}

bool
SonicBuffers::IsEmptyPool(const std::string& pool) const
{
    return m_place.config.Get("BUFFER_POOL", pool, "size") == "0";
}

void
SonicBuffers::ComputeHeadroom(Group& group)
{
    const SonicConfig& config = m_place.config;
    const SonicConfig::Port& port = m_place.ports[group.port];
    const auto metres = config.GetMetres(port.name);
    if (metres == 0U)
    {
        m_place.Find("sonic-lossy",
                     "a cable of 0m, with PFC of group " + std::to_string(group.group),
                     "SONiC makes no lossless group there; give the length",
                     group.port,
                     Level::LOSS);
        return;
    }
    const auto leaveToSwitch = [&](const std::string& why) {
        group.isPlain = true;
        m_place.Find("sonic-headroom",
                     why + " to compute the headroom from",
                     "the switch has that of the exact rule",
                     group.port);
    };
    if (!metres)
    {
        leaveToSwitch("there is no length in CABLE_LENGTH");
        return;
    }
    SonicPort input;
    input.bitsPerSecond = m_place.GetDevice(group.port)->GetDataRate().GetBitRate();
    input.metres = *metres;
    input.mtuBytes = port.mtu.value_or(input.mtuBytes);
    input.cellBytes = GetCellSize().Bytes();
    input.lanes = port.lanes;
    const auto& patterns = config.GetTable("LOSSLESS_TRAFFIC_PATTERN");
    const auto pattern = [&](const std::string& field, uint32_t otherwise) {
        const std::string text =
            patterns.empty()
                ? ""
                : config.Get("LOSSLESS_TRAFFIC_PATTERN", patterns.front().first, field);
        return text.empty() ? otherwise : static_cast<uint32_t>(std::stoul(text));
    };
    input.losslessMtuBytes = pattern("mtu", input.losslessMtuBytes);
    input.smallShare = pattern("small_packet_percentage", 100) / 100.0;
    try
    {
        const SonicHeadroom headroom = SonicHeadroomBytes(input);
        group.profile.xoff = headroom.xoff;
        group.profile.xon = headroom.xon;
        group.profile.size = SharesHeadroom() ? headroom.xon : headroom.size;
    }
    catch (const std::invalid_argument&)
    {
        leaveToSwitch("there are no constants of SONiC for this rate");
    }
}

bool
SonicBuffers::SharesHeadroom() const
{
    const auto pools = m_place.config.GetPools();
    const bool hasPool = std::any_of(pools.begin(), pools.end(), [](const auto& pool) {
        return pool.isIngress && pool.xoff > 0;
    });
    const std::string ratio = DefaultOf("over_subscribe_ratio");
    return hasPool || (!ratio.empty() && ratio != "0");
}

uint64_t
SonicBuffers::ReservedOf(const SonicConfig::Profile& profile) const
{
    const uint64_t headroom = profile.xoff.value_or(0);
    return SharesHeadroom() || profile.size < headroom ? profile.size : profile.size - headroom;
}

void
SonicBuffers::ApplyPools()
{
    const SonicConfig& config = m_place.config;
    const auto& defaults = config.GetTable("DEFAULT_LOSSLESS_BUFFER_PARAMETER");
    if (!config.HasTable("BUFFER_POOL") && defaults.empty())
    {
        return;
    }
    std::vector<SonicConfig::Pool> pools = config.GetPools();
    const auto isNone = [](const auto& pool) { return !pool.isIngress || pool.size == 0U; };
    pools.erase(std::remove_if(pools.begin(), pools.end(), isNone), pools.end());
    uint64_t size = 0;
    uint64_t xoff = 0;
    std::size_t sized = 0;
    for (const SonicConfig::Pool& pool : pools)
    {
        size += pool.size.value_or(0);
        xoff += pool.xoff;
        sized += pool.size.has_value();
    }
    std::string ratio = DefaultOf("over_subscribe_ratio");
    ratio = xoff > 0 ? "" : ratio;
    m_place.Set(m_mmu, "SharedHeadroomPool", UintegerValue(xoff));
    m_place.Set(m_mmu,
                "HeadroomOversubscription",
                DoubleValue(ratio.empty() ? 0 : std::stod(ratio)));
    if (!pools.empty())
    {
        m_place.Set(m_mmu, "LossyShare", DoubleValue(1)); // SONiC has no such limit
    }
    if (sized < pools.size())
    {
        m_place.Find("sonic-memory",
                     config.PlaceOf("BUFFER_POOL", pools.front().name) +
                         ": pools of ingress without size",
                     "they divide the memory without what the chip keeps for itself");
    }
    const std::string memory = config.Get("BUFFER_POOL", MEMORY, "size");
    if (sized < pools.size() && !memory.empty() && memory != "0")
    {
        m_place.Set(m_mmu, "BufferSize", UintegerValue(std::stoull(memory)));
    }
    m_excludesReserved = sized > 0 && sized == pools.size() && ExcludesReserved(pools);
    for (std::size_t i = 0; sized == pools.size() && !m_excludesReserved && i < pools.size(); ++i)
    {
        if (ReservedIn(pools, i, GetCellSize()) >= *pools[i].size)
        {
            m_excludesReserved = true;
            m_place.Find("sonic-pool",
                         config.PlaceOf("BUFFER_POOL", pools[i].name) +
                             ": the size is less than what groups reserve of it",
                         "pools of ingress have what is reserved besides");
        }
    }
    if (sized == 1 && pools.size() == 1)
    {
        const uint64_t reserved = m_excludesReserved ? ReservedIn(pools, 0, GetCellSize()) : 0;
        m_place.Set(m_mmu, "BufferSize", UintegerValue(size + xoff + reserved));
        m_place.Set(m_mmu, "ServicePools", StringValue(""));
    }
    else if (pools.size() > 1)
    {
        DivideRest(pools);
        ApplyServicePools(pools);
    }
}

CellSize
SonicBuffers::GetCellSize() const
{
    UintegerValue cellBytes;
    m_mmu->GetAttribute("CellBytes", cellBytes);
    return CellSize(static_cast<uint32_t>(cellBytes.Get()));
}

uint64_t
SonicBuffers::ReservedIn(const std::vector<SonicConfig::Pool>& pools,
                         std::size_t index,
                         CellSize cell) const
{
    uint64_t cells = 0;
    auto next = m_groups.begin(); // in the order of ports and numbers
    for (uint32_t i = 0; i < m_place.ports.size() * TRAFFIC_CLASSES; ++i)
    {
        const uint32_t port = i / TRAFFIC_CLASSES;
        const uint32_t number = i % TRAFFIC_CLASSES;
        const bool isNamed = next != m_groups.end() && next->port == port && next->group == number;
        const Group group = isNamed ? *next++ : Group{port, number, {}, true};
        const std::string& pool = group.profile.pool;
        if (pool.empty() ? index != 0 : pool != pools[index].name)
        {
            continue;
        }
        const MmuClassConfig& own = m_mmu->GetConfig(port, number);
        uint64_t headroom = group.profile.xoff.value_or(0);
        if (group.isPlain && own.kind == MmuClassConfig::LOSSLESS)
        {
            headroom = own.headroomBytes;
        }
        else if (group.isPlain && (m_place.GetPausedGroups(port) & (1U << number)))
        {
            headroom = HeadroomBytes(m_place.fabricSwitch->GetHeadroomLink(port),
                                     GetCellSize().Bytes()); // as the switch will
        }
        cells += cell.RoundUp(ReservedOf(group.profile));
        cells += SharesHeadroom() ? 0 : cell.RoundUp(headroom);
    }
    return cells * cell.Bytes();
}

bool
SonicBuffers::ExcludesReserved(const std::vector<SonicConfig::Pool>& pools) const
{
    const SonicConfig& config = m_place.config;
    const std::string platform = config.Get("DEVICE_METADATA", "localhost", "platform");
    if (!platform.empty())
    {
        return platform.find("mlnx") != std::string::npos ||
               platform.find("nvidia") != std::string::npos;
    }
    uint64_t all = 0;
    for (std::size_t i = 0; i < pools.size(); ++i)
    {
        all += *pools[i].size + pools[i].xoff + ReservedIn(pools, i, CellSize(1));
    }
    const std::string size = config.Get("BUFFER_POOL", MEMORY, "size");
    return config.Get("BUFFER_POOL", MEMORY, "mode") == "dynamic" && !size.empty() &&
           std::stoull(size) >= all;
}

void
SonicBuffers::DivideRest(std::vector<SonicConfig::Pool>& pools) const
{
    const auto isSized = [](const SonicConfig::Pool& pool) { return pool.size.has_value(); };
    const auto sized = static_cast<uint64_t>(std::count_if(pools.begin(), pools.end(), isSized));
    uint64_t taken = 0;
    for (std::size_t i = 0; i < pools.size(); ++i)
    {
        taken +=
            pools[i].xoff + (pools[i].size ? *pools[i].size : ReservedIn(pools, i, GetCellSize()));
    }
    UintegerValue all;
    m_mmu->GetAttribute("BufferSize", all);
    const uint64_t rest = all.Get() - std::min(all.Get(), taken);
    const uint64_t open = pools.size() - sized;
    for (std::size_t i = 0; i < pools.size(); ++i)
    {
        if (!pools[i].size)
        {
            pools[i].size = ReservedIn(pools, i, GetCellSize()) +
                            (pools[i].percentage ? rest * *pools[i].percentage / 100 : rest / open);
        }
    }
}

void
SonicBuffers::ApplyServicePools(const std::vector<SonicConfig::Pool>& pools)
{
    const CellSize cell = GetCellSize();
    const auto toCells = [&](uint64_t bytes) { return cell.RoundUp(bytes); };
    uint64_t buffer = 0;
    bool takesLossy = false;
    std::string text;
    std::vector<std::pair<bool, bool>> uses; // lossless, lossy
    for (const SonicConfig::Pool& pool : pools)
    {
        uses.emplace_back(false, false);
        for (const Group& group : m_groups)
        {
            const bool isOfPool = group.profile.pool.empty() ? &pool == &pools.front()
                                                             : group.profile.pool == pool.name;
            const bool isLossless = group.isPlain || group.profile.xoff;
            uses.back().first = uses.back().first || (isOfPool && isLossless);
            uses.back().second = uses.back().second || (isOfPool && !isLossless);
        }
        takesLossy = takesLossy || uses.back().second || !uses.back().first;
    }
    for (std::size_t i = 0; i < pools.size(); ++i)
    {
        const uint64_t cells = *pools[i].size / cell.Bytes();
        buffer += cells + toCells(pools[i].xoff);
        uint64_t reserved = ReservedIn(pools, i, cell) / cell.Bytes();
        if (m_excludesReserved)
        {
            buffer += reserved;
            reserved = 0;
        }
        const auto [lossless, lossy] = uses[i];
        const bool isForLossy = lossy || !lossless || (i == 0 && !takesLossy);
        const bool isForBoth = lossless && isForLossy;
        text += (i ? "; " : "") + pools[i].name +
                (isForBoth    ? " any "
                 : isForLossy ? " lossy "
                              : " lossless ") +
                std::to_string((cells - reserved) * cell.Bytes()) + (isForBoth ? " 100%" : "");
    }
    m_place.Set(m_mmu, "BufferSize", UintegerValue(buffer * cell.Bytes()));
    m_place.Set(m_mmu, "ServicePools", StringValue(text));
}

std::optional<uint64_t>
SonicBuffers::XonOffsetOf(const SonicConfig::Profile& profile)
{
    if (!profile.xonOffset && profile.staticTh && profile.xon)
    {
        // It resumes at xon bytes of all that it has; the threshold is of shared space.
        const uint64_t limit = *profile.staticTh + ReservedOf(profile);
        return std::min(*profile.staticTh, limit - std::min(limit, *profile.xon));
    }
    return profile.xonOffset;
}

void
SonicBuffers::LeaveOptions(MmuClassConfig& config, const MmuClassConfig& before) const
{
    const TypeId type = SwitchMmu::GetTypeId();
    const bool isLossless = config.kind == MmuClassConfig::LOSSLESS;
    if (m_place.Has(type, isLossless ? "Alpha" : "LossyAlpha"))
    {
        config.alpha = before.alpha;
        config.staticBytes = before.staticBytes;
    }
    if (m_place.Has(type, "GuaranteedBytes"))
    {
        config.guaranteedBytes = before.guaranteedBytes;
    }
    if (m_place.Has(type, "XonOffset"))
    {
        config.xonOffsetBytes = before.xonOffsetBytes;
    }
    if (m_place.Has(type, "EgressAlpha"))
    {
        config.egressAlpha = before.egressAlpha;
        config.egressStaticBytes = before.egressStaticBytes;
    }
    if (m_place.Has(type, "EgressGuaranteedBytes"))
    {
        config.egressGuaranteedBytes = before.egressGuaranteedBytes;
    }
    if (m_place.Has(type, "ServicePools"))
    {
        config.pool = before.pool;
    }
}

void
SonicBuffers::SetConfig(uint32_t port, uint32_t cls, const MmuClassConfig& config)
{
    const MmuClassConfig before = m_mmu->GetConfig(port, cls);
    MmuClassConfig after = config;
    LeaveOptions(after, before);
    m_mmu->SetConfig(port, cls, after);
    m_place.undos.emplace_back(
        [mmu = m_mmu, port, cls, before] { mmu->SetConfig(port, cls, before); });
}

void
SonicBuffers::ApplyGroups()
{
    if (m_place.config.HasTable("BUFFER_PG"))
    {
        for (uint32_t index = 0; index < m_place.ports.size() * TRAFFIC_CLASSES; ++index)
        {
            const uint32_t port = index / TRAFFIC_CLASSES;
            MmuClassConfig config = m_mmu->GetConfig(port, index % TRAFFIC_CLASSES);
            config.guaranteedBytes = 0; // nothing is reserved for a group without an entry
            SetConfig(port, index % TRAFFIC_CLASSES, config);
        }
    }
    StringValue pools;
    m_mmu->GetAttribute("ServicePools", pools);
    for (const Group& group : m_groups)
    {
        const SonicConfig::Profile& profile = group.profile;
        MmuClassConfig config = m_mmu->GetConfig(group.port, group.group);
        if (!group.isPlain)
        {
            config.kind = profile.xoff ? MmuClassConfig::LOSSLESS : MmuClassConfig::LOSSY;
            config.headroomBytes = profile.xoff.value_or(0);
        }
        config.guaranteedBytes = ReservedOf(profile);
        if (profile.staticTh)
        {
            config.staticBytes = profile.staticTh;
        }
        else if (profile.dynamicTh)
        {
            config.alpha = AlphaOf(*profile.dynamicTh);
            config.staticBytes.reset();
        }
        const auto xonOffset = profile.xoff ? XonOffsetOf(profile) : std::nullopt;
        if (xonOffset)
        {
            config.xonOffsetBytes = xonOffset;
        }
        SetConfig(group.port, group.group, config);
        if (!pools.Get().empty() && !profile.pool.empty() &&
            !m_place.Has(SwitchMmu::GetTypeId(), "ServicePools"))
        {
            m_mmu->SetServicePool(group.port, group.group, profile.pool);
        }
    }
}

void
SonicBuffers::ApplyQueues()
{
    const SonicConfig& config = m_place.config;
    if (!config.HasTable("BUFFER_QUEUE"))
    {
        return;
    }
    for (uint32_t index = 0; index < m_place.ports.size() * TRAFFIC_CLASSES; ++index)
    {
        const uint32_t port = index / TRAFFIC_CLASSES;
        const uint32_t queue = index % TRAFFIC_CLASSES;
        const auto* const entry = config.FindOf("BUFFER_QUEUE", m_place.ports[port].name, queue);
        const auto name = entry ? entry->find("profile") : SonicConfig::Fields::const_iterator();
        MmuClassConfig mine = m_mmu->GetConfig(port, queue);
        mine.egressGuaranteedBytes = 0;
        if (entry && name != entry->end())
        {
            const SonicConfig::Profile profile = config.GetProfile(name->second);
            if (m_place.GetLosslessQueues(port) & (1U << queue))
            {
                continue; // limited by the whole memory, or a part of a chip that is not modelled
            }
            mine.egressGuaranteedBytes = profile.size;
            mine.egressStaticBytes = IsEmptyPool(profile.pool) ? 0 : profile.staticTh;
            if (profile.dynamicTh)
            {
                mine.egressAlpha = AlphaOf(*profile.dynamicTh);
            }
        }
        SetConfig(port, queue, mine);
    }
}

void
SonicBuffers::CheckProfiles()
{
    for (const Group& group : m_groups)
    {
        const SonicConfig::Profile& profile = group.profile;
        if (!profile.isDynamic && profile.size < profile.xoff.value_or(0) && !SharesHeadroom() &&
            m_place.config.HasTable("BUFFER_POOL"))
        {
            m_place.Find("sonic-size",
                         m_place.config.PlaceOf("BUFFER_PROFILE", profile.name) +
                             ": size is below xoff, and no pool has an xoff; groups have both",
                         "give a size of xoff and what is reserved, or give the pool an xoff");
        }
    }
}

} // namespace ns3
