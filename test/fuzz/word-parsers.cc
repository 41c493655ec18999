// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz-target.h"
#include "parsers.h"
#include "refusal.h"
#include "switch-needs.h"

#include "ns3/class-rewriter.h"
#include "ns3/config.h"
#include "ns3/dwrr-scheduler.h"
#include "ns3/ecn-marker.h"
#include "ns3/error-model.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-options.h"
#include "ns3/fabric-places.h"
#include "ns3/fabric-program.h"
#include "ns3/fabric-text.h"
#include "ns3/int-record.h"
#include "ns3/load-balancer.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-loss-recovery.h"
#include "ns3/run-options.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/switch-budget.h"
#include "ns3/switch-extension.h"
#include "ns3/traffic-class-map.h"

#include <set>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace fuzz
{
namespace
{

/// Parse. Errors of helpers are FabricErrors, those of the model std::invalid_arguments.
bool
Takes(const std::function<void()>& parse)
{
    try
    {
        parse();
        return true;
    }
    catch (const FabricError& error)
    {
        CheckRefusal(error.what());
    }
    catch (const std::invalid_argument& error)
    {
        CheckRefusal(FabricError(error.what()).what()); // as FabricProgram would print it
    }
    return false;
}

std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
    {
        parts.push_back(part);
    }
    return parts;
}

// ---- numbers

bool
ParseNumbers(const std::string& input)
{
    bool isAny = Takes([&] { FabricText::ToUint(input, "n"); });
    isAny |= Takes([&] { FabricText::ToUint(input, "n", 7); });
    isAny |= Takes([&] { FabricText::ToReal(input, "x"); });
    isAny |= Takes([&] {
        const double share = FabricText::ToReal(input, "x", 0, 1);
        if (!(share >= 0 && share <= 1))
        {
            Defect("a share is beyond its bounds");
        }
    });
    isAny |= Takes([&] { FabricText::ToBool(input, "b"); });
    isAny |= Takes([&] { FabricText::ToBytes(input, "size"); });
    isAny |= Takes([&] {
        if (FabricText::ToRate(input, "rate").GetBitRate() == 0)
        {
            Defect("a rate is 0");
        }
    });
    isAny |= Takes([&] {
        if (FabricText::ToTime(input, "time").IsStrictlyNegative())
        {
            Defect("a time is negative");
        }
    });
    return isAny;
}

std::vector<std::string>
NumberSeeds(const std::string&)
{
    return {"100Gbps",
            "1e-3ms",
            "64KiB",
            "32MiB",
            "0.5",
            "18446744073709551615",
            "true",
            "2.5Tb/s",
            "9223372036854775807",
            "-1us",
            "1.5GB",
            "8h",
            "1e15",
            "7"};
}

// ---- objects and attributes

/// Whether a type belongs to the module, and objects of it can be made.
bool
IsOurs(TypeId type)
{
    return type.GetGroupName() == "Lossless" && type.HasConstructor();
}

/// All types with a constructor and attributes that can be set, as text with all their defaults, in
/// the order of their names.
std::vector<std::string>
Types(const std::string& before, const std::string& between, const std::string& after, bool full)
{
    std::set<std::string> texts;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        std::string text;
        for (std::size_t k = 0; k < type.GetAttributeN(); ++k)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(k);
            const std::string kind = info.checker->GetValueTypeName();
            const bool isAddress = // whose text differs from run to run
                kind.find("Pointer") != std::string::npos ||
                kind.find("Callback") != std::string::npos;
            if ((info.flags & TypeId::ATTR_CONSTRUCT) && !isAddress)
            {
                text += (text.empty() ? "" : between) + (full ? type.GetName() + "::" : "") +
                        info.name + "=" +
                        info.originalInitialValue->SerializeToString(info.checker);
            }
        }
        if (full ? !text.empty() : IsOurs(type))
        {
            texts.insert((full ? "" : type.GetName()) + before + text + after);
        }
    }
    return {texts.begin(), texts.end()};
}

bool
ParseObject(const std::string& input)
{
    static const std::vector<TypeId> bases{TypeId(),
                                           RdmaCongestionOps::GetTypeId(),
                                           RdmaLossRecovery::GetTypeId(),
                                           EcnMarker::GetTypeId(),
                                           EgressScheduler::GetTypeId(),
                                           LoadBalancer::GetTypeId(),
                                           SwitchExtension::GetTypeId(),
                                           ErrorModel::GetTypeId()};
    bool isTaken = false;
    for (const TypeId& base : bases)
    {
        isTaken |= Takes([&] {
            const ObjectFactory factory = FabricAttributes::ToFactory(input, base);
            if (IsOurs(factory.GetTypeId()))
            {
                factory.Create<Object>(); // what was taken can be made, or is refused by its class
            }
        });
    }
    Simulator::Destroy();
    return isTaken;
}

bool
ParseAttributes(const std::string& input)
{
    const FabricOptions options;
    const bool isTaken = Takes([&] {
        for (const std::string& line : Split(input, '\n'))
        {
            const std::size_t equals = line.find('=');
            options.Add(line.substr(0, equals),
                        equals == std::string::npos ? "" : line.substr(equals + 1));
        }
        options.Apply();
    });
    Config::Reset();
    return isTaken;
}

bool
ParseOptions(const std::string& input)
{
    // What ends the program by design, after printing pages.
    std::vector<std::string> arguments;
    for (const std::string& line : Split(input, '\n'))
    {
        if (line.compare(0, 7, "--Print") != 0)
        {
            arguments.push_back(line);
        }
    }
    FabricProgram program("Takes options.");
    std::string text;
    uint32_t number = 0;
    uint64_t size = 0;
    double share = 0;
    bool flag = false;
    DataRate rate;
    RunOptions run;
    program.AddOption("text", "a text", text);
    program.AddOption("hosts", "a number", number);
    program.AddOption("share", "a real number", share);
    program.AddOption("flag", "a flag", flag);
    program.AddOption("rate", "a rate", rate);
    program.AddSize("size", "a size", size);
    run.AddTo(program);
    const bool isTaken = Takes([&] {
        program.Parse(arguments);
        program.GetOptions();
    });
    Config::Reset();
    return isTaken;
}

std::vector<std::string>
OptionSeeds(const std::string&)
{
    return {"--seed=7\n--run=2\n--hosts=16\n--share=0.5\n--flag\n--rate=100Gbps\n--size=64KiB",
            "--outDir=results\n--files=fct,pfc\n--sample=1us\n--stop=1ms\n--patience=20ms",
            "--ns3::RdmaDcqcn::Dialect=Paper\n--ns3::SwitchMmu::BufferSize=32MiB\n--text=a b",
            "--ns3::RdmaQueuePair::CongestionControl=ns3::RdmaSwift[BaseTarget=10us]\n--progress=0",
            "--RngSeed=1\n--RngRun=18446744073709551615\n--help"};
}

bool
ParseNeed(const std::string& input)
{
    return Takes([&] {
        const SwitchNeed need(RdmaCongestionOps::GetTypeId(), input);
        ObjectFactory factory = need.GetFactory();
    });
}

// ---- texts of attributes of the model

bool
ParsePairs(const std::string& input)
{
    return Takes([&] {
        for (const auto& [first, second] : ClassRewriter::ParsePairs(input, "Map", 63, 7))
        {
            if (first > 63 || second > 7)
            {
                Defect("a pair is beyond its bounds");
            }
        }
    });
}

bool
ParseWeights(const std::string& input)
{
    return Takes([&] {
        const auto scheduler = CreateObject<DwrrScheduler>();
        scheduler->SetAttribute("Weights", StringValue(input));
        StringValue once;
        scheduler->GetAttribute("Weights", once);
        scheduler->SetAttribute("Weights", once);
        StringValue twice;
        scheduler->GetAttribute("Weights", twice);
        if (once.Get() != twice.Get())
        {
            Defect("weights are not what they were");
        }
    });
}

bool
ParseSpeeds(const std::string& input)
{
    return Takes([&] {
        const IntFormat format(input);
        for (uint32_t code = 0; code < IntFormat::SPEEDS; ++code)
        {
            const double speed = format.GetSpeed(code);
            if (speed != 0 && format.CodeOf(speed) != code)
            {
                Defect("two codes of a speed");
            }
        }
    });
}

/// Lines "field number class", and lines "attribute value", of a class map.
bool
ParseClassMap(const std::string& input)
{
    return Takes([&] {
        const auto map = CreateObject<TrafficClassMap>();
        for (const std::string& line : Split(input, '\n'))
        {
            const std::vector<std::string> words = Split(line, ' ');
            if (words.size() == 3)
            {
                const uint64_t number = FabricText::ToUint(words[1], "number", UINT32_MAX);
                const uint64_t cls = FabricText::ToUint(words[2], "class", UINT32_MAX);
                words[0] == "dscp" ? map->SetDscp(number, cls) : map->SetPcp(number, cls);
            }
            else if (words.size() == 2)
            {
                map->SetAttribute(words[0],
                                  *FabricAttributes::Check(TrafficClassMap::GetTypeId(),
                                                           words[0],
                                                           StringValue(words[1])));
            }
        }
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            map->DscpOfClass(cls);
        }
        for (uint8_t dscp = 0; dscp < 64; ++dscp)
        {
            if (map->ClassOfDscp(dscp) >= TRAFFIC_CLASSES || map->ClassOfPcp(dscp) > 7)
            {
                Defect("a class that is none");
            }
        }
    });
}

bool
ParsePlaces(const std::string& input)
{
    return Takes([&] {
        const FabricTopology graph =
            FabricTopology::LeafSpine(2, 2, 2, FabricLinkSpec(), FabricLinkSpec());
        for (const FabricPlace& place : FabricPlaces(input).In(graph))
        {
            if (place.node.Value() >= graph.GetNNodes() ||
                (place.port && *place.port >= graph.GetLinksOf(place.node).size()))
            {
                Defect("a place that is not there");
            }
        }
    });
}

bool
ParsePorts(const std::string& input)
{
    return Takes([&] {
        BudgetCase division;
        division.ports = SwitchBudget::ToPorts(input);
        const SwitchBudget budget(division);
        std::ostringstream text;
        budget.Print(text);
        const uint64_t reserved = budget.GetHeadroom() + budget.GetGuaranteed();
        if (budget.Fits() && reserved + budget.GetShared() > division.bufferBytes)
        {
            Defect("the parts of a buffer exceed it");
        }
    });
}

/// Seeds that do not depend on the repository.
std::function<std::vector<std::string>(const std::string&)>
Texts(std::vector<std::string> texts)
{
    return [texts = std::move(texts)](const std::string&) { return texts; };
}

} // namespace

std::vector<Parser>
WordParsers()
{
    return {
        {"numbers", ParseNumbers, NumberSeeds},
        {"objects", ParseObject, [](const std::string&) { return Types("[", "|", "]", false); }},
        {"attributes",
         ParseAttributes,
         [](const std::string&) { return Types("", "\n", "", true); }},
        {"options", ParseOptions, OptionSeeds},
        {"needs of switches",
         ParseNeed,
         Texts({"ns3::IccSwitch", "ns3::IntStamper[LinkSpeeds=25Gbps 100Gbps|Multiplier=4]"})},
        {"pairs", ParsePairs, Texts({"26:3, 34:4", "0:0", "", "63:7,62 : 6,1:1"})},
        {"weights", ParseWeights, Texts({"1 1 1 1 1 1 1 1", "1 2 3 4 5 6 7 4294967295"})},
        {"speeds", ParseSpeeds, Texts({IntFormat::DEFAULT_SPEEDS, "25Gbps 100Gbps", ""})},
        {"places",
         ParsePlaces,
         Texts({"leaf 1 port 3",
                "leaf to spine class 3,4",
                "all",
                "hosts to leaf 0",
                "leaf plane 0",
                "node 7"})},
        {"ports", ParsePorts, Texts({"32x100Gbps:100,8x400Gbps:300", "1x1Tbps:0"})},
        {"class maps",
         ParseClassMap,
         Texts({"dscp 26 3\ndscp 34 4\npcp 3 3\nTrust Dot1p\nDefaultClass 7",
                "Dscp 26:3,48-55:6\nPcp 3:4",
                "Trust Untrusted\nDefaultClass 0\nTrust Dscp\nTrust Pcp\npcp 7 7"})},
    };
}

std::vector<std::string>
WordsOfParsers()
{
    std::set<std::string> words{"ns3::",
                                "::",
                                "Gbps",
                                "Gb/s",
                                "us",
                                "ms",
                                "KiB",
                                "true",
                                "--",
                                "[",
                                "]",
                                "|",
                                "=",
                                "#",
                                "\n",
                                "\r\n",
                                ",",
                                "\xEF\xBB\xBF",
                                "0 1 100Gbps 1us 0\n",
                                "CC_MODE 3\n",
                                "LINK_DOWN 1 0 1\n",
                                "KMIN_MAP 0\n",
                                "BUFFER_SIZE 0\n",
                                "SIMULATOR_STOP_TIME 1e9\n",
                                "PACKET_PAYLOAD_SIZE 1\n",
                                "26:34,"};
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        words.insert(type.GetName());
        for (std::size_t k = 0; type.GetGroupName() == "Lossless" && k < type.GetAttributeN(); ++k)
        {
            words.insert(type.GetAttribute(k).name + "=");
        }
    }
    return {words.begin(), words.end()};
}

} // namespace fuzz
} // namespace ns3
