// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_DROPPER_H
#define LOSSLESS_FRAME_DROPPER_H

#include "switch-extension.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A switch that loses frames: those whose IPv4 identification matches, as the switch of the
 * live-lock experiment does (Guo et al., SIGCOMM 2016, section 4.1: one in 256, by the low byte),
 * and each with a probability. RoCE frames have identifications that increase by one with each that
 * a port sends.
 */
class FrameDropper : public SwitchExtension
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    FrameDropper();

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;
    int64_t AssignStreams(int64_t stream) override;

    /// @return frames dropped so far
    uint64_t GetDropped() const
    {
        return m_dropped;
    }

  private:
    bool Matches(const Frame& frame) const;

    uint16_t m_ipIdMask;                 //!< attribute IpIdMask
    uint16_t m_ipIdValue;                //!< attribute IpIdValue
    double m_rate;                       //!< attribute Rate
    uint8_t m_classes;                   //!< attribute TrafficClasses
    int32_t m_outPort;                   //!< attribute OutPort
    Ptr<UniformRandomVariable> m_random; //!< for Rate
    uint64_t m_dropped{0};               //!< GetDropped()
};

} // namespace ns3

#endif // LOSSLESS_FRAME_DROPPER_H
