// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_PIPELINE_H
#define LOSSLESS_SWITCH_PIPELINE_H

#include "ns3/fabric-frame.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricSwitch;

/**
 * @ingroup lossless
 *
 * How long a frame needs from its arrival to its egress queue (sheet 18, part B). A switch that
 * stores and forwards knows a frame from its last bit on; one that cuts through, from its first
 * bytes on, and then waits for the last bit only where the egress port is faster than the ingress
 * port, which would run empty in the middle of the frame. SwitchDelay comes on top.
 *
 * A frame is booked, and pauses are asked for, before it enters: neither delay makes PFC later.
 * Frames of an ingress port do not overtake each other.
 */
class SwitchPipeline
{
  public:
    /**
     * @param owner gets the frames back: FabricSwitch::QueueBooked()
     * @param delayTicks SwitchDelay, ticks
     * @param cutsThrough whether frames enter before their last bit has arrived
     */
    void Configure(FabricSwitch& owner, int64_t delayTicks, bool cutsThrough);

    /// @return whether frames are to Enter(): else they are in their queue as they arrive. Once on,
    /// it stays on, so that no frame overtakes those that are on their way
    bool IsOn() const
    {
        return !m_exits.empty();
    }

    /// @param frame a frame that has arrived, and is booked; taken over @param outPort its egress
    /// port
    void Enter(Frame* frame, uint16_t outPort);

  private:
    /// Where frames for an egress port leave the pipeline.
    class Exit : public FrameReceiver
    {
      public:
        /// @param owner the switch @param outPort the egress port
        Exit(FabricSwitch& owner, uint16_t outPort)
            : m_owner(owner),
              m_outPort(outPort)
        {
        }

        void ReceiveFrame(Frame* frame) override;

      private:
        FabricSwitch& m_owner;
        uint16_t m_outPort;
    };

    /// @param frame a frame whose first bytes have come @param outPort its egress port
    /// @return ticks for which its last bit is to be awaited
    int64_t AwaitTicks(const Frame& frame, uint16_t outPort) const;

    FabricSwitch* m_owner{nullptr};
    int64_t m_delayTicks{0};
    bool m_cutsThrough{false};
    uint32_t m_nodeId{0};
    std::vector<Exit> m_exits;        //!< by egress port
    std::vector<int64_t> m_lastExits; //!< by ingress port: when its last frame leaves, ticks
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_PIPELINE_H
