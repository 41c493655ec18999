// SPDX-License-Identifier: GPL-2.0-only
#include "fault-helper.h"

#include "start-hint.h"

#include "ns3/double.h"
#include "ns3/error-model-loss.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-places.h"
#include "ns3/fault-loss.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <set>
#include <stdexcept>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FaultHelper");

namespace
{

/// @param mask of classes @return "class 3" or "classes 3 4"
std::string
ClassesOf(uint8_t mask)
{
    std::string numbers;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (mask & (1U << cls))
        {
            numbers += " " + std::to_string(cls);
        }
    }
    return (mask & (mask - 1) ? "classes" : "class") + numbers;
}

} // namespace

FaultHelper::FaultHelper(const Fabric& fabric, Time begin)
    : m_fabric(fabric),
      m_begin(begin),
      m_convergence(fabric),
      m_linkHolds(fabric.GetTopology().GetLinks().size(), 0)
{
}

FaultHelper::~FaultHelper()
{
    for (const auto& fault : m_faults)
    {
        fault->next.Cancel();
    }
}

// ---- planning

FaultHelper::Fault&
FaultHelper::Plan(const std::string& what,
                  const Place& place,
                  Time at,
                  Time duration,
                  const Action& begin,
                  const Action& end)
{
    RequireOpen("a fault");
    if (at < Simulator::Now() - m_begin)
    {
        char microseconds[32];
        std::snprintf(microseconds, sizeof(microseconds), "%.9g", at.GetSeconds() * 1e6);
        throw FabricError(what + " of " + place.name + " at " + microseconds +
                              " us, before the time now",
                          StartHint("its begin", at));
    }
    if (at > Time::Max() - m_begin)
    {
        throw FabricError(what + " of " + place.name + " after the last time that there is",
                          "it counts from the begin of the run");
    }
    at += m_begin;
    if (duration.IsStrictlyNegative())
    {
        throw FabricError(what + " of " + place.name + " for a negative time",
                          "the duration must be above 0, or 0 for good");
    }
    if (duration > Time::Max() - at)
    {
        throw FabricError(what + " of " + place.name + " ends after the last time that there is, " +
                              std::to_string(Time::Max().GetSeconds()) + " s",
                          "a duration of 0 is for good");
    }
    m_faults.push_back(std::make_unique<Fault>());
    Fault* fault = m_faults.back().get();
    fault->what = what;
    fault->where = place.inLog;
    fault->duration = duration;
    fault->begin = begin;
    fault->end = end;
    fault->next = Simulator::Schedule(at - Simulator::Now(), [this, fault] { Begin(*fault); });
    return *fault;
}

void
FaultHelper::Begin(Fault& fault)
{
    NS_LOG_DEBUG("begins: " << fault.what << " at " << fault.where);
    fault.active = true;
    fault.begin();
    if (fault.duration.IsStrictlyPositive())
    {
        fault.next = Simulator::Schedule(fault.duration, [this, &fault] { End(fault); });
    }
    Tell(fault, true); // last: a listener may lift it
}

void
FaultHelper::End(Fault& fault)
{
    NS_LOG_DEBUG("ends: " << fault.what << " at " << fault.where);
    fault.active = false;
    fault.end();
    if (fault.repeats > 0)
    {
        --fault.repeats;
        fault.next = Simulator::Schedule(fault.gap, [this, &fault] { Begin(fault); });
    }
    Tell(fault, false);
}

void
FaultHelper::Tell(const Fault& fault, bool begins)
{
    const Event event{Simulator::Now(), fault.what, fault.where, begins};
    m_log.push_back(event);
    for (std::size_t i = 0; i < m_listeners.size(); ++i)
    {
        const auto listener = m_listeners[i]; // it may add others
        listener(event);
    }
}

void
FaultHelper::LiftAll()
{
    NS_LOG_FUNCTION(this);
    // A listener that hears of an end may plan more.
    const std::size_t count = m_faults.size();
    for (std::size_t i = 0; i < count; ++i)
    {
        Fault& fault = *m_faults[i];
        fault.next.Remove(); // a cancelled event would still move the clock
        fault.repeats = 0;
        if (fault.active)
        {
            End(fault);
        }
    }
}

void
FaultHelper::Stop()
{
    m_listeners.clear();
    m_convergence.SetUniform(Time(0));
    LiftAll();
    m_convergence.Start({}); // in place of what is under way
}

bool
FaultHelper::IsAnyDue() const
{
    return std::any_of(m_faults.begin(), m_faults.end(), [](const std::unique_ptr<Fault>& fault) {
        return !fault->next.IsExpired();
    });
}

uint32_t
FaultHelper::CountFrom(Time time) const
{
    return static_cast<uint32_t>(
        std::count_if(m_faults.begin(), m_faults.end(), [time](const auto& fault) {
            if (fault->next.IsExpired() || (fault->active && fault->repeats == 0))
            {
                return false;
            }
            // What lasts ends next; FlapLink() has checked the sums.
            const Time begin =
                TimeStep(fault->next.GetTs()) + (fault->active ? fault->gap : Time(0));
            const uint32_t more = fault->repeats - (fault->active ? 1 : 0);
            return begin + int64_t{more} * (fault->gap + fault->duration) >= time;
        }));
}

uint32_t
FaultHelper::GetNActive() const
{
    return static_cast<uint32_t>(
        std::count_if(m_faults.begin(), m_faults.end(), [](const std::unique_ptr<Fault>& fault) {
            return fault->active;
        }));
}

FaultHelper::Place
FaultHelper::PlaceOf(NodeId node, std::optional<uint32_t> port, const std::string& rest) const
{
    const FabricTopology& topology = m_fabric.GetTopology();
    const std::string more = (port ? " port " + std::to_string(*port) : "") + rest;
    return {(topology.IsSwitch(node) ? "switch " : "host ") + std::to_string(node.Value()) + more,
            FabricPlaces::NameOf(topology, node) + more};
}

// ---- links and nodes

void
FaultHelper::HoldLinks(const std::vector<LinkId>& links, bool hold)
{
    std::vector<LinkId> changed;
    for (const LinkId link : links)
    {
        m_linkHolds[link.Value()] += hold ? 1 : -1;
        const bool up = m_linkHolds[link.Value()] == 0;
        if (up != m_fabric.IsLinkUp(link))
        {
            m_fabric.SetLinkState(link, up);
            changed.push_back(link);
        }
    }
    if (!changed.empty())
    {
        m_convergence.Start(changed);
    }
}

void
FaultHelper::CutLink(LinkId link, Time at, Time duration)
{
    PlanCut(link, at, duration);
}

FaultHelper::Fault&
FaultHelper::PlanCut(LinkId link, Time at, Time duration)
{
    m_fabric.GetChannel(link);
    return Plan(
        "link-down",
        {link.Name(), link.Name()},
        at,
        duration,
        [this, link] { HoldLinks({link}, true); },
        [this, link] { HoldLinks({link}, false); });
}

void
FaultHelper::FlapLink(LinkId link, Time at, Time down, Time period, uint32_t count)
{
    if (!down.IsStrictlyPositive() || period <= down)
    {
        throw FabricError(link.Name() + " flaps with a period of " +
                              std::to_string(period.GetNanoSeconds()) + " ns and is down for " +
                              std::to_string(down.GetNanoSeconds()) + " ns of it",
                          "the time down must be above 0 and below the period");
    }
    if (count == 0)
    {
        throw FabricError(link.Name() + " flaps 0 times", "the count must be 1 or more");
    }
    const int64_t most = (Time::Max() - at - down).GetTimeStep() / period.GetTimeStep() + 1;
    if (at <= Time::Max() - down && count > most)
    {
        throw FabricError(link.Name() + " flaps " + std::to_string(count) +
                              " times with a period of " + ExactText(period) +
                              ", beyond the last time that there is, " +
                              std::to_string(Time::Max().GetSeconds()) + " s",
                          "from then on it can flap " + std::to_string(most) + " times");
    }
    Fault& fault = PlanCut(link, at, down);
    fault.gap = period - down;
    fault.repeats = count - 1;
}

void
FaultHelper::CutPlane(uint32_t plane, Time at, Time duration)
{
    const std::string name = "plane " + std::to_string(plane);
    const FabricTopology& topology = m_fabric.GetTopology();
    std::set<LinkId> each; // those between two switches once
    for (const SwitchId which : FabricPlaces(name).SwitchesIn(topology))
    {
        const auto& links = topology.GetLinksOf(topology.NodeOf(which));
        each.insert(links.begin(), links.end());
    }
    const std::vector<LinkId> links(each.begin(), each.end());
    Plan(
        "plane-down",
        {name, name},
        at,
        duration,
        [this, links] { HoldLinks(links, true); },
        [this, links] { HoldLinks(links, false); });
}

void
FaultHelper::RebootSwitch(SwitchId which, Time at, Time duration)
{
    const auto fabricSwitch = m_fabric.GetSwitch(which);
    if (!duration.IsStrictlyPositive())
    {
        throw FabricError(which.Name() + " restarts in no time",
                          "the duration must be above 0; to take it away for good, cut its links");
    }
    const NodeId node = m_fabric.GetTopology().NodeOf(which);
    const std::vector<LinkId> links = m_fabric.GetTopology().GetLinksOf(node);
    Plan(
        "reboot",
        PlaceOf(node),
        at,
        duration,
        [this, links] { HoldLinks(links, true); },
        [this, links, fabricSwitch] {
            fabricSwitch->Restart();
            HoldLinks(links, false);
        });
}

void
FaultHelper::KillHost(HostId host, Time at, Time duration)
{
    std::vector<Ptr<QbbNetDevice>> devices;
    const auto rdma = m_fabric.GetRdma(host);
    for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
    {
        devices.push_back(rdma->GetDevice(port));
        devices.push_back(rdma->GetDevice(port)->GetPeer());
    }
    const Ptr<FrameLoss> loss = CreateObject<SilentLoss>();
    const auto set = [devices, loss](bool add) {
        for (const auto& device : devices)
        {
            SetLoss(device, loss, add);
        }
    };
    Plan(
        "host-dead",
        PlaceOf(m_fabric.GetTopology().NodeOf(host)),
        at,
        duration,
        [set] { set(true); },
        [set] { set(false); });
}

void
FaultHelper::SetLoss(const Ptr<QbbNetDevice>& device, const Ptr<FrameLoss>& loss, bool add)
{
    add ? device->AddReceiveLoss(loss) : device->RemoveReceiveLoss(loss);
}

void
FaultHelper::SilencePort(NodeId node, uint32_t port, Time at, Time duration)
{
    const auto peer = m_fabric.GetDevice(node, port)->GetPeer();
    const Ptr<FrameLoss> loss = CreateObject<SilentLoss>();
    Plan(
        "silent-port",
        PlaceOf(node, port),
        at,
        duration,
        [peer, loss] { SetLoss(peer, loss, true); },
        [peer, loss] { SetLoss(peer, loss, false); });
}

// ---- pauses

void
FaultHelper::HoldXoff(const Ptr<QbbNetDevice>& device, uint8_t classes, bool hold)
{
    auto& holds = m_xoffHolds[{device->GetNode()->GetId(), device->GetPortIndex()}];
    uint8_t stuck = 0;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (classes & (1U << cls))
        {
            holds[cls] += hold ? 1 : -1;
        }
        stuck |= holds[cls] > 0 ? 1U << cls : 0;
    }
    device->OverridePause(stuck, device->GetIssuer().Muted());
}

void
FaultHelper::StickXoff(NodeId node, uint32_t port, uint8_t classes, Time at, Time duration)
{
    const auto device = m_fabric.GetDevice(node, port);
    if (classes == 0 || (classes & ~device->GetActivePfcClasses()))
    {
        throw FabricError("a stuck XOFF at " + PlaceOf(node, port).name +
                              " for the classes of mask " + std::to_string(classes),
                          "classes with PFC there are those of mask " +
                              std::to_string(device->GetActivePfcClasses()));
    }
    Plan(
        "stuck-xoff",
        PlaceOf(node, port, " " + ClassesOf(classes)),
        at,
        duration,
        [this, device, classes] { HoldXoff(device, classes, true); },
        [this, device, classes] { HoldXoff(device, classes, false); });
}

void
FaultHelper::StormHost(HostId host, Time at, Time duration)
{
    const auto rdma = m_fabric.GetRdma(host);
    const NodeId node = m_fabric.GetTopology().NodeOf(host);
    for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
    {
        StickXoff(node, port, m_fabric.GetDevice(node, port)->GetActivePfcClasses(), at, duration);
    }
}

void
FaultHelper::LoseXon(NodeId node, uint32_t port, uint32_t cls, uint32_t count, Time at)
{
    const auto device = m_fabric.GetDevice(node, port);
    if (cls >= TRAFFIC_CLASSES || !device->IsPfcEnabled(cls))
    {
        throw FabricError("lost XON frames of class " + std::to_string(cls) + " at " +
                              PlaceOf(node, port).name,
                          "the class has no PFC there");
    }
    if (count == 0)
    {
        throw FabricError("0 lost XON frames at " + PlaceOf(node, port).name, "lose 1 or more");
    }
    const Ptr<FrameLoss> loss = CreateObjectWithAttributes<XonLoss>("Class",
                                                                    UintegerValue(cls),
                                                                    "Count",
                                                                    UintegerValue(count));
    Plan(
        "lost-xon",
        PlaceOf(node, port, " class " + std::to_string(cls) + " count " + std::to_string(count)),
        at,
        Time(0),
        [device, loss] { SetLoss(device, loss, true); },
        [device, loss] { SetLoss(device, loss, false); });
}

// ---- frames

void
FaultHelper::Claim(const Ptr<FrameLoss>& loss, NodeId node, uint32_t port)
{
    const auto known = std::find_if(m_losses.begin(), m_losses.end(), [&loss](const Loss& other) {
        return other.loss == loss;
    });
    if (known == m_losses.end())
    {
        m_losses.push_back({loss, node, port});
        if (m_nextStream >= 0)
        {
            m_nextStream += loss->AssignStreams(m_nextStream);
        }
    }
    else if (known->node != node || known->port != port)
    {
        throw FabricError("lost frames at " + PlaceOf(node, port).name + " by the " +
                              loss->GetInstanceTypeId().GetName() + " of " +
                              PlaceOf(known->node, known->port).name,
                          "one object serves one port: make another");
    }
}

void
FaultHelper::LoseFrames(NodeId node, uint32_t port, const std::string& loss, Time at, Time duration)
{
    const ObjectFactory factory = FabricAttributes::ToFactory(loss, FrameLoss::GetTypeId());
    const auto lost = factory.Create<FrameLoss>();
    m_fabric.GetDevice(node, port);
    LoseFrames(node, port, lost, at, duration);
}

void
FaultHelper::LoseFrames(NodeId node, uint32_t port, Ptr<FrameLoss> loss, Time at, Time duration)
{
    const auto device = m_fabric.GetDevice(node, port);
    if (!loss)
    {
        throw FabricError("lost frames at " + PlaceOf(node, port).name + " without a FrameLoss",
                          "name which frames are lost");
    }
    Claim(loss, node, port);
    Plan(
        "lost-frames",
        PlaceOf(node, port, " " + loss->GetInstanceTypeId().GetName()),
        at,
        duration,
        [device, loss] { SetLoss(device, loss, true); },
        [device, loss] { SetLoss(device, loss, false); });
}

void
FaultHelper::LoseRandomly(NodeId node, uint32_t port, double rate, Time at, Time duration)
{
    m_fabric.GetDevice(node, port);
    if (!(rate >= 0 && rate <= 1))
    {
        throw FabricError("frames are lost at " + PlaceOf(node, port).name + " with probability " +
                              ExactText(rate),
                          "it must be 0 to 1");
    }
    LoseFrames(node,
               port,
               CreateObjectWithAttributes<RandomFrameLoss>("Rate", DoubleValue(rate)),
               at,
               duration);
}

void
FaultHelper::LoseIpIds(NodeId node,
                       uint32_t port,
                       uint16_t mask,
                       uint16_t value,
                       Time at,
                       Time duration)
{
    m_fabric.GetDevice(node, port);
    if (value & ~mask)
    {
        throw FabricError("frames are lost at " + PlaceOf(node, port).name +
                              " by an identification of " + std::to_string(value) +
                              " in the bits of " + std::to_string(mask),
                          "no frame has that: the value must be within the mask");
    }
    LoseFrames(node,
               port,
               CreateObjectWithAttributes<IpIdLoss>("Mask",
                                                    UintegerValue(mask),
                                                    "Value",
                                                    UintegerValue(value)),
               at,
               duration);
}

// ---- receivers

FaultHelper::Receivers::Buffers
FaultHelper::MakeBuffers(HostId host, const ObjectFactory& factory)
{
    Receivers::Buffers buffers(m_fabric.GetRdma(host)->GetNPorts());
    for (auto& buffer : buffers)
    {
        buffer = factory.Create<NicReceiveBuffer>();
        if (m_nextStream >= 0)
        {
            m_nextStream += buffer->AssignStreams(m_nextStream);
        }
    }
    return buffers;
}

FaultHelper::Receivers&
FaultHelper::ReceiversOf(HostId host)
{
    Receivers& receivers = m_receivers[host];
    if (receivers.slow.empty() && receivers.stops == 0)
    {
        const auto rdma = m_fabric.GetRdma(host);
        receivers.own.resize(rdma->GetNPorts());
        for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
        {
            receivers.own[port] = rdma->GetReceiveBuffer(port);
        }
    }
    return receivers;
}

void
FaultHelper::ApplyReceivers(HostId host)
{
    const Receivers& receivers = m_receivers.at(host);
    const auto rdma = m_fabric.GetRdma(host);
    if (receivers.stops > 0)
    {
        for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
        {
            if (!rdma->GetReceiveBuffer(port))
            {
                const ObjectFactory factory("ns3::NicReceiveBuffer");
                rdma->SetReceiveBuffer(port, factory.Create<NicReceiveBuffer>());
            }
            rdma->GetReceiveBuffer(port)->SetDead(true);
        }
        return; // which one it is shows when it goes on
    }
    const auto& wanted = receivers.slow.empty() ? receivers.own : receivers.slow.back().second;
    for (uint32_t port = 0; port < rdma->GetNPorts(); ++port)
    {
        if (rdma->GetReceiveBuffer(port) != wanted[port])
        {
            rdma->SetReceiveBuffer(port, wanted[port]);
        }
        if (wanted[port])
        {
            wanted[port]->SetDead(false);
        }
    }
}

void
FaultHelper::SlowReceiver(HostId host, const ObjectFactory& factory, Time at, Time duration)
{
    m_fabric.GetRdma(host);
    const auto trial = factory.IsTypeIdSet()
                           ? factory.Create<Object>()->GetObject<NicReceiveBuffer>()
                           : Ptr<NicReceiveBuffer>();
    if (!trial)
    {
        throw FabricError("a slow receiver of another type", "name ns3::NicReceiveBuffer");
    }
    try
    {
        trial->CheckAttributes();
    }
    catch (const std::invalid_argument& error)
    {
        throw FabricError(error.what(), "");
    }
    const uint64_t number = m_slowReceivers++;
    Plan(
        "slow-receiver",
        PlaceOf(m_fabric.GetTopology().NodeOf(host)),
        at,
        duration,
        [this, host, factory, number] {
            ReceiversOf(host).slow.emplace_back(number, MakeBuffers(host, factory));
            ApplyReceivers(host);
        },
        [this, host, number] {
            auto& slow = m_receivers.at(host).slow;
            slow.erase(std::find_if(slow.begin(), slow.end(), [number](const auto& one) {
                return one.first == number;
            }));
            ApplyReceivers(host);
        });
}

void
FaultHelper::StopReceiver(HostId host, Time at, Time duration)
{
    m_fabric.GetRdma(host);
    Plan(
        "receiver-stopped",
        PlaceOf(m_fabric.GetTopology().NodeOf(host)),
        at,
        duration,
        [this, host] {
            ++ReceiversOf(host).stops;
            ApplyReceivers(host);
        },
        [this, host] {
            --m_receivers.at(host).stops;
            ApplyReceivers(host);
        });
}

// ---- log

std::string
FaultHelper::GetName() const
{
    return "faults";
}

bool
FaultHelper::IsDividable() const
{
    return true;
}

void
FaultHelper::OnFault(std::function<void(const Event&)> listener)
{
    RequireOpen("a listener");
    m_listeners.push_back(std::move(listener));
}

int64_t
FaultHelper::AssignStreams(int64_t stream)
{
    constexpr int64_t LATER = 1 << 20; // for what is added, or made, from now on
    m_nextStream = stream + m_convergence.AssignStreams(stream);
    for (const auto& loss : m_losses)
    {
        m_nextStream += loss.loss->AssignStreams(m_nextStream);
    }
    return m_nextStream - stream + LATER;
}

} // namespace ns3
