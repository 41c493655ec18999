// SPDX-License-Identifier: GPL-2.0-only
#include "lost-data.h"

#include "class-list.h"
#include "fabric-places.h"
#include "fabric-ports.h"
#include "loss-warning.h"
#include "lossy-class.h"
#include "switch-extensions.h"

#include "ns3/fabric-warning.h"
#include "ns3/ttl-limiter.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

namespace ns3
{

namespace
{

const std::string IP_STACKS = "IP stacks, such as TCP and UDP";

/// Routes follow links: behind a link that is cut a host may have none.
const std::string CUTS_ARE_MEANT = "this is for information where links were cut on purpose; ";

/// Why data did not reach its host, other than for want of room in switches and NICs.
struct Cause
{
    DropReason reason;       //!< of the drops
    const char* lostBy;      //!< the begin of the line
    const std::string right; //!< its end; empty: LostData::FindLimiter()
};

const std::vector<Cause>&
Causes()
{
    static const std::vector<Cause> causes{
        {DropReason::LINK_DOWN,
         "links that were down lost ",
         CUTS_ARE_MEANT + "else see what took them down"},
        {DropReason::NO_ROUTE,
         "switches had no route for ",
         CUTS_ARE_MEANT + "else see its routes to the hosts of the flows"},
        {DropReason::TTL_EXPIRED, "the time to live has ended of ", ""},
        {DropReason::WATCHDOG,
         "PFC watchdogs have dropped ",
         "this is for information where storms are meant; watchdog.csv says when"},
        {DropReason::BORDER_POLICY,
         "border policies have dropped ",
         "this is for information where a rule is meant to"},
        {DropReason::HOST_QUEUE_FULL,
         "queues of hosts had no room for ",
         "raise IpQueueBytes of ns3::QbbNetDevice, or let the sockets send less"},
        {DropReason::UNKNOWN_MAC,
         "switches did not know the MAC addresses of hosts of ",
         "this is for information where entries of ns3::L2Tables are meant to be missing"},
        {DropReason::DEADLOCK,
         "the deadlock detector has flushed ",
         "this is for information where it is to break cycles; deadlock.csv says when"}};
    return causes;
}

/// @param reason of a drop @return whether XOFF was to prevent it
bool
IsHeadroom(DropReason reason)
{
    return reason == DropReason::HEADROOM_FULL || reason == DropReason::POOL_FULL;
}

/// @param reason of a drop of a switch @return whether it had no room for the frame
bool
IsNoRoom(DropReason reason)
{
    return IsHeadroom(reason) || reason == DropReason::INGRESS_LIMIT ||
           reason == DropReason::EGRESS_LIMIT || reason == DropReason::WRED ||
           reason == DropReason::OVERSIZE;
}

/// @param mask of classes @param cls a class @return whether it is one of them
bool
Has(uint8_t mask, uint8_t cls)
{
    return (mask >> cls & 1) != 0;
}

} // namespace

LostData::LostData(const Fabric& fabric)
    : m_fabric(fabric),
      m_lossless(LosslessAtHosts(fabric)),
      m_before(Read()),
      m_timeouts(CountTimeouts()),
      m_lowered(CountLowered())
{
}

// ---- what was lost

LostData::Losses
LostData::Read() const
{
    Losses losses;
    for (const FabricPort& port : PortsOf(m_fabric))
    {
        for (const LostFrames& frames : port.device->GetLost())
        {
            losses.push_back({port.node, port.port, port.isSwitch, frames});
        }
    }
    return losses;
}

LostData::Losses
LostData::ReadRun() const
{
    Losses losses = Read();
    auto before = m_before.begin();
    for (Loss& loss : losses)
    {
        const bool wasThere = before != m_before.end() && before->node == loss.node &&
                              before->port == loss.port && before->frame.IsLike(loss.frame);
        loss.frame.frames -= wasThere ? (before++)->frame.frames : 0;
    }
    return Choose(losses, [](const Loss& loss) { return loss.frame.frames > 0; });
}

LostData::Losses
LostData::Choose(const Losses& losses, const std::function<bool(const Loss&)>& wanted)
{
    Losses chosen;
    std::copy_if(losses.begin(), losses.end(), std::back_inserter(chosen), wanted);
    return chosen;
}

uint64_t
LostData::Count(const Losses& losses)
{
    return std::accumulate(losses.begin(),
                           losses.end(),
                           uint64_t{0},
                           [](uint64_t sum, const Loss& loss) { return sum + loss.frame.frames; });
}

// ---- lines

void
LostData::Warn() const
{
    const Losses losses = ReadRun();
    // Simulator::Destroy() takes what says whether loss is allowed.
    if (!m_fabric.IsDestroyed() && IsLossForbidden(m_fabric))
    {
        const uint8_t lossless = LosslessAtHosts(m_fabric) | m_lossless;
        uint8_t promised = 0;
        uint8_t sent = 0; // of them
        for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const bool isPromised = Has(lossless, cls) || WasLossless(m_fabric, cls);
            promised |= isPromised ? 1U << cls : 0;
            sent |= isPromised && IsSent(m_fabric, cls) ? 1U << cls : 0;
        }
        WarnOfSwitches(losses, LostFrames::RDMA_DATA, "RDMA data", promised);
        WarnOfSwitches(losses, LostFrames::IP, IP_STACKS, promised);
        WarnOfReceivers(losses, sent);
    }
    WarnOfUnreached(losses);
    // What comes to a queue pair that is gone was not lost on its way.
    if (std::all_of(losses.begin(), losses.end(), [](const Loss& loss) {
            return loss.frame.reason == DropReason::NO_QUEUE_PAIR;
        }))
    {
        WarnOfTimeouts();
    }
}

void
LostData::WarnOfSwitches(const Losses& losses,
                         LostFrames::Content content,
                         const std::string& name,
                         uint8_t classes) const
{
    const Losses lost = Choose(losses, [content, classes](const Loss& loss) {
        return loss.isSwitch && loss.frame.content == content && IsNoRoom(loss.frame.reason) &&
               Has(classes, loss.frame.sentClass);
    });
    if (lost.empty())
    {
        return;
    }
    uint8_t hit = 0;
    for (const Loss& loss : lost)
    {
        hit |= 1U << loss.frame.sentClass;
    }
    Loss first = lost.front();
    first.port = first.frame.inPort;
    PrintWarning(
        "switches had no room for " + std::to_string(Count(lost)) + " frames of " + name + " (" +
            ToString(first.frame.reason) + ", such as in priority group " +
            std::to_string(first.frame.group) + " of " + PlaceOf(first) +
            "), though hosts send them in class " + ClassList(hit) + ", which " +
            (hit & ~LosslessAtHosts(m_fabric) ? "was lossless there before" : "is lossless there"),
        FindHint(losses, lost, hit));
}

std::string
LostData::FindHint(const Losses& losses, const Losses& lost, uint8_t classes) const
{
    const Losses destroyed = Choose(losses, [](const Loss& loss) {
        return loss.frame.reason == DropReason::CORRUPTED ||
               loss.frame.reason == DropReason::INJECTED;
    });
    const bool isHeadroom = std::all_of(lost.begin(), lost.end(), [](const Loss& loss) {
        return IsHeadroom(loss.frame.reason);
    });
    if (isHeadroom && !destroyed.empty())
    {
        return "links or faults have destroyed " + std::to_string(Count(destroyed)) +
               " frames, among which XOFFs may have been";
    }
    bool isNamed = HasNamedLoss(m_fabric);
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        isNamed = isNamed || (Has(classes, cls) && IsNamedLossy(m_fabric, cls));
    }
    return std::string(isNamed ? "an earlier warning may say why; else " : "") +
           "see what the frames meet on their way: class maps, border policies, watchdogs, MTUs, "
           "and other traffic in their priority group";
}

void
LostData::WarnOfReceivers(const Losses& losses, uint8_t classes) const
{
    const Losses lost = Choose(losses, [](const Loss& loss) {
        return !loss.isSwitch && loss.frame.reason == DropReason::RECEIVE_FULL;
    });
    if (!lost.empty() && classes)
    {
        const auto findings = FindLoss(m_fabric);
        PrintWarning("receive buffers of NICs had no room for " + std::to_string(Count(lost)) +
                         " frames, such as at " + PlaceOf(lost.front()) + ", though class " +
                         ClassList(classes) + " is lossless at hosts",
                     findings.empty() ? "see what keeps their pauses from the sender: links, "
                                        "faults, and other traffic in their priority group"
                                      : FirstOf(findings));
    }
}

void
LostData::WarnOfUnreached(const Losses& losses) const
{
    for (const Cause& cause : Causes())
    {
        for (const auto& [content, what] :
             {std::pair{LostFrames::RDMA_DATA, std::string("RDMA data")},
              std::pair{LostFrames::IP, IP_STACKS + ", in lossless classes"}})
        {
            const Losses lost = Choose(losses, [&, content = content](const Loss& loss) {
                return loss.frame.reason == cause.reason && loss.frame.content == content &&
                       (content != LostFrames::IP || Has(m_lossless, loss.frame.sentClass));
            });
            if (!lost.empty())
            {
                PrintWarning(cause.lostBy + Describe(lost, what),
                             cause.right.empty() ? FindLimiter() : cause.right);
            }
        }
    }
}

std::vector<uint64_t>
LostData::CountTimeouts() const
{
    std::vector<uint64_t> timeouts;
    for (const HostId host : m_fabric.Hosts())
    {
        timeouts.push_back(m_fabric.GetRdma(host)->GetCounters().timeouts);
    }
    return timeouts;
}

void
LostData::WarnOfTimeouts() const
{
    std::vector<uint64_t> ofRun = CountTimeouts();
    std::transform(ofRun.begin(), ofRun.end(), m_timeouts.begin(), ofRun.begin(), std::minus<>());
    const uint64_t all = std::accumulate(ofRun.begin(), ofRun.end(), uint64_t{0});
    if (all)
    {
        const auto worst = std::max_element(ofRun.begin(), ofRun.end());
        PrintWarning(
            "queue pairs have waited for " + std::to_string(all) + " retransmission timeout" +
                (all == 1 ? "" : "s") + ", " + std::to_string(*worst) + " of them at " +
                HostId(static_cast<uint32_t>(worst - ofRun.begin())).Name() +
                ", though no frame was lost on its way",
            "see what keeps answers from them for longer: queues, pauses, links that are down or "
            "a short timeout");
    }
}

std::string
LostData::PlaceOf(const Loss& loss) const
{
    return FabricPlaces::NameOf(m_fabric.GetTopology(), loss.node) + " port " +
           std::to_string(loss.port);
}

std::string
LostData::Describe(const Losses& lost, const std::string& what) const
{
    // Entries of a port, such as of several classes, stand together.
    const Loss* worst = nullptr;
    uint64_t most = 0;
    uint64_t here = 0;
    for (std::size_t i = 0; i < lost.size(); ++i)
    {
        const bool isSamePort =
            i > 0 && lost[i].node == lost[i - 1].node && lost[i].port == lost[i - 1].port;
        here = (isSamePort ? here : 0) + lost[i].frame.frames;
        if (here > most)
        {
            most = here;
            worst = &lost[i];
        }
    }
    const uint64_t all = Count(lost);
    return std::to_string(all) + (all == 1 ? " frame" : " frames") + " of " + what + ", " +
           (most == all ? "" : std::to_string(most) + " of them ") + "at " + PlaceOf(*worst);
}

// ---- the time to live

std::vector<uint64_t>
LostData::CountLowered() const
{
    std::vector<uint64_t> frames;
    for (const SwitchId which : m_fabric.Switches())
    {
        frames.push_back(0);
        for (const auto& limiter : ExtensionsOf<TtlLimiter>(*m_fabric.GetSwitch(which)))
        {
            frames.back() += limiter->GetLowered();
        }
    }
    return frames;
}

std::string
LostData::FindLimiter() const
{
    // Simulator::Destroy() has taken the extensions.
    const auto lowered = m_fabric.IsDestroyed() ? m_lowered : CountLowered();
    for (const SwitchId which : m_fabric.Switches())
    {
        if (const uint64_t frames = lowered[which.Value()] - m_lowered[which.Value()])
        {
            const FabricTopology& topology = m_fabric.GetTopology();
            return "ns3::TtlLimiter of " + FabricPlaces::NameOf(topology, topology.NodeOf(which)) +
                   " has lowered that of " + std::to_string(frames) +
                   " frames: raise its Limits, or see whether routes make a loop";
        }
    }
    return "let InitialTtl of queue pairs exceed the number of switches on the way, or see whether "
           "routes make a loop";
}

} // namespace ns3
