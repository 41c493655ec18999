// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PCN_MARKER_H
#define LOSSLESS_PCN_MARKER_H

#include "ecn-marker.h"
#include "non-pfc-ecn.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The switch part of PCN (Cheng et al., NSDI 2020): NonPfcEcn for each port and class. RdmaPcn is
 * the part of the NICs.
 */
class PcnMarker : public EcnMarker
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    int64_t AssignStreams(int64_t stream) override;
    void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;
    void PauseChanged(uint32_t port, uint8_t pausedMask) override;

    /// @param port egress port @param cls the queue
    /// @return queued frames that a pause had held up
    uint32_t GetPaused(uint32_t port, uint32_t cls) const;

  private:
    /// State of an egress port.
    struct Port
    {
        std::array<NonPfcEcn, TRAFFIC_CLASSES> queues; //!< by class
        uint8_t pausedMask{0};                         //!< classes that the peer has paused
    };

    uint64_t m_thresholdBytes{0};   //!< attribute ThresholdBytes
    FabricSwitch* m_owner{nullptr}; //!< the switch
    std::vector<Port> m_ports;      //!< by index
};

} // namespace ns3

#endif // LOSSLESS_PCN_MARKER_H
