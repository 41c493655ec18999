// SPDX-License-Identifier: GPL-2.0-only
#include "ideal-fct.h"

#include "fabric-frame.h"

#include "ns3/cut-time.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace
{

/// Opcodes of the first, middle, last and only packet of a message.
struct Opcodes
{
    RoceOpcode first;
    RoceOpcode middle;
    RoceOpcode last;
    RoceOpcode only;
};

Opcodes
OpcodesOf(RdmaVerb verb)
{
    using Op = RoceOpcode;
    switch (verb)
    {
    case RdmaVerb::WRITE:
        return {Op::WRITE_FIRST, Op::WRITE_MIDDLE, Op::WRITE_LAST, Op::WRITE_ONLY};
    case RdmaVerb::WRITE_IMM:
        return {Op::WRITE_FIRST, Op::WRITE_MIDDLE, Op::WRITE_LAST_IMM, Op::WRITE_ONLY_IMM};
    case RdmaVerb::SEND:
        return {Op::SEND_FIRST, Op::SEND_MIDDLE, Op::SEND_LAST, Op::SEND_ONLY};
    case RdmaVerb::SEND_IMM:
        return {Op::SEND_FIRST, Op::SEND_MIDDLE, Op::SEND_LAST_IMM, Op::SEND_ONLY_IMM};
    default:
        return {Op::READ_RESPONSE_FIRST,
                Op::READ_RESPONSE_MIDDLE,
                Op::READ_RESPONSE_LAST,
                Op::READ_RESPONSE_ONLY};
    }
}

} // namespace

IdealFct::IdealFct(std::vector<IdealHop> path, const Framing& framing, int64_t ticksPerSecond)
    : m_path(std::move(path)),
      m_back(m_path.rbegin(), m_path.rend()),
      m_framing(framing),
      m_ticksPerSecond(ticksPerSecond)
{
    for (std::size_t h = 0; h < m_back.size(); ++h)
    {
        IdealHop& hop = m_back[h];
        hop.bitsPerSecond = hop.backBitsPerSecond ? hop.backBitsPerSecond : hop.bitsPerSecond;
        // The switch behind a link is another one on the way back.
        const IdealHop before = h + 1 < m_back.size() ? m_back[h + 1] : IdealHop();
        hop.switchTicks = before.switchTicks;
        hop.cutThroughBytes = before.cutThroughBytes;
    }
}

std::size_t
IdealFct::CountOrdered(const std::vector<IdealHop>& path)
{
    const auto dealt = [](const IdealHop& hop) { return hop.ways > 1; };
    return std::find_if(path.begin(), path.end(), dealt) - path.begin();
}

int64_t
IdealFct::Serialise(const IdealHop& hop, uint64_t count, uint32_t wireBytes) const
{
    constexpr uint32_t BITS = 8;
    wireBytes += hop.tunnelBytes;
    if (hop.unit > 1)
    {
        return static_cast<int64_t>(count) *
               CutFrameTime(wireBytes, hop.bitsPerSecond, m_ticksPerSecond, hop.unit);
    }
    __extension__ using Wide = unsigned __int128;
    const Wide bits = Wide{BITS} * count * wireBytes;
    return static_cast<int64_t>(bits * static_cast<uint64_t>(m_ticksPerSecond) / hop.bitsPerSecond);
}

int64_t
IdealFct::Relay(const std::vector<IdealHop>& path, std::size_t hop, uint32_t wireBytes) const
{
    const IdealHop& link = path[hop];
    const bool cuts = link.cutThroughBytes > 0 && hop + 1 < path.size() &&
                      path[hop + 1].bitsPerSecond <= link.bitsPerSecond;
    const uint32_t head = link.cutThroughBytes + ETHERNET_GAP_BYTES;
    return Serialise(link, 1, cuts ? std::min(wireBytes, head) : wireBytes);
}

uint32_t
IdealFct::Wire(RoceOpcode opcode, uint64_t payload) const
{
    const auto bytes = static_cast<uint32_t>(payload);
    if (m_framing.planes > 0)
    {
        constexpr uint32_t TIME_STAMP_BYTES = 4; // TSETH
        const bool isData = CarriesData(opcode);
        return ETHERNET_GAP_BYTES + m_framing.outerBytes +
               RoceFrameBytes(isData ? ToMrc(opcode) : opcode,
                              bytes,
                              m_framing.ipVersion,
                              m_framing.tagged,
                              isData ? TIME_STAMP_BYTES : 0);
    }
    return GapBytes(m_framing.format) +
           (m_framing.format == FRAMES_HPCC
                ? HpccFrameBytes(opcode, bytes, TelemetryKind::NONE)
                : RoceFrameBytes(opcode, bytes, m_framing.ipVersion, m_framing.tagged));
}

IdealFct::Train
IdealFct::MakeTrain(RdmaVerb verb, uint64_t bytes) const
{
    const Opcodes ops = OpcodesOf(verb);
    const uint32_t mtu = m_framing.mtu;
    if (bytes <= mtu)
    {
        return {1, 0, 0, Wire(ops.only, bytes)};
    }
    const uint64_t packets = (bytes - 1) / mtu + 1;
    return {packets,
            Wire(ops.first, mtu),
            Wire(ops.middle, mtu),
            Wire(ops.last, bytes - (packets - 1) * mtu)};
}

IdealFct::Train
IdealFct::LastPlane(RdmaVerb verb, uint64_t bytes) const
{
    Train train = MakeTrain(verb, bytes);
    if (m_framing.planes > 1)
    {
        const uint64_t before = train.packets - 1; // the last one
        if (before % m_framing.planes > 0)
        {
            // The plane before has as many packets, and a middle one in place of the last.
            train.last = std::max(train.last, train.middle);
        }
        train.packets = before / m_framing.planes + 1;
    }
    return train;
}

int64_t
IdealFct::Arrival(const std::vector<IdealHop>& path, const Train& train) const
{
    const std::size_t hops = path.size();
    int64_t delays = 0;
    // toLast[h]: the last packet over the links from h on.
    std::vector<int64_t> toLast(hops + 1, 0);
    for (std::size_t h = hops; h-- > 0;)
    {
        delays += path[h].delayTicks + path[h].switchTicks;
        toLast[h] = toLast[h + 1] + Relay(path, h, train.last);
    }
    if (train.packets == 1)
    {
        return delays + toLast[0];
    }
    const std::size_t ordered = CountOrdered(path);
    int64_t longest = 0;
    int64_t before = 0; // the first packet over the links before a
    for (std::size_t a = 0; a < hops; ++a)
    {
        if (a >= ordered)
        {
            before += Relay(path, a, train.first);
            continue; // no packet waits for the first one
        }
        const int64_t first = before + Serialise(path[a], 1, train.first);
        before += Relay(path, a, train.first);
        if (train.packets == 2)
        {
            longest = std::max(longest, first + toLast[a]);
            continue;
        }
        int64_t relayed = 0; // a middle packet over the links a..c - 1
        int64_t extra = 0;   // the other middle packets at the slowest of a..c
        for (std::size_t c = a; c < hops; ++c)
        {
            const uint64_t turns = (train.packets - 3) / path[c].ways + 1;
            const int64_t one = Serialise(path[c], 1, train.middle);
            extra = std::max(extra, Serialise(path[c], turns, train.middle) - one);
            if (c < ordered || c + 1 == hops)
            {
                const int64_t last = c < ordered ? toLast[c] : 0;
                longest = std::max(longest, first + relayed + one + extra + last);
            }
            relayed += Relay(path, c, train.middle);
        }
    }
    return delays + std::max(longest, before);
}

int64_t
IdealFct::AckArrival(RoceOpcode answer, int64_t previous, int64_t last) const
{
    const uint32_t wire = Wire(answer);
    int64_t end = last;
    for (std::size_t h = 0; h < m_back.size(); ++h)
    {
        const IdealHop& hop = m_back[h];
        const int64_t time = Serialise(hop, 1, wire);
        last = previous >= 0 ? std::max(last, previous + time) : last;
        end = last + time + hop.delayTicks;
        const int64_t relayed = Relay(m_back, h, wire) + hop.delayTicks + hop.switchTicks;
        previous += previous >= 0 ? relayed : 0;
        last += relayed;
    }
    return end;
}

int64_t
IdealFct::Delivery(RdmaVerb verb, uint64_t bytes) const
{
    const Train train = LastPlane(verb, bytes);
    const HostTimes& requester = m_framing.requester;
    const HostTimes& responder = m_framing.responder;
    if (verb != RdmaVerb::READ)
    {
        return requester.txTicks + Arrival(m_path, train) + responder.rxTicks;
    }
    return requester.txTicks + Arrival(m_path, {1, 0, 0, Wire(RoceOpcode::READ_REQUEST)}) +
           responder.txTicks + Arrival(m_back, train) + requester.rxTicks;
}

int64_t
IdealFct::Delivery(RdmaVerb verb, const std::vector<Alike>& messages) const
{
    std::vector<std::pair<uint64_t, uint32_t>> frames; // how many, and their wire bytes
    uint32_t head = UINT32_MAX;                        // the shortest that may be the first
    uint32_t tail = UINT32_MAX;                        // likewise the last
    uint32_t longest = 0;
    const auto add = [&](uint64_t count, uint32_t wire) {
        frames.emplace_back(count, wire);
        longest = std::max(longest, count > 0 ? wire : 0);
    };
    for (const Alike& each : messages)
    {
        if (each.count == 0)
        {
            continue;
        }
        const Train train = MakeTrain(verb, each.bytes);
        if (train.packets > 1)
        {
            add(each.count, train.first);
            add(each.count * (train.packets - 2), train.middle);
        }
        add(each.count, train.last);
        head = std::min(head, train.packets > 1 ? train.first : train.last);
        tail = std::min(tail, train.last);
    }
    return Arrival(frames, head, tail, longest);
}

int64_t
IdealFct::Arrival(const std::vector<std::pair<uint64_t, uint32_t>>& frames,
                  uint32_t head,
                  uint32_t tail,
                  uint32_t longest) const
{
    const std::size_t hops = m_path.size();
    int64_t toLast = 0; // the last frame over a link and those behind it
    for (std::size_t h = 0; h < hops; ++h)
    {
        toLast += Relay(m_path, h, tail);
    }
    const int64_t planes = std::max(m_framing.planes, 1U);
    const bool overtakes = CountOrdered(m_path) < hops;
    head = overtakes ? std::min(head, tail) : head;
    const auto sum = [&](const auto& timeOf) {
        int64_t ticks = 0;
        for (const auto& [count, wire] : frames)
        {
            ticks += timeOf(count, wire);
        }
        return ticks;
    };
    int64_t time = 0;
    int64_t fromHead = 0; // the first frame over the links before one
    int64_t across = 0;   // the longest frame over all links
    for (std::size_t h = 0; h < hops; ++h)
    {
        const IdealHop& hop = m_path[h];
        const int64_t here =
            sum([&](uint64_t count, uint32_t wire) { return Serialise(hop, count, wire); }) /
            (planes * static_cast<int64_t>(hop.ways)); // one has that much at least
        time = std::max(time, fromHead + here - Serialise(hop, 1, tail) + toLast);
        toLast -= Relay(m_path, h, tail);
        fromHead += Relay(m_path, h, head);
        across += Relay(m_path, h, longest);
    }
    // The longest frame is behind those before it on the first link, and before the others on the
    // last one.
    const auto least = [&](uint64_t count, uint32_t wire) {
        int64_t ticks = INT64_MAX;
        for (const IdealHop& hop : m_path)
        {
            ticks = std::min(ticks, Serialise(hop, count, wire));
        }
        return ticks;
    };
    const int64_t others = planes > 1 || overtakes ? 0 : sum(least) - least(1, longest);
    const int64_t hosts = m_framing.requester.txTicks + m_framing.responder.rxTicks;
    return GetDelays() + hosts + std::max(time, across + others);
}

int64_t
IdealFct::Completion(RdmaVerb verb, uint64_t bytes) const
{
    if (verb == RdmaVerb::READ)
    {
        return Delivery(verb, bytes);
    }
    return m_framing.requester.txTicks + Answered(verb, bytes) + m_framing.requester.rxTicks;
}

int64_t
IdealFct::Answered(RdmaVerb verb, uint64_t bytes) const
{
    Train before = LastPlane(verb, bytes);
    const int64_t arrival = Arrival(m_path, before);
    int64_t previous = -1;
    if (m_framing.planes == 0 && CountOrdered(m_path) == m_path.size() && before.packets > 1 &&
        (before.packets - 1) % m_framing.ackInterval == 0)
    {
        // The packet before the last one: the train without its end.
        before.packets -= 1;
        before.last = before.packets == 1 ? before.first : before.middle;
        previous = Arrival(m_path, before);
    }
    if (m_framing.planes == 0)
    {
        return AckArrival(RoceOpcode::ACKNOWLEDGE, previous, arrival);
    }
    // Where the last packet is not the last to arrive, no SACK but a shorter ACK ends the message.
    return AckArrival(bytes > m_framing.mtu ? RoceOpcode::MRC_ACKNOWLEDGE : RoceOpcode::MRC_SACK,
                      previous,
                      arrival);
}

int64_t
IdealFct::BaseRtt() const
{
    return Answered(RdmaVerb::WRITE, m_framing.mtu);
}

int64_t
IdealFct::GetDelays() const
{
    int64_t delays = 0;
    for (const IdealHop& hop : m_path)
    {
        delays += hop.delayTicks + hop.switchTicks;
    }
    return delays;
}

int64_t
IdealFct::Occupation(RdmaVerb verb, uint64_t bytes) const
{
    const Train train = LastPlane(verb, bytes);
    int64_t longest = 0;
    for (const IdealHop& hop : verb == RdmaVerb::READ ? m_back : m_path)
    {
        int64_t ticks = Serialise(hop, 1, train.last);
        if (train.packets > 1)
        {
            ticks +=
                Serialise(hop, 1, train.first) + Serialise(hop, train.packets - 2, train.middle);
        }
        longest = std::max(longest, ticks / static_cast<int64_t>(hop.ways));
    }
    return longest;
}

} // namespace ns3
