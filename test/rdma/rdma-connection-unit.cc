// SPDX-License-Identifier: GPL-2.0-only

// What is fixed by a connection: ports, RNR codes, addressing (InfiniBand annex A17).

#include "ns3/boolean.h"
#include "ns3/rdma-connection.h"
#include "ns3/rdma-ring.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;

TEST(RdmaConnection, UdpPortIsSymmetricAndInRange)
{
    std::set<uint16_t> ports;
    for (uint32_t a = 2; a < 100; a++)
    {
        for (uint32_t b = 2; b < 100; b++)
        {
            uint16_t port = RdmaConnection::UdpPort(a, b);
            ASSERT_GE(port, 0xc000);
            ASSERT_EQ(port, RdmaConnection::UdpPort(b, a));
            ports.insert(port);
        }
    }
    // 4851 pairs in 16384 ports: a random hash hits about 4190 of them.
    EXPECT_GT(ports.size(), 3900);
}

TEST(RdmaConnection, RnrTimerCodes)
{
    EXPECT_EQ(RdmaConnection::RnrNanoSeconds(0), 655360000);
    EXPECT_EQ(RdmaConnection::RnrNanoSeconds(1), 10000);
    EXPECT_EQ(RdmaConnection::RnrNanoSeconds(13), 960000);
    EXPECT_EQ(RdmaConnection::RnrNanoSeconds(18), 5120000);
    EXPECT_EQ(RdmaConnection::RnrNanoSeconds(31), 491520000);
    EXPECT_EQ(RdmaConnection::RnrCode(0), 1);
    EXPECT_EQ(RdmaConnection::RnrCode(10000), 1);
    EXPECT_EQ(RdmaConnection::RnrCode(10001), 2);
    EXPECT_EQ(RdmaConnection::RnrCode(640000), 12);
    EXPECT_EQ(RdmaConnection::RnrCode(500000000), 0);
    EXPECT_EQ(RdmaConnection::RnrCode(655360000), 0);
}

TEST(RdmaConnection, AddressTurnsADataFrameIntoAnAck)
{
    RdmaConnection connection;
    connection.local.low = 0x0a000001;
    connection.remote.low = 0x0a000002;
    connection.remoteQp = 77;
    connection.udpPort = 0xc123;
    connection.ack.trafficClass = 6;
    connection.ack.dscp = 48;
    auto frame = new Frame;
    frame->src = 0x0a000002;
    frame->dst = 0x0a000001;
    frame->ecn = Ecn::CE;
    frame->ackRequest = true;
    frame->ttl = 60;
    frame->payloadBytes = 0;
    connection.Address(*frame, RoceOpcode::ACKNOWLEDGE, connection.ack);
    EXPECT_EQ(frame->src, 0x0a000001U);
    EXPECT_EQ(frame->dst, 0x0a000002U);
    EXPECT_EQ(frame->destQp, 77U);
    EXPECT_EQ(frame->bytes, 66U);
    EXPECT_EQ(frame->ecn, Ecn::NOT_ECT);
    EXPECT_EQ(frame->trafficClass, 6);
    EXPECT_EQ(frame->dscp, 48);
    EXPECT_EQ(frame->ttl, 64);
    EXPECT_FALSE(frame->ackRequest);
    frame->Release();
}

TEST(RdmaMarking, FollowsTheMapOfThePort)
{
    auto map = CreateObject<TrafficClassMap>();
    map->SetAttribute("Trust", StringValue("Dot1p"));
    map->SetPcp(3, 1);
    map->SetPcp(5, 3);
    auto marking = RdmaMarking::FromMap(*map, 3);
    EXPECT_TRUE(marking.tagged);
    EXPECT_EQ(map->ClassOfPcp(marking.pcp), 3);
    map->SetAttribute("Trust", StringValue("Dscp"));
    marking = RdmaMarking::FromMap(*map, 3);
    EXPECT_FALSE(marking.tagged);
    EXPECT_EQ(map->ClassOfDscp(marking.dscp), 3);
}

TEST(RdmaRing, KeepsOrderWhileItGrows)
{
    RdmaRing<int> ring;
    int in = 0;
    int out = 0;
    for (int round = 0; round < 100; round++)
    {
        for (int i = 0; i < round % 7 + 1; i++)
        {
            ring.Push(in++);
        }
        for (int i = 0; i < round % 6 && !ring.IsEmpty(); i++)
        {
            ASSERT_EQ(ring.Front(), out++);
            ring.PopFront();
        }
        for (uint32_t i = 0; i < ring.Size(); i++)
        {
            ASSERT_EQ(ring[i], out + static_cast<int>(i));
        }
    }
    ring.PopBack();
    EXPECT_EQ(ring.Back(), in - 2);
}
