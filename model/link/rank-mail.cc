// SPDX-License-Identifier: GPL-2.0-only
#include "rank-mail.h"

#include "qbb-net-device.h"
#include "simulation-clock.h"

#include "ns3/fabric-ranks.h"
#include "ns3/frame-record.h"
#include "ns3/mpi-interface.h"
#include "ns3/mpi-receiver.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <cstring>
#include <stdexcept>
#include <string>

namespace ns3
{

namespace
{

/// Bytes of a message that ns-3 carries: its buffers have 2,000, of which 16 name time, node and
/// device, and up to 64 are what ns-3 adds to a Packet.
constexpr std::size_t MAX_MESSAGE = 2000 - 16 - 64;

/// What stands before the record of each frame.
struct Label
{
    int64_t arrival; //!< ticks
    uint32_t node;   //!< where it arrives
    uint32_t device; //!< which of its devices
    uint64_t bytes;  //!< of the record
};

} // namespace

std::vector<RankMail>&
RankMail::All()
{
    static std::vector<RankMail> all(FabricRanks::Count());
    return all;
}

RankMail&
RankMail::To(uint32_t rank)
{
    return All().at(rank);
}

void
RankMail::Add(Frame* frame, const QbbNetDevice& device, int64_t arrival)
{
    FrameRecord::Write(*frame, m_record);
    frame->Release();
    const Label label{arrival, device.GetNode()->GetId(), device.GetIfIndex(), m_record.size()};
    const std::size_t bytes = sizeof(label) + m_record.size();
    if (bytes > MAX_MESSAGE)
    {
        throw std::runtime_error("a frame takes " + std::to_string(bytes) +
                                 " bytes between ranks, and messages of ns-3 have " +
                                 std::to_string(MAX_MESSAGE) +
                                 "; send smaller IP packets, or run on one rank");
    }
    if (m_message.size() + bytes > MAX_MESSAGE)
    {
        Flush();
    }
    if (m_message.empty() || arrival < m_first)
    {
        m_first = arrival;
        m_node = label.node;
        m_device = label.device;
    }
    const std::size_t end = m_message.size();
    m_message.resize(end + bytes);
    std::memcpy(&m_message[end], &label, sizeof(label));
    std::memcpy(&m_message[end + sizeof(label)], m_record.data(), m_record.size());
}

void
RankMail::Flush()
{
    if (m_message.empty())
    {
        return;
    }
    MpiInterface::SendPacket(
        Create<Packet>(m_message.data(), static_cast<uint32_t>(m_message.size())),
        TimeStep(m_first),
        m_node,
        m_device);
    m_message.clear();
}

void
RankMail::FlushAll()
{
    for (RankMail& mail : All())
    {
        mail.Flush();
    }
}

void
RankMail::Receive(QbbNetDevice& device)
{
    if (!device.GetObject<MpiReceiver>())
    {
        const auto receiver = CreateObject<MpiReceiver>();
        receiver->SetReceiveCallback(MakeCallback(&RankMail::Arrived));
        device.AggregateObject(receiver);
        FabricRanks::BeforeWaiting(&RankMail::FlushAll);
    }
}

void
RankMail::Arrived(Ptr<Packet> message)
{
    std::vector<uint8_t> bytes(message->GetSize());
    message->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    const int64_t now = SimulationClock::Now();
    for (std::size_t next = 0; next < bytes.size();)
    {
        Label label{};
        const std::size_t left = bytes.size() - next;
        if (left >= sizeof(label))
        {
            std::memcpy(&label, &bytes[next], sizeof(label));
        }
        if (left < sizeof(label) || left - sizeof(label) < label.bytes)
        {
            throw std::runtime_error("a message of another rank ends too early");
        }
        next += sizeof(label);
        Frame* const frame = FrameRecord::Read(&bytes[next], label.bytes);
        next += label.bytes;
        const auto device = NodeList::GetNode(label.node)->GetDevice(label.device);
        frame->receiver = &StaticCast<QbbNetDevice>(device)->GetReceiver();
        SimulationClock::Post(label.node, label.arrival - now, frame);
    }
}

} // namespace ns3
