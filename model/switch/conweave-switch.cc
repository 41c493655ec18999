// SPDX-License-Identifier: GPL-2.0-only
#include "conweave-switch.h"

#include "conweave-load-balancer.h"
#include "fabric-switch.h"
#include "leads-to-host.h"

#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/qbb-channel.h"
#include "ns3/simulation-clock.h"
#include "ns3/traffic-class-map.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ConWeaveSwitch");

NS_OBJECT_ENSURE_REGISTERED(ConWeaveSwitch);

namespace
{

/// Highest class: that of frames from leaf to leaf.
constexpr uint8_t NOTE_CLASS = TRAFFIC_CLASSES - 1;

/// @param device a port @return its propagation delay, ticks
int64_t
DelayOf(const QbbNetDevice& device)
{
    return DynamicCast<QbbChannel>(device.GetChannel())->GetDelay().GetTimeStep();
}

/// @param fabricSwitch a switch @return whether it has a ConWeaveSwitch
bool
HasConWeave(const FabricSwitch& fabricSwitch)
{
    for (uint32_t i = 0; i < fabricSwitch.GetNExtensions(); ++i)
    {
        if (DynamicCast<ConWeaveSwitch>(fabricSwitch.GetExtension(i)))
        {
            return true;
        }
    }
    return false;
}

} // namespace

TypeId
ConWeaveSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ConWeaveSwitch")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<ConWeaveSwitch>()
            .AddAttribute("ReplyExtra",
                          "A path is congested whose reply takes so much longer than the "
                          "propagation to the other leaf and back.",
                          TimeValue(MicroSeconds(4)),
                          MakeTimeAccessor(&ConWeaveSwitch::m_replyExtra),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PathPause",
                          "For how long flows are not rerouted to a path of which the other leaf "
                          "has noted a mark.",
                          TimeValue(MicroSeconds(16)),
                          MakeTimeAccessor(&ConWeaveSwitch::m_pathPause),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlushExtra",
                          "For how long held frames wait for a TAIL that should have come. The "
                          "public simulator has 16 us in two tiers.",
                          TimeValue(MicroSeconds(16)),
                          MakeTimeAccessor(&ConWeaveSwitch::m_flushExtra),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("DefaultWait",
                          "For how long held frames wait, with FlushExtra, where no frame tells "
                          "when the TAIL should come.",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&ConWeaveSwitch::m_defaultWait),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TxExpiry",
                          "A flow that was silent for longer begins on any path. It should exceed "
                          "DefaultWait + FlushExtra, and what paths differ by.",
                          TimeValue(MicroSeconds(300)),
                          MakeTimeAccessor(&ConWeaveSwitch::m_txExpiry),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ShimBytes",
                          "Bytes that frames from leaf to leaf have more.",
                          UintegerValue(0),
                          MakeLive(MakeUintegerAccessor(&ConWeaveSwitch::m_shimBytes),
                                   &ConWeaveSwitch::SettingChanged),
                          MakeUintegerChecker<uint32_t>(0, 64));
    return tid;
}

ConWeaveSwitch::ConWeaveSwitch()
    : m_wake(Create<WakeEvent<ConWeaveSwitch, &ConWeaveSwitch::Flush>>(this))
{
}

ConWeaveSwitch::~ConWeaveSwitch()
{
    m_wake->Detach();
}

void
ConWeaveSwitch::DoDispose()
{
    m_wake->Detach();
    for (Queue& queue : m_queues)
    {
        while (Frame* const frame = queue.first)
        {
            queue.first = frame->next;
            frame->Release();
        }
    }
    m_owner = nullptr;
    m_balancer = nullptr;
    SwitchExtension::DoDispose();
}

uint32_t
ConWeaveSwitch::GetHooks() const
{
    return m_isLeaf ? ON_ROUTE | ON_ENQUEUE : 0U;
}

// ---- configuration

void
ConWeaveSwitch::Check(FabricSwitch& owner)
{
    if (!owner.GetForwardingTable().HasChoice())
    {
        return;
    }
    if (!DynamicCast<ConWeaveLoadBalancer>(owner.GetLoadBalancer()))
    {
        throw std::invalid_argument("ConWeaveSwitch: the switch chooses among ports by " +
                                    owner.GetLoadBalancer()->GetInstanceTypeId().GetName() +
                                    ", which does not ask it; use ns3::ConWeaveLoadBalancer");
    }
    bool isLeaf = false;
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        isLeaf = isLeaf || LeadsToHost(*owner.GetPort(port));
    }
    if (!isLeaf || !owner.GetForwardingTable().GetSites())
    {
        throw std::invalid_argument("ConWeaveSwitch: knows the paths of two tiers of FabricHelper: "
                                    "leaves with hosts, and spines that have no choice");
    }
}

int64_t
ConWeaveSwitch::LookAround(const FabricSwitch& owner) const
{
    int64_t longest = 0;
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        const auto peer = owner.GetPort(port)->GetPeer();
        if (m_leadsToHost[port] || !peer || !peer->GetNode())
        {
            continue;
        }
        const auto spine = peer->GetNode()->GetObject<FabricSwitch>();
        for (uint32_t down = 0; down < spine->GetNPorts(); ++down)
        {
            const auto far = spine->GetPort(down)->GetPeer();
            const auto leaf =
                far && far->GetNode() ? far->GetNode()->GetObject<FabricSwitch>() : nullptr;
            if (!leaf || PeekPointer(leaf) == &owner)
            {
                continue;
            }
            if (!HasConWeave(*leaf))
            {
                throw std::invalid_argument("ConWeaveSwitch: another leaf has none, and would "
                                            "neither answer nor keep flows in order; add "
                                            "ns3::ConWeaveSwitch to all switches");
            }
            longest =
                std::max(longest, DelayOf(*owner.GetPort(port)) + DelayOf(*spine->GetPort(down)));
        }
    }
    return longest;
}

void
ConWeaveSwitch::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this);
    Check(owner);
    m_owner = &owner;
    m_hasChoice = owner.GetForwardingTable().HasChoice();
    m_sites = owner.GetForwardingTable().GetSites();
    m_leadsToHost.clear();
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        m_leadsToHost.push_back(LeadsToHost(*owner.GetPort(port)));
    }
    const auto& toHosts = m_leadsToHost;
    m_isLeaf = m_sites && std::find(toHosts.begin(), toHosts.end(), true) != toHosts.end();
    if (!m_isLeaf)
    {
        return;
    }
    m_balancer = PeekPointer(DynamicCast<ConWeaveLoadBalancer>(owner.GetLoadBalancer()));
    if (m_balancer)
    {
        m_balancer->SetLeaf(this);
    }
    m_nodeId = owner.GetPort(0)->GetNode()->GetId();
    m_pausedUntil.resize(m_sites->GetNSites() + 1);
    for (auto& paths : m_pausedUntil)
    {
        paths.resize(owner.GetNPorts());
    }
    m_baseRtt = 2 * LookAround(owner);
}

void
ConWeaveSwitch::Restarted()
{
    for (Queue& queue : m_queues)
    {
        Release(queue); // the links are down: the frames are lost for that reason
    }
    m_queues.clear();
    m_senders = {};
    m_receivers = {};
    m_pausedUntil.clear();
    m_chosen = nullptr;
}

// ---- the leaf where a flow begins

bool
ConWeaveSwitch::Begins(const Frame& frame) const
{
    return frame.shimKind == ShimKind::NONE && m_leadsToHost[frame.inPort] &&
           m_sites->Find(frame) != 0;
}

uint16_t
ConWeaveSwitch::DrawGood(HostSites::Site site, const std::vector<uint16_t>& ports) const
{
    const int64_t now = SimulationClock::Now();
    const uint16_t first = m_balancer->DrawPort(ports);
    const uint16_t second = m_balancer->DrawPort(ports);
    for (const uint16_t port : {first, second})
    {
        if (m_pausedUntil[site][port] <= now)
        {
            return port;
        }
    }
    return NextHopGroup::NONE;
}

uint16_t
ConWeaveSwitch::DrawPath(const Frame& frame, const std::vector<uint16_t>& ports)
{
    const int64_t now = SimulationClock::Now();
    const int64_t expiry = m_txExpiry.GetTimeStep();
    const uint8_t cls = m_owner->ClassOf(frame);
    const auto isOld = [=](const ConWeaveSender& other) { return other.GetLast() + expiry < now; };
    ConWeaveSender& flow = m_senders.Of(Senders::KeyOf(frame, cls), isOld);
    if (flow.GetPath() == NextHopGroup::NONE)
    {
        flow = ConWeaveSender(m_lastEpoch); // the other leaf may remember it
    }
    const uint16_t before = flow.GetPath();
    const bool isGone = std::find(ports.begin(), ports.end(), before) == ports.end();
    const auto step = isGone ? ConWeaveSender::EXPIRED : flow.Look(now, expiry);
    uint16_t path = before;
    if (ConWeaveSender::MayMove(step))
    {
        const uint16_t good = DrawGood(m_sites->Find(frame), ports);
        if (good != NextHopGroup::NONE || isGone)
        {
            path = good != NextHopGroup::NONE ? good : m_balancer->DrawPort(ports);
        }
        m_counters.reroutes += before != NextHopGroup::NONE && path != before;
    }
    m_shim = flow.Send(step, now, m_baseRtt + m_replyExtra.GetTimeStep(), path);
    m_shim.cls = cls;
    m_lastEpoch = std::max(m_lastEpoch, m_shim.epoch);
    m_chosen = &frame;
    return m_shim.path;
}

void
ConWeaveSwitch::Begin(Frame& frame, uint32_t outPort)
{
    if (m_chosen != &frame || m_shim.txTime != SimulationClock::Now()) // it had no choice
    {
        m_sole[0] = static_cast<uint16_t>(outPort);
        DrawPath(frame, m_sole);
    }
    m_chosen = nullptr;
    frame.shimKind = ShimKind::CONWEAVE;
    frame.conWeaveShim = m_shim;
    frame.bytes += m_shimBytes;
}

void
ConWeaveSwitch::Hear(const Frame& note)
{
    const ConWeaveShim& shim = note.conWeaveShim;
    const int64_t now = SimulationClock::Now();
    if (shim.kind == ConWeaveShim::NOTIFY)
    {
        m_pausedUntil[m_sites->Find(note.src)][shim.path] = now + m_pathPause.GetTimeStep();
    }
    else if (ConWeaveSender* flow = m_senders.Find(Senders::KeyBack(note, shim.cls)))
    {
        flow->Replied(shim, now);
    }
}

// ---- the leaf of its destination

void
ConWeaveSwitch::Tell(const Frame& frame, const ConWeaveShim& shim)
{
    auto note = new Frame;
    note->kind = FrameKind::ROCE;
    note->opcode = RoceOpcode::LEAF_NOTE;
    note->src = frame.dst;
    note->dst = frame.src;
    note->srcHigh = frame.dstHigh;
    note->dstHigh = frame.srcHigh;
    note->ipVersion = frame.ipVersion;
    note->srcPort = frame.srcPort;
    note->dstPort = ROCE_UDP_PORT;
    note->destQp = frame.destQp;
    note->trafficClass = NOTE_CLASS;
    m_owner->GetPort(frame.inPort)->GetTrafficClassMap()->MarkAs(*note, NOTE_CLASS);
    note->bytes = RoceFrameBytes(note->opcode, 0, note->ipVersion, note->tagged);
    note->shimKind = ShimKind::CONWEAVE;
    note->conWeaveShim = shim;
    m_owner->SendOwn(note);
}

SwitchExtension::Verdict
ConWeaveSwitch::End(Frame& frame, uint32_t outPort)
{
    const ConWeaveShim& shim = frame.conWeaveShim;
    const int64_t now = SimulationClock::Now();
    frame.bytes -= m_shimBytes;
    if (frame.ecn == Ecn::CE)
    {
        ++m_counters.notifies;
        Tell(frame, {now, 0, 0, shim.path, 0, ConWeaveShim::NOTIFY, shim.cls});
    }
    if (shim.kind != ConWeaveShim::DATA)
    {
        const bool isInit = shim.kind == ConWeaveShim::INIT;
        ++m_counters.replies;
        Tell(frame,
             {now,
              0,
              shim.epoch,
              shim.path,
              static_cast<uint8_t>(isInit ? 0 : 1),
              isInit ? ConWeaveShim::INIT_REPLY : ConWeaveShim::TAIL_REPLY,
              shim.cls});
    }
    // The other leaf begins an epoch after TxExpiry; frames of the old one may be paused for long.
    const int64_t oldest = now - 10 * m_txExpiry.GetTimeStep();
    const auto isOld = [=](const ConWeaveReceiver& other) {
        return other.GetLast() < oldest && other.GetFlushTime() == ConWeaveReceiver::NEVER;
    };
    const auto key = Receivers::KeyOf(frame, shim.cls);
    ConWeaveReceiver& flow = m_receivers.Of(key, isOld);
    const bool waits =
        flow.Arrived(shim, now, {m_flushExtra.GetTimeStep(), m_defaultWait.GetTimeStep()});
    WakeAt(flow.GetFlushTime());
    if (!waits)
    {
        return {};
    }
    Hold(&frame, key, static_cast<uint16_t>(outPort));
    return {Verdict::TAKEN, {}};
}

ConWeaveSwitch::Queue&
ConWeaveSwitch::QueueOf(const Receivers::Key& flow, uint16_t outPort)
{
    Queue* unused = nullptr;
    for (Queue& queue : m_queues)
    {
        if (queue.isUsed && queue.flow == flow)
        {
            return queue;
        }
        unused = queue.isUsed ? unused : &queue;
    }
    Queue& queue = unused ? *unused : m_queues.emplace_back();
    queue = {true, flow, outPort};
    return queue;
}

void
ConWeaveSwitch::Hold(Frame* frame, const Receivers::Key& flow, uint16_t outPort)
{
    Queue& queue = QueueOf(flow, outPort); // even if there is no room: it is to be flushed
    if (!m_owner->Book(frame, outPort))
    {
        return;
    }
    frame->next = nullptr;
    (queue.first ? queue.last->next : queue.first) = frame;
    queue.last = frame;
    ++m_counters.held;
    ++m_held;
    m_counters.mostHeld = std::max(m_counters.mostHeld, m_held);
}

void
ConWeaveSwitch::Release(Queue& queue)
{
    Frame* frame = std::exchange(queue.first, nullptr);
    queue.isUsed = false;
    const uint16_t outPort = queue.outPort;
    while (frame)
    {
        Frame* const next = std::exchange(frame->next, nullptr);
        --m_held;
        m_owner->QueueBooked(frame, outPort);
        frame = next;
    }
}

void
ConWeaveSwitch::WakeAt(int64_t at)
{
    m_wake->Arm(m_nodeId, SimulationClock::Now(), at);
}

void
ConWeaveSwitch::Flush()
{
    const int64_t now = SimulationClock::Now();
    int64_t next = ConWeaveReceiver::NEVER;
    for (Queue& queue : m_queues)
    {
        if (!queue.isUsed)
        {
            continue;
        }
        ConWeaveReceiver& flow = *m_receivers.Find(queue.flow);
        if (flow.GetFlushTime() > now)
        {
            next = std::min(next, flow.GetFlushTime());
            continue;
        }
        ++(flow.Flushed() ? m_counters.flushesByTail : m_counters.flushesByTimer);
        Release(queue);
    }
    WakeAt(next);
}

// ---- the pipeline

SwitchExtension::Verdict
ConWeaveSwitch::Routed(Frame& frame, uint32_t outPort)
{
    if (frame.shimKind == ShimKind::CONWEAVE && m_leadsToHost[outPort])
    {
        if (frame.opcode != RoceOpcode::LEAF_NOTE)
        {
            return End(frame, outPort);
        }
        Hear(frame);
        frame.Release();
        return {Verdict::TAKEN, {}};
    }
    if (m_hasChoice && ConWeaveLoadBalancer::IsOfFlow(frame) && !m_leadsToHost[outPort] &&
        Begins(frame))
    {
        Begin(frame, outPort);
    }
    return {};
}

void
ConWeaveSwitch::Enqueued(Frame& frame, uint32_t outPort, uint64_t /* queueBytes */)
{
    if (frame.shimKind != ShimKind::CONWEAVE || !m_leadsToHost[outPort])
    {
        return;
    }
    frame.shimKind = ShimKind::NONE;
    if (frame.conWeaveShim.kind != ConWeaveShim::TAIL)
    {
        return;
    }
    const ConWeaveShim& shim = frame.conWeaveShim;
    if (ConWeaveReceiver* flow = m_receivers.Find(Receivers::KeyOf(frame, shim.cls)))
    {
        flow->TailPassed(shim.epoch, SimulationClock::Now());
        WakeAt(flow->GetFlushTime());
    }
}

} // namespace ns3
