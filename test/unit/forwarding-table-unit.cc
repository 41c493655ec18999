// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/forwarding-table.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <stdexcept>

using namespace ns3;

namespace
{

/// Asks a table about IPv4 destinations.
class Asker
{
  public:
    explicit Asker(const ForwardingTable& table)
        : m_table(table),
          m_frame(new Frame)
    {
    }

    ~Asker()
    {
        m_frame->Release();
    }

    const NextHopGroup* operator()(Ipv4Address address)
    {
        m_frame->ipVersion = 4;
        m_frame->dst = address.Get();
        return m_table.Find(*m_frame);
    }

    const NextHopGroup* operator()(const Ipv6Address& address)
    {
        uint8_t bytes[16];
        address.GetBytes(bytes);
        auto word = [&](int i) {
            return uint32_t{bytes[i]} << 24 | bytes[i + 1] << 16 | bytes[i + 2] << 8 | bytes[i + 3];
        };
        m_frame->ipVersion = 6;
        m_frame->dstHigh = {word(0), word(4), word(8)};
        m_frame->dst = word(12);
        return m_table.Find(*m_frame);
    }

  private:
    const ForwardingTable& m_table;
    Frame* m_frame;
};

using Ports = std::vector<uint16_t>;

} // namespace

TEST(ForwardingTable, HostsShareAGroup)
{
    ForwardingTable table;
    Asker find(table);
    const auto up = table.AddGroup({4, 5, 6});
    EXPECT_EQ(table.AddGroup({4, 5, 6}), up);
    EXPECT_NE(table.AddGroup({6, 5, 4}), up); // the order is part of the group
    table.SetRoute(Ipv4Address("10.0.0.1"), up);
    table.SetRoute(Ipv4Address("10.0.0.2"), up);
    table.SetRoute(Ipv4Address("10.0.0.9"), table.AddGroup({1}));
    EXPECT_EQ(find(Ipv4Address("10.0.0.1")), find(Ipv4Address("10.0.0.2")));
    EXPECT_EQ(find(Ipv4Address("10.0.0.1"))->ports, Ports({4, 5, 6}));
    EXPECT_EQ(find(Ipv4Address("10.0.0.9"))->ports, Ports({1}));
    EXPECT_EQ(find(Ipv4Address("10.0.0.3")), nullptr);
    EXPECT_EQ(find(Ipv4Address("10.0.0.0")), nullptr);
    EXPECT_EQ(find(Ipv4Address("11.0.0.1")), nullptr);
    EXPECT_EQ(table.GetNRoutes(), 3U);
}

TEST(ForwardingTable, RoutesAreReplacedAndRemoved)
{
    ForwardingTable table;
    Asker find(table);
    for (const char* address : {"10.0.0.1", "192.168.0.1"})
    {
        table.SetRoute(Ipv4Address(address), table.AddGroup({1}));
        table.SetRoute(Ipv4Address(address), table.AddGroup({2}));
        EXPECT_EQ(find(Ipv4Address(address))->ports, Ports({2}));
    }
    EXPECT_EQ(table.GetNRoutes(), 2U);
    EXPECT_TRUE(table.RemoveRoute(Ipv4Address("10.0.0.1")));
    EXPECT_FALSE(table.RemoveRoute(Ipv4Address("10.0.0.1")));
    EXPECT_TRUE(table.RemoveRoute(Ipv4Address("192.168.0.1")));
    EXPECT_EQ(find(Ipv4Address("10.0.0.1")), nullptr);
    EXPECT_EQ(find(Ipv4Address("192.168.0.1")), nullptr);
    EXPECT_EQ(table.GetNRoutes(), 0U);
}

TEST(ForwardingTable, FailedPortLeavesAndComesBackInOrder)
{
    ForwardingTable table;
    const auto group = table.AddGroup({7, 3, 5});
    table.SetPortUp(3, false);
    EXPECT_EQ(table.GetGroup(group).ports, Ports({7, 5}));
    EXPECT_EQ(table.GetGroup(table.AddGroup({3, 1})).ports, Ports({1})); // made while it is down
    table.SetPortUp(7, false);
    table.SetPortUp(5, false);
    EXPECT_TRUE(table.GetGroup(group).ports.empty());
    for (uint16_t port : {5, 3, 7})
    {
        table.SetPortUp(port, true);
    }
    EXPECT_EQ(table.GetGroup(group).ports, Ports({7, 3, 5}));
    table.ReplaceGroup(group, {2});
    EXPECT_EQ(table.GetGroup(group).ports, Ports({2}));
}

TEST(ForwardingTable, AgreesWithAMapForAnyAddresses)
{
    std::mt19937 random(3);
    for (int round = 0; round < 20; ++round)
    {
        ForwardingTable table;
        Asker find(table);
        std::map<uint32_t, uint16_t> expected;
        const uint32_t spread = 1U << (4 + round);
        for (int step = 0; step < 2000; ++step)
        {
            const uint32_t address = 0x0a000000 + random() % spread + (random() % 4 << 28);
            const auto port = static_cast<uint16_t>(random() % 40);
            if (random() % 5 == 0)
            {
                EXPECT_EQ(table.RemoveRoute(Ipv4Address(address)), expected.erase(address) == 1);
            }
            else
            {
                table.SetRoute(Ipv4Address(address), table.AddGroup({port}));
                expected[address] = port;
            }
        }
        EXPECT_EQ(table.GetNRoutes(), expected.size());
        for (auto [address, port] : expected)
        {
            ASSERT_NE(find(Ipv4Address(address)), nullptr);
            ASSERT_EQ(find(Ipv4Address(address))->ports[0], port);
            ASSERT_EQ(find(Ipv4Address(address + 1)) != nullptr, expected.count(address + 1) == 1);
        }
    }
}

TEST(ForwardingTable, Ipv6ComparesAllBits)
{
    ForwardingTable table;
    Asker find(table);
    table.SetRoute(Ipv6Address("2001:db8::1"), table.AddGroup({1}));
    table.SetRoute(Ipv6Address("2001:db9::1"), table.AddGroup({2}));
    table.SetRoute(Ipv4Address("0.0.0.1"), table.AddGroup({3}));
    EXPECT_EQ(find(Ipv6Address("2001:db8::1"))->ports, Ports({1}));
    EXPECT_EQ(find(Ipv6Address("2001:db9::1"))->ports, Ports({2}));
    EXPECT_EQ(find(Ipv6Address("2001:dba::1")), nullptr);
    EXPECT_EQ(find(Ipv4Address("0.0.0.1"))->ports, Ports({3}));
    EXPECT_TRUE(table.RemoveRoute(Ipv6Address("2001:db8::1")));
    EXPECT_EQ(find(Ipv6Address("2001:db8::1")), nullptr);
    EXPECT_EQ(table.GetNRoutes(), 2U);
}

TEST(ForwardingTable, TenThousandHostsFitInLittleMemory)
{
    ForwardingTable table;
    table.Reserve(Ipv4Address("10.0.0.1"), 10000);
    for (uint32_t host = 0; host < 10000; ++host)
    {
        table.SetRoute(Ipv4Address(0x0a000001 + host),
                       table.AddGroup({static_cast<uint16_t>(host / 200)}));
    }
    EXPECT_LT(table.GetMemory(), 40000U);
}

TEST(ForwardingTable, BadGroupsAreRefused)
{
    ForwardingTable table;
    EXPECT_THROW(table.AddGroup({}), std::invalid_argument);
    EXPECT_THROW(table.SetRoute(Ipv4Address("10.0.0.1"), 0), std::invalid_argument);
    EXPECT_THROW(table.SetRoute(Ipv4Address("10.0.0.1"), 1), std::invalid_argument);
    EXPECT_THROW(table.ReplaceGroup(1, {1}), std::invalid_argument);
}
