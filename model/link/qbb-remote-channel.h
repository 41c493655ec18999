// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QBB_REMOTE_CHANNEL_H
#define LOSSLESS_QBB_REMOTE_CHANNEL_H

#include "qbb-channel.h"

#include <array>
#include <memory>

namespace ns3
{

class RemotePassage;

/**
 * @ingroup lossless
 *
 * A cable between two ranks of a simulation (FabricRanks). Both ranks have both ends, and the end
 * of the other rank is only there to be asked for its settings. When the last bit of a frame leaves
 * an end, its rank sends the frame, PFC included, as a FrameRecord to the rank of the other end,
 * where the frame arrives after the delay. The delay must be above 0: ns-3 takes the shortest delay
 * between ranks as the time that ranks run ahead of each other.
 *
 * Cutting the cable is not supported: what one rank does to it the other does not see.
 */
class QbbRemoteChannel : public QbbChannel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    QbbRemoteChannel();
    ~QbbRemoteChannel() override;

    FrameReceiver* GetRemote(QbbNetDevice& device) override;

    bool IsBetweenRanks() const override
    {
        return true;
    }

  private:
    std::array<std::unique_ptr<RemotePassage>, 2> m_passages; //!< away from each end; null: unused
};

} // namespace ns3

#endif // LOSSLESS_QBB_REMOTE_CHANNEL_H
