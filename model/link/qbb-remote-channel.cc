// SPDX-License-Identifier: GPL-2.0-only
#include "qbb-remote-channel.h"

#include "qbb-net-device.h"

#include "ns3/fabric-ranks.h"
#include "ns3/frame-record.h"
#include "ns3/mpi-interface.h"
#include "ns3/mpi-receiver.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QbbRemoteChannel);

namespace
{

/// Bytes of a record that ns-3 carries: its messages have 2,000 bytes, of which 16 name time, node
/// and device, and up to 64 are what ns-3 adds to a Packet.
constexpr std::size_t MAX_RECORD = 2000 - 16 - 64;

} // namespace

/// Takes the frames that leave an end of a QbbRemoteChannel.
class RemotePassage final : public FrameReceiver
{
  public:
    /// @param channel the cable @param peer the end on another rank
    RemotePassage(const QbbChannel& channel, const QbbNetDevice& peer)
        : m_channel(channel),
          m_node(peer.GetNode()->GetId()),
          m_device(peer.GetIfIndex())
    {
    }

    void ReceiveFrame(Frame* frame) override
    {
        FrameRecord::Write(*frame, m_record);
        frame->Release();
        if (m_record.size() > MAX_RECORD)
        {
            throw std::runtime_error("a frame takes " + std::to_string(m_record.size()) +
                                     " bytes between ranks, and messages of ns-3 have " +
                                     std::to_string(MAX_RECORD) +
                                     "; send smaller IP packets, or run on one rank");
        }
        MpiInterface::SendPacket(
            Create<Packet>(m_record.data(), static_cast<uint32_t>(m_record.size())),
            Simulator::Now() + m_channel.GetDelay(),
            m_node,
            m_device);
    }

  private:
    const QbbChannel& m_channel;
    uint32_t m_node;               //!< where frames arrive
    uint32_t m_device;             //!< which of its devices
    std::vector<uint8_t> m_record; //!< of the frame sent last
};

TypeId
QbbRemoteChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QbbRemoteChannel")
                            .SetParent<QbbChannel>()
                            .SetGroupName("Lossless")
                            .AddConstructor<QbbRemoteChannel>();
    return tid;
}

QbbRemoteChannel::QbbRemoteChannel() = default;
QbbRemoteChannel::~QbbRemoteChannel() = default;

FrameReceiver*
QbbRemoteChannel::GetRemote(QbbNetDevice& device)
{
    const auto peer = GetPeer(&device);
    if (!FabricRanks::HasNode(*device.GetNode()) || FabricRanks::HasNode(*peer->GetNode()))
    {
        return nullptr;
    }
    if (!device.GetObject<MpiReceiver>())
    {
        const auto receiver = CreateObject<MpiReceiver>();
        receiver->SetReceiveCallback(MakeBoundCallback(&QbbRemoteChannel::Arrived, &device));
        device.AggregateObject(receiver);
    }
    auto& passage = m_passages[GetDevice(0) == &device ? 0 : 1];
    if (!passage)
    {
        passage = std::make_unique<RemotePassage>(*this, *peer);
    }
    return passage.get();
}

void
QbbRemoteChannel::Arrived(QbbNetDevice* device, Ptr<Packet> packet)
{
    std::vector<uint8_t> record(packet->GetSize());
    packet->CopyData(record.data(), static_cast<uint32_t>(record.size()));
    device->GetReceiver().ReceiveFrame(FrameRecord::Read(record.data(), record.size()));
}

} // namespace ns3
