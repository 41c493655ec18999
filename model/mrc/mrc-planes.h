// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_PLANES_H
#define LOSSLESS_MRC_PLANES_H

#include "rdma-mrc.h"
#include "rdma-port.h"

#include "ns3/rdma-sender.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What a queue pair of MRC has at one of its ports.
class MrcPlane final : public RdmaSender
{
  public:
    /// @param mrc the queue pair's transport @param which number of the plane @param ownPort the
    /// port @param peer address of the peer's port in the plane @param connection of the queue pair
    MrcPlane(RdmaMrc& mrc,
             uint32_t which,
             RdmaPort& ownPort,
             const RdmaAddress& peer,
             const RdmaConnection& connection)
        : index(which),
          port(ownPort),
          remote(peer),
          rate(static_cast<double>(ownPort.Device().GetDataRate().GetBitRate())),
          linkUp(ownPort.Device().IsLinkUp()),
          m_mrc(mrc),
          m_connection(connection)
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

    /// Let the port know whether the plane may send. @param ready whether it may
    void SetReady(bool ready)
    {
        isReady = ready;
        ready ? port.Scheduler().SetReady(slot) : port.Scheduler().SetIdle(slot);
    }

    /// The class map of the port has another queue for data.
    void SetQueue()
    {
        SetReady(false);
        port.Scheduler().SetClass(slot, dataMarking.trafficClass);
    }

    /// Give a frame the addresses of the plane, and an EV. @param frame it @param ev value of the
    /// EV
    void Address(Frame& frame, uint32_t ev) const;

    /// Send a SACK, NACK or transport ACK. @param frame it, taken over @param ev value of its EV
    void Answer(Frame* frame, uint32_t ev);

    /// Send a reliability probe. @param ev value of the EV that is probed @param number of the
    /// probe @param time its time stamp @return whether the plane has a link to send it by
    bool Probe(uint32_t ev, uint16_t number, uint16_t time);

    const uint32_t index;             //!< number of the plane
    RdmaPort& port;                   //!< the port
    const RdmaAddress remote;         //!< address of the peer's port
    const double rate;                //!< of the port when the queue pair was connected, bit/s
    uint32_t slot{QpScheduler::NONE}; //!< in the scheduler of the port; NONE: not yet
    bool isReady{false};              //!< the scheduler has it among those that may send
    bool linkUp;                      //!< the link of the port is up
    bool peerUp{true};                //!< the peer has not said that its port is down
    std::optional<Srv6Way> way;       //!< to the peer's port; of format Srv6
    RdmaMarking dataMarking;          //!< of new packets and probes
    RdmaMarking repeatMarking;        //!< of packets that are sent again
    RdmaMarking controlMarking;       //!< of SACKs and NACKs

  private:
    RdmaMrc& m_mrc;
    const RdmaConnection& m_connection;
};

/**
 * @ingroup lossless
 *
 * The planes of a queue pair of MRC: which of them are in service, and which may send next.
 */
class MrcPlanes
{
  public:
    /// @param mrc the queue pair's transport @param site of it @param ports of the NIC, one for
    /// each plane @param remote addresses of the peer's ports @param lead as of MrcPlaneTurns
    MrcPlanes(RdmaMrc& mrc,
              const RdmaTransport::Site& site,
              const std::vector<uint32_t>& ports,
              const std::vector<RdmaAddress>& remote,
              uint32_t lead);

    /// Mark frames by the class maps of the ports; std::invalid_argument if a class has PFC, an MTU
    /// is too small, or a port has another rate than at the start. @param repeats class of repeats
    /// @param answers class of SACKs and NACKs @param longest IP packet, bytes
    void Follow(uint8_t repeats, uint8_t answers, uint32_t longest);

    /// Take part in the turns of the ports.
    void Join();

    /// Leave the ports.
    void Leave();

    /// The link of a port went up or down. @param index of the port @param up whether it is up
    void SetLink(uint32_t index, bool up);

    /// A host tells which of its ports are up. @param source an address of the host @param up bit
    /// i: port i is @return whether the host is the peer
    bool SetPeer(const RdmaAddress& source, uint32_t up);

    /// Put planes into service, or take them out, by links, peer and EVs. @param evs of the queue
    /// pair @param lost counts those that go out @return rate of those in service, bit/s
    double Update(const MrcEvs& evs, uint64_t& lost);

    /// @param cause plane of a frame that is answered @return the next plane that is in service; if
    /// none is, the same
    MrcPlane& ForAnswer(uint32_t cause) const;

    /// @param index of a port @return its plane; the number of planes, or more: it has none
    uint32_t PlaneOf(uint32_t index) const
    {
        return index - m_first;
    }

    /// @return now, ticks
    int64_t Now() const
    {
        return all[0]->port.Device().Now();
    }

    std::vector<std::unique_ptr<MrcPlane>> all; //!< plane by plane
    MrcPlaneTurns turns;                        //!< which are in service, and what they have sent

  private:
    const RdmaConnection& m_connection;
    const uint32_t m_first; //!< index of the port of plane 0
};

} // namespace ns3

#endif // LOSSLESS_MRC_PLANES_H
