// SPDX-License-Identifier: GPL-2.0-only
#include "no-switch-view.h"

#include "ns3/boolean.h"
#include "ns3/ecmp-load-balancer.h"
#include "ns3/integer.h"
#include "ns3/object-factory.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

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
    const uint16_t port = balancer.Pick(*frame, 0, ports, NoSwitchView());
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
        ++flows[balancer->Pick(*frame, 0, {0, 1, 2, 3}, NoSwitchView())];
        frame->Release();
    }
    EXPECT_EQ(flows.size(), 4U);
    for (const auto& [port, count] : flows)
    {
        EXPECT_NEAR(count, 16, 10) << "port " << port; // 3 standard deviations
    }
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
