// SPDX-License-Identifier: GPL-2.0-only
#include "flow-diagnosis.h"

#include "ns3/fabric-places.h"
#include "ns3/fault-loss.h"
#include "ns3/rdma-hw.h"
#include "ns3/simulator.h"

#include <cstdio>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{
namespace
{

/// @return time since a tick, in words
std::string
Since(int64_t tick)
{
    char text[48];
    const double ms = (Simulator::Now() - TimeStep(static_cast<uint64_t>(tick))).GetSeconds() * 1e3;
    std::snprintf(text, sizeof(text), "%.3f ms", ms);
    return text;
}

} // namespace

FlowDiagnosis::FlowDiagnosis(const Fabric& fabric)
    : m_fabric(fabric),
      m_firstNode(fabric.GetNode(0)->GetId())
{
}

FlowDiagnosis::Place
FlowDiagnosis::PlaceOf(const QbbNetDevice& device) const
{
    // FabricHelper makes nodes and ports in the order of the topology.
    return {device.GetNode()->GetId() - m_firstNode, device.GetPortIndex()};
}

Ptr<FabricSwitch>
FlowDiagnosis::SwitchOf(const QbbNetDevice& device) const
{
    return device.GetNode()->GetObject<FabricSwitch>();
}

std::string
FlowDiagnosis::NameOf(const QbbNetDevice& device) const
{
    const Place place = PlaceOf(device);
    return std::string(SwitchOf(device) ? "switch " : "host ") +
           std::to_string(place.node.Value()) + " port " + std::to_string(place.port);
}

std::string
FlowDiagnosis::GetReason(RdmaVerb verb, const Fabric::Connection& connection) const
{
    const bool read = verb == RdmaVerb::READ;
    const RdmaQueuePair& sender = *(read ? connection.destination : connection.source);
    const RdmaQueuePair& receiver = *(read ? connection.source : connection.destination);
    if (!sender.GetDevice() || !receiver.GetDevice())
    {
        return "the simulation is destroyed";
    }
    const Obstacles there = Follow(sender, false);
    const Obstacles back = Follow(receiver, true);
    for (const auto& [found, answers] : {std::pair(&there, ""), std::pair(&back, "answers: ")})
    {
        if (!found->broken.empty())
        {
            return answers + found->broken;
        }
    }
    if (!there.paused.empty())
    {
        return there.paused;
    }
    for (const auto* found : {&there, &back})
    {
        if (!found->silent.empty())
        {
            return found->silent;
        }
    }
    if (!back.paused.empty())
    {
        return "answers: " + back.paused;
    }
    for (const auto* found : {&there, &back})
    {
        if (!found->stopped.empty())
        {
            return found->stopped;
        }
    }
    std::string state = StateOf(*connection.source);
    const auto& transport = connection.source->GetTransport();
    if ((transport ? transport->GetRetries() : connection.source->GetRequester().GetRetries()) > 0)
    {
        for (const auto* found : {&there, &back})
        {
            if (!found->dropped.empty())
            {
                return state + "; " + found->dropped;
            }
        }
    }
    return state;
}

FlowDiagnosis::Obstacles
FlowDiagnosis::Follow(const RdmaQueuePair& from, bool answers) const
{
    Obstacles found;
    const RdmaConnection& connection = from.GetConnection();
    auto frame = new Frame;
    connection.Address(*frame,
                       answers ? RoceOpcode::ACKNOWLEDGE : RoceOpcode::WRITE_ONLY,
                       answers ? connection.ack : connection.data);
    std::vector<Branch> branches{{from.GetDevice(), frame->trafficClass, "", {}}};
    std::set<const QbbNetDevice*> looked;
    for (std::size_t i = 0; i < branches.size(); ++i)
    {
        const Branch branch = branches[i]; // not a reference: more are added
        if (!looked.insert(PeekPointer(branch.out)).second)
        {
            continue; // another way has led here
        }
        Obstacles here;
        if (Look(*branch.out, branch.cls, here))
        {
            Fork(branch, *frame, here, branches);
        }
        found.Add(here, branch.prefix);
    }
    frame->Release();
    return found;
}

void
FlowDiagnosis::Fork(const Branch& branch,
                    const Frame& frame,
                    Obstacles& here,
                    std::vector<Branch>& branches) const
{
    const auto in = branch.out->GetPeer();
    const auto fabricSwitch = SwitchOf(*in);
    if (!fabricSwitch)
    {
        return; // the other host
    }
    const NodeId node = PlaceOf(*in).node;
    const std::string name = FabricPlaces::NameOf(m_fabric.GetTopology(), node);
    auto passed = branch.passed;
    if (!passed.insert(node.Value()).second)
    {
        here.broken = "a routing loop through " + name;
        return;
    }
    const NextHopGroup* const group = fabricSwitch->GetForwardingTable().Find(frame);
    if (!group || group->ports.empty())
    {
        here.broken = "no route at " + name;
        return;
    }
    const auto ways = group->ports.size() == 1
                          ? group->ports
                          : fabricSwitch->GetLoadBalancer()->GetWays(frame,
                                                                     in->GetPortIndex(),
                                                                     *group,
                                                                     *fabricSwitch);
    const uint8_t taken = in->GetTrafficClassMap()->Classify(frame);
    for (const uint16_t way : ways)
    {
        const auto out = fabricSwitch->GetPort(way);
        branches.push_back({out,
                            out->GetTrafficClassMap()->QueueOf(taken),
                            ways.size() == 1 ? branch.prefix : "on one of several paths: ",
                            passed});
    }
}

void
FlowDiagnosis::Obstacles::Add(const Obstacles& here, const std::string& prefix)
{
    for (const auto member : {&Obstacles::broken,
                              &Obstacles::paused,
                              &Obstacles::silent,
                              &Obstacles::stopped,
                              &Obstacles::dropped})
    {
        if ((this->*member).empty() && !(here.*member).empty())
        {
            this->*member = prefix + here.*member;
        }
    }
}

bool
FlowDiagnosis::Look(const QbbNetDevice& out, uint32_t cls, Obstacles& found) const
{
    if (!out.IsLinkUp())
    {
        found.broken = "link down at " + NameOf(out);
        return false;
    }
    if (found.paused.empty() && (out.PausedMask() & (1U << cls)))
    {
        found.paused = NameOf(out) + " class " + std::to_string(cls) + " is paused for " +
                       Since(out.GetObeyer().PausedSince(cls)) + " by " + NameOf(*out.GetPeer()) +
                       ": " + RootOf(out, cls);
    }
    if (found.stopped.empty() && IsStopped(*out.GetPeer()))
    {
        found.stopped =
            NameOf(*out.GetPeer()) + " does not take what arrives: its receive pipeline is stopped";
    }
    LookForDrops(out, found);
    LookForDrops(*out.GetPeer(), found);
    for (const auto& loss : out.GetPeer()->GetReceiveLosses())
    {
        if (found.silent.empty() && DynamicCast<SilentLoss>(loss))
        {
            found.silent = "nothing arrives at " + NameOf(*out.GetPeer()) + ": a silent " +
                           (SwitchOf(*out.GetPeer()) ? "port" : "NIC");
        }
    }
    return true;
}

void
FlowDiagnosis::LookForDrops(const QbbNetDevice& device, Obstacles& found) const
{
    for (const auto& [reason, words] :
         {std::pair(DropReason::WATCHDOG, " frames for a watchdog"),
          std::pair(DropReason::RECEIVE_FULL, " frames at a full receive buffer")})
    {
        const uint64_t drops = device.GetCounters().drops[static_cast<std::size_t>(reason)];
        if (found.dropped.empty() && drops > 0)
        {
            found.dropped = NameOf(device) + " has dropped " + std::to_string(drops) + words;
        }
    }
}

bool
FlowDiagnosis::IsStopped(const QbbNetDevice& device)
{
    const auto rdma = device.GetNode()->GetObject<RdmaHw>();
    const auto buffer = rdma ? rdma->GetReceiveBuffer(device.GetPortIndex()) : nullptr;
    return buffer && buffer->IsDead();
}

std::string
FlowDiagnosis::RootOf(const QbbNetDevice& out, uint32_t cls) const
{
    std::set<std::pair<uint32_t, uint32_t>> passed;
    const QbbNetDevice* paused = &out;
    while (true)
    {
        const auto by = paused->GetPeer();
        const uint8_t priorities =
            paused->GetTrafficClassMap()->GetTable()->PrioritiesOfQueues(1U << cls);
        if (by->GetIssuer().Stuck() & priorities)
        {
            return "its XOFF at " + NameOf(*by) + " is stuck";
        }
        const auto fabricSwitch = SwitchOf(*by);
        const uint8_t wanted = by->GetIssuer().Wanted() & priorities;
        if (!wanted)
        {
            return NameOf(*by) + " wants no pause: an XON is on its way or was lost";
        }
        if (!fabricSwitch)
        {
            return NameOf(*by) + " does not take what arrives" +
                   (IsStopped(*by) ? ": its receive pipeline is stopped" : "");
        }
        const uint32_t node = PlaceOf(*by).node.Value();
        const uint8_t groups = by->GetTrafficClassMap()->GetTable()->GroupsOfPriorities(wanted);
        const auto next = WaitsFor(*fabricSwitch, by->GetPortIndex(), groups, cls);
        if (!next)
        {
            return "congestion at switch " + std::to_string(node);
        }
        if (!passed.insert({node, next->GetPortIndex()}).second)
        {
            return "a circle of pauses through switch " + std::to_string(node) + " (deadlock)";
        }
        paused = PeekPointer(next);
    }
}

Ptr<QbbNetDevice>
FlowDiagnosis::WaitsFor(const FabricSwitch& fabricSwitch,
                        uint16_t inPort,
                        uint8_t groups,
                        uint32_t& cls)
{
    Ptr<QbbNetDevice> any;
    uint32_t anyClass = cls;
    for (uint32_t port = 0; port < fabricSwitch.GetNPorts(); ++port)
    {
        const auto device = fabricSwitch.GetPort(port);
        for (uint32_t c = 0; c < TRAFFIC_CLASSES; ++c)
        {
            const Frame* head = device->Queues().Head(c);
            if (!head || !(device->PausedMask() & (1U << c)))
            {
                continue;
            }
            if (head->inPort == inPort && (groups & (1U << head->inClass)))
            {
                cls = c;
                return device;
            }
            any = any ? any : device; // its frames may stand behind the head
            anyClass = any == device ? c : anyClass;
        }
    }
    cls = anyClass;
    return any;
}

std::string
FlowDiagnosis::StateOf(const RdmaQueuePair& source)
{
    const RdmaRequester& requester = source.GetRequester();
    const RdmaConnection& connection = source.GetConnection();
    if (const auto& transport = source.GetTransport())
    {
        return transport->GetRetries() > 0
                   ? "waits for retransmission " + std::to_string(transport->GetRetries())
               : transport->IsBusy() ? "is sending"
                                     : "has nothing outstanding";
    }
    if (requester.GetRetries() > 0)
    {
        return "waits for retransmission " + std::to_string(requester.GetRetries()) + " of " +
               std::to_string(connection.retryLimit);
    }
    const bool waits = requester.Unacked() < requester.Next();
    if (waits && !requester.HasUnsent())
    {
        return requester.Deadline() != RDMA_NEVER
                   ? "waits for answers"
                   : "waits for answers and has no retransmission timeout";
    }
    return waits ? "is sending" : "has nothing outstanding";
}

} // namespace ns3
