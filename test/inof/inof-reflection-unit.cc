// SPDX-License-Identifier: GPL-2.0-only

// Reflection in iNOF: what keeps words from going round, and from coming back.

#include "inof-test-util.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;

// ---- reflection

TEST(InofReflection, RefusesWhatCannotBe)
{
    InofNetwork net;
    net.AddSwitch(1);
    EXPECT_THROW(net.At(1).AddSession(1, InofSwitch::REFLECTOR), std::invalid_argument);
    EXPECT_THROW(net.At(1).AddSession(2, InofSwitch::CLIENT), std::invalid_argument);
    net.At(1).AddSession(2, InofSwitch::REFLECTOR);
    EXPECT_THROW(net.At(1).AddSession(2, InofSwitch::REFLECTOR), std::invalid_argument);
}

TEST(InofReflection, WordsCrossTwoClustersAndComeToRest)
{
    // Reflectors 1, 2, 3 of three clusters in full mesh, with a client each: 11, 12, 13.
    InofNetwork net;
    for (uint32_t reflector = 1; reflector <= 3; ++reflector)
    {
        net.AddSwitch(reflector, reflector);
        net.AddSwitch(10 + reflector);
        net.At(reflector).AddSession(10 + reflector, InofSwitch::CLIENT);
        net.At(10 + reflector).AddSession(reflector, InofSwitch::REFLECTOR);
        net.AddHost(reflector, 10 + reflector, 0);
    }
    for (uint32_t one = 1; one <= 3; ++one)
    {
        for (uint32_t other = 1; other <= 3; ++other)
        {
            if (one != other)
            {
                net.At(one).AddSession(other, InofSwitch::REFLECTOR);
            }
        }
    }
    net.StartSwitches();
    net.Run(50 * INOF_MS);
    net.Plug(1);
    net.Plug(3);
    net.Run(50 * INOF_MS);
    EXPECT_EQ(net.hosts[3].Heard(), "+1");
    EXPECT_EQ(net.hosts[1].Heard(), "+3");
    std::size_t words = 0;
    for (const InofDatagram& datagram : net.seen)
    {
        words += datagram.message && datagram.message->type == InofMessage::ROUTE;
    }
    // Each word: client to reflector, to two fellows, each of which tells its client.
    EXPECT_EQ(words, 2U * 5);
}

TEST(InofReflection, LoopsAreBroken)
{
    // A ring of reflectors that take each other for clients: configured wrongly, as can happen.
    InofNetwork net;
    for (uint32_t number = 1; number <= 3; ++number)
    {
        net.AddSwitch(number, number);
    }
    for (uint32_t number = 1; number <= 3; ++number)
    {
        net.At(number).AddSession(number % 3 + 1, InofSwitch::CLIENT);
        net.At(number).AddSession((number + 1) % 3 + 1, InofSwitch::CLIENT);
    }
    net.AddHost(1, 1, 0);
    net.StartSwitches();
    net.Run(50 * INOF_MS);
    net.Plug(1);
    net.Run(500 * INOF_MS);
    uint64_t sent = 0;
    for (uint32_t number = 1; number <= 3; ++number)
    {
        EXPECT_TRUE(net.At(number).GetDirectory().Find(1)) << number;
        sent += net.At(number).GetCounters().routesSent;
    }
    EXPECT_EQ(sent, 4U) << "1 to both, and 2 and 3 to each other";
}

TEST(InofReflection, OwnAndReflectedWordsAreDropped)
{
    InofNetwork net;
    net.AddCluster({1}, {2});
    net.StartSwitches();
    net.Run(50 * INOF_MS);
    const auto inject = [&net](uint32_t to, uint32_t from, uint32_t originator, uint32_t cluster) {
        InofDatagram datagram;
        datagram.kind = InofDatagram::SESSION;
        for (const InofDatagram& seen : net.seen)
        {
            if (seen.sender == from)
            {
                datagram = seen;
            }
        }
        datagram.sequence = to == 1 ? 2 : 5; // after SYNC_END, and three of zones
        InofMessage word;
        word.type = InofMessage::ROUTE;
        word.up = true;
        word.host.id = 99;
        word.originator = originator;
        word.serial = 1;
        word.clusterList = {cluster};
        datagram.message = word;
        net.At(to).PeerDatagram(datagram, net.now);
    };
    inject(1, 2, 50, 1); // own cluster
    EXPECT_EQ(net.At(1).GetCounters().loops, 1U);
    EXPECT_FALSE(net.At(1).GetDirectory().Find(99));
    inject(2, 1, 2, 7); // own word
    EXPECT_EQ(net.At(2).GetCounters().loops, 1U);
    EXPECT_FALSE(net.At(2).GetDirectory().Find(99));
}

TEST(InofReflection, APastWordDoesNotReviveAHost)
{
    InofDirectory directory;
    InofMessage up;
    up.type = InofMessage::ROUTE;
    up.host.id = 5;
    up.up = true;
    up.originator = 1;
    up.serial = 1;
    InofMessage down = up;
    down.up = false;
    down.reason = InofReason::LINK_DOWN;
    down.serial = 2;
    EXPECT_EQ(directory.Update(up, 10), InofDirectory::CHANGED);
    EXPECT_EQ(directory.Update(down, 10), InofDirectory::CHANGED);
    EXPECT_EQ(directory.Update(up, 11), InofDirectory::OLD) << "the slower reflector";
    EXPECT_FALSE(directory.Find(5));
    EXPECT_EQ(directory.Update(down, 11), InofDirectory::DUPLICATE);
    EXPECT_EQ(directory.WhyDown(5), InofReason::LINK_DOWN);
}
