// SPDX-License-Identifier: GPL-2.0-only

// What is set takes effect or is refused: all attributes of all types of the module.
//
// Each attribute is one of three kinds:
//   live    MakeLive(): its object derives values from it, and derives them anew
//   fixed   MakeFixed(): refused once its object is in use
//   direct  a setter of its own, or a member that is read at each use; these stand in a table here,
//           with how the effect is observed

#include "fabric-test-case.h"

#include "ns3/attribute.h"
#include "ns3/deadlock-detector.h"
#include "ns3/double.h"
#include "ns3/egress-scheduler.h"
#include "ns3/fixed-accessor.h"
#include "ns3/live-accessor.h"
#include "ns3/nic-receive-buffer.h"
#include "ns3/object-factory.h"
#include "ns3/pcn-marker.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-loss-recovery.h"
#include "ns3/switch-extension.h"
#include "ns3/tagger.h"

#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>

using namespace ns3;

namespace
{

/// Call a function with each attribute of the module that can be set.
template <typename F>
void
ForEachAttribute(F use)
{
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetGroupName() != "Lossless")
        {
            continue;
        }
        for (std::size_t k = 0; k < type.GetAttributeN(); ++k)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(k);
            if ((attribute.flags & TypeId::ATTR_SET) && attribute.accessor->HasSetter())
            {
                use(type, attribute);
            }
        }
    }
}

/// Direct attributes, and how their effect is observed.
const std::map<std::string, std::string> DIRECT{
    {"FabricSimulatorImpl::Order", "refused once events have run: lossless-threads"},
    {"FabricSimulatorImpl::Threads", "refused within Run(): lossless-effects"},
    {"QbbNetDevice::DataRate", "restart of the switch"},
    {"QbbNetDevice::SerialisationUnit", "restart of the switch"},
    {"QbbNetDevice::Transmitter", "restart of the switch"},
    {"QbbNetDevice::Mtu", "restart of the switch"},
    {"QbbNetDevice::TrafficClassMap", "restart of the switch"},
    {"QbbNetDevice::PfcEnabled", "restart of the switch"},
    {"QbbNetDevice::PfcClasses", "restart of the switch"},
    {"QbbNetDevice::PfcDialect", "restart of the switch"},
    {"QbbNetDevice::PfcQuanta", "restart of the switch"},
    {"QbbNetDevice::PfcRefreshInterval", "restart of the switch"},
    {"QbbNetDevice::PfcReactionDelay", "restart of the switch"},
    {"QbbNetDevice::FrameFormat", "restart of the switch"},
    {"QbbNetDevice::IpQueueBytes", "read at each packet of the IP stack: lossless-stack"},
    {"QbbNetDevice::ComputeIcrc", "read at each captured frame: capture.*"},
    {"QbbNetDevice::EgressScheduler", "asked for each frame: lossless-settings-random"},
    {"QbbNetDevice::ReceiveErrorModel", "asked for each frame: lossless-link"},
    {"QbbChannel::Delay", "restart of the switch"},
    {"TrafficClassMap::Trust", "restart of the switch"},
    {"TrafficClassMap::DefaultClass", "restart of the switch"},
    {"TrafficClassMap::Dscp", "restart of the switch"},
    {"TrafficClassMap::Pcp", "restart of the switch"},
    {"TrafficClassMap::Queue", "restart of the switch"},
    {"TrafficClassMap::PriorityGroup", "restart of the switch"},
    {"TrafficClassMap::PfcPriority", "restart of the switch"},
    {"TrafficClassMap::PfcQueue", "restart of the switch"},
    {"SwitchMmu::CellBytes", "restart of the switch; refused with frames stored"},
    {"SwitchMmu::ServicePools", "restart of the switch"},
    {"FabricSwitch::EcnMarkerType", "the new marker reads back"},
    {"FabricSwitch::LoadBalancerType", "the new balancer reads back"},
    {"FabricSwitch::EcnMarker", "the new marker reads back"},
    {"FabricSwitch::LoadBalancer", "the new balancer reads back"},
    {"FabricSwitch::MarkAt", "read at each frame: lossless-settings"},
    {"FabricSwitch::DropNonEct", "read at each frame: lossless-ecn"},
    {"EcmpLoadBalancer::Seed", "read at each choice: unit.EcmpLoadBalancer"},
    {"EcmpLoadBalancer::Symmetric", "read at each choice: unit.EcmpLoadBalancer"},
    {"DwrrScheduler::Quantum", "read at each choice: unit.DwrrScheduler"},
    {"DwrrScheduler::RoundUnit", "read at each choice: unit.DwrrScheduler"},
    {"DwrrScheduler::Weights", "read at each choice: unit.DwrrScheduler"},
    {"ShapedScheduler::MaxRates", "the next choice: unit.ShapedScheduler, lossless-shaping"},
    {"ShapedScheduler::MinRates", "the next choice: unit.ShapedScheduler"},
    {"ShapedScheduler::StrictRate", "the next choice: unit.ShapedScheduler"},
    {"ShapedScheduler::PortRate", "the next choice: unit.ShapedScheduler, lossless-shaping"},
    {"ErrorModelLoss::ErrorModel", "asked for each frame: lossless-link"},
    {"XonLoss::Class", "read at each frame: unit.FaultLoss"},
    {"XonLoss::Count", "read at each frame: unit.FaultLoss"},
    {"RandomFrameLoss::Rate", "read at each frame: unit.FaultLoss"},
    {"RandomFrameLoss::LosesPfc", "read at each frame: unit.FaultLoss"},
    {"IpIdLoss::Mask", "read at each frame: unit.FaultLoss"},
    {"IpIdLoss::Value", "read at each frame: unit.FaultLoss"},
    {"PfcWatchdog::BigRedSwitch", "at once: lossless-watchdog"},
    {"Guo16Storm::ServerPortsOnly", "read when a port starts: lossless-watchdog-use"},
    {"VxlanEndpoint::Vni", "refused once it is joined: lossless-effects"},
    {"VxlanNetDevice::Vni", "read at each frame: lossless-vxlan"},
    {"VxlanNetDevice::Mtu", "read at each packet: lossless-effects"},
    {"VxlanNetDevice::Learning", "read at each frame: lossless-effects"},
    {"RuleEcnThresholdAdvisor::BaseKmin", "read at each advice: unit.EcnThresholdAdvisor"},
    {"RuleEcnThresholdAdvisor::DelayTarget", "read at each advice: unit.EcnThresholdAdvisor"},
    {"TableEcnAdvisor::Table", "read at each advice: unit.TableEcnAdvisor"},
};

/// @return "Type::Attribute", without ns3
std::string
NameOf(const TypeId& type, const TypeId::AttributeInformation& attribute)
{
    constexpr std::size_t NAMESPACE = 5; // "ns3::"
    return type.GetName().substr(NAMESPACE) + "::" + attribute.name;
}

/// @return whether an attribute takes effect by MakeLive()
bool
IsLive(const TypeId::AttributeInformation& attribute)
{
    return FindAccessor<LiveAttributeAccessor>(PeekPointer(attribute.accessor));
}

/// @return whether an attribute is refused by MakeFixed()
bool
IsFixed(const TypeId::AttributeInformation& attribute)
{
    return FindAccessor<FixedAccessor>(PeekPointer(attribute.accessor));
}

/// Each attribute has a kind, and the table names the direct ones and no others.
class KindsTest : public FabricTestCase
{
  public:
    KindsTest()
        : FabricTestCase("Attributes: each is live, fixed, or in the table of direct ones")
    {
    }

  private:
    void DoRun() override
    {
        uint32_t live = 0;
        uint32_t fixed = 0;
        std::set<std::string> direct;
        ForEachAttribute([&](const TypeId& type, const TypeId::AttributeInformation& attribute) {
            live += IsLive(attribute);
            fixed += IsFixed(attribute);
            if (!IsLive(attribute) && !IsFixed(attribute))
            {
                const std::string name = NameOf(type, attribute);
                direct.insert(name);
                NS_TEST_EXPECT_MSG_EQ(DIRECT.count(name), 1, name << " is not in the table");
            }
        });
        for (const auto& row : DIRECT)
        {
            NS_TEST_EXPECT_MSG_EQ(direct.count(row.first), 1, row.first << " is no attribute");
        }
        std::cout << live + fixed + direct.size() << " attributes: " << live << " live, " << fixed
                  << " fixed, " << direct.size() << " direct\n";
    }
};

/// Fixed attributes are refused once their object is in use, and stay as they are.
class FixedTest : public FabricTestCase
{
  public:
    FixedTest()
        : FabricTestCase("Attributes: fixed ones are refused once in use")
    {
    }

  private:
    void DoRun() override
    {
        uint32_t refused = 0;
        ForEachAttribute([&](const TypeId& type, const TypeId::AttributeInformation& attribute) {
            if (!IsFixed(attribute) || !type.HasConstructor())
            {
                return;
            }
            ObjectFactory factory;
            factory.SetTypeId(type);
            const auto object = factory.Create();
            if (const auto ops = DynamicCast<RdmaCongestionOps>(object))
            {
                Set(*object, attribute);
                ops->SetUsed();
                refused += ExpectRefused(*object, type, attribute);
            }
            else if (const auto recovery = DynamicCast<RdmaLossRecovery>(object))
            {
                Set(*object, attribute);
                recovery->SetUsed();
                refused += ExpectRefused(*object, type, attribute);
            }
        });
        NS_TEST_EXPECT_MSG_GT(refused, 90, "of congestion controls and loss recoveries");

        const Fabric fabric = FabricHelper().Star(2);
        const auto connection = fabric.Connect(HostId(0), HostId(1));
        for (uint32_t i = 0; i < RdmaQueuePair::GetTypeId().GetAttributeN(); ++i)
        {
            const auto attribute = RdmaQueuePair::GetTypeId().GetAttribute(i);
            refused += ExpectRefused(*connection.source, RdmaQueuePair::GetTypeId(), attribute);
        }
        const auto congestion = connection.source->GetCongestionControl();
        const TypeId dcqcn = congestion->GetInstanceTypeId();
        refused += ExpectRefused(*congestion, dcqcn, dcqcn.GetAttribute(0));
        std::cout << refused << " attributes refused once in use\n";
    }

    /// Set an attribute to its initial value.
    static void Set(Object& object, const TypeId::AttributeInformation& attribute)
    {
        object.SetAttribute(attribute.name, *attribute.initialValue);
    }

    /// @return 1 if an attribute is refused in one line
    uint32_t ExpectRefused(Object& object,
                           const TypeId& type,
                           const TypeId::AttributeInformation& attribute)
    {
        std::string refusal;
        try
        {
            Set(object, attribute);
        }
        catch (const std::invalid_argument& error)
        {
            refusal = error.what();
        }
        const bool isRefused = refusal.find("fixed since") != std::string::npos;
        NS_TEST_EXPECT_MSG_EQ(isRefused, true, NameOf(type, attribute) << ": " << refusal);
        return isRefused;
    }
};

/// Counts how often its switch starts.
class StartProbe : public SwitchExtension
{
  public:
    uint32_t GetHooks() const override
    {
        return 0;
    }

    void Start(FabricSwitch& /* owner */) override
    {
        ++starts;
    }

    uint32_t starts{0};
};

/// Live attributes make their switch take its configuration over, before and during the run.
class LiveTest : public FabricTestCase
{
  public:
    LiveTest()
        : FabricTestCase("Attributes: live ones are taken over, before and during the run")
    {
    }

  private:
    void DoRun() override
    {
        uint32_t live = 0;       // of NicReceiveBuffer
        uint32_t schedulers = 0; // live ones, which make the port ask again
        uint32_t detectors = 0;  // live ones, of the deadlock detector
        ForEachAttribute([&](const TypeId& type, const TypeId::AttributeInformation& attribute) {
            const std::string name = NameOf(type, attribute);
            const auto row = DIRECT.find(name);
            const bool restarts =
                row != DIRECT.end() && row->second.find("restart of the switch") == 0;
            if (type == NicReceiveBuffer::GetTypeId())
            {
                live += IsLive(attribute);
            }
            else if (type.IsChildOf(EgressScheduler::GetTypeId()))
            {
                schedulers += IsLive(attribute);
            }
            else if (type == DeadlockDetector::GetTypeId())
            {
                detectors += IsLive(attribute);
            }
            else if (IsLive(attribute) || restarts)
            {
                Check(type, attribute, name);
            }
        });
        CheckReceiveBuffer();
        NS_TEST_EXPECT_MSG_EQ(live, 3, "those that CheckReceiveBuffer() sets");
        NS_TEST_EXPECT_MSG_EQ(schedulers, 3, "those that lossless-effects sets during the run");
        NS_TEST_EXPECT_MSG_EQ(detectors, 2, "those that lossless-deadlock sets during the run");
        std::cout << m_checked << " attributes taken over before and during the run\n";
        NS_TEST_EXPECT_MSG_GT(m_checked, 80, "attributes");
    }

    /// The thresholds of the receive buffer of a NIC, while it serves a port.
    void CheckReceiveBuffer()
    {
        const Fabric fabric = FabricHelper().Star(2);
        const auto buffer = CreateObject<NicReceiveBuffer>();
        fabric.GetRdma(HostId(0))->SetReceiveBuffer(0, buffer);
        NS_TEST_EXPECT_MSG_EQ(buffer->GetXoffBytes(), 750000, "three quarters");
        buffer->SetAttribute("XoffShare", DoubleValue(0.625));
        NS_TEST_EXPECT_MSG_EQ(buffer->GetXoffBytes(), 625000, "XoffShare");
        buffer->SetAttribute("BufferBytes", UintegerValue(2000000));
        NS_TEST_EXPECT_MSG_EQ(buffer->GetXoffBytes(), 1250000, "BufferBytes");
        std::string refusal;
        try
        {
            buffer->SetAttribute("XonShare", DoubleValue(0.75));
        }
        catch (const std::invalid_argument& error)
        {
            refusal = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(refusal.find("XonShare"), std::string::npos, "says: " << refusal);
        DoubleValue share;
        buffer->GetAttribute("XonShare", share);
        NS_TEST_EXPECT_MSG_EQ(share.Get(), 0.5, "as before");
        m_checked += 3;
        Simulator::Destroy();
    }

    /// Set an attribute of a switch, or of a part of it, before and during a run.
    void Check(const TypeId& type,
               const TypeId::AttributeInformation& attribute,
               const std::string& name)
    {
        FabricHelper helper;
        helper.AllowLossy();
        helper.SetLosslessClasses({3, 4}); // ElephantSeparator needs both
        const Fabric fabric = helper.Star(3);
        const auto fabricSwitch = fabric.GetSwitch(SwitchId(0));
        const auto object = FindObject(type, fabric);
        NS_TEST_ASSERT_MSG_EQ((object != nullptr), true, "an object for " << name);
        const auto probe = CreateObject<StartProbe>();
        fabricSwitch->AddExtension(probe);
        fabricSwitch->Start();
        Ptr<AttributeValue> value = attribute.checker->Create();
        object->GetAttribute(attribute.name, *value);

        uint32_t before = probe->starts;
        object->SetAttribute(attribute.name, *value);
        NS_TEST_EXPECT_MSG_GT(probe->starts, before, name << " before the run");
        Simulator::Schedule(MicroSeconds(1), [&] {
            before = probe->starts;
            object->SetAttribute(attribute.name, *value);
            NS_TEST_EXPECT_MSG_GT(probe->starts, before, name << " during the run");
        });
        Simulator::Stop(MicroSeconds(2));
        Simulator::Run();
        Simulator::Destroy();
        ++m_checked;
    }

    /// @return the object of a type in a fabric, added to its switch where there is none
    static Ptr<Object> FindObject(const TypeId& type, const Fabric& fabric)
    {
        const auto fabricSwitch = fabric.GetSwitch(SwitchId(0));
        const std::vector<Ptr<Object>> parts{fabricSwitch,
                                             fabricSwitch->GetMmu(),
                                             fabricSwitch->GetEcnMarker(),
                                             fabricSwitch->GetPort(0),
                                             fabricSwitch->GetPort(0)->GetTrafficClassMap(),
                                             fabric.GetChannel(LinkId(0))};
        for (const auto& part : parts)
        {
            if (part->GetInstanceTypeId() == type)
            {
                return part;
            }
        }
        if (!type.IsChildOf(SwitchExtension::GetTypeId()))
        {
            return nullptr;
        }
        ObjectFactory factory;
        factory.SetTypeId(type);
        const auto extension = DynamicCast<SwitchExtension>(factory.Create());
        if (const auto tagger = DynamicCast<Tagger>(extension))
        {
            tagger->SetUpDown(std::vector<Tagger::Direction>(3, Tagger::DOWN));
        }
        if (type.GetName() == "ns3::IccSwitch")
        {
            fabricSwitch->GetLoadBalancer()->SetAttribute("Symmetric", StringValue("true"));
            fabricSwitch->GetLoadBalancer()->SetAttribute("Seed", StringValue("1"));
        }
        fabricSwitch->AddExtension(extension);
        return extension;
    }

    uint32_t m_checked{0};
};

/// The suite.
class AttributesTestSuite : public TestSuite
{
  public:
    AttributesTestSuite()
        : TestSuite("lossless-attributes", Type::SYSTEM)
    {
        AddTestCase(new KindsTest);
        AddTestCase(new FixedTest);
        AddTestCase(new LiveTest);
    }
};

AttributesTestSuite g_attributesTestSuite;

} // namespace
