// SPDX-License-Identifier: GPL-2.0-only
#include "late-marks.h"

#include "headroom-table.h"

#include "ns3/qbb-net-device.h"
#include "ns3/switch-cnp-sender.h"
#include "ns3/switch-mmu.h"
#include "ns3/wred-ecn-marker.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <tuple>

namespace ns3
{

namespace
{

/// A port from which frames of a class come, and which can be paused.
struct Source
{
    uint64_t bitsPerSecond; //!< rate at which frames arrive
    MmuThreshold threshold; //!< where the class is paused
    uint32_t pool;          //!< service pool from which the class draws
    uint32_t portLimit;     //!< cells at which the port pauses all its classes
};

/**
 * @param fabric the fabric
 * @param which a switch
 * @return by egress port: by ingress port, whether a shortest path takes frames from there to here
 */
std::vector<std::vector<bool>>
WaysThrough(const Fabric& fabric, SwitchId which)
{
    const FabricTopology& topology = fabric.GetTopology();
    const FabricRoutes& routes = fabric.GetRoutes();
    const NodeId node = topology.NodeOf(which);
    const std::vector<LinkId>& links = topology.GetLinksOf(node);
    std::vector<std::vector<bool>> ways(links.size(), std::vector<bool>(links.size()));
    for (const NodeId last : topology.GetSwitches())
    {
        std::vector<LinkId> toHosts; // of the last switch
        for (const LinkId link : topology.GetLinksOf(last))
        {
            if (routes.IsUp(link) && !topology.IsSwitch(topology.GetLink(link).Peer(last)))
            {
                toHosts.push_back(link);
            }
        }
        const auto outs = last == node      ? toHosts
                          : toHosts.empty() ? std::vector<LinkId>()
                                            : routes.GetNextHops(node, last);
        for (uint32_t in = 0; !outs.empty() && in < links.size(); ++in)
        {
            const NodeId peer = topology.GetLink(links[in]).Peer(node);
            bool comes = routes.IsUp(links[in]);
            if (comes && topology.IsSwitch(peer))
            {
                const auto hops = routes.GetNextHops(peer, last);
                comes = std::find(hops.begin(), hops.end(), links[in]) != hops.end();
            }
            for (std::size_t i = 0; comes && i < outs.size(); ++i)
            {
                ways[topology.GetPort(node, outs[i])][in] = true;
            }
        }
    }
    return ways;
}

/// @param fabricSwitch a switch @param port egress port @return whether CNPs come from the switch,
/// in place of marks
bool
HoldsMarks(const FabricSwitch& fabricSwitch, uint32_t port)
{
    for (uint32_t i = 0; i < fabricSwitch.GetNExtensions(); ++i)
    {
        const auto sender = DynamicCast<SwitchCnpSender>(fabricSwitch.GetExtension(i));
        if (sender && sender->HoldsMarks(port))
        {
            return true;
        }
    }
    return false;
}

/// @param marker a marker @param rate of a port @param value "Kmin" or "Kmax" @param bytes the
/// right one at the port @return advice for the attribute of the marker, if it is at another rate
std::string
AtReference(const WredEcnMarker& marker,
            const DataRate& rate,
            const std::string& value,
            uint64_t bytes)
{
    DataRateValue reference;
    marker.GetAttribute("ReferenceRate", reference);
    const uint64_t at = reference.Get().GetBitRate();
    if (at == 0 || at == rate.GetBitRate())
    {
        return "";
    }
    const double scale = static_cast<double>(at) / static_cast<double>(rate.GetBitRate());
    return "set WredEcnMarker::" + value + ", which is at " + GigabitsOf(reference.Get()) +
           " Gb/s, to " +
           std::to_string(static_cast<uint64_t>(scale * static_cast<double>(bytes))) + ", or ";
}

/// @param fabricSwitch a switch @return its marker, if the switch marks by thresholds; or null
Ptr<WredEcnMarker>
MarkerOf(const FabricSwitch& fabricSwitch)
{
    return fabricSwitch.IsEcnEnabled() ? DynamicCast<WredEcnMarker>(fabricSwitch.GetEcnMarker())
                                       : nullptr;
}

/// @param fabricSwitch a switch @param outPort egress port @param cls class @param ways ingress
/// ports from which frames can leave there
/// @return the fewest ports that send faster than the egress port, fastest first
std::vector<Source>
SourcesOf(const FabricSwitch& fabricSwitch,
          uint32_t outPort,
          uint32_t cls,
          const std::vector<bool>& ways)
{
    const SwitchMmu& mmu = *fabricSwitch.GetMmu();
    const auto alone = [&mmu](const Source& source) {
        return std::min<uint64_t>(source.threshold.Cells(mmu.GetPool(source.pool).size),
                                  source.portLimit);
    };
    const auto outMap = fabricSwitch.GetPort(outPort)->GetTrafficClassMap()->GetTable();
    const uint8_t classes = outMap->ClassesOfQueues(1U << cls);
    std::vector<Source> sources;
    for (uint32_t port = 0; port < ways.size(); ++port)
    {
        const auto peer = fabricSwitch.GetPort(port)->GetPeer();
        const auto inMap = fabricSwitch.GetPort(port)->GetTrafficClassMap()->GetTable();
        const uint8_t groups = inMap->GroupsOfClasses(classes);
        std::optional<Source> first; // of its groups that which pauses first
        for (uint32_t group = 0; group < TRAFFIC_CLASSES; ++group)
        {
            const MmuIngress& in = mmu.GetIngress(port, group);
            if (port != outPort && ways[port] && peer && in.lossless && (groups & (1U << group)))
            {
                const Source source{peer->GetDataRate().GetBitRate(),
                                    in.threshold,
                                    in.pool,
                                    mmu.GetPortLimits(port).limit};
                first = !first || alone(source) < alone(*first) ? source : *first;
            }
        }
        if (first)
        {
            sources.push_back(*first);
        }
    }
    std::stable_sort(sources.begin(), sources.end(), [&](const Source& a, const Source& b) {
        return a.bitsPerSecond != b.bitsPerSecond ? a.bitsPerSecond > b.bitsPerSecond
                                                  : alone(a) < alone(b);
    });
    const uint64_t drained = fabricSwitch.GetPort(outPort)->GetDataRate().GetBitRate();
    uint64_t together = 0;
    for (std::size_t count = 0; count < sources.size(); ++count)
    {
        together += sources[count].bitsPerSecond;
        if (together > drained)
        {
            sources.resize(count + 1);
            return sources;
        }
    }
    return {};
}

/// @param sources who congests a queue @param mmu the buffer
/// @return bytes that they hold when all have reached their thresholds: at the fixed point
uint64_t
HeldBy(const std::vector<Source>& sources, const SwitchMmu& mmu)
{
    struct Held
    {
        uint64_t fixed{0}; // cells of static thresholds
        double alphas{0};
    };

    std::vector<Held> pools(mmu.GetPoolCount());
    for (const Source& source : sources)
    {
        Held& held = pools[source.pool];
        held.fixed += source.threshold.alphaFixed ? 0 : source.threshold.staticCells;
        held.alphas += static_cast<double>(source.threshold.alphaFixed) /
                       (uint64_t{1} << MmuThreshold::ALPHA_SHIFT);
    }
    uint64_t cells = 0;
    for (uint32_t i = 0; i < pools.size(); ++i)
    {
        // What is free when all hold as much as they may: F = (P - fixed) / (1 + sum of alphas).
        const uint64_t size = mmu.GetPool(i).size;
        const uint64_t fixed = std::min<uint64_t>(pools[i].fixed, size);
        const auto free =
            static_cast<uint64_t>(static_cast<double>(size - fixed) / (1 + pools[i].alphas));
        uint64_t held = 0;
        for (const Source& source : sources)
        {
            const auto most = std::min<uint64_t>(source.threshold.Cells(free), source.portLimit);
            held += source.pool == i ? most : 0;
        }
        cells += std::min(held, size);
    }
    return cells * mmu.GetCellSize().Bytes();
}

} // namespace

Time
LongestBaseRtt(const Fabric& fabric)
{
    struct End
    {
        HostId host;
        uint32_t port;
        LinkId link;
    };

    const FabricTopology& topology = fabric.GetTopology();
    const FabricRoutes& routes = fabric.GetRoutes();
    std::vector<End> ends; // of links of one kind to one switch two: all pairs are as far apart
    std::map<std::tuple<NodeId, uint64_t, int64_t>, uint32_t> seen;
    for (const HostId host : fabric.Hosts())
    {
        const NodeId node = topology.NodeOf(host);
        const auto& links = topology.GetLinksOf(node);
        for (uint32_t port = 0; port < links.size(); ++port)
        {
            const NodeId peer = topology.GetLink(links[port]).Peer(node);
            const uint64_t rate = fabric.GetDevice(node, port)->GetDataRate().GetBitRate();
            const Time delay = fabric.GetChannel(links[port])->GetDelay();
            if (++seen[{peer, rate, delay.GetTimeStep()}] <= 2)
            {
                ends.push_back({host, port, links[port]});
            }
        }
    }
    const Fabric::PacketSize packet = fabric.GetPacketSize({});
    IdealFct::Framing framing;
    framing.mtu = packet.mtu;
    framing.format = packet.format;
    int64_t longest = 0;
    for (const End& from : ends)
    {
        for (const End& to : ends)
        {
            const bool isWay = from.host != to.host && !routes
                                                            .GetPath(topology.NodeOf(from.host),
                                                                     from.link,
                                                                     topology.NodeOf(to.host),
                                                                     to.link)
                                                            .empty();
            if (isWay)
            {
                const Fabric::Ports ports{from.port, to.port};
                const IdealFct ideal = fabric.GetIdeal(from.host, to.host, ports, framing);
                longest = std::max(longest, ideal.BaseRtt());
            }
        }
    }
    return TimeStep(longest);
}

void
FindLateMarks(const Fabric& fabric,
              SwitchId which,
              const std::string& name,
              const Time& baseRtt,
              std::vector<Finding>& findings)
{
    const FabricSwitch& fabricSwitch = *fabric.GetSwitch(which);
    const auto marker = MarkerOf(fabricSwitch);
    if (!marker)
    {
        return;
    }
    const auto ways = WaysThrough(fabric, which);
    for (uint32_t port = 0; port < ways.size(); ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES && !HoldsMarks(fabricSwitch, port); ++cls)
        {
            const auto sources = SourcesOf(fabricSwitch, port, cls, ways[port]);
            if (sources.empty() || !marker->IsMarked(port, cls))
            {
                continue;
            }
            const uint64_t held = HeldBy(sources, *fabricSwitch.GetMmu());
            const WredEcnMarker::Curve& curve = marker->GetCurve(port, cls);
            const bool isRamp = curve.pmax > 0; // else marks begin at Kmax
            const uint64_t begin = isRamp ? curve.kmin : curve.kmax;
            const std::string value = isRamp ? "Kmin" : "Kmax";
            const DataRate rate = fabricSwitch.GetPort(port)->GetDataRate();
            const double bits = baseRtt.GetSeconds() * static_cast<double>(rate.GetBitRate());
            const auto product = static_cast<uint64_t>(std::llround(bits / 8));
            if (begin > product && baseRtt.IsStrictlyPositive())
            {
                std::ostringstream of;
                of << GigabitsOf(rate) << " Gb/s times a base round trip of "
                   << baseRtt.ToDouble(Time::US) << " us";
                findings.push_back({Level::INFO,
                                    "kmin",
                                    name + " port " + std::to_string(port),
                                    cls,
                                    "marks begin above " + value + " of " + std::to_string(begin) +
                                        ", and the bandwidth-delay product is " +
                                        std::to_string(product) + " bytes, " + of.str(),
                                    AtReference(*marker, rate, value, product) + "set " + value +
                                        " there to " + std::to_string(product) + " at most"});
            }
            if (begin >= held)
            {
                const std::string count =
                    sources.size() == 1 ? "1 port that sends into the queue is paused when it "
                                          "holds "
                                        : std::to_string(sources.size()) +
                                              " ports that send into the queue are paused "
                                              "when together they hold ";
                findings.push_back(
                    {Level::INFO,
                     "ecn",
                     name + " port " + std::to_string(port),
                     cls,
                     "PFC acts before ECN: " + count + std::to_string(held) +
                         " bytes, and marks begin above " + value + " of " + std::to_string(begin),
                     held > 0
                         ? "set " + value + " there to " + std::to_string(held - 1) + " at most"
                         : "raise Alpha of the ports, or BufferSize"});
            }
        }
    }
}

} // namespace ns3
