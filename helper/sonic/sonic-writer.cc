// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-writer.h"

#include "class-list.h"
#include "sonic-key.h"
#include "sonic-place.h"
#include "sonic-switch.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/dwrr-scheduler.h"
#include "ns3/enum.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-warning.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/qbb-channel.h"
#include "ns3/shaped-scheduler.h"
#include "ns3/strict-priority-scheduler.h"
#include "ns3/string.h"
#include "ns3/switch-mmu.h"
#include "ns3/uinteger.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr const char* INGRESS = "ingress_lossless_pool";
constexpr uint32_t LEAST_MTU = 68;
constexpr uint32_t MOST_MTU = 9216;
constexpr int64_t MOST_METRES = 100000;

/// @return a text attribute of an object
std::string
TextOf(const Ptr<Object>& object, const std::string& attribute)
{
    StringValue value;
    object->GetAttribute(attribute, value);
    return value.Get();
}

/// @return a whole number that an object has as attribute
uint64_t
NumberOf(const Object& object, const std::string& attribute)
{
    UintegerValue value;
    object.GetAttribute(attribute, value);
    return value.Get();
}

/// @return a real number that an object has as attribute
double
RealOf(const Object& object, const std::string& attribute)
{
    DoubleValue value;
    object.GetAttribute(attribute, value);
    return value.Get();
}

} // namespace

SonicWriter::SonicWriter(const Ptr<FabricSwitch>& fabricSwitch)
    : m_switch(fabricSwitch),
      m_mmu(fabricSwitch->GetMmu())
{
}

SonicConfig
SonicWriter::Write()
{
    if (!m_switch->IsInitialized())
    {
        m_switch->Start(); // what is not set gets its values then
    }
    WritePorts();
    WritePools();
    WriteGroups();
    WriteQueues();
    WriteMaps();
    WriteSchedulers();
    WriteWatchdogs();
    FindUnsaid();
    return m_config;
}

std::string
SonicWriter::NameOf(uint32_t port)
{
    return "Ethernet" + std::to_string(4 * port);
}

uint64_t
SonicWriter::OfMmu(const std::string& attribute) const
{
    return NumberOf(*m_mmu, attribute);
}

std::string
SonicWriter::Entry(const std::string& table,
                   const std::string& name,
                   const SonicConfig::Fields& fields)
{
    auto& entries = m_entries[table];
    const auto found = entries.find(fields);
    if (found != entries.end())
    {
        return found->second;
    }
    std::string free = name;
    for (uint32_t number = 2; m_config.Find(table, free); ++number)
    {
        free = name + "_" + std::to_string(number);
    }
    for (const auto& [field, value] : fields)
    {
        m_config.Set(table, free, field, value);
    }
    entries[fields] = free;
    return free;
}

void
SonicWriter::AddRanges(const std::string& table,
                       uint32_t port,
                       const std::vector<SonicConfig::Fields>& fields)
{
    for (uint32_t first = 0; first < fields.size();)
    {
        uint32_t last = first;
        while (last + 1 < fields.size() && fields[last + 1] == fields[first])
        {
            ++last;
        }
        for (const auto& [field, value] : fields[first])
        {
            m_config.Set(table, SonicKey::Write(NameOf(port), {first, last}), field, value);
        }
        first = last + 1;
    }
}

void
SonicWriter::WritePorts()
{
    for (uint32_t port = 0; port < m_switch->GetNPorts(); ++port)
    {
        const auto device = m_switch->GetPort(port);
        const uint64_t rate = device->GetDataRate().GetBitRate();
        m_config.Set("PORT", NameOf(port), "index", std::to_string(port + 1));
        m_config.Set("PORT", NameOf(port), "admin_status", "up");
        const uint32_t mtu = device->GetMtu();
        m_config.Set("PORT",
                     NameOf(port),
                     "mtu",
                     std::to_string(std::clamp(mtu, LEAST_MTU, MOST_MTU)));
        if (mtu != std::clamp(mtu, LEAST_MTU, MOST_MTU))
        {
            m_unsaid.insert("a MTU of " + std::to_string(mtu) + "; it is at most 9216");
        }
        if (rate % 1000000 == 0)
        {
            m_config.Set("PORT", NameOf(port), "speed", std::to_string(rate / 1000000));
        }
        else
        {
            m_unsaid.insert("a rate of " + std::to_string(rate) + " bit/s; speed is in Mb/s");
        }
        const auto channel = DynamicCast<QbbChannel>(device->GetChannel());
        const int64_t delay = channel ? channel->GetDelay().GetPicoSeconds() : 0;
        if (delay > 0 && delay % 5000 == 0 && delay / 5000 <= MOST_METRES)
        {
            m_config.Set("CABLE_LENGTH", "AZURE", NameOf(port), std::to_string(delay / 5000) + "m");
        }
        else if (delay > 0)
        {
            m_unsaid.insert("a delay of " + std::to_string(delay) +
                            " ps; lengths of cables are in metres of 5 ns, at most 100 km");
        }
    }
}

bool
SonicWriter::SharesHeadroom() const
{
    return OfMmu("SharedHeadroomPool") > 0 || RealOf(*m_mmu, "HeadroomOversubscription") > 0;
}

uint64_t
SonicWriter::ReservedOf(uint32_t port, uint32_t cls) const
{
    return m_mmu->GetConfig(port, cls).guaranteedBytes.value_or(OfMmu("GuaranteedBytes"));
}

void
SonicWriter::WritePools()
{
    const auto add = [this](const std::string& name, const std::string& type) {
        m_config.Set("BUFFER_POOL", name, "type", type);
        m_config.Set("BUFFER_POOL", name, "mode", "dynamic");
    };
    const uint64_t headroom = OfMmu("SharedHeadroomPool");
    const bool isDivided = !TextOf(m_mmu, "ServicePools").empty();
    const CellSize cell(static_cast<uint32_t>(OfMmu("CellBytes")));
    const uint32_t pools = isDivided ? m_mmu->GetPoolCount() : 1;
    for (uint32_t place = 0; place < pools; ++place)
    {
        const std::string name = isDivided ? m_mmu->GetPoolName(place) : INGRESS;
        uint64_t size = m_mmu->GetBufferSize() - headroom;
        if (isDivided)
        {
            uint64_t cells = m_mmu->GetPool(place).size;
            for (uint32_t index = 0; index < m_switch->GetNPorts() * TRAFFIC_CLASSES; ++index)
            {
                const MmuIngress& in =
                    m_mmu->GetIngress(index / TRAFFIC_CLASSES, index % TRAFFIC_CLASSES);
                const bool isMine = in.pool == place;
                cells += isMine ? in.guaranteed + (SharesHeadroom() ? 0 : in.headroom) : 0;
            }
            size = cells * cell.Bytes();
        }
        add(name, "ingress");
        m_config.Set("BUFFER_POOL", name, "size", std::to_string(size));
        if (headroom > 0 && place == 0)
        {
            m_config.Set("BUFFER_POOL", name, "xoff", std::to_string(headroom));
        }
    }
    add("egress_lossless_pool", "egress");
    add("egress_lossy_pool", "egress");
    const double ratio = RealOf(*m_mmu, "HeadroomOversubscription");
    if (ratio > 0)
    {
        m_config.Set("DEFAULT_LOSSLESS_BUFFER_PARAMETER",
                     "AZURE",
                     "over_subscribe_ratio",
                     std::to_string(std::llround(ratio)));
        if (ratio != std::round(ratio))
        {
            m_unsaid.insert("a HeadroomOversubscription that is no whole number");
        }
    }
    if (!isDivided && RealOf(*m_mmu, "LossyShare") < 1)
    {
        m_unsaid.insert("LossyShare of SwitchMmu below 1");
    }
}

std::string
SonicWriter::ThOf(double alpha)
{
    constexpr int LEAST = -8;
    constexpr int MOST = 7;
    const double exact = alpha > 0 ? std::log2(alpha) : LEAST;
    const int th = std::clamp(static_cast<int>(std::lround(exact)), LEAST, MOST);
    if (alpha <= 0 || std::abs(exact - th) > 1e-6)
    {
        m_unsaid.insert("an alpha that is no power of two from 2^-8 to 2^7");
    }
    return std::to_string(th);
}

void
SonicWriter::WriteGroups()
{
    const bool isDivided = !TextOf(m_mmu, "ServicePools").empty();
    for (uint32_t port = 0; port < m_switch->GetNPorts(); ++port)
    {
        std::vector<SonicConfig::Fields> entries;
        for (uint32_t group = 0; group < TRAFFIC_CLASSES; ++group)
        {
            const MmuClassConfig& config = m_mmu->GetConfig(port, group);
            const bool isLossless = m_mmu->IsLossless(port, group);
            const uint64_t headroom = isLossless ? config.headroomBytes : 0;
            SonicConfig::Fields fields;
            fields["pool"] =
                isDivided ? m_mmu->GetPoolName(m_mmu->GetIngress(port, group).pool) : INGRESS;
            fields["size"] =
                std::to_string(ReservedOf(port, group) + (SharesHeadroom() ? 0 : headroom));
            if (config.staticBytes)
            {
                fields["static_th"] = std::to_string(*config.staticBytes);
            }
            else
            {
                fields["dynamic_th"] = ThOf(
                    config.alpha.value_or(RealOf(*m_mmu, isLossless ? "Alpha" : "LossyAlpha")));
            }
            if (isLossless)
            {
                fields["xoff"] = std::to_string(headroom);
                fields["xon_offset"] =
                    std::to_string(config.xonOffsetBytes.value_or(OfMmu("XonOffset")));
            }
            const std::string metres = m_config.Get("CABLE_LENGTH", "AZURE", NameOf(port));
            const std::string speed = m_config.Get("PORT", NameOf(port), "speed");
            const std::string name = "pg_lossless" + (speed.empty() ? "" : "_" + speed) +
                                     (metres.empty() ? "" : "_" + metres) + "_profile";
            entries.push_back(
                {{"profile",
                  Entry("BUFFER_PROFILE", isLossless ? name : "ingress_lossy_profile", fields)}});
        }
        AddRanges("BUFFER_PG", port, entries);
    }
}

void
SonicWriter::WriteQueues()
{
    for (uint32_t port = 0; port < m_switch->GetNPorts(); ++port)
    {
        std::vector<SonicConfig::Fields> entries;
        for (uint32_t queue = 0; queue < TRAFFIC_CLASSES; ++queue)
        {
            const MmuClassConfig& config = m_mmu->GetConfig(port, queue);
            SonicConfig::Fields fields;
            if (SonicPlace::LosslessQueues(*m_switch, port) & (1U << queue))
            {
                fields = {{"pool", "egress_lossless_pool"}, {"size", "0"}, {"dynamic_th", "7"}};
                if (m_mmu->GetEgress(port, queue).bindsLossless)
                {
                    m_unsaid.insert("a limit of a lossless queue");
                }
                entries.push_back(
                    {{"profile", Entry("BUFFER_PROFILE", "egress_lossless_profile", fields)}});
                continue;
            }
            fields["pool"] = "egress_lossy_pool";
            fields["size"] = std::to_string(
                config.egressGuaranteedBytes.value_or(OfMmu("EgressGuaranteedBytes")));
            if (config.egressStaticBytes)
            {
                fields["static_th"] = std::to_string(*config.egressStaticBytes);
            }
            else
            {
                fields["dynamic_th"] =
                    ThOf(config.egressAlpha.value_or(RealOf(*m_mmu, "EgressAlpha")));
            }
            entries.push_back(
                {{"profile", Entry("BUFFER_PROFILE", "egress_lossy_profile", fields)}});
        }
        AddRanges("BUFFER_QUEUE", port, entries);
    }
}

void
SonicWriter::WriteMaps()
{
    for (uint32_t port = 0; port < m_switch->GetNPorts(); ++port)
    {
        const auto device = m_switch->GetPort(port);
        const auto map = device->GetTrafficClassMap();
        const bool isDot1p = map->GetTrust() == TrafficClassMap::DOT1P;
        const bool isTrusted = map->GetTrust() != TrafficClassMap::UNTRUSTED;
        SonicConfig::Fields fields;
        for (uint32_t value = 0; value < (isDot1p ? 8 : 64); ++value)
        {
            const auto code = static_cast<uint8_t>(value);
            fields[std::to_string(value)] = std::to_string(isDot1p     ? map->ClassOfPcp(code)
                                                           : isTrusted ? map->ClassOfDscp(code)
                                                                       : map->GetDefaultClass());
        }
        const std::string table = isDot1p ? "DOT1P_TO_TC_MAP" : "DSCP_TO_TC_MAP";
        m_config.Set("PORT_QOS_MAP",
                     NameOf(port),
                     isDot1p ? "dot1p_to_tc_map" : "dscp_to_tc_map",
                     Entry(table, "AZURE", fields));
        AddNumbers(port, *map);
        m_config.Set("PORT_QOS_MAP",
                     NameOf(port),
                     "pfc_enable",
                     ClassList(device->GetActivePfcClasses(), ","));
    }
}

void
SonicWriter::AddNumbers(uint32_t port, const TrafficClassMap& map)
{
    const auto table = map.GetTable();
    SonicConfig::Fields queues;
    SonicConfig::Fields groups;
    SonicConfig::Fields pausedQueues;
    SonicConfig::Fields pausedGroups;
    for (uint8_t number = 0; number < TRAFFIC_CLASSES; ++number)
    {
        const std::string from = std::to_string(number);
        queues[from] = std::to_string(map.QueueOf(number));
        groups[from] = std::to_string(map.GroupOf(number));
        const uint32_t mask = table->pfcQueues[number];
        pausedQueues[from] = std::to_string(__builtin_ctz(mask));
        const std::string priority = std::to_string(map.PfcPriorityOf(number));
        if ((mask & (mask - 1)) || pausedGroups.count(priority) > 0)
        {
            m_unsaid.insert("a PFC priority of several queues or groups");
        }
        pausedGroups.emplace(priority, from);
    }
    const auto add =
        [&](const std::string& field, const std::string& of, const SonicConfig::Fields& fields) {
            m_config.Set("PORT_QOS_MAP", NameOf(port), field, Entry(of, "AZURE", fields));
        };
    add("tc_to_queue_map", "TC_TO_QUEUE_MAP", queues);
    add("tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", groups);
    add("pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", pausedQueues);
    add("pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", pausedGroups);
}

void
SonicWriter::WriteSchedulers()
{
    for (uint32_t port = 0; port < m_switch->GetNPorts(); ++port)
    {
        std::vector<SonicConfig::Fields> queues(TRAFFIC_CLASSES);
        AddSchedulers(port, queues);
        AddMarks(port, queues);
        AddRanges("QUEUE", port, queues);
    }
    if (!m_config.HasTable("QUEUE"))
    {
        m_unsaid.insert("queues without a scheduler and without marks");
    }
}

void
SonicWriter::AddSchedulers(uint32_t port, std::vector<SonicConfig::Fields>& queues)
{
    const auto device = m_switch->GetPort(port);
    const Ptr<EgressScheduler> scheduler = device->GetScheduler();
    const auto turns = DynamicCast<DwrrScheduler>(scheduler);
    const auto shaped = DynamicCast<ShapedScheduler>(scheduler);
    if (!turns && !DynamicCast<StrictPriorityScheduler>(scheduler))
    {
        m_unsaid.insert("the scheduler " + scheduler->GetInstanceTypeId().GetName());
        return;
    }
    const uint64_t strict = turns ? NumberOf(*turns, "StrictClasses") : 0xff;
    const bool isInFrames = turns && [&] {
        StringValue unit;
        turns->GetAttribute("RoundUnit", unit);
        return unit.Get() == "Frames";
    }();
    const uint64_t line = device->GetDataRate().GetBitRate();
    const ClassRates none;
    const auto most = shaped ? ReadClassRates(TextOf(shaped, "MaxRates"), "MaxRates") : none;
    const auto least = shaped ? ReadClassRates(TextOf(shaped, "MinRates"), "MinRates") : none;
    const uint64_t strictRate =
        shaped ? LineShare::Read(TextOf(shaped, "StrictRate"), "StrictRate").Of(line) : 0;
    const std::string burst = shaped ? std::to_string(NumberOf(*shaped, "Burst")) : "";
    for (uint32_t queue = 0; queue < TRAFFIC_CLASSES; ++queue)
    {
        const bool isStrict = strict & (1U << queue);
        SonicConfig::Fields fields;
        fields["type"] = isStrict ? "STRICT" : isInFrames ? "WRR" : "DWRR";
        if (!isStrict)
        {
            const uint32_t weight = turns->GetWeight(queue);
            fields["weight"] = std::to_string(std::min<uint32_t>(weight, 100));
            if (weight > 100)
            {
                m_unsaid.insert("a weight of " + std::to_string(weight) + "; it is at most 100");
            }
        }
        const uint64_t own = most[queue].Of(line);
        const uint64_t pir = own || !isStrict ? own : strictRate;
        const uint64_t cir = least[queue].Of(line);
        if (pir > 0)
        {
            fields["pir"] = std::to_string(pir / 8);
            fields["pbs"] = burst;
        }
        if (cir > 0)
        {
            fields["cir"] = std::to_string(cir / 8);
            fields["cbs"] = burst;
        }
        queues[queue]["scheduler"] = Entry("SCHEDULER", "scheduler", fields);
    }
    const uint64_t portRate =
        shaped ? LineShare::Read(TextOf(shaped, "PortRate"), "PortRate").Of(line) : 0;
    if (portRate > 0)
    {
        m_config.Set(
            "PORT_QOS_MAP",
            NameOf(port),
            "scheduler",
            Entry("SCHEDULER",
                  "port",
                  {{"type", "DWRR"}, {"pir", std::to_string(portRate / 8)}, {"pbs", burst}}));
    }
}

void
SonicWriter::AddMarks(uint32_t port, std::vector<SonicConfig::Fields>& queues)
{
    const auto marker = DynamicCast<WredEcnMarker>(m_switch->GetEcnMarker());
    if (!marker || marker->GetInstanceTypeId() != WredEcnMarker::GetTypeId())
    {
        m_unsaid.insert("an ECN marker that is no ns3::WredEcnMarker");
        return;
    }
    BooleanValue drops;
    m_switch->GetAttribute("DropNonEct", drops);
    for (uint32_t queue = 0; queue < TRAFFIC_CLASSES; ++queue)
    {
        if (!marker->IsMarked(port, queue) || !m_switch->IsEcnEnabled())
        {
            continue;
        }
        const WredEcnMarker::Curve& curve = marker->GetCurve(port, queue);
        const double percent = 100 * curve.pmax;
        if (std::abs(percent - std::round(percent)) > 1e-9)
        {
            m_unsaid.insert("a Pmax that is no whole percentage");
        }
        const std::string green = drops.Get() ? "green_" : "ecn_green_";
        queues[queue]["wred_profile"] =
            Entry("WRED_PROFILE",
                  "AZURE_LOSSLESS",
                  {{"ecn", "ecn_all"},
                   {"wred_green_enable", drops.Get() ? "true" : "false"},
                   {green + "min_threshold", std::to_string(curve.kmin)},
                   {green + "max_threshold", std::to_string(curve.kmax)},
                   {green + (drops.Get() ? "drop_probability" : "mark_probability"),
                    std::to_string(std::llround(percent))}});
    }
}

void
SonicWriter::WriteWatchdogs()
{
    for (uint32_t i = 0; i < m_switch->GetNExtensions(); ++i)
    {
        if (const auto watchdog = DynamicCast<PfcWatchdog>(m_switch->GetExtension(i)))
        {
            WriteWatchdog(*watchdog);
        }
    }
}

void
SonicWriter::WriteWatchdog(const PfcWatchdog& watchdog)
{
    const double scale = RealOf(watchdog, "TimeScale");
    const auto milliseconds = [&](const std::string& attribute) {
        TimeValue value;
        watchdog.GetAttribute(attribute, value);
        return value.Get().GetMilliSeconds();
    };
    StringValue action;
    watchdog.GetAttribute("Action", action);
    const uint64_t ports = NumberOf(watchdog, "Ports");
    const auto classes = static_cast<uint8_t>(NumberOf(watchdog, "Classes"));
    if (scale != 1)
    {
        m_unsaid.insert("TimeScale of PfcWatchdog");
    }
    BooleanValue bigRed;
    watchdog.GetAttribute("BigRedSwitch", bigRed);
    if (bigRed.Get())
    {
        m_config.Set("PFC_WD", "GLOBAL", "BIG_RED_SWITCH", "enable");
    }
    if (milliseconds("PollInterval") > 0)
    {
        m_config.Set("PFC_WD",
                     "GLOBAL",
                     "POLL_INTERVAL",
                     std::to_string(milliseconds("PollInterval")));
    }
    for (uint32_t port = 0; port < m_switch->GetNPorts(); ++port)
    {
        const uint8_t watched = m_switch->GetPort(port)->GetPausableQueues() & classes;
        if (watched == 0 || (port < 64 && !(ports >> port & 1)))
        {
            continue;
        }
        std::string word = action.Get();
        word.front() = static_cast<char>(word.front() - 'A' + 'a');
        constexpr int64_t DEFAULT = 200; // of the dialects of SONiC
        const int64_t said = milliseconds("DetectionTime");
        const int64_t detection = std::clamp<int64_t>(said ? said : DEFAULT, 100, 5000);
        if (said > 0 && said != detection)
        {
            m_unsaid.insert("a DetectionTime of " + std::to_string(said) +
                            " ms; it is 100 to 5000");
        }
        m_config.Set("PFC_WD", NameOf(port), "action", word);
        m_config.Set("PFC_WD", NameOf(port), "detection_time", std::to_string(detection));
        if (milliseconds("RestorationTime") > 0)
        {
            m_config.Set("PFC_WD",
                         NameOf(port),
                         "restoration_time",
                         std::to_string(milliseconds("RestorationTime")));
        }
        m_config.Set("PORT_QOS_MAP", NameOf(port), "pfcwd_sw_enable", ClassList(watched, ","));
    }
}

void
SonicWriter::FindUnsaid()
{
    FindUnsaid(*m_mmu);
    FindUnsaid(*m_switch);
    for (uint32_t i = 0; i < m_switch->GetNExtensions(); ++i)
    {
        const auto extension = m_switch->GetExtension(i);
        if (DynamicCast<PfcWatchdog>(extension))
        {
            FindUnsaid(*extension);
        }
        else if (extension != m_switch->GetEcnMarker())
        {
            m_unsaid.insert("the extension " + extension->GetInstanceTypeId().GetName());
        }
    }
    for (uint32_t port = 0; port < m_switch->GetNPorts(); ++port)
    {
        FindUnsaid(*m_switch->GetPort(port));
        FindUnsaid(*m_switch->GetPort(port)->GetScheduler());
        const MmuPortConfig& own = m_mmu->GetPortConfig(port);
        if (own.limitBytes.value_or(0) + own.egressLimitBytes.value_or(0) > 0)
        {
            m_unsaid.insert("limits of ports");
        }
    }
}

void
SonicWriter::FindUnsaid(const Object& object)
{
    static const std::set<std::string> SAID = {"Action",
                                               "Address",
                                               "Alpha",
                                               "BigRedSwitch",
                                               "BufferSize",
                                               "Burst",
                                               "Classes",
                                               "DataRate",
                                               "DetectionTime",
                                               "DropNonEct",
                                               "EcnEnabled",
                                               "EgressAlpha",
                                               "GuaranteedBytes",
                                               "EgressGuaranteedBytes",
                                               "HeadroomOversubscription",
                                               "LossyAlpha",
                                               "LossyShare",
                                               "MaxRates",
                                               "MinRates",
                                               "Mtu",
                                               "PfcClasses",
                                               "PfcEnabled",
                                               "PollInterval",
                                               "PortRate",
                                               "Ports",
                                               "RestorationTime",
                                               "RoundUnit",
                                               "ServicePools",
                                               "SharedHeadroomPool",
                                               "StrictClasses",
                                               "StrictRate",
                                               "TimeScale",
                                               "Weights",
                                               "XonOffset"};
    for (TypeId type = object.GetInstanceTypeId(); type.GetGroupName() == "Lossless";
         type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            const auto both = TypeId::ATTR_GET | TypeId::ATTR_SET;
            const bool isObject = dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)) ||
                                  dynamic_cast<const TypeIdChecker*>(PeekPointer(info.checker));
            if (isObject || (info.flags & both) != both || SAID.count(info.name))
            {
                continue;
            }
            const Ptr<AttributeValue> value = info.checker->Create();
            object.GetAttribute(info.name, *value);
            if (ExactText(*value, info.checker) !=
                ExactText(*info.originalInitialValue, info.checker))
            {
                m_unsaid.insert(info.name + " of " + type.GetName());
            }
        }
    }
}

SonicConfig
SonicConfigOf(const Ptr<FabricSwitch>& fabricSwitch)
{
    SonicWriter writer(fabricSwitch);
    const SonicConfig config = writer.Write();
    std::string unsaid;
    for (const std::string& what : writer.GetUnsaid())
    {
        unsaid += (unsaid.empty() ? "" : "; ") + what;
    }
    if (!unsaid.empty())
    {
        PrintWarning("a configuration of SONiC cannot say " + unsaid);
    }
    return config;
}

} // namespace ns3
