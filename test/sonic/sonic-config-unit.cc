// SPDX-License-Identifier: GPL-2.0-only

// Configurations of SONiC: what is read, the one form in which it is written, and each mistake.

#include "helper-test-util.h"
#include "refusal-of.h"
#include "sonic-key.h"
#include "sonic-schema.h"

#include "ns3/fabric-error.h"
#include "ns3/sonic-config.h"

#include <set>
#include <string>
#include <vector>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

/// @return a configuration of text with ' in place of "
SonicConfig
ConfigOf(std::string text)
{
    for (char& c : text)
    {
        c = c == '\'' ? '"' : c;
    }
    return SonicConfig::FromText(text, "x.json");
}

/// @return the message of what is wrong in a text; empty: nothing
std::string
WrongIn(const std::string& text)
{
    return RefusalOf<FabricError>([&] { ConfigOf(text); });
}

/// @return names and ranges of a key, or what is wrong with it
std::string
KeyOf(const std::string& text, bool hasRange)
{
    try
    {
        const SonicKey key = SonicKey::Read(text, hasRange ? SonicKey::NounOf("BUFFER_PG") : "");
        std::string all;
        for (const std::string& port : key.ports)
        {
            all += (key.range ? SonicKey::Write(port, *key.range) : port) + " ";
        }
        return all;
    }
    catch (const FabricError& error)
    {
        return error.what();
    }
}

} // namespace

TEST(SonicKey, ListsAndRanges)
{
    EXPECT_EQ(KeyOf("Ethernet0", false), "Ethernet0 ");
    EXPECT_EQ(KeyOf("Ethernet0,Ethernet4", false), "Ethernet0 Ethernet4 ");
    EXPECT_EQ(KeyOf("Ethernet0|3", true), "Ethernet0|3 ");
    EXPECT_EQ(KeyOf("Ethernet0,Ethernet4|3-4", true), "Ethernet0|3-4 Ethernet4|3-4 ");
    EXPECT_EQ(KeyOf("CPU|0-47", true), "CPU|0-47 ");
    EXPECT_EQ(KeyOf("Ethernet0|3-3", true), "Ethernet0|3 ");
}

TEST(SonicKey, Mistakes)
{
    for (const char* text : {"Ethernet0",
                             "h|asic0|Ethernet0|3",
                             "Ethernet0,|3",
                             "Ethernet0,Ethernet0|3",
                             "Ethernet0|4-3",
                             "Ethernet0|1-2-3",
                             "Ethernet0|x",
                             "Ethernet0|64",
                             "Ethernet0|-3"})
    {
        EXPECT_NE(KeyOf(text, true).find("; "), std::string::npos) << KeyOf(text, true);
    }
    EXPECT_NE(KeyOf("Ethernet0|3", false).find("; "), std::string::npos) << "no range there";
}

TEST(SonicKey, OrderIsThatOfPeople)
{
    const std::vector<std::string> sorted = {"",
                                             "Ethernet",
                                             "Ethernet0",
                                             "Ethernet4",
                                             "Ethernet12",
                                             "Ethernet12|3",
                                             "Ethernet12|3-4",
                                             "Ethernet100",
                                             "Ethernet99999999999999999999999"};
    for (std::size_t i = 0; i < sorted.size(); ++i)
    {
        for (std::size_t j = 0; j < sorted.size(); ++j)
        {
            EXPECT_EQ(SonicOrder()(sorted[i], sorted[j]), i < j) << sorted[i] << ", " << sorted[j];
        }
    }
    EXPECT_NE(SonicOrder()("a07", "a7"), SonicOrder()("a7", "a07")) << "two names";
}

TEST(SonicConfig, BothFormsOfReferencesAreOne)
{
    const char* const PORTS = "'PORT': {'Ethernet0': {'speed': '100000'}, 'Ethernet4': {'speed': "
                              "'100000'}}, 'SCHEDULER': {'s.0': {'type': 'DWRR'}}";
    const std::string ports = PORTS;
    const auto older = ConfigOf("{" + ports +
                                ", 'QUEUE': {'Ethernet4,Ethernet0|3-4': {'scheduler': "
                                "'[SCHEDULER|s.0]'}}}");
    const auto newer =
        ConfigOf("{'QUEUE': {'Ethernet0|3-4': {'scheduler': 's.0'}, 'Ethernet4|3-4': "
                 "{'scheduler': 's.0'}}, " +
                 ports + "}");
    EXPECT_TRUE(older == newer);
    EXPECT_EQ(older.ToText(), newer.ToText());
    ASSERT_NE(older.FindOf("QUEUE", "Ethernet4", 4), nullptr);
    EXPECT_EQ(older.FindOf("QUEUE", "Ethernet4", 5), nullptr);
    EXPECT_EQ(older.FindOf("QUEUE", "Ethernet", 4), nullptr);
}

TEST(SonicConfig, ListsAndTextsAreOne)
{
    const auto list = ConfigOf("{'PORT_QOS_MAP': {'Ethernet0': {'pfc_enable': ['4', '3']}}}");
    const auto text = ConfigOf("{'PORT_QOS_MAP': {'Ethernet0': {'pfc_enable': '3,4'}}}");
    const auto numbers = ConfigOf("{'PORT_QOS_MAP': {'Ethernet0': {'pfc_enable': [3, 4]}}}");
    EXPECT_TRUE(list == text);
    EXPECT_TRUE(numbers == text);
    EXPECT_EQ(list.GetPriorities("Ethernet0", "pfc_enable").value(), 0x18);
    EXPECT_FALSE(list.GetPriorities("Ethernet0", "pfcwd_sw_enable"));
    const auto none = ConfigOf("{'PORT_QOS_MAP': {'Ethernet0': {'pfc_enable': ''}}}");
    EXPECT_EQ(none.GetPriorities("Ethernet0", "pfc_enable").value(), 0);
    const auto all = ConfigOf("{'PORT_QOS_MAP': {'global': {'pfc_enable': '3'}}}");
    EXPECT_FALSE(all.GetPriorities("Ethernet0", "pfc_enable")) << "as SONiC has it";
    const auto global = ConfigOf(
        "{'DSCP_TO_TC_MAP': {'A': {}, 'B': {}}, 'PORT_QOS_MAP': {'global': {'dscp_to_tc_map': "
        "'A'}, 'Ethernet4': {'dscp_to_tc_map': 'B'}}}");
    EXPECT_EQ(global.GetQosMap("Ethernet0", "dscp_to_tc_map").value(), "A");
    EXPECT_EQ(global.GetQosMap("Ethernet4", "dscp_to_tc_map").value(), "B");
}

TEST(SonicConfig, WritesOneForm)
{
    const auto config =
        ConfigOf("{'PORT': {'Ethernet12': {'speed': '0025000', 'alias': 'a\\\"'}, "
                 "'Ethernet4': {'mtu': '1500', 'speed': '100000'}}, 'VLAN': {}, "
                 "'CABLE_LENGTH': {'AZURE': {'Ethernet12': '05m'}}, 'BUFFER_PG': {}}");
    const std::string expected = R"({
    "BUFFER_PG": {},
    "CABLE_LENGTH": {
        "AZURE": {
            "Ethernet12": "5m"
        }
    },
    "PORT": {
        "Ethernet4": {
            "mtu": "1500",
            "speed": "100000"
        },
        "Ethernet12": {
            "alias": "a\"",
            "speed": "25000"
        }
    }
}
)";
    EXPECT_EQ(config.ToText(), expected);
    EXPECT_EQ(SonicConfig::FromText(expected, "y.json").ToText(), expected);
    EXPECT_EQ(SonicConfig().ToText(), "{}\n");
    EXPECT_TRUE(ConfigOf("{}") == SonicConfig());
}

TEST(SonicConfig, DumpsAndOlderNamesAreTables)
{
    const auto plain =
        ConfigOf("{'PFC_WD': {'GLOBAL': {'POLL_INTERVAL': '200'}}, 'PORT': {'Ethernet0': {'lanes': "
                 "'1,2', 'speed': '100000'}, 'Ethernet4': {}}}");
    const auto dump =
        ConfigOf("{'PFC_WD_TABLE|GLOBAL': {'POLL_INTERVAL': '200'}, 'PORT|Ethernet4': {'type': "
                 "'hash', 'value': {'NULL': 'NULL'}}, 'VLAN|Vlan2': {}, 'VLAN|Vlan3': {}, "
                 "'PORT|Ethernet0': {'ttl': -1, 'type': 'hash', 'value': {'lanes@': '1,2', "
                 "'speed': '100000'}}}");
    EXPECT_EQ(dump.ToText(), plain.ToText());
    EXPECT_EQ(dump.GetOtherTables().size(), 1U) << "VLAN";
    EXPECT_EQ(plain.GetPorts().front().lanes, 2U);
    EXPECT_TRUE(ConfigOf("{'PFC_WD_TABLE': {'GLOBAL': {}}}").HasTable("PFC_WD"));
    EXPECT_EQ(WrongIn("{\n'PORT|a': {},\n'PORT|b': {'speed': 'x'}}").substr(0, 18),
              "x.json:3: PORT \"b\"");
}

TEST(SonicConfig, ShippedFilesGoRound)
{
    for (const std::string name : {"leaf", "spine"})
    {
        const auto read =
            SonicConfig::Read(LOSSLESS_SOURCE_DIR "/examples/sonic/" + name + ".json");
        EXPECT_FALSE(read.GetTable("BUFFER_PG").empty());
        const std::string text = read.ToText();
        const auto again = SonicConfig::FromText(text, "again.json");
        EXPECT_TRUE(again == read) << name;
        EXPECT_EQ(again.ToText(), text) << name;
        EXPECT_EQ(text.find("[BUFFER"), std::string::npos) << "one form of references";
    }
}

TEST(SonicConfig, PortsInOrder)
{
    const auto names = [](const SonicConfig& config) {
        std::string all;
        for (const auto& port : config.GetPorts())
        {
            all += port.name + " ";
        }
        return all;
    };
    EXPECT_EQ(names(ConfigOf("{'PORT': {'Ethernet100': {}, 'Ethernet8': {}, 'Ethernet16': "
                             "{'admin_status': 'down'}}}")),
              "Ethernet8 Ethernet100 ");
    EXPECT_EQ(names(ConfigOf("{'PORT': {'Ethernet0': {'index': '2'}, 'Ethernet4': {'index': '1'}, "
                             "'Ethernet3': {'index': '1'}}}")),
              "Ethernet3 Ethernet4 Ethernet0 ");
    EXPECT_EQ(names(ConfigOf("{'PORT': {'Ethernet0': {'index': '2'}, 'Ethernet4': {}}}")),
              "Ethernet0 Ethernet4 ")
        << "an index that only some have decides nothing";
}

TEST(SonicConfig, Numbers)
{
    const auto config = ConfigOf(
        "{'BUFFER_POOL': {'p': {'size': '1000', 'type': 'ingress', 'xoff': '5'}, 'q': {'type': "
        "'egress'}}, 'BUFFER_PROFILE': {'a': {'pool': 'p', 'size': '7', 'dynamic_th': '-8', "
        "'xoff': "
        "'9', 'xon': '2', 'xon_offset': '3'}, 'b': {'static_th': '12', 'headroom_type': "
        "'dynamic'}}, "
        "'SCHEDULER': {'s': {'type': 'STRICT', 'pir': '10', 'meter_type': 'packets'}, 't': {}}, "
        "'WRED_PROFILE': {'w': {'ecn': 'ecn_green_red', 'wred_green_enable': 'true', "
        "'green_min_threshold': '3', "
        "'green_max_threshold': '4', 'green_drop_probability': '5'}, 'v': {'ecn': 'ecn_all', "
        "'green_min_threshold': '3', 'green_max_threshold': '4', 'ecn_green_min_threshold': '1', "
        "'ecn_green_max_threshold': '2', 'ecn_green_mark_probability': '6'}, 'n': {'ecn': "
        "'ecn_yellow_red'}}, "
        "'PFC_WD': {'GLOBAL': {'POLL_INTERVAL': '200'}, 'Ethernet0': {'action': 'alert', "
        "'detection_time': '300', 'restoration_time': '400'}}, "
        "'CABLE_LENGTH': {'AZURE': {'Ethernet0': '40m'}}, "
        "'DSCP_TO_TC_MAP': {'A': {'3': '4', '63': '0'}}}");
    ASSERT_EQ(config.GetPools().size(), 2U);
    EXPECT_EQ(config.GetPools()[0].size.value(), 1000U);
    EXPECT_EQ(config.GetPools()[0].xoff, 5U);
    EXPECT_TRUE(config.GetPools()[0].isIngress);
    EXPECT_FALSE(config.GetPools()[1].isIngress);
    EXPECT_FALSE(config.GetPools()[1].size);
    const auto profile = config.GetProfile("a");
    EXPECT_EQ(profile.pool, "p");
    EXPECT_EQ(profile.size, 7U);
    EXPECT_EQ(profile.dynamicTh.value(), -8);
    EXPECT_EQ(profile.xoff.value(), 9U);
    EXPECT_EQ(profile.xon.value(), 2U);
    EXPECT_EQ(profile.xonOffset.value(), 3U);
    EXPECT_FALSE(profile.isDynamic);
    EXPECT_EQ(config.GetProfile("b").staticTh.value(), 12U);
    EXPECT_TRUE(config.GetProfile("b").isDynamic);
    EXPECT_EQ(config.GetScheduler("s").type, SonicConfig::Scheduler::STRICT);
    EXPECT_EQ(config.GetScheduler("s").pir, 10U);
    EXPECT_TRUE(config.GetScheduler("s").ofPackets);
    EXPECT_EQ(config.GetScheduler("t").type, SonicConfig::Scheduler::WRR) << "SONiC's default";
    EXPECT_EQ(config.GetScheduler("t").weight, 1U);
    EXPECT_TRUE(config.GetWred("w").marks);
    EXPECT_EQ(config.GetWred("w").max, 4U);
    EXPECT_EQ(config.GetWred("w").percent, 5U);
    EXPECT_TRUE(config.GetWred("v").marks) << "thresholds of marks need no WRED";
    EXPECT_EQ(config.GetWred("v").max, 2U) << "thresholds of marks win over those of drops";
    EXPECT_EQ(config.GetWred("v").percent, 6U);
    EXPECT_FALSE(config.GetWred("n").marks);
    EXPECT_EQ(config.GetWatchdog("Ethernet0")->action, "alert");
    EXPECT_EQ(config.GetWatchdog("Ethernet0")->restoration, 400U);
    EXPECT_FALSE(config.GetWatchdog("Ethernet4"));
    EXPECT_EQ(config.GetPollInterval().value(), 200U);
    EXPECT_EQ(config.GetMetres("Ethernet0").value(), 40U);
    EXPECT_FALSE(config.GetMetres("Ethernet4"));
    EXPECT_EQ(config.GetMap("DSCP_TO_TC_MAP", "A"),
              (std::map<uint32_t, uint32_t>{{3, 4}, {63, 0}}));
}

TEST(SonicConfig, MistakesNameTableAndKey)
{
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"{'PORT': {", ""},
        {"[1]", "the file is a list"},
        {" [ ]", "the file is a list"},
        {"[{'PORT': {}}]", "the file is a list"},
        {"{'': {}}", "no table has a name"},
        {"'text'", "no configuration"},
        {"{'PORT': 'x'}", "PORT is \"x\""},
        {"{'PORT': {}, 'PORT': {}}", "the table PORT"},
        {"{'PORT': {'a': 'b'}}", "PORT \"a\": the entry is no table of fields"},
        {"{'PORT': ['a']}", "PORT is a list, or an entry of it has no name"},
        {"{'PORT': {'a': ['b']}}", "PORT \"a\": the entry is a list"},
        {"{'PORT': {'a': {}, 'a': {}}}", "PORT \"a\": the entry"},
        {"{'PORT': {'a': {'alias': 'x\\ny'}}}", "PORT \"a\": \"x\\x0ay\" has a control character"},
        {"{'PORT': {'a': {'speed': '1', 'speed': '1'}}}", "PORT \"a\": speed"},
        {"{'PORT': {'a': {'speed': {'x': '1'}}}}", "PORT \"a\": a value is a table"},
        {"{'PORT': {'a': {'speed': 'fast'}}}", "PORT \"a\": speed"},
        {"{'PORT': {'a': {'speed': '0'}}}", "PORT \"a\": speed is \"0\""},
        {"{'PORT': {'a': {'mtu': '9217'}}}", "PORT \"a\": mtu"},
        {"{'PORT': {'a': {'admin_status': 'upp'}}}", "PORT \"a\": admin_status is \"upp\""},
        {"{'CABLE_LENGTH': {'AZURE': {'a': '5'}}}",
         "CABLE_LENGTH \"AZURE\": the length of the cable "},
        {"{'BUFFER_PROFILE': {'a': {'dynamic_th': '8'}}}", "dynamic_th"},
        {"{'BUFFER_PROFILE': {'a': {'dynamic_th': '-9'}}}", "dynamic_th"},
        {"{'BUFFER_PROFILE': {'a': {'dynamic_th': '1', 'static_th': '1'}}}",
         "BUFFER_PROFILE \"a\": dynamic_th and static_th"},
        {"{'BUFFER_PROFILE': {'a': {'pool': 'p'}}}", "pool \"p\" is not in BUFFER_POOL"},
        {"{'BUFFER_POOL': {'pool': {}}, 'BUFFER_PROFILE': {'a': {'pool': 'pol'}}}",
         "pool \"pol\" is not in BUFFER_POOL"},
        {"{'BUFFER_POOL': {'p': {'size': '5'}}}", "BUFFER_POOL \"p\""},
        {"{'BUFFER_POOL': {'p': {'type': 'egress'}, 'q': {'type': 'both'}}, 'BUFFER_PROFILE': "
         "{'a': {'xoff': '5'}}}",
         "BUFFER_PROFILE \"a\""},
        {"{'BUFFER_POOL': {'q': {'type': 'ingress'}}, 'BUFFER_PROFILE': {'a': {'size': '5'}}, "
         "'BUFFER_PG': {'a|0': {'profile': 'a'}}}",
         "BUFFER_PROFILE \"a\""},
        {"{'CABLE_LENGTH': {'A': {'a': '5m', 'b': '5m'}, 'B': {'a': '5m', 'b': '40m'}}}",
         "CABLE_LENGTH \"B\": the cable of b has 40m, and "},
        {"{'BUFFER_POOL': {'p': {}}, 'BUFFER_PROFILE': {'a': {'pool': '[POOL|p]'}}}",
         "pool is \"[POOL|p]\""},
        {"{'BUFFER_PG': {'a': {}}}", "BUFFER_PG \"a\": the key is not of the form port"},
        {"{'BUFFER_PG': {'a|3-4': {}, 'a|4': {}}}",
         "BUFFER_PG \"a|4\": the entry overlaps \"a|3-4\""},
        {"{'PORT': {'Ethernet0': {}}, 'BUFFER_PG': {'Ethernet1|3': {}}}",
         "BUFFER_PG \"Ethernet1|3\""},
        {"{'PORT': {'Ethernet0': {}}, 'CABLE_LENGTH': {'A': {'Ethernet1': '5m'}}}",
         "CABLE_LENGTH \"A\""},
        {"{'DSCP_TO_TC_MAP': {'A': {'64': '0'}}}", "DSCP_TO_TC_MAP \"A\": a number of the map"},
        {"{'DSCP_TO_TC_MAP': {'A': {'6': '8'}}}", "DSCP_TO_TC_MAP \"A\": what 6 becomes"},
        {"{'DSCP_TO_TC_MAP': {'A': {'06': '8'}}}", "\"06\" has zeros before it"},
        {"{'PORT_QOS_MAP': {'a': {'pfc_enable': '8'}}}", "a priority of pfc_enable"},
        {"{'PORT_QOS_MAP': {'a': {'pfc_enable': '3,3'}}}", "pfc_enable names 3 twice"},
        {"{'SCHEDULER': {'s': {'pir': '1', 'cir': '2'}}}", "SCHEDULER \"s\": pir is below cir"},
        {"{'SCHEDULER': {'s': {'cbs': '1'}}}", "SCHEDULER \"s\": cbs"},
        {"{'BUFFER_PROFILE': {'p': {'pool': 'x', 'dynamic_th': '-9'}}}", "dynamic_th is \"-9\""},
        {"{'SCHEDULER': {'s': {'weight': '0'}}}", "weight is \"0\""},
        {"{'WRED_PROFILE': {'w': {'green_min_threshold': '1'}}}",
         "green_min_threshold and green_max_threshold are "},
        {"{'WRED_PROFILE': {'w': {'green_min_threshold': '2', 'green_max_threshold': '1'}}}",
         "green_min_threshold and green_max_threshold are no r"},
        {"{'PFC_WD': {'GLOBAL': {'action': 'drop'}}}", "PFC_WD \"GLOBAL\": action is of ports"},
        {"{'PFC_WD': {'a': {'POLL_INTERVAL': '200'}}}", "POLL_INTERVAL is of GLOBAL"},
        {"{'PFC_WD': {'a': {'detection_time': '99'}}}",
         "it must be a whole number from 100 to 5000"},
    };
    for (const auto& [text, wrong] : cases)
    {
        const std::string message = WrongIn(text);
        EXPECT_EQ(message.rfind("x.json:1: ", 0), 0U) << text << " says " << message;
        EXPECT_NE(message.find(wrong), std::string::npos) << text << " says " << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << text;
    }
}

TEST(SonicConfig, MistakesNameTheLine)
{
    EXPECT_EQ(WrongIn("{\n'VLAN': {'a': {}},\n'BUFFER_PG': {\n'a|3': {},\n'b,a|4,5': {}}}"),
              "x.json:5: BUFFER_PG \"b,a|4,5\": a priority group is \"4,5\"; it must be a whole "
              "number from 0 to 63");
    EXPECT_EQ(WrongIn("{\n'BUFFER_PG': {\n'a|3-4': {},\n'b,a|4': {}}}").substr(0, 28),
              "x.json:4: BUFFER_PG \"a|4\": t")
        << "of the key that named the port";
}

TEST(SonicConfig, DeepNestingIsRefusedBeforeTheParser)
{
    const std::string message = WrongIn("{'x': " + std::string(100000, '['));
    EXPECT_NE(message.find("x.json:1: lists and tables within each other, more than 32"),
              std::string::npos)
        << message;
    EXPECT_EQ(WrongIn("{'ACL': '" + std::string(100, '[') + "'}"), "") << "brackets of a text";
}

TEST(SonicConfig, CannotBeRead)
{
    for (const std::string path : {"/nonexistent/config_db.json", "/tmp"})
    {
        EXPECT_EQ(RefusalOf<FabricError>([&] { SonicConfig::Read(path); }),
                  path + ": cannot be read; expected a config_db.json of SONiC");
    }
}

TEST(SonicConfig, NamesWhatHasNoEffect)
{
    const auto config = ConfigOf(
        "{'BGP_NEIGHBOR': {}, 'QUEU': {}, 'PORT': {'a': {'fec': 'rs', 'pfc_asym': 'on'}}, "
        "'BUFFER_PROFILE': {'p': {'dynamc_th': '1'}}, 'BUFFER_QUEUE': {'a|0': {'profile': 'p'}}, "
        "'MPLS_TC_TO_TC_MAP': {'A': {'0': '0'}}, 'QUEUE': {'a|0': {'wred_profile': 'w'}}, "
        "'WRED_PROFILE': {'w': {'wred_red_enable': 'true', 'wred_yellow_enable': 'true'}}}");
    std::vector<std::string> lines;
    for (const Finding& finding : config.GetUnused())
    {
        lines.push_back(finding.rule + " " + finding.ToLine());
    }
    EXPECT_EQ(
        lines,
        (std::vector<std::string>{
            "sonic-unused x.json:1: PORT \"a\": pfc_asym has no effect; PFC is the same in both "
            "directions",
            "sonic-unknown x.json:1: BUFFER_PROFILE \"p\": dynamc_th is not known; did you mean "
            "dynamic_th?",
            "sonic-unused x.json:1: MPLS_TC_TO_TC_MAP \"A\" has no effect; frames have no MPLS "
            "labels",
            "sonic-unused x.json:1: WRED_PROFILE \"w\": wred_red_enable has no effect; all frames "
            "are green",
            "sonic-unknown x.json: the table QUEU is not known; did you mean QUEUE?"}));
    EXPECT_TRUE(ConfigOf("{'PORT': {'a': {'pfc_asym': 'off'}}}").GetUnused().empty());
    EXPECT_EQ(SonicConfig::FromText(config.ToText(), "y").Get("PORT", "a", "fec"), "rs");
}

TEST(SonicConfig, SetAndGet)
{
    SonicConfig config;
    config.Set("PORT", "Ethernet12", "speed", "100000");
    config.Set("PORT", "Ethernet4", "speed", "25000");
    config.Set("PORT", "Ethernet4", "mtu", "1500");
    EXPECT_EQ(config.Get("PORT", "Ethernet4", "speed"), "25000");
    EXPECT_EQ(config.Get("PORT", "Ethernet4", "fec"), "");
    EXPECT_EQ(config.Get("PORT", "Ethernet8", "speed"), "");
    EXPECT_EQ(config.GetTable("PORT").front().first, "Ethernet4");
    EXPECT_TRUE(SonicConfig::FromText(config.ToText(), "x") == config);
}

TEST(SonicSchema, TablesAndFieldsAreThereOnce)
{
    std::set<std::string> tables;
    for (const SonicSchema& schema : SonicSchema::List())
    {
        EXPECT_TRUE(tables.insert(schema.name).second) << schema.name;
        std::set<std::string> fields;
        for (const SonicField& field : schema.fields)
        {
            EXPECT_TRUE(fields.insert(field.name).second) << schema.name << " " << field.name;
            if (field.kind == SonicField::REFERENCE)
            {
                EXPECT_NE(SonicSchema::FindTable(field.words), nullptr) << field.words;
            }
        }
    }
}
