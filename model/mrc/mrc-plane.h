// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_PLANE_H
#define LOSSLESS_MRC_PLANE_H

#include "rdma-mrc.h"
#include "rdma-port.h"

#include "ns3/rdma-sender.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// What a queue pair of MRC has at one of its ports.
class MrcPlane final : public RdmaSender
{
  public:
    /// @param mrc the queue pair's transport @param which number of the plane @param ownPort the
    /// port @param peer address of the peer's port in the plane
    MrcPlane(RdmaMrc& mrc, uint32_t which, RdmaPort& ownPort, const RdmaAddress& peer)
        : index(which),
          port(ownPort),
          remote(peer),
          rate(static_cast<double>(ownPort.Device().GetDataRate().GetBitRate())),
          m_mrc(mrc)
    {
    }

    Frame* Pull(int64_t now) override
    {
        return m_mrc.Pull(*this, now);
    }

    uint32_t HeadWireBytes() const override
    {
        return m_mrc.HeadWireBytes();
    }

    int64_t GapEnd() const override
    {
        return RDMA_NEVER;
    }

    /// Mark frames by the class map of the port. @param data class of data @param repeats class of
    /// repeats @param answers class of SACKs and NACKs
    void Follow(uint8_t data, uint8_t repeats, uint8_t answers)
    {
        const TrafficClassMap& map = *port.Device().GetTrafficClassMap();
        dataMarking = RdmaMarking::FromMap(map, data);
        repeatMarking = RdmaMarking::FromMap(map, repeats);
        repeatMarking.trafficClass = dataMarking.trafficClass; // the plane has one turn at the port
        controlMarking = RdmaMarking::FromMap(map, answers);
    }

    const uint32_t index;       //!< number of the plane
    RdmaPort& port;             //!< the port
    const RdmaAddress remote;   //!< address of the peer's port
    const double rate;          //!< of the port when the queue pair was connected, bit/s
    uint32_t slot{0};           //!< in the scheduler of the port
    bool isReady{false};        //!< the scheduler has it among those that may send
    bool linkUp{true};          //!< the link of the port is up
    bool peerUp{true};          //!< the peer has not said that its port is down
    bool hasReverseEv{false};   //!< reverseEv is valid
    uint32_t reverseEv{0};      //!< EV of SACKs and NACKs
    Srv6Way way;                //!< to the peer's port; of format Srv6
    RdmaMarking dataMarking;    //!< of new packets and probes
    RdmaMarking repeatMarking;  //!< of packets that are sent again
    RdmaMarking controlMarking; //!< of SACKs and NACKs

  private:
    RdmaMrc& m_mrc;
};

} // namespace ns3

#endif // LOSSLESS_MRC_PLANE_H
