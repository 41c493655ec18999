// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QBB_CHANNEL_H
#define LOSSLESS_QBB_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/nstime.h"

#include <array>

namespace ns3
{

class FrameReceiver;
class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * A full-duplex cable between two QbbNetDevices: two ends and a propagation delay. The channel
 * keeps no state per frame: the sending port posts the arrival at the other end.
 */
class QbbChannel : public Channel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    QbbChannel();

    /// @param device the first or the second end; a third device is an error
    /// (std::invalid_argument)
    void Attach(Ptr<QbbNetDevice> device);

    /// @param delay propagation delay, one way, from the next frame on. A frame never overtakes
    /// those before it: where the delay has become shorter, it arrives with the last of them. While
    /// a run is divided for several threads, a delay below its shortest link is refused
    /// (std::invalid_argument)
    void SetDelay(Time delay);

    /// @return propagation delay, one way
    Time GetDelay() const;

    /// @param device one end @return the other end, or null when there is none yet
    Ptr<QbbNetDevice> GetPeer(const QbbNetDevice* device) const;

    /**
     * Where the frames of an end go whose peer belongs to another process. The channel gets them
     * when their last bit leaves, and sees to their arrival after the delay.
     * @param device one end
     * @return who takes them; null: they go to the peer, in this process
     */
    virtual FrameReceiver* GetRemote(QbbNetDevice& device);

    /// @return whether its ends belong to several processes
    virtual bool IsBetweenRanks() const
    {
        return false;
    }

    /**
     * Cut or mend the cable: both ends go down or up at once. A cut loses the frames in flight and
     * flushes the frames queued at both ends (DropReason::LINK_DOWN).
     * @param up the new state
     */
    void SetUp(bool up);

    /// @return whether the cable is up: not cut
    bool IsUp() const;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    /// Refuse a delay that threads of the run that is under way do not wait for. @param delay new
    void RequireLookahead(Time delay) const;

    Time m_delay; //!< attribute Delay
    bool m_up{true};
    std::array<Ptr<QbbNetDevice>, 2> m_ends;
};

} // namespace ns3

#endif // LOSSLESS_QBB_CHANNEL_H
