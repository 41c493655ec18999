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
    for (IdealHop& hop : m_back)
    {
        hop.bitsPerSecond = hop.backBitsPerSecond ? hop.backBitsPerSecond : hop.bitsPerSecond;
    }
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

uint32_t
IdealFct::Wire(RoceOpcode opcode, uint64_t payload) const
{
    const auto bytes = static_cast<uint32_t>(payload);
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

int64_t
IdealFct::Arrival(const std::vector<IdealHop>& path, const Train& train) const
{
    const std::size_t hops = path.size();
    int64_t delays = 0;
    // toLast[h]: the last packet over the links from h on.
    std::vector<int64_t> toLast(hops + 1, 0);
    for (std::size_t h = hops; h-- > 0;)
    {
        delays += path[h].delayTicks;
        toLast[h] = toLast[h + 1] + Serialise(path[h], 1, train.last);
    }
    if (train.packets == 1)
    {
        return delays + toLast[0];
    }
    int64_t longest = 0;
    int64_t first = 0;
    for (std::size_t a = 0; a < hops; ++a)
    {
        first += Serialise(path[a], 1, train.first);
        if (train.packets == 2)
        {
            longest = std::max(longest, first + toLast[a]);
            continue;
        }
        int64_t once = 0;  // a middle packet over the links a..c
        int64_t extra = 0; // the other middle packets at the slowest of them
        for (std::size_t c = a; c < hops; ++c)
        {
            const int64_t one = Serialise(path[c], 1, train.middle);
            once += one;
            extra = std::max(extra, Serialise(path[c], train.packets - 2, train.middle) - one);
            longest = std::max(longest, first + once + extra + toLast[c]);
        }
    }
    return delays + longest;
}

int64_t
IdealFct::AckArrival(int64_t previous, int64_t last) const
{
    const uint32_t wire = Wire(RoceOpcode::ACKNOWLEDGE);
    for (const IdealHop& hop : m_back)
    {
        const int64_t time = Serialise(hop, 1, wire);
        if (previous >= 0)
        {
            previous += time;
            last = std::max(last, previous);
        }
        last += time + hop.delayTicks;
        previous += previous >= 0 ? hop.delayTicks : 0;
    }
    return last;
}

int64_t
IdealFct::Delivery(RdmaVerb verb, uint64_t bytes) const
{
    const Train train = MakeTrain(verb, bytes);
    if (verb != RdmaVerb::READ)
    {
        return Arrival(m_path, train);
    }
    return Arrival(m_path, {1, 0, 0, Wire(RoceOpcode::READ_REQUEST)}) + Arrival(m_back, train);
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
    int64_t delays = 0;
    int64_t toLast = 0; // the last frame over the links behind one
    for (const IdealHop& hop : m_path)
    {
        delays += hop.delayTicks;
        toLast += Serialise(hop, 1, tail);
    }
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
    for (const IdealHop& hop : m_path)
    {
        toLast -= Serialise(hop, 1, tail);
        const int64_t here =
            sum([&](uint64_t count, uint32_t wire) { return Serialise(hop, count, wire); });
        time = std::max(time, fromHead + here + toLast);
        fromHead += Serialise(hop, 1, head);
        across += Serialise(hop, 1, longest);
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
    const int64_t others = sum(least) - least(1, longest);
    return delays + std::max(time, across + others);
}

int64_t
IdealFct::Completion(RdmaVerb verb, uint64_t bytes) const
{
    const int64_t delivery = Delivery(verb, bytes);
    if (verb == RdmaVerb::READ)
    {
        return delivery;
    }
    Train before = MakeTrain(verb, bytes);
    int64_t previous = -1;
    if (before.packets > 1 && (before.packets - 1) % m_framing.ackInterval == 0)
    {
        // The packet before the last one: the train without its end.
        before.packets -= 1;
        before.last = before.packets == 1 ? before.first : before.middle;
        previous = Arrival(m_path, before);
    }
    return AckArrival(previous, delivery);
}

int64_t
IdealFct::BaseRtt() const
{
    return Completion(RdmaVerb::WRITE, m_framing.mtu);
}

int64_t
IdealFct::GetDelays() const
{
    int64_t delays = 0;
    for (const IdealHop& hop : m_path)
    {
        delays += hop.delayTicks;
    }
    return delays;
}

int64_t
IdealFct::Occupation(RdmaVerb verb, uint64_t bytes) const
{
    const Train train = MakeTrain(verb, bytes);
    int64_t longest = 0;
    for (const IdealHop& hop : verb == RdmaVerb::READ ? m_back : m_path)
    {
        int64_t ticks = Serialise(hop, 1, train.last);
        if (train.packets > 1)
        {
            ticks +=
                Serialise(hop, 1, train.first) + Serialise(hop, train.packets - 2, train.middle);
        }
        longest = std::max(longest, ticks);
    }
    return longest;
}

uint64_t
IdealFct::BottleneckRate() const
{
    uint64_t rate = m_path.front().bitsPerSecond;
    for (const IdealHop& hop : m_path)
    {
        rate = std::min(rate, hop.bitsPerSecond);
    }
    return rate;
}

} // namespace ns3
