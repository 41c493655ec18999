// SPDX-License-Identifier: GPL-2.0-only

// A part that keeps state of its switch or port serves one of them at a time.

#include "refusal-of.h"

#include "ns3/dwrr-scheduler.h"
#include "ns3/ecmp-load-balancer.h"
#include "ns3/ecn-tuner.h"
#include "ns3/fabric-switch.h"
#include "ns3/node.h"
#include "ns3/pcn-marker.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/pointer.h"
#include "ns3/qbb-net-device.h"
#include "ns3/strict-priority-scheduler.h"
#include "ns3/wred-ecn-marker.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

/// @return a switch of a node of its own
Ptr<FabricSwitch>
NewSwitch()
{
    const auto fabricSwitch = CreateObject<FabricSwitch>();
    CreateObject<Node>()->AggregateObject(fabricSwitch);
    return fabricSwitch;
}

/// @return how another switch refuses a part of a switch
std::string
OfSwitch(const std::string& type, const Ptr<FabricSwitch>& owner)
{
    return "this ns3::" + type + " belongs to a switch of node " +
           std::to_string(owner->GetObject<Node>()->GetId()) + " already; make one for each switch";
}

} // namespace

TEST(SoleOwner, ExtensionsBelongToOneSwitch)
{
    const auto one = NewSwitch();
    const auto other = NewSwitch();
    const auto watchdog = CreateObject<PfcWatchdog>();
    const auto tuner = CreateObject<EcnTuner>();
    one->AddExtension(watchdog);
    one->AddExtension(tuner);
    EXPECT_EQ(RefusalOf([&] { other->AddExtension(watchdog); }), OfSwitch("PfcWatchdog", one));
    EXPECT_EQ(RefusalOf([&] { other->AddExtension(tuner); }), OfSwitch("EcnTuner", one));
    EXPECT_EQ(RefusalOf([&] { one->AddExtension(watchdog); }),
              "FabricSwitch: the switch has this ns3::PfcWatchdog already");
    EXPECT_EQ(RefusalOf([&] { one->AddExtension(nullptr); }),
              "FabricSwitch: the extension is missing");
    EXPECT_EQ(one->GetNExtensions(), 2U);
    EXPECT_EQ(other->GetNExtensions(), 0U);
}

TEST(SoleOwner, MarkersAndLoadBalancersBelongToOneSwitch)
{
    const auto one = NewSwitch();
    const auto other = NewSwitch();
    const auto marker = CreateObject<PcnMarker>();
    const auto balancer = CreateObject<EcmpLoadBalancer>();
    one->SetAttribute("EcnMarker", PointerValue(marker));
    one->SetLoadBalancer(balancer);
    const auto before = other->GetEcnMarker();
    EXPECT_EQ(RefusalOf([&] { other->SetEcnMarker(marker); }), OfSwitch("PcnMarker", one));
    EXPECT_EQ(RefusalOf([&] { other->SetAttribute("EcnMarker", PointerValue(marker)); }),
              OfSwitch("PcnMarker", one));
    EXPECT_EQ(RefusalOf([&] { other->AddExtension(marker); }), OfSwitch("PcnMarker", one));
    EXPECT_EQ(RefusalOf([&] { other->SetLoadBalancer(balancer); }),
              OfSwitch("EcmpLoadBalancer", one));
    EXPECT_EQ(RefusalOf([&] { other->SetLoadBalancer(one->GetLoadBalancer()); }),
              OfSwitch("EcmpLoadBalancer", one));
    EXPECT_EQ(other->GetEcnMarker(), before) << "as it was";
    EXPECT_EQ(RefusalOf([&] { one->SetEcnMarker(marker); }), "") << "its own";
}

TEST(SoleOwner, WhatASwitchNoLongerUsesIsFree)
{
    const auto marker = CreateObject<PcnMarker>();
    const auto watchdog = CreateObject<PfcWatchdog>();
    const auto other = NewSwitch();
    {
        const auto one = CreateObject<FabricSwitch>();
        one->SetEcnMarker(marker);
        EXPECT_EQ(RefusalOf([&] { other->SetEcnMarker(marker); }),
                  "this ns3::PcnMarker belongs to a switch already; make one for each switch");
        one->SetEcnMarker(CreateObject<WredEcnMarker>());
        other->SetEcnMarker(marker);
        one->AddExtension(watchdog);
    }
    EXPECT_EQ(RefusalOf([&] { other->AddExtension(watchdog); }), "") << "its switch is gone";
}

TEST(SoleOwner, SchedulersWithStateBelongToOnePort)
{
    const auto one = CreateObject<QbbNetDevice>();
    const auto other = CreateObject<QbbNetDevice>();
    const auto node = CreateObject<Node>();
    node->AddDevice(one);
    const auto dwrr = CreateObject<DwrrScheduler>();
    const auto strict = CreateObject<StrictPriorityScheduler>();
    one->SetScheduler(dwrr);
    EXPECT_EQ(RefusalOf([&] { other->SetAttribute("EgressScheduler", PointerValue(dwrr)); }),
              "this ns3::DwrrScheduler belongs to a port of node " + std::to_string(node->GetId()) +
                  " already; make one for each port");
    one->SetScheduler(strict);
    EXPECT_EQ(RefusalOf([&] { other->SetScheduler(dwrr); }), "") << "it is free again";
    EXPECT_EQ(RefusalOf([&] { other->SetScheduler(strict); }), "") << "it keeps no state";
    node->Dispose();
}
