// SPDX-License-Identifier: GPL-2.0-only
#include "no-switch-view.h"

#include "ns3/boolean.h"
#include "ns3/ecmp-load-balancer.h"
#include "ns3/integer.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t SIP = 0x0a000001;
constexpr uint32_t DIP = 0x0a000002;
constexpr uint32_t PORTS = 0xc001 | 4791U << 16;

/// @return the port that a flow takes
uint16_t
Pick(EcmpLoadBalancer& balancer,
     uint32_t src,
     uint32_t dst,
     uint16_t srcPort,
     uint16_t dstPort,
     const std::vector<uint16_t>& ports)
{
    auto frame = new Frame;
    frame->src = src;
    frame->dst = dst;
    frame->srcPort = srcPort;
    frame->dstPort = dstPort;
    const uint16_t port = balancer.Pick(*frame, 0, GroupOf(ports), NoSwitchView());
    frame->Release();
    return port;
}

} // namespace

TEST(EcmpLoadBalancer, Vectors)
{
    EXPECT_EQ(EcmpLoadBalancer::Hash(SIP, DIP, PORTS, 0), 0x2562ae32U);
    EXPECT_EQ(EcmpLoadBalancer::Hash(SIP, DIP, PORTS, 7), 0xd901cb2aU);
    auto balancer = CreateObjectWithAttributes<EcmpLoadBalancer>("Seed", IntegerValue(0));
    EXPECT_EQ(Pick(*balancer, SIP, DIP, 0xc001, 4791, {10, 11, 12, 13}), 12);
}

TEST(EcmpLoadBalancer, HashesAllBitsOfIpv6Addresses)
{
    // 64 pairs of hosts, ::1 and ::2 of a subnet each: what differs are bits 48 to 63.
    auto balancer = CreateObjectWithAttributes<EcmpLoadBalancer>("Seed", IntegerValue(0));
    std::map<uint16_t, uint32_t> flows;
    for (uint32_t subnet = 0; subnet < 64; ++subnet)
    {
        auto frame = new Frame;
        frame->ipVersion = 6;
        frame->srcHigh = frame->dstHigh = {0x20010db8, subnet, 0};
        frame->src = 1;
        frame->dst = 2;
        frame->srcPort = 0xc001;
        frame->dstPort = 4791;
        ++flows[balancer->Pick(*frame, 0, GroupOf({0, 1, 2, 3}), NoSwitchView())];
        frame->Release();
    }
    EXPECT_EQ(flows.size(), 4U);
    for (const auto& [port, count] : flows)
    {
        EXPECT_NEAR(count, 16, 10) << "port " << port; // 3 standard deviations
    }
}

TEST(EcmpLoadBalancer, HashesTheFlowLabel)
{
    auto balancer = CreateObjectWithAttributes<EcmpLoadBalancer>("Seed", IntegerValue(0));
    Frame frame;
    frame.srcPort = 0xc001;
    frame.dstPort = 4791;
    const auto hashOf = [&](uint8_t ipVersion, uint16_t label) {
        frame.ipVersion = ipVersion;
        frame.flowLabel = label;
        return balancer->HashOf(frame);
    };
    const uint32_t unlabelled = EcmpLoadBalancer::Hash(0, 0, PORTS, 0);
    EXPECT_EQ(hashOf(6, 0), unlabelled);
    EXPECT_EQ(hashOf(4, 0), unlabelled);
    EXPECT_EQ(hashOf(4, 77), unlabelled); // no label in IPv4
    std::set<uint32_t> hashes;
    for (uint32_t label = 0; label < 65536; ++label)
    {
        hashes.insert(hashOf(6, static_cast<uint16_t>(label)));
    }
    EXPECT_EQ(hashes.size(), 65536U); // murmur3 is one to one in its last word
}

TEST(EcmpLoadBalancer, SeedIsTheSwitchUnlessSet)
{
    auto balancer = CreateObject<EcmpLoadBalancer>();
    balancer->SetSwitchId(7);
    EXPECT_EQ(balancer->GetSeed(), 7U);
    balancer->SetAttribute("Seed", IntegerValue(3));
    balancer->SetSwitchId(8);
    EXPECT_EQ(balancer->GetSeed(), 3U);
    balancer->SetAttribute("Seed", IntegerValue(-1));
    EXPECT_EQ(balancer->GetSeed(), 8U);
}

TEST(EcmpLoadBalancer, SymmetricModeHashesBothDirectionsAlike)
{
    auto plain = CreateObjectWithAttributes<EcmpLoadBalancer>("Seed", IntegerValue(1));
    auto symmetric = CreateObjectWithAttributes<EcmpLoadBalancer>("Seed",
                                                                  IntegerValue(1),
                                                                  "Symmetric",
                                                                  BooleanValue(true));
    const std::vector<uint16_t> ports{0, 1, 2, 3, 4, 5, 6, 7};
    int plainDiffers = 0;
    std::set<uint16_t> used;
    for (uint16_t flow = 0; flow < 200; ++flow)
    {
        const uint16_t entropy = 0xc000 + flow;
        // RoCE: both directions have the entropy as source port. TCP: the ports change places.
        EXPECT_EQ(Pick(*symmetric, SIP, DIP, entropy, 4791, ports),
                  Pick(*symmetric, DIP, SIP, entropy, 4791, ports));
        EXPECT_EQ(Pick(*symmetric, SIP, DIP, entropy, 80, ports),
                  Pick(*symmetric, DIP, SIP, 80, entropy, ports));
        plainDiffers += Pick(*plain, SIP, DIP, entropy, 4791, ports) !=
                        Pick(*plain, DIP, SIP, entropy, 4791, ports);
        used.insert(Pick(*symmetric, SIP, DIP, entropy, 4791, ports));
    }
    EXPECT_GT(plainDiffers, 100);
    EXPECT_EQ(used.size(), 8U);
}

TEST(EcmpLoadBalancer, SameSeedOnTwoTiersLeavesHalfOfTheLinksUnused)
{
    auto first = CreateObjectWithAttributes<EcmpLoadBalancer>("Seed", IntegerValue(5));
    auto same = CreateObjectWithAttributes<EcmpLoadBalancer>("Seed", IntegerValue(5));
    auto other = CreateObjectWithAttributes<EcmpLoadBalancer>("Seed", IntegerValue(6));
    std::set<std::pair<uint16_t, uint16_t>> polarised;
    std::set<std::pair<uint16_t, uint16_t>> spread;
    for (uint16_t flow = 0; flow < 500; ++flow)
    {
        const uint16_t tier1 = Pick(*first, SIP, DIP, flow, 4791, {0, 1});
        polarised.insert({tier1, Pick(*same, SIP, DIP, flow, 4791, {0, 1})});
        spread.insert({tier1, Pick(*other, SIP, DIP, flow, 4791, {0, 1})});
    }
    EXPECT_EQ(polarised.size(), 2U);
    EXPECT_EQ(spread.size(), 4U);
}

namespace
{

/// @param balancer hashes @param group where to @return ports of 20000 flows
std::vector<uint16_t>
PickAll(EcmpLoadBalancer& balancer, const NextHopGroup& group)
{
    std::vector<uint16_t> ports;
    auto frame = new Frame;
    frame->dstPort = 4791;
    for (uint32_t flow = 0; flow < 20000; ++flow)
    {
        frame->src = SIP + flow % 100;
        frame->srcPort = flow / 100;
        ports.push_back(balancer.Pick(*frame, 0, group, NoSwitchView()));
    }
    frame->Release();
    return ports;
}

} // namespace

TEST(EcmpLoadBalancer, ResilientFlowsStayWhereTheyAre)
{
    auto plain = CreateObject<EcmpLoadBalancer>();
    auto resilient = CreateObjectWithAttributes<EcmpLoadBalancer>("Resilient", BooleanValue(true));
    const NextHopGroup all = GroupOf({4, 5, 6, 7});
    const auto before = PickAll(*resilient, all);
    for (const uint16_t port : all.ports)
    {
        EXPECT_NEAR(std::count(before.begin(), before.end(), port), 5000, 185) << port; // 3 sigma
    }

    std::vector<uint16_t> last = before;
    for (const std::vector<uint16_t>& up :
         {std::vector<uint16_t>{4, 6, 7}, std::vector<uint16_t>{4, 7}})
    {
        // Routes may give a group of another number, in which the failed port is no member.
        const auto now = PickAll(*resilient, GroupOf(up));
        std::map<uint16_t, uint32_t> moved;
        double movedInAll = 0;
        for (std::size_t flow = 0; flow < now.size(); ++flow)
        {
            const bool wasUp = std::find(up.begin(), up.end(), last[flow]) != up.end();
            EXPECT_EQ(now[flow] == last[flow], wasUp);
            moved[now[flow]] += !wasUp;
            movedInAll += !wasUp;
        }
        for (const uint16_t port : up)
        {
            EXPECT_NEAR(moved[port], movedInAll / static_cast<double>(up.size()), 120) << port;
        }
        last = now;
    }
    EXPECT_EQ(PickAll(*resilient, all), before) << "they come back with the links";

    const auto first = PickAll(*plain, all);
    const auto second = PickAll(*plain, GroupOf({4, 6, 7}));
    std::size_t stayed = 0;
    for (std::size_t flow = 0; flow < first.size(); ++flow)
    {
        stayed += first[flow] == second[flow];
    }
    EXPECT_NEAR(stayed, 20000 / 4., 185) << "h % 4 and h % 3: 3 of 12";
}
