// SPDX-License-Identifier: GPL-2.0-only

// The closed form of the ideal FCT against hand-made numbers, and against a walk over all packets.

#include "helper-test-util.h"

#include "ns3/fabric-frame.h"
#include "ns3/ideal-fct.h"

#include <algorithm>
#include <random>

using namespace ns3;

namespace
{

constexpr int64_t PS = 1000000000000; // ticks per second
constexpr uint64_t G = 1000000000;

IdealFct::Framing
Mtu(uint32_t mtu, uint32_t ackInterval = 1)
{
    IdealFct::Framing framing;
    framing.mtu = mtu;
    framing.ackInterval = ackInterval;
    return framing;
}

/// Follow the packets one by one: every link starts a frame when the switch before it has enough of
/// the frame, and the link is free.
class Follower
{
  public:
    explicit Follower(const std::vector<IdealHop>& path)
        : m_path(path),
          m_busy(path.size(), 0),
          m_ackBusy(path.size(), 0)
    {
    }

    /// @return when the completion is, without hosts
    int64_t Completion(uint64_t bytes, uint32_t mtu, uint32_t ackInterval)
    {
        const uint64_t packets = bytes <= mtu ? 1 : (bytes - 1) / mtu + 1;
        int64_t done = 0;
        for (uint64_t i = 0; i < packets; ++i)
        {
            const uint32_t wire = WireOf(i, packets, bytes, mtu);
            const std::size_t links = m_path.size();
            int64_t at = 0;
            for (std::size_t h = 0; h < links; ++h)
            {
                at = Cross(m_busy[h], at, wire, h, h + 1 < links ? h + 1 : links, h);
            }
            if ((i + 1) % ackInterval == 0 || i + 1 == packets)
            {
                for (std::size_t h = links; h-- > 0;)
                {
                    at = Cross(m_ackBusy[h], at, 86, h, h > 0 ? h - 1 : links, h - 1);
                }
                done = at;
            }
        }
        return done;
    }

    /// Each frame takes the way of a link that is free first, and frames may overtake each other.
    /// @return when the last one has arrived, without hosts
    int64_t DealtDelivery(uint64_t bytes, uint32_t mtu) const
    {
        std::vector<std::pair<int64_t, uint32_t>> frames; // when each may start, and its length
        const uint64_t packets = (bytes - 1) / mtu + 1;
        for (uint64_t i = 0; i < packets; ++i)
        {
            frames.emplace_back(0, WireOf(i, packets, bytes, mtu));
        }
        for (std::size_t h = 0; h < m_path.size(); ++h)
        {
            std::vector<int64_t> busy(m_path[h].ways, 0);
            for (auto& [at, wire] : frames)
            {
                at = Cross(*std::min_element(busy.begin(), busy.end()), at, wire, h, h + 1, h);
            }
            std::stable_sort(frames.begin(), frames.end(), [](const auto& one, const auto& other) {
                return one.first < other.first;
            });
        }
        return frames.back().first;
    }

  private:
    static uint32_t WireOf(uint64_t i, uint64_t packets, uint64_t bytes, uint32_t mtu)
    {
        const bool last = i + 1 == packets;
        const uint64_t payload = last ? bytes - i * mtu : mtu;
        const RoceOpcode op = packets == 1 ? RoceOpcode::WRITE_ONLY
                              : i == 0     ? RoceOpcode::WRITE_FIRST
                              : last       ? RoceOpcode::WRITE_LAST
                                           : RoceOpcode::WRITE_MIDDLE;
        return RoceFrameBytes(op, static_cast<uint32_t>(payload)) + 20;
    }

    int64_t Serialise(std::size_t link, uint64_t wire) const
    {
        return static_cast<int64_t>(8 * wire * PS / m_path[link].bitsPerSecond);
    }

    /// @param busy until when the link is @param at when the frame may start on it @param wire its
    /// length @param link the link @param next the link behind; none: the frame ends here
    /// @param between the link whose switch joins the two @return when the frame may start there,
    /// or has arrived
    int64_t Cross(int64_t& busy,
                  int64_t at,
                  uint32_t wire,
                  std::size_t link,
                  std::size_t next,
                  std::size_t between) const
    {
        const int64_t start = std::max(busy, at);
        busy = start + Serialise(link, wire);
        if (next == m_path.size())
        {
            return busy + m_path[link].delayTicks;
        }
        const uint32_t head = m_path[between].cutThroughBytes;
        const bool cuts = head && m_path[next].bitsPerSecond <= m_path[link].bitsPerSecond;
        const int64_t known = cuts ? start + Serialise(link, std::min(wire, head + 20)) : busy;
        return known + m_path[link].delayTicks + m_path[between].switchTicks;
    }

    std::vector<IdealHop> m_path;
    std::vector<int64_t> m_busy;
    std::vector<int64_t> m_ackBusy;
};

} // namespace

TEST(IdealFct, OnePacketOverTwoLinks)
{
    // WRITE_ONLY of 1000 bytes: 1078 B frame, 1098 B wire, 87.84 ns at 100G; ACK 86 B, 6.88 ns.
    const IdealFct ideal({{100 * G, 1000000}, {100 * G, 1000000}}, Mtu(1000), PS);
    EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE, 1000), 2 * (87840 + 1000000));
    EXPECT_EQ(ideal.Completion(RdmaVerb::WRITE, 1000), 2 * (87840 + 6880 + 2000000));
    EXPECT_EQ(ideal.BaseRtt(), ideal.Completion(RdmaVerb::WRITE, 1000));
    // A message of no bytes is one packet: 78 B frame.
    EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE, 0), 2 * (98 * 80 + 1000000));
    // SEND has no RETH: 64 B frame at least.
    EXPECT_EQ(ideal.Delivery(RdmaVerb::SEND, 0), 2 * (84 * 80 + 1000000));
}

TEST(IdealFct, ManyPacketsAtOneSpeed)
{
    // 4 packets of 1000: 1098, 1082, 1082, 1082 B. The first is the longest: the others wait for it
    // on the second link, too.
    const IdealFct ideal({{100 * G, 0}, {100 * G, 0}}, Mtu(1000), PS);
    EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE, 4000), (2 * 1098 + 3 * 1082) * 80);
}

TEST(IdealFct, ReadWaitsForItsRequest)
{
    // Request 98 B, response of one packet: 18 + 20 + 8 + 12 + 4 + 1000 + 4 + 20 = 1086 B wire.
    const IdealFct ideal({{100 * G, 500}, {40 * G, 700}}, Mtu(1000), PS);
    const int64_t request = 98 * 80 + 98 * 200 + 1200;
    const int64_t response = 1086 * 80 + 1086 * 200 + 1200;
    EXPECT_EQ(ideal.Completion(RdmaVerb::READ, 1000), request + response);
}

TEST(IdealFct, EqualsTheWalkOverAllPackets)
{
    std::mt19937 random(7);
    const uint64_t rates[] = {10 * G, 25 * G, 40 * G, 50 * G, 100 * G, 200 * G, 400 * G, 800 * G};
    for (int i = 0; i < 3000; ++i)
    {
        std::vector<IdealHop> path;
        const std::size_t hops = 1 + random() % 6;
        for (std::size_t h = 0; h < hops; ++h)
        {
            path.push_back({rates[random() % 8], static_cast<int64_t>(random() % 3000000)});
            path.back().switchTicks = random() % 2 ? 0 : static_cast<int64_t>(random() % 800000);
            path.back().cutThroughBytes = random() % 2 ? 0 : 64 + random() % 200;
        }
        path.back().switchTicks = 0; // a host is behind
        path.back().cutThroughBytes = 0;
        const uint32_t mtu = random() % 2 ? 1000 : 256;
        const uint64_t bytes = random() % (random() % 2 ? 4 * mtu : 40 * mtu);
        const uint32_t interval = 1 + random() % 4;
        const IdealFct ideal(path, Mtu(mtu, interval), PS);
        ASSERT_EQ(ideal.Completion(RdmaVerb::WRITE, bytes),
                  Follower(path).Completion(bytes, mtu, interval))
            << "case " << i << ": " << bytes << " bytes over " << hops << " links, MTU " << mtu;
    }
}

// Two switches with 2 to 5 links between them, on which the packets are dealt: no order of the
// packets is faster than the ideal, and a good one is slower by less than three packets.
TEST(IdealFct, DealtPackets)
{
    std::mt19937 random(13);
    const uint64_t rates[] = {10 * G, 25 * G, 50 * G, 100 * G, 400 * G};
    for (int i = 0; i < 3000; ++i)
    {
        std::vector<IdealHop> path(3 + random() % 2);
        int64_t slowest = 0;
        const uint64_t ways = 2 + random() % 4;
        for (std::size_t h = 0; h < path.size(); ++h)
        {
            path[h] = {rates[random() % 5], static_cast<int64_t>(random() % 3000000)};
            path[h].ways = h > 0 && h + 1 < path.size() ? ways : 1;
            const uint64_t bits = 8 * uint64_t{1122};
            slowest = std::max(slowest, static_cast<int64_t>(bits * PS / path[h].bitsPerSecond));
        }
        const uint64_t bytes = 1 + random() % 40000;
        const int64_t ideal = IdealFct(path, Mtu(1024), PS).Delivery(RdmaVerb::WRITE, bytes);
        const int64_t walk = Follower(path).DealtDelivery(bytes, 1024);
        ASSERT_LE(ideal, walk) << "case " << i << ": " << bytes << " bytes";
        ASSERT_LT(walk, ideal + 3 * slowest) << "case " << i << ": " << bytes << " bytes";
        const int64_t several =
            IdealFct(path, Mtu(1024), PS).Delivery(RdmaVerb::WRITE, {{1, bytes}});
        ASSERT_LE(several, walk) << "case " << i << ": " << bytes << " bytes";
    }
    // Four packets over two links of half the rate: the last one waits at the host alone.
    const IdealHop host{100 * G, 0};
    IdealHop up{50 * G, 0};
    up.ways = 2;
    const IdealFct ideal({host, up, host}, Mtu(1000), PS);
    EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE, 4000), (1098 + 3 * 1082 + 2 * 1082 + 1082) * 80);
}

TEST(IdealFct, HostsAndSwitches)
{
    // One packet of 1098 B wire over a switch of 500 ns that cuts through after 64 bytes.
    IdealFct::Framing framing = Mtu(1000);
    framing.requester = {700000, 300000};
    framing.responder = {600000, 200000};
    IdealHop up{100 * G, 1000000};
    up.switchTicks = 500000;
    up.cutThroughBytes = 64;
    const IdealHop down{100 * G, 1000000};
    const IdealFct ideal({up, down}, framing, PS);
    const int64_t there = 84 * 80 + 1000000 + 500000 + 1098 * 80 + 1000000;
    const int64_t back = 84 * 80 + 1000000 + 500000 + 86 * 80 + 1000000;
    EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE, 1000), 700000 + there + 200000);
    EXPECT_EQ(ideal.Completion(RdmaVerb::WRITE, 1000), 700000 + there + back + 300000);
    EXPECT_EQ(ideal.BaseRtt(), there + back) << "the NIC has the clock";
    EXPECT_EQ(ideal.GetDelays(), 2500000);
    // Request 98 B, response 1086 B; both ends fetch something over PCIe first.
    const int64_t request = 84 * 80 + 98 * 80 + 2500000;
    const int64_t response = 84 * 80 + 1086 * 80 + 2500000;
    EXPECT_EQ(ideal.Completion(RdmaVerb::READ, 1000),
              700000 + request + 600000 + response + 300000);
    // Two messages at once: one queue pair posts both.
    EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE, {{2, 1000}}), 700000 + there + 1098 * 80 + 200000);
}

TEST(IdealFct, LargestMessage)
{
    // 2^40 bytes in 1024 B packets at 100G: 1106 wire bytes each, and nothing overflows.
    const IdealFct ideal({{100 * G, 1000000}, {400 * G, 1000000}}, Mtu(1024), PS);
    const int64_t packets = int64_t{1} << 30;
    const int64_t expected = 1122 * 80 + (packets - 1) * 1106 * 80 + 1106 * 20 + 2000000;
    EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE, uint64_t{1} << 40), expected);
}

// The public HPCC simulator: 48 bytes and the payload, ACKs of 60 bytes, whole nanoseconds.
TEST(IdealFct, OfTheHpccSimulator)
{
    IdealFct::Framing framing = Mtu(1000);
    framing.format = FRAMES_HPCC;
    const IdealFct ideal({{100 * G, 1000000, 1000}, {100 * G, 1000000, 1000}}, framing, PS);
    EXPECT_EQ(ideal.Completion(RdmaVerb::WRITE, 1000),
              2 * (83000 + 1000000) + 2 * (4000 + 1000000));
    EXPECT_EQ(ideal.Completion(RdmaVerb::WRITE, 3000),
              4 * 83000 + 2 * 1000000 + 2 * (4000 + 1000000));
}

namespace
{

/// @return how messages become packets of MRC
IdealFct::Framing
Planes(uint32_t planes, uint32_t mtu, uint8_t ipVersion = 6)
{
    IdealFct::Framing framing = Mtu(mtu);
    framing.planes = planes;
    framing.ipVersion = ipVersion;
    return framing;
}

} // namespace

// 4 links of 100 Gb/s and 0.5 us: a full packet has 4222 B on the wire, 337.76 ns; a SACK 138 B,
// 11.04 ns, an ACK 106 B.
TEST(IdealFct, MessageOverPlanes)
{
    const std::vector<IdealHop> path(4, {100 * G, 500000});

    struct Case
    {
        uint32_t planes;
        int64_t turns; // packets of the plane that has most
    };

    for (const Case& each : {Case{8, 64}, Case{7, 74}, Case{4, 128}, Case{1, 512}})
    {
        const IdealFct ideal(path, Planes(each.planes, 4096), PS);
        const int64_t last = (each.turns + 3) * 337760 + 4 * 500000;
        EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE, 2097152), last) << each.planes;
        EXPECT_EQ(ideal.Completion(RdmaVerb::WRITE, 2097152), last + 4 * (8480 + 500000));
        EXPECT_EQ(ideal.BaseRtt(), 5395200);
        EXPECT_EQ(ideal.Occupation(RdmaVerb::WRITE, 2097152), each.turns * 337760);
    }
    // Over IPv4 both are 20 B shorter.
    const IdealFct ipv4(path, Planes(8, 4096, 4), PS);
    EXPECT_EQ(ipv4.BaseRtt(), 5395200 - 4 * 2 * 20 * 80);
    // Plane 0 has the last of 9 packets, here of 4 B. Of 10 packets plane 0 has two full ones, and
    // plane 1 the last one, which immediate data make 4 B longer.
    const IdealFct ideal(path, Planes(8, 4096), PS);
    const int64_t two = 5 * 337760 + 2000000;
    EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE, 8 * 4096 + 4), two - 4092 * 80);
    EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE, 9 * 4096 + 4), two);
    EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE_IMM, 10 * 4096), two + 4 * 4 * 80);
    EXPECT_EQ(ideal.Delivery(RdmaVerb::WRITE, 4 * 4096), two - 337760);
}

// The planes are like messages of their own, of which the longest ends last.
TEST(IdealFct, EqualsTheLastOfItsPlanes)
{
    std::mt19937 random(11);
    const uint64_t rates[] = {25 * G, 50 * G, 100 * G, 400 * G};
    for (int i = 0; i < 2000; ++i)
    {
        std::vector<IdealHop> path(1 + random() % 5);
        for (IdealHop& hop : path)
        {
            hop = {rates[random() % 4], static_cast<int64_t>(random() % 3000000)};
        }
        const uint32_t planes = 1 + random() % 9;
        const uint32_t mtu = random() % 2 ? 1024 : 256;
        const uint64_t bytes = 1 + random() % (40 * mtu);
        std::vector<uint64_t> ofPlane(planes, 0);
        for (uint64_t at = 0; at < bytes; at += mtu)
        {
            ofPlane[at / mtu % planes] += std::min<uint64_t>(mtu, bytes - at);
        }
        const IdealFct one(path, Planes(1, mtu), PS);
        int64_t last = 0;
        for (const uint64_t part : ofPlane)
        {
            last = std::max(last, part ? one.Delivery(RdmaVerb::WRITE, part) : 0);
        }
        const IdealFct ideal(path, Planes(planes, mtu), PS);
        ASSERT_EQ(ideal.Delivery(RdmaVerb::WRITE, bytes), last)
            << "case " << i << ": " << bytes << " bytes over " << planes << " planes, MTU " << mtu;
        // Messages at once: no bound is above what one of them takes.
        ASSERT_LE(ideal.Delivery(RdmaVerb::WRITE, {{1, bytes}}), last) << "case " << i;
    }
}
