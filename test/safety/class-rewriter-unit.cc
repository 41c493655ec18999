// SPDX-License-Identifier: GPL-2.0-only

// The rules that move frames to other classes, and what is refused.

#include "ns3/deadlock-helper.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/pointer.h"
#include "ns3/port-group-remap.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tagger.h"
#include "ns3/ttl-limiter.h"
#include "ns3/uinteger.h"

#include <functional>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;

namespace
{

class ClassRewriterTest : public testing::Test
{
  protected:
    ClassRewriterTest()
    {
        Simulator::Destroy();
        helper.SetLosslessClasses({3, 4});
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("64MiB"));
    }

    ~ClassRewriterTest() override
    {
        Simulator::Destroy();
    }

    /// @return a switch of 4 ports that is not started
    Ptr<FabricSwitch> MakeSwitch()
    {
        return helper.Star(4).GetSwitch(0);
    }

    /// @return the message of a std::invalid_argument or FabricError; empty: none
    static std::string ErrorOf(const std::function<void()>& call)
    {
        try
        {
            call();
        }
        catch (const std::exception& error)
        {
            return error.what();
        }
        return "";
    }

    static void ExpectError(const std::function<void()>& call, const std::string& text)
    {
        const std::string message = ErrorOf(call);
        EXPECT_NE(message.find(text), std::string::npos) << "says \"" << message << "\"";
        EXPECT_EQ(message.find('\n'), std::string::npos);
    }

    /// @return a started PortGroupRemap
    Ptr<PortGroupRemap> MakeRemap(const std::string& groups, const std::string& map, uint32_t lossy)
    {
        const auto remap = CreateObject<PortGroupRemap>();
        remap->SetAttribute("Groups", StringValue(groups));
        remap->SetAttribute("DscpMap", StringValue(map));
        remap->SetAttribute("LossyDscp", UintegerValue(lossy));
        fabricSwitch = MakeSwitch();
        remap->Start(*fabricSwitch);
        return remap;
    }

    FabricHelper helper;
    Ptr<FabricSwitch> fabricSwitch;
};

} // namespace

TEST_F(ClassRewriterTest, PortGroupsMoveWhatStaysWithinAGroup)
{
    const auto remap = MakeRemap("0:1, 1:1,2:2", "24:32", 5);
    EXPECT_EQ(remap->Rewrite(24, 0, 1), 32); // within group 1
    EXPECT_EQ(remap->Rewrite(24, 1, 0), 32);
    EXPECT_EQ(remap->Rewrite(24, 1, 1), 32); // back where it came from
    EXPECT_EQ(remap->Rewrite(24, 0, 2), 24); // from group to group
    EXPECT_EQ(remap->Rewrite(24, 3, 3), 24); // group 0 is none
    EXPECT_EQ(remap->Rewrite(32, 0, 1), 5);  // a second bounce
    EXPECT_EQ(remap->Rewrite(32, 0, 2), 32);
    EXPECT_EQ(remap->Rewrite(5, 0, 1), 5);
    EXPECT_EQ(remap->Rewrite(40, 0, 1), 40); // not in the map
}

TEST_F(ClassRewriterTest, PortGroupsGoOneLevelAPass)
{
    const auto remap = MakeRemap("0:1,1:1", "24:32, 32:40", 0);
    EXPECT_EQ(remap->Rewrite(24, 0, 1), 32);
    EXPECT_EQ(remap->Rewrite(32, 0, 1), 40);
    EXPECT_EQ(remap->Rewrite(40, 0, 1), 0);
}

TEST_F(ClassRewriterTest, PortGroupsRefuseWhatMakesNoSense)
{
    ExpectError([&] { MakeRemap("7:1", "24:32", 0); }, "names port 7: the switch has 4 ports");
    ExpectError([&] { MakeRemap("0:1", "24:32,32:24", 0); }, "leads back to DSCP");
    ExpectError([&] { MakeRemap("0:1,0:2", "24:32", 0); }, "0 is there twice");
}

TEST_F(ClassRewriterTest, TaggerCountsBounces)
{
    const auto tagger = CreateObjectWithAttributes<Tagger>("TagDscps",
                                                           StringValue("0:24,1:32"),
                                                           "LossyDscp",
                                                           UintegerValue(1));
    tagger->SetUpDown({Tagger::DOWN, Tagger::UP, Tagger::UP, Tagger::LEVEL});
    EXPECT_EQ(tagger->Rewrite(24, 0, 1), 24); // up
    EXPECT_EQ(tagger->Rewrite(24, 1, 0), 24); // down
    EXPECT_EQ(tagger->Rewrite(24, 0, 0), 24); // turns at the top
    EXPECT_EQ(tagger->Rewrite(24, 0, 3), 24); // across, once
    EXPECT_EQ(tagger->Rewrite(24, 1, 2), 32); // bounces
    EXPECT_EQ(tagger->Rewrite(24, 3, 3), 32);
    EXPECT_EQ(tagger->Rewrite(24, 3, 1), 32);
    EXPECT_EQ(tagger->Rewrite(32, 0, 1), 32);
    EXPECT_EQ(tagger->Rewrite(32, 1, 2), 1); // once more than there are tags
    EXPECT_EQ(tagger->Rewrite(7, 1, 2), 7);  // no tag
    tagger->SetRule(0, 1, 2, Tagger::LOSSY);
    EXPECT_EQ(tagger->Rewrite(24, 1, 2), 1);
    tagger->SetRule(0, 1, 2, 0);
    EXPECT_EQ(tagger->Rewrite(24, 1, 2), 24);
    ExpectError([&] { tagger->SetRule(1, 0, 0, 0); }, "tags must not shrink");
    ExpectError([&] { tagger->SetRule(2, 0, 0, 2); }, "there are 2 tags and 4 ports");
    ExpectError([&] { tagger->SetRule(0, 4, 0, 0); }, "there are 2 tags and 4 ports");
    ExpectError([] { CreateObjectWithAttributes<Tagger>("TagDscps", StringValue("0:24,2:32")); },
                "must count the tags from 0");
    ExpectError([] { CreateObjectWithAttributes<Tagger>("TagDscps", StringValue("0:24,1:24")); },
                "a DSCP of its own");
    const auto noRules = CreateObject<Tagger>();
    ExpectError([&] { noRules->Start(*MakeSwitch()); }, "make its rules anew");
}

TEST_F(ClassRewriterTest, TheIngressKeepsTheOldClass)
{
    const auto remap = MakeRemap("0:1,1:1", "24:32", 0);
    Frame frame;
    frame.inPort = 0;
    frame.inClass = 3;
    frame.trafficClass = 3;
    frame.dscp = 24;
    remap->Routed(frame, 1);
    EXPECT_EQ(frame.dscp, 32);
    EXPECT_EQ(+frame.trafficClass, 4);
    EXPECT_EQ(+frame.inClass, 3);
    remap->Routed(frame, 2);
    EXPECT_EQ(remap->GetRewritten(), 1U);
}

TEST_F(ClassRewriterTest, TtlLimiterLowersOnly)
{
    const auto limiter = CreateObjectWithAttributes<TtlLimiter>("Limits", StringValue("3:16, 4:8"));
    limiter->Start(*MakeSwitch());
    Frame frame;
    frame.inClass = 3;
    frame.ttl = 63;
    limiter->Routed(frame, 0);
    EXPECT_EQ(+frame.ttl, 16);
    frame.ttl = 15;
    limiter->Routed(frame, 0);
    EXPECT_EQ(+frame.ttl, 15);
    frame.inClass = 0;
    frame.ttl = 63;
    limiter->Routed(frame, 0);
    EXPECT_EQ(+frame.ttl, 63);
    EXPECT_EQ(limiter->GetLowered(), 1U);
    const auto wrong = CreateObjectWithAttributes<TtlLimiter>("Limits", StringValue("3:0"));
    ExpectError([&] { wrong->Start(*MakeSwitch()); }, "lets nothing pass");
}

TEST_F(ClassRewriterTest, HelperRefusesClassesThatDoNotFit)
{
    const Fabric fabric = helper.LeafSpine(2, 2, 1);
    DeadlockHelper deadlocks(fabric);
    ExpectError([&] { deadlocks.InstallUplinkGroups({3, 5}); },
                "leaf 0 port 0: class 5 is not lossless at both ends of the link");
    ExpectError([&] { deadlocks.InstallUplinkGroups({3}); }, "name at least 2");
    ExpectError([&] { deadlocks.InstallTagger({3}, 4); }, "class 4 is lossless and is to lose");
    ExpectError([&] { deadlocks.InstallTagger({3, 9}); }, "classes are 0 to 7");
    deadlocks.InstallDetector();
    ExpectError([&] { deadlocks.InstallDetector(); }, "a deadlock detector already");
    deadlocks.InstallTagger({3, 4});
    ExpectError([&] { deadlocks.InstallTagger({3, 4}); }, "a Tagger already");
}

TEST_F(ClassRewriterTest, HelperRefusesMapsThatDiffer)
{
    const Fabric fabric = helper.LeafSpine(2, 2, 1);
    const auto device = fabric.GetSwitch(1)->GetPort(1);
    const auto map = CreateObject<TrafficClassMap>();
    map->SetDscp(24, 4);
    device->SetAttribute("TrafficClassMap", PointerValue(map));
    DeadlockHelper deadlocks(fabric);
    ExpectError([&] { deadlocks.InstallTagger({3, 4}); }, ": its class map differs");
    device->SetAttribute("TrafficClassMap",
                         PointerValue(fabric.GetSwitch(0)->GetPort(0)->GetTrafficClassMap()));
    deadlocks.InstallTagger({3, 4});
    device->GetTrafficClassMap()->SetAttribute("Trust", StringValue("Dot1p"));
    ExpectError([&] { deadlocks.InstallTagger({3, 4}); }, "does not classify by DSCP");
}

TEST_F(ClassRewriterTest, HelperRefusesTooLittleHeadroom)
{
    const Fabric fabric = helper.LeafSpine(2, 2, 1);
    fabric.GetSwitch(0)->GetMmu()->SetLossless(1, 4, 1000);
    fabric.GetSwitch(0)->GetMmu()->Finalize();
    DeadlockHelper deadlocks(fabric);
    ExpectError([&] { deadlocks.InstallTagger({3, 4}); }, "the headroom of class 4 is");
}

TEST_F(ClassRewriterTest, DirectionsFollowTheTiers)
{
    const Fabric fabric = helper.LeafSpine(2, 2, 1);
    DeadlockHelper deadlocks(fabric);
    using Directions = std::vector<Tagger::Direction>;
    const auto leaf = deadlocks.GetDirections(2);
    EXPECT_EQ(std::count(leaf.begin(), leaf.end(), Tagger::UP), 2);
    EXPECT_EQ(std::count(leaf.begin(), leaf.end(), Tagger::DOWN), 1);
    EXPECT_EQ(deadlocks.GetDirections(4), Directions(2, Tagger::DOWN));
}
