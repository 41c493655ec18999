// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_ENDPOINT_H
#define LOSSLESS_MRC_ENDPOINT_H

#include "mrc-paths.h"
#include "mrc-terms.h"

#include "ns3/event-id.h"
#include "ns3/rdma-transport.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaHw;
class RdmaMrc;

/**
 * @ingroup lossless
 *
 * What the queue pairs of a NIC with MRC share: paths of the fabric, what a controller denies, sums
 * of counters, and the endpoint operations of the host (queue pair number 2): when a port goes down
 * or comes up, the host tells each peer which ports are up, until the peer answers, MOST_TRIES
 * times at most. The peer uses no other planes towards this host (sheet 16, section 3.8).
 *
 * Bit i of the mask is port i: peers number their ports alike.
 */
class MrcEndpoint final : public RdmaEndpoint
{
  public:
    static constexpr uint32_t MOST_TRIES = 7; //!< of a request
    /// Queue pair number of endpoint operations.
    static constexpr uint32_t QUEUE_PAIR = 2;

    /// @param hw a NIC @return its endpoint, made by the first call
    static MrcEndpoint& Of(RdmaHw& hw);

    /// @param hw the NIC, which owns this object
    explicit MrcEndpoint(RdmaHw& hw);
    ~MrcEndpoint() override;

    void Receive(Frame* frame, uint32_t port) override;

    /// @param mrc transport of a queue pair that is connected
    void Join(RdmaMrc& mrc);

    /// @param mrc transport that goes
    void Leave(RdmaMrc& mrc);

    /// Decides about an entropy value (EV): gets a data packet with the EV and the port by which it
    /// would leave; returns whether the EV is denied.
    using Denial = std::function<bool(const Frame& packet, uint32_t port)>;

    /// @param denial decides about all EVs of the queue pairs, now, when EVs are drawn, and at
    /// Review(); empty: nothing is denied
    void SetDenial(const Denial& denial);

    /// @return it
    const Denial& GetDenial() const
    {
        return m_denial;
    }

    /// What the denial says has changed.
    void Review();

    /// @param hw a NIC @return sums of the counters of all queue pairs of MRC that the NIC has had;
    /// nothing: it has had none
    static std::optional<MrcCounters> GetCountersOf(const RdmaHw& hw);

    /// @param paths of the fabric, which formats of EVs other than UDP need; FabricHelper sets them
    void SetPaths(std::shared_ptr<const MrcPaths> paths)
    {
        m_paths = std::move(paths);
    }

    /// @return paths of the fabric; null: not known
    const std::shared_ptr<const MrcPaths>& GetPaths() const
    {
        return m_paths;
    }

    /// The link of a port went up or down.
    void PortsChanged();

  private:
    /// A request that a peer has not answered.
    struct Request
    {
        RdmaAddress peer; //!< an address of the peer, in the plane of `port`
        uint32_t port;    //!< port by which the request leaves
        uint16_t number;
        uint32_t tries;
    };

    /// @return mask of the ports whose links are up
    uint32_t PortsUp() const;
    /// Send the requests again that have no answer.
    void Repeat();
    /// Send a request. @param request it
    void Send(Request& request);
    /// Address a frame and send it. @param peer whom it is for @param port by which it leaves
    /// @param frame it, with its EV @param opcode its opcode
    void SendTo(const RdmaAddress& peer, uint32_t port, Frame* frame, RoceOpcode opcode);

    RdmaHw& m_hw;
    std::vector<RdmaMrc*> m_users; //!< in the order of their connection
    Denial m_denial;
    MrcCounters m_gone; //!< sums of the transports that have gone
    std::vector<Request> m_requests;
    std::shared_ptr<const MrcPaths> m_paths; //!< GetPaths()
    bool m_isUsed{false};                    //!< it has had queue pairs
    uint32_t m_told{0};                      //!< PortsUp() that peers were told last
    uint16_t m_number{0};                    //!< of the last request
    EventId m_timer;
};

} // namespace ns3

#endif // LOSSLESS_MRC_ENDPOINT_H
