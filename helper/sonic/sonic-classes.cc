// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-classes.h"

#include "sonic-key.h"

#include "ns3/boolean.h"
#include "ns3/dwrr-scheduler.h"
#include "ns3/fabric-error.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/shaped-scheduler.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace ns3
{

namespace
{

/// @return a rate of SONiC as text
std::string
RateText(uint64_t bytesPerSecond)
{
    return std::to_string(8 * bytesPerSecond) + "bps";
}

} // namespace

SonicClasses::SonicClasses(SonicPlace& place)
    : m_place(place)
{
}

void
SonicClasses::ApplyPorts()
{
    for (uint32_t port = 0; port < m_place.ports.size(); ++port)
    {
        const auto device = m_place.GetDevice(port);
        const TypeId type = device->GetInstanceTypeId();
        if (const auto mtu = m_place.ports[port].mtu; mtu && !m_place.Has(type, "Mtu"))
        {
            const uint16_t before = device->GetMtu();
            m_place.undos.emplace_back([device, before] { device->SetMtu(before); });
            if (!device->SetMtu(static_cast<uint16_t>(*mtu)))
            {
                m_place.config.Fail("PORT",
                                    m_place.ports[port].name,
                                    "mtu " + std::to_string(*mtu) + " is none that a port takes",
                                    "such as 9100");
            }
        }
        if (const auto map = MapOf(port); map && !m_place.Has(type, "TrafficClassMap"))
        {
            const auto before = device->GetTrafficClassMap();
            m_place.undos.emplace_back([device, before] { device->SetTrafficClassMap(before); });
            device->SetTrafficClassMap(map);
        }
        if (m_place.SaysPfcClasses())
        {
            const uint8_t before = device->GetPfcClasses();
            m_place.undos.emplace_back([device, before] { device->SetPfcClasses(before); });
            device->SetPfcClasses(m_place.GetPfcClasses(port));
        }
        if (const auto scheduler = SchedulerOf(port);
            scheduler && !m_place.Has(type, "EgressScheduler"))
        {
            const auto old = device->GetScheduler();
            m_place.undos.emplace_back([device, old] { device->SetScheduler(old); });
            device->SetScheduler(scheduler);
        }
    }
    if (m_bursts.size() > 1)
    {
        m_place.Find("sonic-burst",
                     m_place.config.PlaceOf("SCHEDULER", m_bursts.begin()->second) +
                         ": cbs and pbs of queues of a port differ",
                     "all buckets of a port have its largest");
    }
}

// ---- maps

Ptr<TrafficClassMap>
SonicClasses::MapOf(uint32_t port)
{
    const SonicConfig& config = m_place.config;
    const std::string& name = m_place.ports[port].name;
    const auto dscp = config.GetQosMap(name, "dscp_to_tc_map");
    const auto dot1p = config.GetQosMap(name, "dot1p_to_tc_map");
    std::string key = dscp.value_or("") + "\n" + dot1p.value_or("");
    for (const std::string field :
         {"tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map", "pfc_to_pg_map"})
    {
        key += "\n" + config.GetQosMap(name, field).value_or("");
    }
    if (key.find_first_not_of('\n') == std::string::npos)
    {
        return nullptr;
    }
    Ptr<TrafficClassMap>& map = m_maps[key];
    if (map)
    {
        return map;
    }
    map = CreateObject<TrafficClassMap>();
    if (dscp)
    {
        const auto classes = config.GetMap("DSCP_TO_TC_MAP", *dscp);
        for (uint32_t value = 0; value < 64; ++value)
        {
            const auto found = classes.find(value);
            map->SetDscp(value, found == classes.end() ? 0 : found->second);
        }
    }
    if (dot1p)
    {
        const auto classes = config.GetMap("DOT1P_TO_TC_MAP", *dot1p);
        for (uint32_t value = 0; value < 8; ++value)
        {
            const auto found = classes.find(value);
            map->SetPcp(value, found == classes.end() ? 0 : found->second);
        }
    }
    map->SetTrust(dot1p && !dscp ? TrafficClassMap::DOT1P : TrafficClassMap::DSCP);
    SetClasses(name, *map);
    return map;
}

std::map<uint32_t, uint32_t>
SonicClasses::NumbersOf(const std::string& port,
                        const std::string& field,
                        const std::string& table) const
{
    const auto name = m_place.config.GetQosMap(port, field);
    return name ? m_place.config.GetMap(table, *name) : std::map<uint32_t, uint32_t>();
}

void
SonicClasses::SetClasses(const std::string& port, TrafficClassMap& map)
{
    const auto queues = NumbersOf(port, "tc_to_queue_map", "TC_TO_QUEUE_MAP");
    const auto groups = NumbersOf(port, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP");
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (!queues.empty())
        {
            map.SetQueue(cls, queues.count(cls) ? queues.at(cls) : 0);
        }
        if (!groups.empty())
        {
            map.SetPriorityGroup(cls, groups.count(cls) ? groups.at(cls) : 0);
        }
    }
    for (const auto& [priority, queue] :
         NumbersOf(port, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE"))
    {
        map.SetPfcQueues(priority, 1U << queue);
    }
    std::map<uint32_t, uint32_t> priorities; // by group
    for (const auto& [priority, group] :
         NumbersOf(port, "pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"))
    {
        if (!priorities.emplace(group, priority).second)
        {
            m_place.config.Fail("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
                                *m_place.config.GetQosMap(port, "pfc_to_pg_map"),
                                "the priorities " + std::to_string(priorities[group]) + " and " +
                                    std::to_string(priority) + " become group " +
                                    std::to_string(group),
                                "the pause of a group names one priority");
        }
        map.SetPfcPriority(group, priority);
    }
}

// ---- schedulers

void
SonicClasses::AddRates(Turns& turns, const SonicConfig::Scheduler& scheduler, uint32_t queue)
{
    const bool hasRates = scheduler.cir + scheduler.pir > 0;
    if (hasRates && scheduler.ofPackets)
    {
        m_place.config.Fail("SCHEDULER",
                            scheduler.name,
                            "meter_type is packets, with rates",
                            "rates are of bytes; give meter_type bytes");
    }
    const auto add = [queue](std::string& rates, uint64_t rate) {
        rates += rate == 0
                     ? ""
                     : (rates.empty() ? "" : ",") + std::to_string(queue) + ":" + RateText(rate);
    };
    add(turns.maxRates, scheduler.pir);
    add(turns.minRates, scheduler.cir);
    for (const uint64_t burst : {scheduler.cbs, scheduler.pbs})
    {
        if (burst > 0)
        {
            m_bursts[burst] = scheduler.name;
            turns.burst = std::max(turns.burst, burst);
        }
    }
}

void
SonicClasses::AddQueue(Turns& turns,
                       const std::string& key,
                       uint32_t queue,
                       const SonicConfig::Scheduler& scheduler)
{
    if (scheduler.type == SonicConfig::Scheduler::STRICT)
    {
        turns.strict |= 1U << queue;
    }
    else if (turns.sole && turns.sole->type != scheduler.type)
    {
        m_place.config.Fail("QUEUE",
                            key,
                            "the schedulers " + turns.sole->name + " and " + scheduler.name +
                                " of the port are DWRR and WRR",
                            "give all of a port one type");
    }
    else
    {
        turns.sole = scheduler;
        turns.isInFrames = scheduler.type == SonicConfig::Scheduler::WRR;
    }
    AddRates(turns, scheduler, queue);
}

void
SonicClasses::AddPort(Turns& turns, const std::string& name)
{
    const SonicConfig& config = m_place.config;
    const auto ofPort = config.GetQosMap(name, "scheduler");
    if (!ofPort)
    {
        return;
    }
    const auto scheduler = config.GetScheduler(*ofPort);
    Turns rates;
    AddRates(rates, scheduler, 0);
    turns.portRate = 8 * scheduler.pir;
    turns.burst = std::max(turns.burst, rates.burst);
}

Ptr<EgressScheduler>
SonicClasses::SchedulerOf(uint32_t port)
{
    const SonicConfig& config = m_place.config;
    const std::string& name = m_place.ports[port].name;
    Turns turns;
    bool isSaid = false;
    for (uint32_t queue = 0; queue < TRAFFIC_CLASSES; ++queue)
    {
        const auto* const entry = config.FindOf("QUEUE", name, queue);
        const auto found = entry ? entry->find("scheduler") : SonicConfig::Fields::const_iterator();
        uint32_t weight = 1;
        if (entry && found != entry->end())
        {
            const auto scheduler = config.GetScheduler(found->second);
            AddQueue(turns, name + "|" + std::to_string(queue), queue, scheduler);
            weight = scheduler.weight;
            isSaid = true;
        }
        turns.weights += (queue ? " " : "") + std::to_string(weight);
    }
    AddPort(turns, name);
    isSaid = isSaid || turns.portRate > 0;
    if (!isSaid)
    {
        return nullptr;
    }
    const bool isShaped = !turns.maxRates.empty() || !turns.minRates.empty() || turns.portRate > 0;
    ObjectFactory factory(isShaped ? "ns3::ShapedScheduler" : "ns3::DwrrScheduler");
    const auto set = [&](const std::string& attribute, const AttributeValue& value) {
        m_place.options.Set(factory, attribute, value);
    };
    set("StrictClasses", UintegerValue(turns.strict));
    set("RoundUnit", StringValue(turns.isInFrames ? "Frames" : "Bytes"));
    set("Weights", StringValue(turns.weights));
    if (isShaped)
    {
        set("StrictRate", StringValue(""));
        set("MaxRates", StringValue(turns.maxRates));
        set("MinRates", StringValue(turns.minRates));
        set("PortRate", StringValue(turns.portRate ? std::to_string(turns.portRate) + "bps" : ""));
        if (turns.burst > 0)
        {
            set("Burst", UintegerValue(turns.burst));
        }
    }
    return factory.Create<EgressScheduler>();
}

// ---- ECN

void
SonicClasses::ApplyMarks()
{
    const SonicConfig& config = m_place.config;
    if (!config.HasTable("QUEUE"))
    {
        return;
    }
    const auto marker = DynamicCast<WredEcnMarker>(m_place.fabricSwitch->GetEcnMarker());
    std::optional<bool> drops;     // of profiles in use
    m_place.fabricSwitch->Start(); // the marker knows its ports then
    for (uint32_t index = 0; index < m_place.ports.size() * TRAFFIC_CLASSES; ++index)
    {
        const uint32_t port = index / TRAFFIC_CLASSES;
        const uint32_t queue = index % TRAFFIC_CLASSES;
        const auto* const entry = config.FindOf("QUEUE", m_place.ports[port].name, queue);
        const auto found =
            entry ? entry->find("wred_profile") : SonicConfig::Fields::const_iterator();
        const bool hasProfile = entry && found != entry->end();
        if (!marker && hasProfile)
        {
            config.Fail("WRED_PROFILE",
                        found->second,
                        "the ECN marker of " + m_place.name + " is no WredEcnMarker",
                        "leave EcnMarker as it is");
        }
        if (!marker)
        {
            continue;
        }
        WredEcnMarker::Curve curve{EcnMarker::NEVER, EcnMarker::NEVER, 0, 0};
        if (hasProfile)
        {
            const SonicConfig::Wred wred = config.GetWred(found->second);
            drops = drops.value_or(false) || wred.drops;
            if (wred.asks && !wred.marks)
            {
                m_place.Find("sonic-wred",
                             config.PlaceOf("WRED_PROFILE", wred.name) +
                                 ": ecn marks no frame without wred_green_enable",
                             "give wred_green_enable true",
                             {},
                             Level::UNUSED);
            }
            if (wred.marks)
            {
                curve = {wred.min, wred.max, wred.percent / 100.0, 0};
            }
        }
        const auto has = [&](const char* name) {
            return m_place.Has(WredEcnMarker::GetTypeId(), name);
        };
        if (has("Kmin") || has("Kmax") || has("Pmax"))
        {
            continue;
        }
        const WredEcnMarker::Curve before = marker->GetCurve(port, queue);
        const uint8_t own = marker->GetOwnValues(port, queue);
        m_place.undos.emplace_back([=] {
            marker->SetThresholds(port, queue, before.kmin, before.kmax, before.pmax);
            marker->ClearThresholds(port, queue, WredEcnMarker::WHOLE_CURVE & ~own);
        });
        marker->SetThresholds(port, queue, curve.kmin, curve.kmax, curve.pmax);
    }
    if (drops)
    {
        m_place.Set(m_place.fabricSwitch, "DropNonEct", BooleanValue(*drops));
    }
}

// ---- watchdogs

void
SonicClasses::RequireNoWatchdog(uint64_t ports, uint8_t classes) const
{
    const FabricSwitch& fabricSwitch = *m_place.fabricSwitch;
    for (uint32_t i = 0; i < fabricSwitch.GetNExtensions(); ++i)
    {
        const auto watchdog = DynamicCast<PfcWatchdog>(fabricSwitch.GetExtension(i));
        for (uint32_t port = 0; watchdog && port < m_place.ports.size(); ++port)
        {
            if ((ports >> port & 1) && (watchdog->GetActedClasses(fabricSwitch, port) & classes))
            {
                m_place.config.Fail("PFC_WD",
                                    m_place.ports[port].name,
                                    m_place.name + " has a watchdog of that port already",
                                    "of another file or of the script; leave one of the two out");
            }
        }
    }
}

void
SonicClasses::ApplyWatchdogs()
{
    const SonicConfig& config = m_place.config;
    /// Action, detection, restoration and classes.
    using Kind = std::tuple<std::string, uint32_t, uint32_t, uint8_t>;
    std::map<Kind, uint64_t> kinds; // masks of ports
    for (uint32_t port = 0; port < m_place.ports.size(); ++port)
    {
        const std::string& name = m_place.ports[port].name;
        const auto watchdog = config.GetWatchdog(name);
        const auto said = config.GetPriorities(name, "pfcwd_sw_enable");
        const uint8_t classes = said.value_or(m_place.GetPfcClasses(port));
        if (!watchdog)
        {
            continue;
        }
        if (watchdog->detection == 0)
        {
            config.Fail("PFC_WD", name, "there is no detection_time", "such as 200, in ms");
        }
        const uint8_t pausable = m_place.GetDevice(port)->GetPausableQueues();
        if (!(classes & pausable))
        {
            continue;
        }
        if (port >= 64)
        {
            config.Fail("PFC_WD",
                        name,
                        "the watchdog of port " + std::to_string(port),
                        "watchdogs are chosen for ports 0 to 63");
        }
        kinds[{watchdog->action, watchdog->detection, watchdog->restoration, classes}] |=
            uint64_t{1} << port;
    }
    static const std::map<std::string, std::string> ACTIONS = {{"drop", "Drop"},
                                                               {"forward", "Forward"},
                                                               {"alert", "Alert"}};
    for (const auto& [kind, ports] : kinds)
    {
        const auto& [action, detection, restoration, classes] = kind;
        if (action != "alert")
        {
            RequireNoWatchdog(ports, classes);
        }
        ObjectFactory factory("ns3::PfcWatchdog");
        const auto set = [&](const std::string& attribute, const AttributeValue& value) {
            m_place.options.Set(factory, attribute, value);
        };
        set("Action", StringValue(ACTIONS.at(action)));
        set("DetectionTime", TimeValue(MilliSeconds(detection)));
        set("RestorationTime", TimeValue(MilliSeconds(restoration)));
        set("Classes", UintegerValue(classes));
        set("Ports", UintegerValue(ports));
        if (const auto poll = config.GetPollInterval())
        {
            set("PollInterval", TimeValue(MilliSeconds(*poll)));
        }
        set("BigRedSwitch",
            BooleanValue(config.Get("PFC_WD", "GLOBAL", "BIG_RED_SWITCH") == "enable"));
        m_place.fabricSwitch->AddExtension(factory.Create<SwitchExtension>());
    }
}

} // namespace ns3
