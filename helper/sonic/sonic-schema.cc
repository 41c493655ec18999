// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-schema.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr int64_t MOST = std::numeric_limits<int64_t>::max();
/// Sizes of buffers and of queues, bytes.
constexpr int64_t MOST_BYTES = int64_t{1} << 40;
/// Rates of schedulers, bytes a second: 1.6 Tb/s.
constexpr int64_t MOST_RATE = 200000000000;

SonicField
Text(const std::string& name, const std::string& unused = "")
{
    return {name, SonicField::TEXT, 0, 0, "", unused};
}

SonicField
Number(const std::string& name, int64_t min, int64_t max, const std::string& unused = "")
{
    return {name, SonicField::NUMBER, min, max, "", unused};
}

SonicField
Word(const std::string& name, const std::string& words, const std::string& unused = "")
{
    return {name, SonicField::WORD, 0, 0, words, unused};
}

SonicField
Classes(const std::string& name)
{
    return {name, SonicField::CLASSES, 0, 0, "", ""};
}

SonicField
Reference(const std::string& name, const std::string& table, const std::string& unused = "")
{
    return {name, SonicField::REFERENCE, 0, 0, table, unused};
}

/// A table of entries with fields.
SonicSchema
Fields(const std::string& name,
       SonicSchema::Keys keys,
       const std::vector<SonicField>& fields,
       const std::string& global = "")
{
    return {name, keys, global, SonicSchema::FIELDS, fields, 0, 0, "", false};
}

/// A table of which the first entry is in force.
SonicSchema
OneEntry(const std::string& name, const std::vector<SonicField>& fields)
{
    return {name, SonicSchema::NAMES, "", SonicSchema::FIELDS, fields, 0, 0, "", true};
}

/// A table of maps.
SonicSchema
Map(const std::string& name, uint32_t from, uint32_t to, const std::string& unused = "")
{
    return {name, SonicSchema::NAMES, "", SonicSchema::MAP, {}, from, to, unused, false};
}

/// A table that has no effect.
SonicSchema
Unused(const std::string& name, SonicSchema::Keys keys, const std::string& unused)
{
    return {name, keys, "", SonicSchema::FIELDS, {}, 0, 0, unused, false};
}

/// @return the fields of WRED_PROFILE
std::vector<SonicField>
WredFields()
{
    const std::string green = "all frames are green";
    std::vector<SonicField> fields = {
        Word("ecn",
             "ecn_none|ecn_green|ecn_yellow|ecn_red|ecn_green_yellow|ecn_green_red|ecn_yellow_red|"
             "ecn_all"),
    };
    for (const std::string colour : {"green", "yellow", "red"})
    {
        const std::string why = colour == "green" ? "" : green;
        fields.push_back(Word("wred_" + colour + "_enable", "true|false", why));
        fields.push_back(Number(colour + "_min_threshold", 0, MOST_BYTES, why));
        fields.push_back(Number(colour + "_max_threshold", 0, MOST_BYTES, why));
        fields.push_back(Number(colour + "_drop_probability", 0, 100, why));
        // Of newer releases, beside the thresholds of drops.
        const std::string ecn = "ecn_" + colour;
        fields.push_back(Number(ecn + "_min_threshold", 0, MOST_BYTES, why));
        fields.push_back(Number(ecn + "_max_threshold", 0, MOST_BYTES, why));
        fields.push_back(Number(ecn + "_mark_probability", 0, 100, why));
    }
    return fields;
}

/// @return the fields of PORT_QOS_MAP
std::vector<SonicField>
PortMapFields()
{
    const std::string remark = "switches do not mark frames anew";
    return {
        Reference("dscp_to_tc_map", "DSCP_TO_TC_MAP"),
        Reference("dot1p_to_tc_map", "DOT1P_TO_TC_MAP"),
        Reference("tc_to_queue_map", "TC_TO_QUEUE_MAP"),
        Reference("tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP"),
        Reference("pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE"),
        Reference("pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"),
        Reference("tc_to_dscp_map", "TC_TO_DSCP_MAP", remark),
        Reference("tc_to_dot1p_map", "TC_TO_DOT1P_MAP", remark),
        Reference("scheduler", "SCHEDULER"),
        Classes("pfc_enable"),
        Classes("pfcwd_sw_enable"),
    };
}

/// @return tables of ports, buffers and lengths of cables
std::vector<SonicSchema>
BufferTables()
{
    const std::string perPort = "a port has no limit over all its classes";
    return {
        Fields("PORT",
               SonicSchema::NAMES,
               {Number("speed", 1, 1600000),
                Number("mtu", 68, 9216),
                Number("index", 0, 65535),
                Word("admin_status", "up|down"),
                Word("pfc_asym", "on|off", "PFC is the same in both directions"),
                Text("alias"),
                Text("lanes")}),
        Fields("DEVICE_METADATA", SonicSchema::NAMES, {Text("platform")}),
        {"CABLE_LENGTH", SonicSchema::NAMES, "", SonicSchema::METRES, {}, 0, 0, "", false},
        Fields("BUFFER_POOL",
               SonicSchema::NAMES,
               {Number("size", 0, MOST_BYTES),
                Word("type", "ingress|egress|both"),
                Word("mode", "dynamic|static"),
                Number("xoff", 0, MOST_BYTES),
                Number("percentage", 0, 100)}),
        Fields("BUFFER_PROFILE",
               SonicSchema::NAMES,
               {Reference("pool", "BUFFER_POOL"),
                Number("size", 0, MOST_BYTES),
                Number("dynamic_th", -8, 7),
                Number("static_th", 0, MOST),
                Number("xon", 0, MOST_BYTES),
                Number("xoff", 0, MOST_BYTES),
                Number("xon_offset", 0, MOST_BYTES),
                Word("headroom_type", "static|dynamic"),
                Word("packet_discard_action",
                     "drop|trim",
                     "frames that are not admitted are dropped")}),
        Fields("BUFFER_PG", SonicSchema::PORT_RANGES, {Reference("profile", "BUFFER_PROFILE")}),
        Fields("BUFFER_QUEUE", SonicSchema::PORT_RANGES, {Reference("profile", "BUFFER_PROFILE")}),
        OneEntry("DEFAULT_LOSSLESS_BUFFER_PARAMETER",
                 {Number("default_dynamic_th", -8, 7), Number("over_subscribe_ratio", 0, 1000)}),
        OneEntry("LOSSLESS_TRAFFIC_PATTERN",
                 {Number("mtu", 64, 10240), Number("small_packet_percentage", 0, 100)}),
        Unused("BUFFER_PORT_INGRESS_PROFILE_LIST", SonicSchema::PORTS, perPort),
        Unused("BUFFER_PORT_EGRESS_PROFILE_LIST", SonicSchema::PORTS, perPort),
    };
}

/// @return tables of classes, queues and the watchdog
std::vector<SonicSchema>
ClassTables()
{
    const std::string remark = "switches do not mark frames anew";
    return {
        Map("DSCP_TO_TC_MAP", 63, 7),
        Map("DOT1P_TO_TC_MAP", 7, 7),
        Map("TC_TO_QUEUE_MAP", 7, 7),
        Map("TC_TO_PRIORITY_GROUP_MAP", 7, 7),
        Map("MAP_PFC_PRIORITY_TO_QUEUE", 7, 7),
        Map("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", 7, 7),
        Map("TC_TO_DSCP_MAP", 7, 63, remark),
        Map("TC_TO_DOT1P_MAP", 7, 7, remark),
        Map("MPLS_TC_TO_TC_MAP", 7, 7, "frames have no MPLS labels"),
        Unused("DSCP_TO_FC_MAP", SonicSchema::NAMES, "no route is chosen by class"),
        Unused("EXP_TO_FC_MAP", SonicSchema::NAMES, "no route is chosen by class"),
        Fields("PORT_QOS_MAP", SonicSchema::PORTS, PortMapFields(), "global"),
        Fields("SCHEDULER",
               SonicSchema::NAMES,
               {Word("type", "DWRR|WRR|STRICT"),
                Number("weight", 1, 100),
                Number("priority", 0, 9, "of strict queues the highest goes first"),
                Word("meter_type", "bytes|packets"),
                Number("cir", 0, MOST_RATE),
                Number("pir", 0, MOST_RATE),
                Number("cbs", 0, 0xffffffff),
                Number("pbs", 0, 0xffffffff)}),
        Fields("QUEUE",
               SonicSchema::PORT_RANGES,
               {Reference("scheduler", "SCHEDULER"), Reference("wred_profile", "WRED_PROFILE")}),
        Fields("WRED_PROFILE", SonicSchema::NAMES, WredFields()),
        Fields("PFC_WD",
               SonicSchema::PORTS,
               {Word("action", "drop|forward|alert"),
                Number("detection_time", 100, 5000),
                Number("restoration_time", 100, 60000),
                Number("POLL_INTERVAL", 100, 1000),
                Word("pfc_stat_history", "enable|disable", "counters have no history"),
                Word("BIG_RED_SWITCH", "enable|disable")},
               "GLOBAL"),
    };
}

} // namespace

const SonicField*
SonicSchema::Find(const std::string& field) const
{
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const SonicField& one) {
        return one.name == field;
    });
    return found == fields.end() ? nullptr : &*found;
}

const std::vector<SonicSchema>&
SonicSchema::List()
{
    static const std::vector<SonicSchema> LIST = [] {
        auto all = BufferTables();
        const auto more = ClassTables();
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }();
    return LIST;
}

const SonicSchema*
SonicSchema::FindTable(const std::string& table)
{
    const auto& list = List();
    const auto found = std::find_if(list.begin(), list.end(), [&](const SonicSchema& one) {
        return one.name == table;
    });
    return found == list.end() ? nullptr : &*found;
}

} // namespace ns3
