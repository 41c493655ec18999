// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_LOSS_H
#define LOSSLESS_FRAME_LOSS_H

#include "ns3/fabric-frame.h"
#include "ns3/object.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: a fault that destroys some of the frames, PFC included, that arrive at a port; see
 * QbbNetDevice::AddReceiveLoss().
 */
class FrameLoss : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param frame a frame that has arrived @return whether the fault destroys the frame. Called
    /// once for each arrival, so that the object may keep state.
    virtual bool IsLost(const Frame& frame) = 0;

    /// @return the reason with which destroyed frames are dropped
    virtual DropReason GetReason() const;

    /**
     * @param stream first random stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3

#endif // LOSSLESS_FRAME_LOSS_H
