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
 * Policy: which of the frames that arrive at a port are destroyed by a fault. Sees parsed frames,
 * PFC included; see QbbNetDevice::AddReceiveLoss().
 */
class FrameLoss : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param frame a frame that arrives whole @return whether it is lost; may change the state of
    /// this, as each arrival is asked about once
    virtual bool IsLost(const Frame& frame) = 0;

    /// @return what the drop of a frame that it destroys is called
    virtual DropReason GetReason() const;

    /**
     * @param stream first random stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3

#endif // LOSSLESS_FRAME_LOSS_H
