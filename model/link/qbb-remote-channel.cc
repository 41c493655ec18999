// SPDX-License-Identifier: GPL-2.0-only
#include "qbb-remote-channel.h"

#include "qbb-net-device.h"
#include "rank-mail.h"
#include "simulation-clock.h"

#include "ns3/fabric-ranks.h"
#include "ns3/node.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QbbRemoteChannel);

/// Takes the frames that leave an end of a QbbRemoteChannel.
class RemotePassage final : public FrameReceiver
{
  public:
    /// @param channel the cable @param peer the end on another rank
    RemotePassage(const QbbChannel& channel, const QbbNetDevice& peer)
        : m_channel(channel),
          m_peer(peer),
          m_mail(RankMail::To(peer.GetNode()->GetSystemId()))
    {
    }

    void ReceiveFrame(Frame* frame) override
    {
        const int64_t delay = m_channel.GetDelay().GetTimeStep();
        m_mail.Add(frame, m_peer, SimulationClock::Now() + delay);
    }

  private:
    const QbbChannel& m_channel;
    const QbbNetDevice& m_peer;
    RankMail& m_mail;
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
    RankMail::Receive(device);
    auto& passage = m_passages[GetDevice(0) == &device ? 0 : 1];
    if (!passage)
    {
        passage = std::make_unique<RemotePassage>(*this, *peer);
    }
    return passage.get();
}

} // namespace ns3
