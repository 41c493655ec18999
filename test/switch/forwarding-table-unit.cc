// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/forwarding-table.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

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

/// @return an IPv6 address of 96 and 32 bits
Ipv6Address
Wide(const std::array<uint32_t, 3>& prefix, uint32_t low)
{
    uint8_t bytes[16];
    for (std::size_t i = 0; i < 3; ++i)
    {
        Ipv4Address(prefix[i]).Serialize(bytes + 4 * i);
    }
    Ipv4Address(low).Serialize(bytes + 12);
    return Ipv6Address(bytes);
}

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

TEST(ForwardingTable, SitesAndSingleAddressesAgreeWithAMap)
{
    constexpr uint32_t first = 0x0a000001;
    const std::array<uint32_t, 3> prefix{0xfd000000, 0, 0};
    std::mt19937 random(4);
    for (int round = 0; round < 30; ++round)
    {
        ForwardingTable table;
        Asker find(table);
        const uint32_t nSites = 1 + random() % 5;
        std::map<std::pair<bool, uint32_t>, uint16_t> expected; // IPv6?, lowest bits: port
        for (int step = 0; step < 300; ++step)
        {
            const auto port = static_cast<uint16_t>(random() % 40);
            const uint32_t address = first - 3 + random() % 60; // also beside the hosts
            const bool wide = random() % 2 == 0;
            const std::pair key{wide, address};
            if (step % 100 == 0)
            {
                std::vector<HostSites::Site> sites;
                std::vector<ForwardingTable::GroupId> groups{0};
                for (uint32_t site = 1; site <= nSites; ++site)
                {
                    groups.push_back(random() % 4 == 0 ? 0 : table.AddGroup({port, 41}));
                    sites.push_back(static_cast<uint16_t>(site));
                }
                while (sites.size() < 50)
                {
                    sites.push_back(static_cast<uint16_t>(random() % (nSites + 1)));
                }
                for (uint32_t i = 0; i < sites.size(); ++i)
                {
                    for (const bool v6 : {false, true})
                    {
                        expected.erase({v6, first + i});
                        if (groups[sites[i]] != 0)
                        {
                            expected[{v6, first + i}] = port;
                        }
                    }
                }
                table.SetSiteRoutes(std::make_shared<HostSites>(first, prefix, sites), groups);
            }
            else if (random() % 3 == 0)
            {
                const bool removed = wide ? table.RemoveRoute(Wide(prefix, address))
                                          : table.RemoveRoute(Ipv4Address(address));
                ASSERT_EQ(removed, expected.erase(key) == 1);
            }
            else
            {
                const auto group = table.AddGroup({port});
                wide ? table.SetRoute(Wide(prefix, address), group)
                     : table.SetRoute(Ipv4Address(address), group);
                expected[key] = port;
            }
        }
        ASSERT_EQ(table.GetNRoutes(), expected.size());
        for (uint32_t address = first - 5; address < first + 60; ++address)
        {
            for (const bool v6 : {false, true})
            {
                const NextHopGroup* group =
                    v6 ? find(Wide(prefix, address)) : find(Ipv4Address(address));
                const auto known = expected.find({v6, address});
                ASSERT_EQ(group != nullptr, known != expected.end());
                ASSERT_TRUE(!group || group->ports[0] == known->second);
            }
            ASSERT_EQ(find(Wide({0xfd000000, 0, 1}, address)), nullptr); // of another network
        }
    }
}

TEST(ForwardingTable, GroupsThatDoNotFitTheSitesAreRefused)
{
    ForwardingTable table;
    const auto sites = std::make_shared<HostSites>(1,
                                                   std::array<uint32_t, 3>{},
                                                   std::vector<HostSites::Site>{1, 2});
    EXPECT_EQ(sites->GetNSites(), 2U);
    EXPECT_THROW(table.SetSiteRoutes(sites, {0, 0}), std::invalid_argument);
    EXPECT_THROW(table.SetSiteRoutes(sites, {0, 0, 1}), std::invalid_argument);
    const auto group = table.AddGroup({1});
    EXPECT_THROW(table.SetSiteRoutes(sites, {group, group, group}), std::invalid_argument);
    table.SetSiteRoutes(sites, {0, group, 0});
    EXPECT_EQ(table.GetNRoutes(), 2U); // IPv4 and IPv6
}

TEST(ForwardingTable, TenThousandHostsFitInLittleMemory)
{
    std::vector<HostSites::Site> sites;
    for (uint32_t host = 0; host < 10000; ++host)
    {
        sites.push_back(static_cast<HostSites::Site>(1 + host / 200));
    }
    ForwardingTable table;
    std::vector<ForwardingTable::GroupId> groups{0};
    for (uint16_t site = 1; site <= 50; ++site)
    {
        groups.push_back(table.AddGroup({site}));
    }
    table.SetSiteRoutes(
        std::make_shared<HostSites>(0x0a000001, std::array<uint32_t, 3>{}, std::move(sites)),
        groups);
    EXPECT_EQ(table.GetNRoutes(), 20000U);
    EXPECT_LT(table.GetMemory(), 6000U);
}

TEST(ForwardingTable, EqualGroupsAreOneWhateverTheirOrder)
{
    ForwardingTable table;
    std::map<std::vector<uint16_t>, ForwardingTable::GroupId> known;
    std::mt19937 random(11);
    for (int i = 0; i < 20000; ++i)
    {
        std::vector<uint16_t> ports(1 + random() % 3);
        for (uint16_t& port : ports)
        {
            port = random() % 8;
        }
        const auto group = table.AddGroup(ports);
        EXPECT_EQ(known.emplace(ports, group).first->second, group);
        EXPECT_EQ(table.GetGroup(group).all, ports);
    }
    EXPECT_EQ(known.size(), 8U + 64 + 512);
    // A group with new members is found by these; of two that are equal, the older one.
    const auto first = known.at({1});
    const auto second = known.at({2});
    table.ReplaceGroup(second, {1});
    EXPECT_EQ(table.AddGroup({1}), std::min(first, second));
    table.ReplaceGroup(std::min(first, second), {9, 9});
    EXPECT_EQ(table.AddGroup({1}), std::max(first, second));
    EXPECT_EQ(table.AddGroup({9, 9}), std::min(first, second));
    EXPECT_EQ(table.AddGroup({2}), known.size() + 1);
}

TEST(ForwardingTable, BadGroupsAreRefused)
{
    ForwardingTable table;
    EXPECT_THROW(table.AddGroup({}), std::invalid_argument);
    EXPECT_THROW(table.SetRoute(Ipv4Address("10.0.0.1"), 0), std::invalid_argument);
    EXPECT_THROW(table.SetRoute(Ipv4Address("10.0.0.1"), 1), std::invalid_argument);
    EXPECT_THROW(table.ReplaceGroup(1, {1}), std::invalid_argument);
}
