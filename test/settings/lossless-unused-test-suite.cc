// SPDX-License-Identifier: GPL-2.0-only

// Settings know themselves: an attribute that its object does not read as others are set is
// `unused`, and is so in truth: another value of it changes nothing. What cannot work is refused.

#include "captured-errors.h"
#include "fabric-test-case.h"

#include "ns3/double.h"
#include "ns3/elephant-separator.h"
#include "ns3/fabric-differences.h"
#include "ns3/fabric-run.h"
#include "ns3/string.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

/// Whose attribute a row is about.
enum Owner
{
    CONTROL,           //!< a congestion control
    QUEUE_PAIR,        //!< RdmaQueuePair
    QUEUE_PAIR_OF_MRC, //!< RdmaQueuePair; others: the transport is RC
    RECOVERY,          //!< a loss recovery
    SCHEDULER,         //!< an egress scheduler
    BALANCER,          //!< a load balancer
    EXTENSION,         //!< an extension of switches
    MARKER,            //!< an ECN marker; others: ECN thresholds by speed
    FABRIC_SWITCH,     //!< FabricSwitch
    MMU_OF_LOSSY,      //!< SwitchMmu; others: no class is lossless
    MMU_OF_ALL,        //!< SwitchMmu; others: all classes are lossless
    MAP,               //!< TrafficClassMap
    PORT               //!< QbbNetDevice
};

/// An attribute that is unused in some circumstances.
struct Row
{
    Owner owner;           //!< whose
    const char* type;      //!< without "ns3::"
    const char* idle;      //!< others, "A=1|B=2", with which it is unused
    const char* busy;      //!< and with which it is not; null: something else must happen
    const char* attribute; //!< its name
    const char* value;     //!< another value than the default
};

const char* const CREDITS = "PfcClasses=0|CbfcClasses=8";
const char* const BIG_RED = "BigRedSwitch=true";
const char* const H3C = "Dialect=ns3::H3cStorm";
const char* const H3C_ONE = "Dialect=ns3::H3cStorm|Limit=1";
const char* const H3C_TWO = "Dialect=ns3::H3cStorm|Limit=2";
const char* const H3C_ALERT = "Dialect=ns3::H3cStorm|Action=Alert";

const Row ROWS[] = {
    {CONTROL, "RdmaDcqcn", "Dialect=Paper", "", "DecreaseTimer", "20us"},
    {CONTROL, "RdmaDcqcn", "Dialect=Paper", "", "MinDecreaseFactor", "0.25"},
    {CONTROL, "RdmaDcqcn", "Dialect=Strawman", "", "FirstCnpFactor", "0.5"},
    {CONTROL, "RdmaDcqcn", "Dialect=Paper", "", "ClampTarget", "true"},
    {CONTROL, "RdmaDcqcn", "", "Dialect=Paper", "ByteCounter", "50000"},
    {CONTROL, "RdmaDcqcn", "MarksInAcks=true", "", "CnpInterval", "20us"},
    {CONTROL, "RdmaHpcc", "", "Telemetry=Pint", "PintBase", "1.1"},
    {CONTROL, "RdmaHpcc", "Telemetry=Growing", "Telemetry=Pint", "PintProbability", "0.5"},
    {CONTROL, "RdmaHpcc", "Telemetry=Pint", "", "MultiRate", "true"},
    {CONTROL, "RdmaHpcc", "Telemetry=Pint", "", "Multiplier", "2"},
    {CONTROL, "RdmaHpcc", "Telemetry=Pint", "", "SampleFeedback", "true"},
    {CONTROL, "RdmaHpcc", "FastReact=false", "", "SampleFeedback", "true"},
    {CONTROL, "RdmaHpcc", "OncePerRtt=false", "", "SampleFeedback", "true"},
    {CONTROL, "RdmaHpcc", "OncePerRtt=false", "", "FastReact", "false"},
    {CONTROL, "RdmaHpcc", "IncreaseRate=100Mbps", "", "AdditiveIncrease", "1000"},
    {CONTROL, "RdmaHpcc", "MinRate=1Gbps", "", "MinWindow", "20000"},
    {CONTROL, "RdmaHpcc", "UseWindow=false", "", "VariableWindow", "false"},
    {CONTROL, "RdmaHpcc", "UseWindow=false", "", "PayloadWindow", "true"},
    {CONTROL, "RdmaTimely", "UpdatePer=RoundTrip", "", "Segment", "4096"},
    {CONTROL, "RdmaTimely", "InitialRate=20Gbps", "", "StartAtLineRate", "true"},
    {CONTROL, "RdmaPatchedTimely", "", "CountBelowLow=true", "HyperIncreaseAfter", "1"},
    {CONTROL, "RdmaPatchedTimely", "", "CountBelowLow=true", "HyperIncreaseFactor", "9"},
    {CONTROL, "RdmaNscc", "QuickAdapt=false", "", "QaGate", "2"},
    {CONTROL, "RdmaNscc", "QuickAdapt=false", "", "QaThreshold", "20us"},
    {CONTROL, "RdmaSwift", "", "EndpointControl=true", "EndpointTarget", "1us"},
    {CONTROL, "RdmaSwift", "", "EndpointControl=true", "EndpointGain", "0.5"},
    {CONTROL, "RdmaSwift", "", "StartAtLineRate=false", "InitialWindow", "5"},
    {CONTROL, "RdmaSwift", "FlowScalingRange=0s", "", "FlowScalingMinWindow", "9"},
    {CONTROL, "RdmaSwift", "FlowScalingRange=0s", "", "FlowScalingMaxWindow", "20"},
    {CONTROL, "RdmaDctcp", "Control=Window", "", "UseWindow", "false"},
    {CONTROL, "RdmaDctcp", "Control=Window", "", "VariableWindow", "true"},
    {CONTROL, "RdmaDctcp", "UseWindow=false", "", "VariableWindow", "true"},
    {CONTROL, "RdmaDctcp", "UseWindow=false", "", "PayloadWindow", "true"},
    {CONTROL, "RdmaDctcp", "UseWindow=false|Increase=1Gbps", "", "BaseRtt", "30us"},
    {CONTROL, "RdmaIcc", "", "Variant=Derived", "LoopDelay", "10us"},
    {CONTROL, "RdmaIcc", "", "Variant=Derived", "SourceDelay", "9us"},
    {CONTROL, "RdmaIcc", "Variant=Derived|LoopDelay=9us", "Variant=Derived", "SourceDelay", "5us"},
    {CONTROL, "RdmaIcc", "Variant=Derived|LoopDelay=9us", "", "SignalDelay", "5us"},
    {QUEUE_PAIR, "RdmaQueuePair", "LossRecovery=ns3::RdmaIrn", "", "RetransmitTimeout", "1ms"},
    {QUEUE_PAIR, "RdmaQueuePair", "LossRecovery=ns3::RdmaIrn", "", "NackInterval", "1us"},
    {QUEUE_PAIR_OF_MRC, "RdmaQueuePair", "MRC", "", "RetransmitTimeout", "1ms"},
    {QUEUE_PAIR_OF_MRC, "RdmaQueuePair", "MRC", "", "RetryLimit", "3"},
    {QUEUE_PAIR_OF_MRC, "RdmaQueuePair", "MRC", "", "RnrTimer", "10us"},
    {QUEUE_PAIR_OF_MRC, "RdmaQueuePair", "MRC", "", "RnrRetryLimit", "1"},
    {QUEUE_PAIR_OF_MRC, "RdmaQueuePair", "MRC", "", "AckInterval", "4"},
    {QUEUE_PAIR_OF_MRC, "RdmaQueuePair", "MRC", "", "AckClass", "5"},
    {QUEUE_PAIR, "RdmaQueuePair", "CongestionControl=ns3::RdmaSwift", "", "CnpClass", "5"},
    {QUEUE_PAIR, "RdmaQueuePair", "PaceByRate=false", "", "Repace", "Next"},
    {RECOVERY, "RdmaIrn", "ReorderThreshold=-1", "", "CountSacked", "false"},
    {SCHEDULER, "DwrrScheduler", "StrictClasses=255", "", "Weights", "1 1 1 5 1 1 1 1"},
    {SCHEDULER, "DwrrScheduler", "StrictClasses=255", "", "RoundUnit", "Frames"},
    {SCHEDULER, "DwrrScheduler", "StrictClasses=255", "", "Quantum", "100"},
    {SCHEDULER, "DwrrScheduler", "RoundUnit=Frames", "", "Quantum", "100"},
    {SCHEDULER, "ShapedScheduler", "", "StrictClasses=8", "StrictRate", "50%"},
    {SCHEDULER, "ShapedScheduler", "", "StrictClasses=8", "Exhausted", "Join"},
    {SCHEDULER, "ShapedScheduler", "", "PortRate=50%", "Burst", "100000"},
    {BALANCER, "AdaptiveLoadBalancer", "", "Granularity=Flowlet", "FlowletTimeout", "1us"},
    {EXTENSION, "ElephantSeparator", "Condition=Rate", "", "ElephantBytes", "1"},
    {EXTENSION, "ElephantSeparator", "Condition=Bytes", "", "ElephantRate", "1bps"},
    {EXTENSION, "ElephantSeparator", "Condition=Bytes", "", "Window", "1us"},
    {EXTENSION, "ElephantSeparator", "Move=Immediate|ElephantBytes=1", "", "FlowletGap", "1us"},
    {EXTENSION, "BorderPolicy", "", "Rules=any drop", "Ports", "0"},
    {EXTENSION, "VlanPorts", "", "Trunk=0", "Vlan", "7"},
    {EXTENSION, "IccSwitch", "TargetBytes=9000", "", "TargetFraction", "0.01"},
    {EXTENSION, "IccSwitch", "TargetBytes=9000", "", "PfcThreshold", "1000"},
    {EXTENSION, "PfcWatchdog", BIG_RED, "", "DetectionTime", "200ms"},
    {EXTENSION, "PfcWatchdog", BIG_RED, "", "PollInterval", "50ms"},
    {EXTENSION, "PfcWatchdog", BIG_RED, "", "TimeScale", "2"},
    {EXTENSION, "PfcWatchdog", "Action=Alert", "", "RestorationTime", "300ms"},
    {EXTENSION, "PfcWatchdog", H3C_ONE, H3C, "ClearTime", "200ms"},
    {EXTENSION, "PfcWatchdog", H3C_ONE, H3C_TWO, "QuietPeriod", "1s"},
    {EXTENSION, "PfcWatchdog", H3C_ONE, H3C, "Action", "Forward"},
    {EXTENSION, "PfcWatchdog", H3C_ALERT, H3C, "Limit", "2"},
    {MARKER, "PolledWredMarker", "", "PollInterval=1us", "WeightExponent", "9"},
    {MARKER, "WredEcnMarker", "thresholds", "", "Kmin", "1"},
    {MARKER, "WredEcnMarker", "thresholds", "", "Kmax", "2000000"},
    {MARKER, "WredEcnMarker", "thresholds", "", "Pmax", "1"},
    {MARKER, "WredEcnMarker", "thresholds", "", "ReferenceRate", "1Gbps"},
    {FABRIC_SWITCH, "FabricSwitch", "EcnEnabled=false", "", "MarkAt", "Enqueue"},
    {FABRIC_SWITCH, "FabricSwitch", "EcnEnabled=false", "", "DropNonEct", "false"},
    {FABRIC_SWITCH, "FabricSwitch", "", "CutThrough=true", "CutThroughBytes", "500"},
    {MMU_OF_LOSSY, "SwitchMmu", "no", "", "Alpha", "0.01"},
    {MMU_OF_LOSSY, "SwitchMmu", "no", "", "XonOffset", "9000"},
    {MMU_OF_LOSSY, "SwitchMmu", "no", "", "HeadroomOversubscription", "2"},
    {MMU_OF_LOSSY, "SwitchMmu", "no", "", "LossyShare", "0.01"},
    {MMU_OF_ALL, "SwitchMmu", "all", "", "LossyAlpha", "0.01"},
    {MMU_OF_ALL, "SwitchMmu", "all", "", "EgressAlpha", "0.01"},
    {MMU_OF_ALL, "SwitchMmu", "all", "", "EgressGuaranteedBytes", "9000"},
    {MAP, "TrafficClassMap", "", "Trust=Dot1p", "DefaultClass", "3"},
    {MAP, "TrafficClassMap", "", "Trust=Dot1p", "Pcp", "3:4"},
    {PORT, "QbbNetDevice", "", nullptr, "ComputeIcrc", "true"},
    {PORT, "QbbNetDevice", "PfcEnabled=false", "", "PfcClasses", "24"},
    {PORT, "QbbNetDevice", "PfcEnabled=false", "", "PfcDialect", "EndlessXoff"},
    {PORT, "QbbNetDevice", "PfcClasses=0", "", "PfcReactionDelay", "1us"},
    {PORT, "QbbNetDevice", "PfcEnabled=false", "", "PfcQuanta", "1000"},
    {PORT, "QbbNetDevice", "PfcDialect=ShortQuanta", "", "PfcQuanta", "1000"},
    {PORT, "QbbNetDevice", "PfcDialect=EndlessXoff", "", "PfcRefreshInterval", "1us"},
    {PORT, "QbbNetDevice", "", CREDITS, "CbfcCredits", "20"},
    {PORT, "QbbNetDevice", "", CREDITS, "CreditBytes", "1000"},
    {PORT, "QbbNetDevice", "", CREDITS, "CreditOverhead", "100"},
    {PORT, "QbbNetDevice", "", CREDITS, "CfMinSpacing", "20000"},
    {PORT, "QbbNetDevice", "", CREDITS, "CcTimer", "10us"},
    {PORT, "QbbNetDevice", "", "LlrEnabled=true", "LlrReplayBytes", "3000"},
    {PORT, "QbbNetDevice", "", "LlrEnabled=true", "LlrReplayTimer", "1us"},
    {PORT, "QbbNetDevice", "", "LlrEnabled=true", "LlrReplayCount", "9"},
    {PORT, "QbbNetDevice", "", "LlrEnabled=true", "LlrAckSpacing", "9000"},
    {PORT, "QbbNetDevice", "", "LlrEnabled=true", "LlrFlushAction", "Discard"},
    {PORT, "QbbNetDevice", "", "LlrEnabled=true", "LlrReInitOnFlush", "true"},
};

/// @param text "A=1|B=2" @param set called with each name and value
template <typename Set>
void
ForEachPair(const std::string& text, const Set& set)
{
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, '|');)
    {
        const std::size_t equals = part.find('=');
        if (equals != std::string::npos)
        {
            set(part.substr(0, equals), StringValue(part.substr(equals + 1)));
        }
    }
}

/// @param row a row @param others what else is set @param isSet whether its attribute has its value
/// @return a star of five hosts that is so
Fabric
Build(const Row& row, const std::string& others, bool isSet)
{
    Simulator::Destroy();
    const std::string assignment = std::string(row.attribute) + "=" + row.value;
    const std::string all =
        others + (others.empty() || !isSet ? "" : "|") + (isSet ? assignment : "");
    const std::string type = std::string("ns3::") + row.type + "[" + all + "]";
    FabricHelper helper;
    helper.AllowLossy();
    helper.SetSwitch("ns3::SwitchMmu",
                     "BufferSize",
                     StringValue(row.owner == MMU_OF_ALL ? "8MiB" : "2MiB"));
    switch (row.owner)
    {
    case CONTROL:
        helper.SetCongestionControl(type);
        break;
    case QUEUE_PAIR:
    case QUEUE_PAIR_OF_MRC:
        if (others == "MRC")
        {
            helper.SetMrc(MicroSeconds(12));
        }
        ForEachPair(all,
                    [&](const auto& name, const auto& value) { helper.SetQueuePair(name, value); });
        break;
    case RECOVERY:
        helper.SetQueuePair("LossRecovery", StringValue(type));
        break;
    case SCHEDULER:
        helper.SetScheduler(type);
        break;
    case BALANCER:
        helper.SetLoadBalancer(type);
        helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn[ReorderThreshold=-1]"));
        break;
    case EXTENSION:
        helper.SetLosslessClasses({3, 4});
        helper.AddSwitchExtension(type);
        break;
    case MARKER:
        if (others == "thresholds")
        {
            helper.SetEcnThresholds(DataRate("100Gbps"), 5000, 90000, 0.1);
        }
        helper.SetEcn(std::string("ns3::") + row.type + "[" +
                      (others == "thresholds" ? (isSet ? assignment : "") : all) + "]");
        break;
    case FABRIC_SWITCH:
        ForEachPair(all, [&](const auto& name, const auto& value) {
            helper.SetSwitch("ns3::FabricSwitch", name, value);
        });
        break;
    case MMU_OF_LOSSY:
    case MMU_OF_ALL:
        if (others == row.idle && others.find('=') == std::string::npos)
        {
            const bool isAll = row.owner == MMU_OF_ALL;
            helper.SetLosslessClasses(isAll ? std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}
                                            : std::vector<uint32_t>{});
        }
        ForEachPair(all, [&](const auto& name, const auto& value) {
            helper.SetSwitch("ns3::SwitchMmu", name, value);
        });
        break;
    case MAP:
        ForEachPair(all, [&](const auto& name, const auto& value) {
            helper.At("all").Set("ns3::TrafficClassMap::" + name, value);
        });
        break;
    case PORT:
        ForEachPair(all, [&](const auto& name, const auto& value) { helper.SetLink(name, value); });
        break;
    }
    return row.owner == BALANCER ? helper.LeafSpine(5, 2, 1) : helper.Star(5);
}

/// @param fabric a fabric @param row of an attribute that is set there @return what became of it
SettingState
StateOf(const Fabric& fabric, const Row& row)
{
    const SettingReport report = FindSettings(fabric, {});
    const std::string end = std::string(".") + row.attribute;
    for (const auto* some : {&report.differences, &report.unused})
    {
        for (const SettingDifference& one : *some)
        {
            const std::size_t place = one.name.rfind(end);
            if (place != std::string::npos && place + end.size() == one.name.size() &&
                one.state != SettingState::IN_FORCE)
            {
                return one.state;
            }
        }
    }
    return SettingState::IN_FORCE;
}

/// @param fabric a fabric @return what comes of an incast there
std::string
ResultsOf(const Fabric& fabric)
{
    const CapturedErrors errors;
    RunOptions options;
    options.stop = MicroSeconds(400);
    FabricRun run(fabric, options);
    for (uint32_t host = 1; host < fabric.GetNHosts(); ++host)
    {
        run.Rdma().Add({host, 0, 200000 + host * 3000, NanoSeconds(host * 100)});
    }
    std::ostringstream results;
    run.Rdma().OnEnd([&results](const RdmaFlowResult& result) {
        results << result.index << " at " << result.fct.GetPicoSeconds() << ", ";
    });
    run.Execute();
    for (const NamedTotal& total : run.GetTotals().List())
    {
        for (const char* name : {"ecn_marks", "pfc_xoff_frames", "lossy_drops", "data_packets"})
        {
            results << (total.name == name ? total.ToText() + " " + name + ", " : "");
        }
    }
    return results.str();
}

/// All rows.
class RowTest : public FabricTestCase
{
  public:
    RowTest()
        : FabricTestCase("What is unused is said so, and changes nothing")
    {
    }

  private:
    void DoRun() override
    {
        for (const Row& row : ROWS)
        {
            const std::string what =
                std::string(row.type) + "::" + row.attribute + " with " + row.idle;
            NS_TEST_EXPECT_MSG_EQ(
                (StateOf(Build(row, row.idle, true), row) == SettingState::UNUSED),
                true,
                what << " is unused");
            NS_TEST_EXPECT_MSG_EQ(ResultsOf(Build(row, row.idle, true)),
                                  ResultsOf(Build(row, row.idle, false)),
                                  what);
            if (row.busy)
            {
                NS_TEST_EXPECT_MSG_EQ(
                    (StateOf(Build(row, row.busy, true), row) == SettingState::IN_FORCE),
                    true,
                    what << " is used with " << row.busy);
            }
        }
    }
};

/// No attribute is forgotten.
class CompleteTest : public TestCase
{
  public:
    CompleteTest()
        : TestCase("Each attribute that may be unused has a row")
    {
    }

  private:
    void DoRun() override
    {
        std::set<std::string> names;
        for (const Row& row : ROWS)
        {
            names.insert(row.attribute);
        }
        std::size_t count = 0;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId type = TypeId::GetRegistered(i);
            for (std::size_t k = 0; k < type.GetAttributeN(); ++k)
            {
                const auto info = type.GetAttribute(k);
                const auto* const used = FindAccessor<UsedAccessor>(PeekPointer(info.accessor));
                count += used != nullptr;
                NS_TEST_EXPECT_MSG_EQ((!used || names.count(info.name)),
                                      true,
                                      type.GetName() << "::" << info.name);
            }
        }
        NS_TEST_EXPECT_MSG_GT(count, 60, "all of them");
    }
};

/// What a run prints.
class LineTest : public FabricTestCase
{
  public:
    LineTest()
        : FabricTestCase("A run names what is unused, and what came too late, on one line each")
    {
    }

  private:
    /// @return what a run of a fabric writes to standard error
    static std::string Run(const Fabric& fabric, const ObjectFactory& control = ObjectFactory())
    {
        CapturedErrors errors;
        RunOptions options;
        options.stop = MicroSeconds(100);
        FabricRun run(fabric, options);
        if (control.IsTypeIdSet())
        {
            run.Rdma().SetCongestionControl(control);
        }
        run.Rdma().Add({1, 0, 1000, Time(0)});
        run.Execute();
        return errors.Take();
    }

    void DoRun() override
    {
        const std::string begin = "lossless: warning: ";
        NS_TEST_EXPECT_MSG_EQ(Run(FabricHelper().Star(2)), "", "nothing is set");
        Simulator::Destroy();
        FabricHelper hpcc;
        hpcc.SetCongestionControl("ns3::RdmaHpcc", "PintBase", DoubleValue(1.1));
        const std::string line = ": RdmaHpcc.PintBase is unused, as it needs Telemetry Pint; "
                                 "settings.csv has all\n";
        NS_TEST_EXPECT_MSG_EQ(Run(hpcc.Star(2)), begin + "all" + line, "of the fabric");
        Simulator::Destroy();
        FabricHelper stamps;
        stamps.AddSwitchExtension("ns3::IntStamper", "PintBase", DoubleValue(1.1));
        const ObjectFactory control("ns3::RdmaHpcc", "PintBase", DoubleValue(1.1));
        NS_TEST_EXPECT_MSG_EQ(Run(stamps.Star(2), control),
                              begin + "queue pairs of flows" + line,
                              "of flows");
        Simulator::Destroy();
        Config::SetDefault("ns3::PfcWatchdog::TimeScale", DoubleValue(3));
        NS_TEST_EXPECT_MSG_EQ(Run(FabricHelper().Star(2)),
                              begin + "PfcWatchdog.TimeScale is unused, as it needs an object of "
                                      "ns3::PfcWatchdog; settings.csv has all\n",
                              "of no object");
        Config::Reset();
        Late(begin);
        Replaced();
    }

    /// What a run has read, and no longer reads at its end.
    void Replaced()
    {
        const std::pair<const char*, const char*> changes[] = {
            {"ns3::SwitchMmu::StaticThreshold", "90000"}, // in place of Alpha
            {"ns3::FabricSwitch::EcnEnabled", "false"},
            {"ns3::QbbNetDevice::PfcEnabled", "false"},
            {"ns3::FabricSwitch::EcnMarker", "ns3::PcnMarker"}};
        for (const auto& [name, value] : changes)
        {
            Simulator::Destroy();
            Config::SetDefault("ns3::WredEcnMarker::Pmax", DoubleValue(0.5));
            FabricHelper helper;
            helper.AllowLossy();
            helper.SetLink("PfcQuanta", UintegerValue(9000));
            helper.SetSwitch("ns3::SwitchMmu", "Alpha", DoubleValue(0.5));
            helper.SetSwitch("ns3::FabricSwitch", "DropNonEct", StringValue("false"));
            const Fabric fabric = helper.Star(2);
            Simulator::Schedule(MicroSeconds(1), [&, name = name, value = value] {
                fabric.At("all").Set(name, StringValue(value));
            });
            NS_TEST_EXPECT_MSG_EQ(Run(fabric), "", "used before " << name);
            Config::Reset();
        }
    }

    /// What FabricHelper is told after it has built. @param begin of a line
    void Late(const std::string& begin)
    {
        Simulator::Destroy();
        FabricHelper helper;
        const Fabric fabric = helper.Star(2);
        helper.SetCongestionControl("ns3::RdmaTimely", "Beta", DoubleValue(0.5));
        helper.SetSwitch("ns3::SwitchMmu", "Alpha", DoubleValue(0.5));
        NS_TEST_EXPECT_MSG_EQ(Run(fabric),
                              begin + "what FabricHelper was told after it had built the fabric is "
                                      "not in force: ns3::RdmaTimely, ns3::RdmaTimely Beta, "
                                      "SetSwitch Alpha; say it before, or build the fabric anew\n",
                              "late");
        Simulator::Destroy();
        const Fabric first = helper.Star(2);
        helper.SetSwitch("ns3::SwitchMmu", "Alpha", DoubleValue(0.25));
        const Fabric second = helper.Star(3);
        NS_TEST_EXPECT_MSG_EQ(first.GetLate() + second.GetLate(), "", "it was for the second");
        Simulator::Destroy();
        const Fabric third = helper.Star(2);
        Simulator::Schedule(MicroSeconds(1), [&helper] {
            helper.At("all").Set("ns3::SwitchMmu::Alpha", DoubleValue(0.5));
        });
        NS_TEST_EXPECT_MSG_NE(Run(third), "", "during the run");
    }
};

/// Extensions that are added during a run.
class LateExtensionTest : public FabricTestCase
{
  public:
    LateExtensionTest()
        : FabricTestCase("An extension that cannot work is refused when it is added to a run")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        std::string said;
        Simulator::Schedule(MicroSeconds(1), [&] {
            try
            {
                fabric.GetSwitch(0)->AddExtension(CreateObject<ElephantSeparator>());
            }
            catch (const std::invalid_argument& error)
            {
                said = error.what();
            }
        });
        ResultsOf(fabric);
        NS_TEST_EXPECT_MSG_EQ(said.rfind("ElephantSeparator: ", 0), 0, said);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetNExtensions(), 0, "none is left");
    }
};

/// Suite of what is unused.
class UnusedTestSuite : public TestSuite
{
  public:
    UnusedTestSuite()
        : TestSuite("lossless-unused", TestSuite::Type::SYSTEM)
    {
        AddTestCase(new RowTest);
        AddTestCase(new CompleteTest);
        AddTestCase(new LineTest);
        AddTestCase(new LateExtensionTest);
    }
};

UnusedTestSuite g_unusedTestSuite; //!< registers the suite

} // namespace
