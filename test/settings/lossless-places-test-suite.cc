// SPDX-License-Identifier: GPL-2.0-only

// Settings for tiers, nodes and ports: by FabricHelper::At(), a file, and Fabric::At().

#include "fabric-test-case.h"
#include "wire-digest.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/dwrr-scheduler.h"
#include "ns3/fabric-differences.h"
#include "ns3/fabric-options.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/pointer.h"
#include "ns3/spray-load-balancer.h"
#include "ns3/switch-extensions.h"
#include "ns3/switch-presets.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using tests::WireDigest;

namespace
{

/// @return an attribute of an object, as text
std::string
TextOf(const Ptr<Object>& object, const std::string& name)
{
    TypeId::AttributeInformation info;
    object->GetInstanceTypeId().LookupAttributeByName(name, &info);
    const Ptr<AttributeValue> value = info.checker->Create();
    object->GetAttribute(name, *value);
    return value->SerializeToString(info.checker);
}

/// @return two leaves with two hosts each, and two spines: switches 0, 1 and 2, 3
Fabric
Build(const FabricHelper& helper)
{
    return helper.LeafSpine(2, 2, 2);
}

/// Values of the buffer, of ports and of parts at the places that they are for.
class PlacesTest : public FabricTestCase
{
  public:
    PlacesTest()
        : FabricTestCase("a setting is in force at its places, and nowhere else")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.At("leaf").Set("ns3::SwitchMmu::BufferSize", StringValue("16MiB"));
        helper.At("leaf 1 to spine")
            .Set("ns3::QbbNetDevice::EgressScheduler", StringValue("ns3::DwrrScheduler"));
        helper.At("spine 0").Set("ns3::FabricSwitch::EcnMarker",
                                 StringValue("ns3::WredEcnMarker[Kmin=1000000|Kmax=2000000]"));
        helper.At("leaf").Set("ns3::FabricSwitch::LoadBalancer",
                              StringValue("ns3::SprayLoadBalancer[Mode=Random]"));
        helper.At("hosts").Set("ns3::QbbNetDevice::IpQueueBytes", UintegerValue(4096));
        helper.At("leaf port 0")
            .Set("ns3::QbbNetDevice::TrafficClassMap",
                 StringValue("ns3::TrafficClassMap[Dscp=26:3,8:5]"));
        helper.At("spine").AddSwitchExtension("ns3::PfcWatchdog[Action=Alert]");
        helper.AllowLossy(); // the class maps at the two ends of a link differ
        const Fabric fabric = Build(helper);
        for (const SwitchId which : fabric.Switches())
        {
            const auto fabricSwitch = fabric.GetSwitch(which);
            const bool isLeaf = which.Value() < 2;
            NS_TEST_EXPECT_MSG_EQ(fabricSwitch->GetMmu()->GetBufferSize(),
                                  (isLeaf ? 16 : 32) * 1024 * 1024,
                                  which.Name());
            NS_TEST_EXPECT_MSG_EQ(TextOf(fabricSwitch->GetEcnMarker(), "Kmin"),
                                  (which == SwitchId(2) ? "1000000" : "100000"),
                                  which.Name());
            const auto spray = DynamicCast<SprayLoadBalancer>(fabricSwitch->GetLoadBalancer());
            NS_TEST_EXPECT_MSG_EQ((spray ? TextOf(spray, "Mode") : ""),
                                  (isLeaf ? "Random" : ""),
                                  which.Name());
            const auto watchdogs = ExtensionsOf<PfcWatchdog>(*fabricSwitch);
            NS_TEST_EXPECT_MSG_EQ(watchdogs.size(), (isLeaf ? 0 : 1), which.Name());
        }
        for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
        {
            const std::string where = node.Name() + " port " + std::to_string(port);
            const bool isDwrr = DynamicCast<DwrrScheduler>(device->GetScheduler()) != nullptr;
            NS_TEST_EXPECT_MSG_EQ(isDwrr, (node == NodeId(5) && port > 1), where);
            NS_TEST_EXPECT_MSG_EQ(TextOf(device, "IpQueueBytes"),
                                  (isSwitch ? "1048576" : "4096"),
                                  where);
            const bool isLeaf = node == NodeId(4) || node == NodeId(5);
            NS_TEST_EXPECT_MSG_EQ(+device->GetTrafficClassMap()->ClassOfDscp(8),
                                  (isLeaf && port == 0 ? 5 : 1),
                                  where);
        }
        NS_TEST_EXPECT_MSG_NE(fabric.GetDevice(5, 2)->GetScheduler(),
                              fabric.GetDevice(5, 3)->GetScheduler(),
                              "each port has a scheduler of its own");
    }
};

/// Narrower places win, whatever the order; of equals the later; options of the program over all.
class PrecedenceTest : public FabricTestCase
{
  public:
    PrecedenceTest()
        : FabricTestCase("narrower places win over wider ones, and options over all")
    {
    }

  private:
    /// @return alpha of a lossless class of a fabric at switch 0 and port 0 (to a host), port 2 (to
    /// a spine), and switch 2
    static std::vector<double> Alphas(const Fabric& fabric)
    {
        std::vector<double> alphas;
        for (const auto& [which, port] :
             std::vector<std::pair<uint32_t, uint32_t>>{{0, 0}, {0, 2}, {2, 0}})
        {
            const auto mmu = fabric.GetSwitch(which)->GetMmu();
            fabric.GetSwitch(which)->Start();
            alphas.push_back(mmu->GetIngress(port, 3).threshold.alphaFixed /
                             double(1U << MmuThreshold::ALPHA_SHIFT));
        }
        return alphas;
    }

    void Expect(const Fabric& fabric, const std::vector<double>& expected, const std::string& what)
    {
        const auto alphas = Alphas(fabric);
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(alphas[i], expected[i], what << ", " << i);
        }
    }

    void DoRun() override
    {
        const std::string alpha = "ns3::SwitchMmu::Alpha";
        FabricHelper plain;
        plain.SetLink("DataRate", StringValue("50Gbps"));
        Expect(plain.LeafSpine(2, 1, 2, 1), {0.125, 0.25, 0.25}, "by speed");
        FabricHelper helper = plain;
        helper.At("leaf 0 port 2").Set(alpha, DoubleValue(1.0 / 64));
        helper.At("leaf 0").Set(alpha, DoubleValue(1.0 / 32));
        helper.At("all").Set(alpha, DoubleValue(1.0 / 16));
        Expect(helper.LeafSpine(2, 1, 2, 1), {1.0 / 32, 1.0 / 64, 1.0 / 16}, "narrower wins");
        helper.At("leaf 0").Set(alpha, DoubleValue(0.5));
        Expect(helper.LeafSpine(2, 1, 2, 1), {0.5, 1.0 / 64, 1.0 / 16}, "the later wins");
        const Fabric claimed = helper.LeafSpine(2, 1, 2, 1);
        const auto lost = FindSettings(claimed, {nullptr, claimed.GetClaims(), {}, {}}).overridden;
        NS_TEST_ASSERT_MSG_EQ(lost.size(), 1, "the first of leaf 0");
        NS_TEST_EXPECT_MSG_EQ(lost[0].places + " " + lost[0].value, "leaf 0 0.03125", "which");
        NS_TEST_EXPECT_MSG_EQ(lost[0].need, "no setting at leaf 0 (script)", "who wins");
        FabricHelper another = plain; // class 4 in place of 3: it has the alpha of its speed
        another.At("all").Set("ns3::QbbNetDevice::PfcClasses", UintegerValue(0x10));
        const Fabric moved = another.LeafSpine(2, 1, 2, 1);
        NS_TEST_EXPECT_MSG_EQ(moved.GetSwitch(0)->GetMmu()->GetConfig(2, 4).alpha.value_or(0),
                              0.25,
                              "by speed");
        NS_TEST_EXPECT_MSG_EQ(moved.GetSwitch(0)->GetMmu()->GetConfig(2, 3).alpha.has_value(),
                              false,
                              "not of a lossy class");
        FabricHelper ofClass = plain;
        ofClass.At("leaf class 3,4").Set(alpha, DoubleValue(0.5));
        Expect(ofClass.LeafSpine(2, 1, 2, 1), {0.5, 0.5, 0.25}, "a lossless class");
        ofClass.At("leaf class 4").Set(alpha, DoubleValue(0.5));
        ExpectError([&] { ofClass.LeafSpine(2, 1, 2, 1); },
                    "no class at \"leaf class 4\" is lossless");

        FabricOptions options;
        options.Add(alpha, "0.0078125");
        FabricHelper told(options);
        told.At("leaf").Set(alpha, DoubleValue(0.5));
        Expect(told.LeafSpine(2, 1, 2, 1), {0.0078125, 0.015625, 0.015625}, "the option");
        told.At("leaf").Set("ns3::SwitchMmu::StaticThreshold", UintegerValue(50000));
        NS_TEST_EXPECT_MSG_EQ(told.LeafSpine(2, 1, 2, 1)
                                  .GetSwitch(0)
                                  ->GetMmu()
                                  ->GetConfig(0, 3)
                                  .staticBytes.has_value(),
                              false,
                              "the option, which is another threshold");
        Config::Reset();
    }
};

/// What (port, class) pairs have of their own, and values that need each other.
class ClassValuesTest : public FabricTestCase
{
  public:
    ClassValuesTest()
        : FabricTestCase("ports and classes have values of their own")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.At("leaf 0 to host")
            .Set("ns3::SwitchMmu::Headroom",
                 StringValue("200KiB"),
                 "ns3::SwitchMmu::XonOffset",
                 UintegerValue(9000),
                 "ns3::SwitchMmu::GuaranteedBytes",
                 UintegerValue(3000));
        helper.At("leaf 0 port 0 class 3")
            .Set("ns3::SwitchMmu::StaticThreshold", UintegerValue(100000));
        helper.At("leaf 1 class 0")
            .Set("ns3::SwitchMmu::EgressAlpha",
                 DoubleValue(0.5),
                 "ns3::SwitchMmu::LossyAlpha",
                 DoubleValue(0.25))
            .Set("ns3::SwitchMmu::EgressStaticThreshold", UintegerValue(50000));
        // Kmin is above the Kmax of before: their order does not matter.
        helper.At("spine port 1")
            .Set("ns3::WredEcnMarker::Kmin",
                 UintegerValue(3000000),
                 "ns3::WredEcnMarker::Kmax",
                 UintegerValue(4000000),
                 "ns3::WredEcnMarker::Pmax",
                 DoubleValue(0.5));
        helper.AllowLossy();
        const Fabric fabric = Build(helper);
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(mmu->GetConfig(1, 3).headroomBytes, 200 * 1024, "headroom");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetConfig(1, 3).xonOffsetBytes.value_or(0), 9000, "offset");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetConfig(1, 0).guaranteedBytes.value_or(0), 3000, "guarantee");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetConfig(2, 3).xonOffsetBytes.has_value(), false, "uplinks");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetConfig(0, 3).staticBytes.value_or(0), 100000, "threshold");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetConfig(1, 3).staticBytes.has_value(), false, "port 1");
        // An alpha is in force again, of the port or of its switch.
        fabric.At("leaf 0 port 0").Set("ns3::SwitchMmu::Alpha", DoubleValue(0.5));
        NS_TEST_EXPECT_MSG_EQ(mmu->GetConfig(0, 3).staticBytes.has_value(), false, "of the port");
        fabric.At("leaf 0").Set("ns3::SwitchMmu::StaticThreshold", UintegerValue(100000));
        fabric.At("leaf 0").Set("ns3::SwitchMmu::Alpha", DoubleValue(0.25));
        NS_TEST_EXPECT_MSG_EQ(mmu->GetConfig(0, 3).staticBytes.has_value(), false, "of the switch");
        const MmuClassConfig& lossy = fabric.GetSwitch(1)->GetMmu()->GetConfig(3, 0);
        NS_TEST_EXPECT_MSG_EQ(lossy.egressStaticBytes.value_or(0), 50000, "egress threshold");
        NS_TEST_EXPECT_MSG_EQ(lossy.egressAlpha.has_value(), false, "not in force");
        NS_TEST_EXPECT_MSG_EQ(lossy.alpha.value_or(0), 0.25, "alpha of a lossy class");
        const auto marker = DynamicCast<WredEcnMarker>(fabric.GetSwitch(2)->GetEcnMarker());
        fabric.GetSwitch(3)->Start();
        const auto other = DynamicCast<WredEcnMarker>(fabric.GetSwitch(3)->GetEcnMarker());
        NS_TEST_EXPECT_MSG_EQ(other->HasOwnCurve(1, 3), true, "a port's own");
        fabric.At("spine 1").Set("ns3::WredEcnMarker::Kmin", UintegerValue(50000));
        NS_TEST_EXPECT_MSG_EQ(other->GetCurve(1, 3).kmin, 200000, "the switch's again");
        NS_TEST_EXPECT_MSG_EQ(other->GetCurve(1, 3).kmax, 4000000, "still the port's own");
        NS_TEST_EXPECT_MSG_EQ(other->GetCurve(1, 3).pmax, 0.5, "still the port's own");
        fabric.GetSwitch(3)->Initialize(); // before, what is wrong is left to the run
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] {
                                  fabric.At("spine 1").Set("ns3::WredEcnMarker::Kmin",
                                                           UintegerValue(2000000),
                                                           "ns3::WredEcnMarker::Kmax",
                                                           UintegerValue(1500000));
                              }).empty(),
                              false,
                              "Kmin above Kmax");
        NS_TEST_EXPECT_MSG_EQ(+other->GetOwnValues(1, 3),
                              (WredEcnMarker::KMAX | WredEcnMarker::PMAX),
                              "as before");
        NS_TEST_EXPECT_MSG_EQ(other->GetCurve(1, 3).kmin, 200000, "as before");
        fabric.At("spine 1").Set("ns3::WredEcnMarker::Kmax",
                                 UintegerValue(100000),
                                 "ns3::WredEcnMarker::Pmax",
                                 DoubleValue(0.1));
        NS_TEST_EXPECT_MSG_EQ(other->HasOwnCurve(1, 3), false, "all are the switch's");
        NS_TEST_EXPECT_MSG_EQ(other->GetCurve(1, 3).kmax, 400000, "at 100 Gb/s");
        fabric.GetSwitch(2)->Start();
        NS_TEST_EXPECT_MSG_EQ(marker->GetCurve(1, 3).kmin, 3000000, "Kmin");
        NS_TEST_EXPECT_MSG_EQ(marker->GetCurve(1, 3).kmax, 4000000, "Kmax");
        NS_TEST_EXPECT_MSG_EQ(marker->GetCurve(1, 3).pmax, 0.5, "Pmax");
        NS_TEST_EXPECT_MSG_EQ(marker->GetCurve(0, 3).kmin, 400000, "the other port");
    }
};

/// What is wrong is refused in one line, and nothing has changed.
class PresetTest : public FabricTestCase
{
  public:
    PresetTest()
        : FabricTestCase("presets of published switches: everywhere, at places, and their sources")
    {
    }

  private:
    void DoRun() override
    {
        uint64_t least = 0;
        for (const SwitchPreset& preset : SwitchPreset::List())
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(preset.bufferBytes, least, preset.name << ": in order");
            NS_TEST_EXPECT_MSG_GT(std::string(preset.source).size(), 10, preset.name);
            NS_TEST_EXPECT_MSG_EQ(&SwitchPreset::Find(preset.name), &preset, preset.name);
            least = preset.bufferBytes;
        }
        FabricHelper helper;
        helper.SetSwitchPreset("tomahawk3");
        helper.At("leaf 1").SetSwitchPreset("trident2");
        const Fabric fabric = Build(helper);
        for (const SwitchId which : fabric.Switches())
        {
            const bool isOther = fabric.GetTopology().NodeOf(which) == NodeId(5);
            const auto mmu = fabric.GetSwitch(which)->GetMmu();
            NS_TEST_EXPECT_MSG_EQ(mmu->GetBufferSize(),
                                  (isOther ? 12U : 64U) * 1024 * 1024,
                                  which.Value());
            NS_TEST_EXPECT_MSG_EQ(mmu->GetCellSize().Bytes(), (isOther ? 208 : 254), which.Value());
        }
        fabric.At("spine 0").SetSwitchPreset("icc");
        NS_TEST_EXPECT_MSG_EQ(
            fabric.GetSwitch(fabric.GetTopology().SwitchAt(NodeId(6)))->GetMmu()->GetBufferSize(),
            5U * 1024 * 1024,
            "of a fabric that is built");
        ExpectError([&] { helper.SetSwitchPreset("trident"); },
                    "there is no preset of a switch \"trident\"; there are icc, guo16-9mb, ");
        ExpectError(
            [&] {
                helper.At("leaf port 1").SetSwitchPreset("icc");
                Build(helper);
            },
            "is of the whole switch");
    }
};

class RefusalsTest : public FabricTestCase
{
  public:
    RefusalsTest()
        : FabricTestCase("a setting that cannot be is refused, and changes nothing")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const auto set = [&helper](const std::string& places,
                                   const std::string& name,
                                   const std::string& value) {
            return [&helper, places, name, value] {
                FabricHelper copy = helper;
                copy.At(places).Set(name, StringValue(value));
                Build(copy);
            };
        };
        ExpectError(set("leaf 7", "ns3::SwitchMmu::Alpha", "1"), "leaf 7");
        ExpectError(set("leaf", "ns3::SwitchMmu::Alhpa", "1"), "did you mean Alpha?");
        ExpectError(set("leaf", "ns3::SwitchMmu::Alpha", "129"), "Alpha");
        ExpectError(set("leaf port 1", "ns3::SwitchMmu::BufferSize", "1MiB"),
                    "is of the whole switch");
        ExpectError(set("leaf class 3", "ns3::QbbNetDevice::Mtu", "1500"), "per class");
        ExpectError(set("hosts", "ns3::SwitchMmu::Alpha", "1"), "nothing at \"hosts\" has");
        ExpectError(set("leaf", "ns3::PfcWatchdog::Action", "Alert"), "nothing at \"leaf\" has");
        ExpectError(set("leaf 1", "ns3::SwitchMmu::BufferSize", "1KiB"), "buffer of 1024 bytes is");
        ExpectError([&] { helper.At("leaf port 0").AddSwitchExtension("ns3::PfcWatchdog"); },
                    "extensions are of whole switches");
        ExpectError(set("leaf", "ns3::QbbNetDevice::Mtu", "500"), "the MTU of leaf 0 port 0");
        ExpectError(set("hosts", "ns3::RdmaQueuePair::Mtu", "512"),
                    "nothing at \"hosts\" has ns3::RdmaQueuePair::Mtu");
        ExpectError(
            [] {
                FabricHelper copy;
                copy.At("all").Set("ns3::QbbNetDevice::EgressScheduler",
                                   PointerValue(CreateObject<DwrrScheduler>()));
                Build(copy);
            },
            "belongs to a port of node");

        const Fabric fabric = Build(helper);
        ExpectError([&] { fabric.At("leaf").AddSwitchExtension("ns3::PfcWatchdog"); },
                    "a fabric that is built");
        ExpectError(
            [&] {
                fabric.At("leaf").Set("ns3::SwitchMmu::Alpha",
                                      DoubleValue(0.5),
                                      "ns3::SwitchMmu::StaticThreshold",
                                      UintegerValue(50000));
            },
            "StaticThreshold and ns3::SwitchMmu::Alpha are set together");
        // Leaf 0 takes alpha and offset, but not the buffer: all is as before.
        Simulator::Schedule(MicroSeconds(1), [&] {
            ExpectError(
                [&] {
                    fabric.At("switches")
                        .Set("ns3::SwitchMmu::Alpha",
                             DoubleValue(0.5),
                             "ns3::SwitchMmu::XonOffset",
                             UintegerValue(1),
                             "ns3::SwitchMmu::BufferSize",
                             UintegerValue(4096));
                },
                "ns3::SwitchMmu::BufferSize: SwitchMmu: buffer of 4096 bytes");
            ExpectError(
                [&] {
                    fabric.At("leaf class 3")
                        .Set("ns3::WredEcnMarker::Kmin",
                             UintegerValue(5000),
                             "ns3::SwitchMmu::Headroom",
                             StringValue("64MiB"));
                },
                "Headroom");
            NS_TEST_EXPECT_MSG_EQ(FindDifferences(fabric).empty(), true, "all is as before");
        });
        RunUntil(MicroSeconds(2));
    }
};

/// What is set during the run has the effect of the same settings made by hand.
class LateTest : public FabricTestCase
{
  public:
    LateTest()
        : FabricTestCase("Fabric::At() during the run does what setting by hand does")
    {
    }

  private:
    /// @param change made at 20 us @return a digest of all that is sent
    static uint64_t Send(const std::function<void(const Fabric&)>& change)
    {
        FabricHelper helper;
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("2MiB"));
        const Fabric fabric = Build(helper);
        fabric.AssignStreams(1);
        RdmaFlowHelper flows(fabric);
        for (const uint32_t source : {1, 2, 3})
        {
            flows.Add({source, 0, 400000});
        }
        WireDigest digest(fabric);
        Simulator::Schedule(MicroSeconds(20), [&] { change(fabric); });
        RunUntil(MilliSeconds(1));
        Simulator::Destroy();
        return digest.Get();
    }

    void DoRun() override
    {
        const uint64_t without = Send([](const Fabric&) {});
        const uint64_t at = Send([](const Fabric& fabric) {
            fabric.At("leaf 0").Set("ns3::SwitchMmu::Alpha", DoubleValue(1.0 / 64));
        });
        const uint64_t byHand = Send([](const Fabric& fabric) {
            fabric.GetSwitch(0)->GetMmu()->SetAttribute("Alpha", DoubleValue(1.0 / 64));
        });
        NS_TEST_EXPECT_MSG_EQ(at, byHand, "At() and SetAttribute()");
        NS_TEST_EXPECT_MSG_NE(at, without, "the change has an effect");
    }
};

/// Files say what scripts say; what is wrong has its line.
class FileTest : public FabricTestCase
{
  public:
    FileTest()
        : FabricTestCase("files of settings")
    {
    }

  private:
    /// @return path of a new file
    std::string Write(const std::string& text)
    {
        const std::string path = CreateTempDirFilename("settings.toml");
        std::ofstream(path) << text;
        return path;
    }

    void DoRun() override
    {
        const std::string path = Write("# buffers by tier\n"
                                       "[leaf]\n"
                                       "SwitchMmu.BufferSize = \"16MiB\"\n"
                                       "SwitchMmu.Alpha = 0.03125\n"
                                       "SwitchExtension = [\"ns3::PfcWatchdog[Action=Alert]\"]\n"
                                       "[\"leaf 1 to spine\"]\n"
                                       "\"ns3::QbbNetDevice::PfcClasses\" = 24\n"
                                       "[hosts.QbbNetDevice]\n"
                                       "ComputeIcrc = true\n"
                                       "[\"leaf 1\"]\n"
                                       "SwitchMmu.Alpha = 1\n");
        FabricHelper fromFile;
        fromFile.AllowLossy();
        fromFile.ReadSettings(path);
        FabricHelper script;
        script.AllowLossy();
        script.At("leaf").Set("ns3::SwitchMmu::BufferSize",
                              StringValue("16MiB"),
                              "ns3::SwitchMmu::Alpha",
                              DoubleValue(1.0 / 32));
        script.At("leaf").AddSwitchExtension("ns3::PfcWatchdog[Action=Alert]");
        script.At("leaf 1 to spine").Set("ns3::QbbNetDevice::PfcClasses", UintegerValue(24));
        script.At("hosts").Set("ns3::QbbNetDevice::ComputeIcrc", StringValue("true"));
        script.At("leaf 1").Set("ns3::SwitchMmu::Alpha", DoubleValue(1));
        std::string texts[2];
        for (const FabricHelper* helper : {&fromFile, &script})
        {
            for (const SettingDifference& each : FindDifferences(Build(*helper)))
            {
                texts[helper == &script] += each.ToText() + "\n";
            }
        }
        NS_TEST_EXPECT_MSG_EQ(texts[0], texts[1], "the file and the script");
        NS_TEST_EXPECT_MSG_NE(texts[0].find("leaf 0: SwitchMmu.Alpha is 0.03125"),
                              std::string::npos,
                              texts[0]);

        // --settings: over places of the same rank in the script, below options.
        FabricOptions options;
        options.SetSettingsFile(path);
        options.Add("ns3::SwitchMmu::BufferSize", "64MiB");
        FabricHelper told(options);
        told.AllowLossy();
        told.At("leaf").Set("ns3::SwitchMmu::Alpha", DoubleValue(0.5));
        const Fabric fabric = Build(told);
        NS_TEST_EXPECT_MSG_EQ(TextOf(fabric.GetSwitch(0)->GetMmu(), "Alpha"), "0.03125", "file");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetMmu()->GetBufferSize(),
                              64 * 1024 * 1024,
                              "option");
        Config::Reset();
        ExpectRefusals();
    }

    void ExpectRefusals()
    {
        const std::vector<std::pair<std::string, std::string>> cases{
            {"[leaf]\nSwitchMmu.Alpha = 1\n[\n", ":3: "},
            {std::string("[leaf]\n[\0x]\n", 12), ":2: the control character"},
            {"[leafs]\nSwitchMmu.Alpha = 1\n", ":1: "},
            {"[leaf]\n\nSwitchMmu.Alpha = 129\n", ":3: "},
            {"[leaf]\nSwitchMmu.Alpha = [1]\n", ":2: "},
            {"leaf = 3\n", ":1: "},
            {"[leaf]\nSwitchExtension = [\"ns3::PfcWatchdog\", \"ns3::Nothing\"]\n", ":2: "},
            {"[leaf]\nSwitchMmu.Alpha = 1\nSwitchMmu.Alpha = 2\n", ":3: "},
            // These need the fabric.
            {"[leaf]\nSwitchMmu.Alpha = 1\n\"ns3::SwitchMmu::Alpha\" = 2\n",
             ":3: ns3::SwitchMmu::Alpha is"},
            {"[hosts]\nSwitchMmu.Alpha = 1\n", ":2: nothing at \"hosts\" has"},
        };
        for (const auto& [text, expected] : cases)
        {
            const std::string path = Write(text);
            const std::string error = ErrorOf([&] {
                FabricHelper helper;
                helper.ReadSettings(path);
                const Fabric fabric = Build(helper);
                fabric.RequireLossless();
            });
            NS_TEST_EXPECT_MSG_EQ(error.substr(0, path.size()), path, error << " of " << text);
            NS_TEST_EXPECT_MSG_NE(error.find(expected), std::string::npos, error << " of " << text);
            NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line");
        }
        FabricHelper helper;
        ExpectError([&] { helper.ReadSettings("no/such.toml"); }, "no/such.toml: cannot be read");
        ExpectError([&] { helper.ReadSettings("/"); }, "cannot be read");
    }
};

/// What differs from the defaults is named, whoever has set it.
class DifferencesTest : public FabricTestCase
{
  public:
    DifferencesTest()
        : FabricTestCase("settings that are not the defaults are found")
    {
    }

  private:
    /// @return the differences of a fabric, a line each
    static std::string Text(const Fabric& fabric)
    {
        std::string text;
        for (const SettingDifference& each : FindDifferences(fabric))
        {
            text += each.ToText() + "\n";
        }
        return text;
    }

    void DoRun() override
    {
        FabricHelper helper;
        NS_TEST_EXPECT_MSG_EQ(Text(Build(helper)), "", "all defaults");
        // As a configuration of SONiC sets curves: those of the switch are no difference.
        const Fabric curved = Build(helper);
        const auto ofSwitch = DynamicCast<WredEcnMarker>(curved.GetSwitch(0)->GetEcnMarker());
        curved.GetSwitch(0)->Start();
        const auto [kmin, kmax, pmax, slope] = ofSwitch->GetCurve(0, 3);
        ofSwitch->SetThresholds(0, 3, kmin, kmax, pmax);
        NS_TEST_EXPECT_MSG_EQ(Text(curved), "", "the same curve");
        ofSwitch->SetThresholds(0, 3, kmin + 1, kmax, pmax);
        NS_TEST_EXPECT_MSG_NE(Text(curved), "", "another curve");
        helper.SetQueuePair("AckInterval", UintegerValue(8));
        helper.SetCongestionControl("ns3::RdmaDcqcn", "Gain", DoubleValue(0.125));
        NS_TEST_EXPECT_MSG_EQ((SettingDifference{"host", "RdmaDcqcn.Gain", "0", "0.5"}.ToText()),
                              "host: RdmaDcqcn.Gain is 0.5",
                              "what 0 stands for");
        const Fabric fabric = Build(helper);
        fabric.At("all").Set("ns3::SwitchMmu::BufferSize", UintegerValue(16 << 20));
        fabric.At("leaf").Set("ns3::SwitchMmu::XonOffset", UintegerValue(6000));
        fabric.At("spine 1").Set("ns3::SwitchMmu::XonOffset", UintegerValue(6000));
        fabric.GetSwitch(2)->GetMmu()->SetAttribute("XonOffset", UintegerValue(7000));
        fabric.GetSwitch(0)->GetMmu()->SetAlpha(1, 3, 0.5);
        fabric.At("spine port 0").Set("ns3::SwitchMmu::Headroom", UintegerValue(300000));
        fabric.At("spine port 1").Set("ns3::SwitchMmu::PortLimit", UintegerValue(208000));
        fabric.At("leaf to spine").Set("ns3::QbbNetDevice::PfcClasses", UintegerValue(24));
        const auto marker = DynamicCast<WredEcnMarker>(fabric.GetSwitch(3)->GetEcnMarker());
        marker->SetThresholds(0, 3, 1000, 2000, 0.5);
        const std::string text = Text(fabric);
        for (const char* line :
             {"host: RdmaQueuePair.AckInterval is 8, by default 1\n",
              "all: SwitchMmu.BufferSize is 16MiB, by default 32MiB\n",
              "leaf, spine 1: SwitchMmu.XonOffset is 6000, by default 3KiB\n",
              "spine 0: SwitchMmu.XonOffset is 7000 (7072 in force), by default 3KiB\n",
              "leaf 0 port 1 class 3: SwitchMmu.Alpha of ports is 0.5, by default as the switch\n",
              "spine 0 port 1, spine 1 port 1: SwitchMmu.PortLimit of ports is 208000, by default "
              "as the switch\n",
              "leaf to spine: QbbNetDevice.PfcClasses is 24, by default 8\n",
              "spine 0 port 0 class 3, spine 1 port 0 class 3: SwitchMmu.Headroom of ports is "
              "300000, by default as the switch\n",
              "spine 1 port 0 class 3: WredEcnMarker.Kmin..Kmax, Pmax of ports is 1000..2000 "
              "bytes, 0.5, by default as the switch\n"})
        {
            NS_TEST_EXPECT_MSG_NE(text.find(line),
                                  std::string::npos,
                                  line << " is not in " << text);
        }
        NS_TEST_EXPECT_MSG_EQ(std::count(text.begin(), text.end(), '\n'), 10, text);
        // Only the threshold that is in force is named.
        fabric.GetSwitch(0)->GetMmu()->SetStaticThreshold(1, 3, 50000);
        const std::string after = Text(fabric);
        NS_TEST_EXPECT_MSG_EQ(after.find("SwitchMmu.Alpha"), std::string::npos, after);
        NS_TEST_EXPECT_MSG_NE(after.find("leaf 0 port 1 class 3: SwitchMmu.StaticThreshold of"),
                              std::string::npos,
                              after);
        Simulator::Destroy();
        ExpectError([&] { Text(fabric); }, "after Simulator::Destroy()");
        ExpectError([&] { fabric.At("leaf").Set("ns3::SwitchMmu::Alpha", DoubleValue(1)); },
                    "after Simulator::Destroy()");
    }
};

/// The suite.
class PlacesTestSuite : public TestSuite
{
  public:
    PlacesTestSuite()
        : TestSuite("lossless-places", Type::SYSTEM)
    {
        AddTestCase(new PlacesTest);
        AddTestCase(new PrecedenceTest);
        AddTestCase(new ClassValuesTest);
        AddTestCase(new PresetTest);
        AddTestCase(new RefusalsTest);
        AddTestCase(new LateTest);
        AddTestCase(new FileTest);
        AddTestCase(new DifferencesTest);
    }
};

PlacesTestSuite g_placesTestSuite;

} // namespace
