// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-hw.h"

#include "qbb-net-device.h"
#include "rdma-port.h"
#include "rdma-queue-pair-maker.h"

#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/srv6-frame.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaHw");

NS_OBJECT_ENSURE_REGISTERED(RdmaHw);

namespace
{

/// A number rests while this many others do, so that late frames do not meet its next owner.
constexpr std::size_t RESTING_NUMBERS = 16;

/// Numbers have 24 bits, and the highest means multicast.
constexpr std::size_t MAX_QUEUE_PAIRS = (1U << 24) - 2;

} // namespace

TypeId
RdmaHw::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaHw")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaHw>()
            .AddTraceSource(
                "RequestCompleted",
                "A work request of a queue pair of this NIC ended: the queue pair, the completion.",
                MakeTraceSourceAccessor(&RdmaHw::m_requestCompleted),
                "ns3::RdmaHw::CompletionTracedCallback")
            .AddTraceSource("MessageReceived",
                            "A message arrived at a queue pair of this NIC, or a READ of the peer "
                            "was executed: the queue pair, the completion.",
                            MakeTraceSourceAccessor(&RdmaHw::m_messageReceived),
                            "ns3::RdmaHw::CompletionTracedCallback")
            .AddTraceSource("WentBack",
                            "A queue pair of this NIC must send packets again: the queue pair, by "
                            "how many packets it goes back (0: it sends lost ones alone), and when "
                            "the first of them was sent, about.",
                            MakeTraceSourceAccessor(&RdmaHw::m_wentBack),
                            "ns3::RdmaHw::WentBackTracedCallback");
    return tid;
}

RdmaHw::RdmaHw()
    : m_queuePairs(FIRST_QUEUE_PAIR),
      m_maker(std::make_shared<RdmaQueuePairMaker>())
{
}

RdmaHw::~RdmaHw() = default;

void
RdmaHw::DoDispose()
{
    for (auto& queuePair : m_queuePairs)
    {
        if (queuePair)
        {
            queuePair->Dispose();
        }
    }
    m_queuePairs.clear();
    Bury();
    for (auto& port : m_ports)
    {
        if (port->ReceiveBuffer())
        {
            port->ReceiveBuffer()->Dispose();
        }
        port->Device().SetOwner(nullptr, 0);
    }
    m_ports.clear();
    m_endpoint = nullptr;
    m_congestionCheck = nullptr; // it may know the fabric, which knows this object
    Object::DoDispose();
}

// ---- ports

uint32_t
RdmaHw::AddPort(Ptr<QbbNetDevice> device, Ipv4Address address)
{
    RdmaAddress own;
    own.low = address.Get();
    return AddPort(device, own);
}

uint32_t
RdmaHw::AddPort(Ptr<QbbNetDevice> device, Ipv6Address address)
{
    uint8_t bytes[16];
    address.GetBytes(bytes);
    uint32_t words[4]{};
    for (int i = 0; i < 16; i++)
    {
        words[i / 4] = words[i / 4] << 8 | bytes[i];
    }
    RdmaAddress own;
    own.ipVersion = 6;
    own.high = {words[0], words[1], words[2]};
    own.low = words[3];
    return AddPort(device, own);
}

uint32_t
RdmaHw::AddPort(Ptr<QbbNetDevice> device, const RdmaAddress& address)
{
    uint32_t index = m_ports.size();
    m_ports.push_back(std::make_unique<RdmaPort>(*this, device, address));
    device->SetOwner(this, index);
    return index;
}

uint32_t
RdmaHw::GetNPorts() const
{
    return m_ports.size();
}

RdmaPort&
RdmaHw::Port(uint32_t port) const
{
    if (port >= m_ports.size())
    {
        throw std::invalid_argument("RdmaHw: there is no port " + std::to_string(port) +
                                    "; the NIC has " + std::to_string(m_ports.size()) +
                                    ", counted from 0");
    }
    return *m_ports[port];
}

Ptr<QbbNetDevice>
RdmaHw::GetDevice(uint32_t port) const
{
    return Ptr<QbbNetDevice>(&Port(port).Device());
}

const RdmaAddress&
RdmaHw::GetAddress(uint32_t port) const
{
    return Port(port).Address();
}

void
RdmaHw::SetReceiveBuffer(uint32_t port, Ptr<NicReceiveBuffer> buffer)
{
    NS_LOG_FUNCTION(this << port << buffer);
    RdmaPort& own = Port(port);
    if (buffer)
    {
        buffer->Attach(own.Device(), MakeCallback(&RdmaHw::Deliver, this));
    }
    if (const auto before = Ptr<NicReceiveBuffer>(own.ReceiveBuffer()))
    {
        before->Detach();
    }
    own.SetReceiveBuffer(buffer);
}

Ptr<NicReceiveBuffer>
RdmaHw::GetReceiveBuffer(uint32_t port) const
{
    return Ptr<NicReceiveBuffer>(Port(port).ReceiveBuffer());
}

Ptr<RdmaQueuePair>
RdmaHw::MakeWithAckQueue() const
{
    TypeId::AttributeInformation ackQueue;
    RdmaQueuePair::GetTypeId().LookupAttributeByName("AckQueue", &ackQueue);
    const bool isUsual = DynamicCast<const IntegerValue>(ackQueue.initialValue)->Get() < 0;
    return isUsual && !m_setsAckQueue ? nullptr : m_maker->Make();
}

std::vector<LosslessMistake>
RdmaHw::FindMistakes() const
{
    std::vector<LosslessMistake> findings;
    const auto next = MakeWithAckQueue();
    for (const auto& port : m_ports)
    {
        const QbbNetDevice& device = port->Device();
        std::array<uint8_t, TRAFFIC_CLASSES> loose{}; // classes of ACKs, by their queue
        if (next && next->GetAckQueue() >= 0)
        {
            loose[next->GetAckQueue()] = next->FindLooseAcks(device, true);
        }
        for (const auto& queuePair : m_queuePairs)
        {
            if (queuePair && queuePair->GetAckQueue() >= 0 && queuePair->GetDevice() == &device)
            {
                loose[queuePair->GetAckQueue()] |= queuePair->FindLooseAcks(device, false);
            }
        }
        for (uint32_t index = 0; index < TRAFFIC_CLASSES * TRAFFIC_CLASSES; ++index)
        {
            const uint32_t queue = index / TRAFFIC_CLASSES;
            const uint32_t cls = index % TRAFFIC_CLASSES;
            if (loose[queue] & (1U << cls))
            {
                findings.push_back({"map",
                                    device.GetPortIndex(),
                                    cls,
                                    "ACKs of the class wait in queue " + std::to_string(queue) +
                                        ": no pause of the class stops them, and they fill its "
                                        "headroom at the peer",
                                    "set AckQueue of queue pairs to -1"});
            }
        }
        if (const NicReceiveBuffer* buffer = port->ReceiveBuffer())
        {
            const auto some = buffer->FindMistakes();
            findings.insert(findings.end(), some.begin(), some.end());
        }
    }
    return findings;
}

std::vector<std::string>
RdmaHw::CheckLossless() const
{
    std::vector<std::string> lines;
    for (const LosslessMistake& mistake : FindMistakes())
    {
        lines.push_back(mistake.ToLine("node " + std::to_string(GetObject<Node>()->GetId())));
    }
    return lines;
}

// ---- queue pairs

void
RdmaHw::SetQueuePairAttribute(const std::string& name, const AttributeValue& value)
{
    NS_LOG_FUNCTION(this << name);
    if (m_maker.use_count() > 1)
    {
        m_maker = std::make_shared<RdmaQueuePairMaker>(*m_maker);
    }
    m_maker->Set(name, value);
    m_setsAckQueue |= name == "AckQueue";
}

const ObjectFactory&
RdmaHw::GetQueuePairFactory() const
{
    return m_maker->GetFactory();
}

void
RdmaHw::MakeQueuePairsLike(const RdmaHw& other)
{
    m_maker = other.m_maker;
    m_setsAckQueue = other.m_setsAckQueue;
}

void
RdmaHw::SetCongestionCheck(std::function<void(const RdmaCongestionOps&)> check)
{
    m_congestionCheck = std::move(check);
}

void
RdmaHw::CheckCongestionControl(const RdmaCongestionOps& ops) const
{
    if (m_congestionCheck)
    {
        m_congestionCheck(ops);
    }
}

Ptr<RdmaQueuePair>
RdmaHw::CreateQueuePair(uint32_t port)
{
    NS_LOG_FUNCTION(this << port);
    RdmaPort& own = Port(port);
    uint32_t number = m_queuePairs.size();
    if (m_resting.size() > RESTING_NUMBERS && !m_keepsNumbers)
    {
        number = m_resting.front();
        m_resting.pop_front();
    }
    else if (number >= MAX_QUEUE_PAIRS)
    {
        throw std::invalid_argument(
            "RdmaHw: a NIC has at most 2^24 - 2 queue pairs; destroy some first");
    }
    else
    {
        m_queuePairs.emplace_back();
    }
    auto queuePair = m_maker->Make();
    queuePair->Attach(&own, number, &m_counters);
    m_queuePairs[number] = queuePair;
    return queuePair;
}

void
RdmaHw::SkipNumber()
{
    NS_ASSERT_MSG(m_keepsNumbers, "a number that is left out would be given later");
    m_resting.push_back(m_queuePairs.size());
    m_queuePairs.emplace_back();
}

void
RdmaHw::Connect(Ptr<RdmaQueuePair> one, Ptr<RdmaQueuePair> other, Time baseRtt)
{
    NS_LOG_FUNCTION(one << other << baseRtt);
    if (one->GetMtu() != other->GetMtu())
    {
        throw std::invalid_argument("RdmaHw: the ends have different MTUs, " +
                                    std::to_string(one->GetMtu()) + " and " +
                                    std::to_string(other->GetMtu()) + "; set one Mtu at both");
    }
    const uint16_t ports[] = {one->GetConnection().udpPort, other->GetConnection().udpPort};
    if (ports[0] != ports[1])
    {
        throw std::invalid_argument("RdmaHw: the ends have different UDP ports, " +
                                    std::to_string(ports[0]) + " and " + std::to_string(ports[1]));
    }
    const std::vector<RdmaAddress> oneAddresses = one->GetAddresses();
    const std::vector<RdmaAddress> otherAddresses = other->GetAddresses();
    const TypeId types[] = {one->GetTransportType(), other->GetTransportType()};
    if (types[0] != types[1] || oneAddresses.size() != otherAddresses.size())
    {
        throw std::invalid_argument(
            "RdmaHw: the ends have different transports, " + types[0].GetName() + " over " +
            std::to_string(oneAddresses.size()) + " and " + types[1].GetName() + " over " +
            std::to_string(otherAddresses.size()) + " ports; set one Transport at both");
    }
    one->ConnectTo(otherAddresses, other->GetNumber(), baseRtt);
    if (one != other)
    {
        other->ConnectTo(oneAddresses, one->GetNumber(), baseRtt);
    }
    if (one->GetLossRecovery()->GetInstanceTypeId() !=
        other->GetLossRecovery()->GetInstanceTypeId())
    {
        throw std::invalid_argument(
            "RdmaHw: the ends have different loss recovery; set one LossRecovery at both");
    }
    if (!one->GetEntropyPolicy() != !other->GetEntropyPolicy())
    {
        throw std::invalid_argument(
            "RdmaHw: one end has entropy values and one has none; set Entropy at both");
    }
}

void
RdmaHw::DestroyQueuePair(Ptr<RdmaQueuePair> queuePair)
{
    NS_LOG_FUNCTION(this << queuePair);
    uint32_t number = queuePair->GetNumber();
    if (GetQueuePair(number) != queuePair)
    {
        throw std::invalid_argument(
            "RdmaHw: the queue pair belongs to another NIC, or is destroyed already");
    }
    m_queuePairs[number] = nullptr;
    m_resting.push_back(number);
    if (m_destroyed.empty())
    {
        // Not at once: it may be the one whose callback we are in.
        Simulator::ScheduleNow(&RdmaHw::Bury, Ptr<RdmaHw>(this));
    }
    m_destroyed.push_back(queuePair);
    queuePair->Close();
}

void
RdmaHw::Bury()
{
    for (auto& queuePair : m_destroyed)
    {
        queuePair->Dispose();
    }
    m_destroyed.clear();
}

Ptr<RdmaQueuePair>
RdmaHw::GetQueuePair(uint32_t number) const
{
    return number < m_queuePairs.size() ? m_queuePairs[number] : nullptr;
}

uint32_t
RdmaHw::GetNQueuePairs() const
{
    return m_queuePairs.size() - FIRST_QUEUE_PAIR - m_resting.size();
}

void
RdmaHw::RequestCompleted(const RdmaQueuePair& queuePair, const RdmaCompletion& completion)
{
    m_requestCompleted(queuePair, completion);
}

void
RdmaHw::MessageReceived(const RdmaQueuePair& queuePair, const RdmaCompletion& completion)
{
    m_messageReceived(queuePair, completion);
}

void
RdmaHw::WentBack(const RdmaQueuePair& queuePair, uint64_t packets, Time since)
{
    m_wentBack(queuePair, packets, since);
}

// ---- QbbPortOwner

void
RdmaHw::FrameArrived(QbbNetDevice& port, Frame* frame)
{
    const RdmaPort& own = *m_ports[port.GetPortIndex()];
    if (own.IsPlain())
    {
        Deliver(port, frame);
    }
    else if (NicReceiveBuffer* buffer = own.ReceiveBuffer())
    {
        buffer->Arrived(frame);
    }
    else
    {
        Deliver(port, frame);
        port.Kick(); // as the HPCC simulator does after each arrival
    }
}

bool
RdmaHw::FreesCredits(const QbbNetDevice& port) const
{
    return m_ports[port.GetPortIndex()]->ReceiveBuffer() != nullptr;
}

void
RdmaHw::Deliver(QbbNetDevice& port, Frame* frame)
{
    if (frame->kind != FrameKind::ROCE)
    {
        if (frame->kind == FrameKind::VXLAN) // a mis-set end point: tunnels end in switches
        {
            port.Drop(frame, DropReason::NOT_FOR_US);
            return;
        }
        // A switch has flooded it, with the MAC address of another host.
        if (frame->flooded && frame->dst != m_ports[port.GetPortIndex()]->Address().low &&
            !frame->IsLinkLocal())
        {
            port.Drop(frame, DropReason::NOT_FOR_US);
            return;
        }
        port.DeliverUp(frame);
        return;
    }
    frame->flooded = false; // its answer is not
    RdmaQueuePair* queuePair =
        frame->destQp < m_queuePairs.size() ? PeekPointer(m_queuePairs[frame->destQp]) : nullptr;
    const RdmaAddress& own = m_ports[port.GetPortIndex()]->Address();
    if (frame->dst != own.low || frame->ipVersion != own.ipVersion ||
        (own.ipVersion == 6 && frame->dstHigh != own.high))
    {
        if (frame->isSrv6 && LeaveSrv6(*frame))
        {
            Deliver(port, frame); // it has the inner destination now
            return;
        }
        port.Drop(frame, frame->isSrv6 ? DropReason::TUNNEL_ECN : DropReason::NOT_FOR_US);
    }
    else
    {
        if (IsMrcEndpoint(frame->opcode) && m_endpoint)
        {
            m_endpoint->Receive(frame, port.GetPortIndex());
            return;
        }
        if (!queuePair || !queuePair->IsOfConnection(*frame))
        {
            queuePair = SenderTo(*frame);
        }
        if (!queuePair)
        {
            port.Drop(frame, DropReason::NO_QUEUE_PAIR);
            return;
        }
        m_ports[port.GetPortIndex()]->CountReceived(*frame);
        queuePair->Receive(frame, port.GetPortIndex());
    }
}

RdmaQueuePair*
RdmaHw::SenderTo(const Frame& frame) const
{
    if (frame.telemetryKind != TelemetryKind::RECEIVER)
    {
        return nullptr;
    }
    // Rare: a switch makes at most one CNP a flow and poll, and knows most senders.
    const auto found = std::find_if(
        m_queuePairs.begin(),
        m_queuePairs.end(),
        [&frame](const Ptr<RdmaQueuePair>& queuePair) {
            return queuePair &&
                   queuePair->GetConnection().IsTo(frame.telemetry.receiver.queuePair, frame);
        });
    return found == m_queuePairs.end() ? nullptr : PeekPointer(*found);
}

uint64_t
RdmaHw::GetDataReceived(uint32_t port) const
{
    return Port(port).GetDataReceived();
}

Frame*
RdmaHw::NextFrame(QbbNetDevice& port)
{
    return m_ports[port.GetPortIndex()]->NextFrame();
}

bool
RdmaHw::HasNext(const QbbNetDevice& port) const
{
    return m_ports[port.GetPortIndex()]->HasNext();
}

void
RdmaHw::LinkChanged(QbbNetDevice& port, bool up)
{
    NS_LOG_FUNCTION(this << port.GetPortIndex() << up);
    if (NicReceiveBuffer* buffer = m_ports[port.GetPortIndex()]->ReceiveBuffer())
    {
        buffer->LinkChanged(up);
    }
    for (auto& queuePair : m_queuePairs)
    {
        if (queuePair && queuePair->UsesPort(port.GetPortIndex()))
        {
            queuePair->LinkChanged(port.GetPortIndex(), up);
        }
    }
}

void
RdmaHw::PortChanged(QbbNetDevice& port)
{
    m_ports[port.GetPortIndex()]->SettingChanged();
    if (NicReceiveBuffer* buffer = m_ports[port.GetPortIndex()]->ReceiveBuffer())
    {
        buffer->SettingChanged();
    }
    for (auto& queuePair : m_queuePairs)
    {
        if (queuePair && queuePair->UsesPort(port.GetPortIndex()))
        {
            queuePair->PortChanged(port.GetPortIndex());
        }
    }
}

} // namespace ns3
