// SPDX-License-Identifier: GPL-2.0-only

// The choice of the public HPCC simulator. The hashes come from a program of its own, by the public
// definition of murmur3.

#include "no-switch-view.h"

#include "ns3/hpcc-load-balancer.h"
#include "ns3/object-factory.h"

#include <gtest/gtest.h>
#include <memory>

using namespace ns3;

namespace
{

constexpr uint32_t FIRST_ADDRESS = 0x0a000001;

/// Two hosts, nodes 0 and 300 of the HPCC simulator, and two flows between them.
std::shared_ptr<const HpccLoadBalancer::Names>
TwoHosts()
{
    auto names = std::make_shared<HpccLoadBalancer::Names>();
    names->first = FIRST_ADDRESS;
    names->addresses = {0x0b000001, 0x0b012c01};
    for (const uint16_t port : {10000, 10001})
    {
        names->ports[HpccLoadBalancer::Names::KeyOf(FIRST_ADDRESS, FIRST_ADDRESS + 1, port)] = 100;
    }
    return names;
}

/// @return a frame of the flow with a source port, or its acknowledgement
Frame*
MakeFrame(uint16_t srcPort, bool isAck = false)
{
    auto frame = new Frame;
    frame->opcode = isAck ? RoceOpcode::ACKNOWLEDGE : RoceOpcode::WRITE_ONLY;
    frame->src = FIRST_ADDRESS + isAck;
    frame->dst = FIRST_ADDRESS + !isAck;
    frame->srcPort = srcPort;
    frame->dstPort = ROCE_UDP_PORT;
    return frame;
}

} // namespace

TEST(HpccLoadBalancer, Vectors)
{
    const struct
    {
        uint32_t seed;
        uint16_t srcPort;
        bool isAck;
        uint32_t hash;
        uint16_t port;
    } vectors[] = {
        {7, 10000, false, 0xd46766d0, 13},
        {7, 10001, false, 0x02607a45, 12},
        {8, 10000, false, 0xb464be81, 12},
        {7, 10000, true, 0x5a887f65, 12},
    };

    for (const auto& vector : vectors)
    {
        auto balancer = CreateObject<HpccLoadBalancer>();
        balancer->SetSwitchId(vector.seed);
        balancer->SetNames(TwoHosts());
        Frame* const frame = MakeFrame(vector.srcPort, vector.isAck);
        EXPECT_EQ(balancer->HashOf(*frame), vector.hash);
        EXPECT_EQ(balancer->Pick(*frame, 0, GroupOf({10, 11, 12, 13}), NoSwitchView()),
                  vector.port);
        frame->Release();
    }
}

TEST(HpccLoadBalancer, HashesAFrameWithoutANameByItsOwnFields)
{
    // As unit.EcmpLoadBalancer: 0x2562ae32 with seed 0, 2 of 4; counted from the last.
    auto balancer = CreateObject<HpccLoadBalancer>();
    auto frame = new Frame;
    frame->src = 0x0a000001;
    frame->dst = 0x0a000002;
    frame->srcPort = 0xc001;
    frame->dstPort = ROCE_UDP_PORT;
    EXPECT_EQ(balancer->HashOf(*frame), 0x2562ae32U);
    EXPECT_EQ(balancer->Pick(*frame, 0, GroupOf({10, 11, 12, 13}), NoSwitchView()), 11);
    frame->Release();
}
