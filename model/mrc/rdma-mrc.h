// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_MRC_H
#define LOSSLESS_RDMA_MRC_H

#include "mrc-ev-source.h"
#include "mrc-plane-evs.h"
#include "mrc-plane-turns.h"
#include "mrc-probes.h"
#include "mrc-requester.h"
#include "mrc-responder.h"
#include "mrc-settings.h"
#include "mrc-terms.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/rdma-transport.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

class MrcPlane;

/**
 * @ingroup lossless
 *
 * MRC, the Multipath Reliable Connection (OCP MRC 1.0 of 2026, sheet 16): one queue pair over the
 * ports of both hosts, each in a plane of its own, with entropy values (EVs) that choose paths,
 * selective acknowledgements, repeats under the window and no PFC. Only WRITE and WRITE_IMM.
 *
 * This class connects MrcRequester, MrcResponder and the EVs with ports, congestion control, the
 * timer and probes. The congestion control sets the window for all planes together.
 */
class RdmaMrc : public MrcSettings
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    RdmaMrc();
    ~RdmaMrc() override;

    // ---- RdmaTransport

    const char* FixedSince() const override
    {
        return m_requester ? "its queue pair is connected" : nullptr;
    }

    void Connect(const Site& site, const std::vector<RdmaAddress>& remote, Time baseRtt) override;
    uint64_t Post(const RdmaWorkRequest& request, int64_t now) override;
    void PostReceive(uint32_t count) override;
    void Receive(Frame* frame, uint32_t port, int64_t now) override;
    void LinkChanged(uint32_t port, bool up, int64_t now) override;
    void PortChanged(uint32_t port) override;
    void Fail(RdmaStatus status, int64_t now) override;
    bool IsBusy() const override;
    bool CanSend() const override;
    uint32_t GetRetries() const override;
    bool GivesUp() const override;
    int64_t AssignStreams(int64_t stream) override;

    // ---- for planes and the endpoint

    /// A plane asks for a packet. @param plane the plane @param now tick @return the packet, or
    /// null
    Frame* Pull(MrcPlane& plane, int64_t now);

    /// @return wire bytes of the packet that Pull() would return
    uint32_t HeadWireBytes() const
    {
        return m_requester->HeadWireBytes() + GetOuterBytes();
    }

    /// The peer tells which of its ports are up. @param source an address of the peer
    /// @param ports bit i: port i is up @param now tick
    void PeerPorts(const RdmaAddress& source, uint32_t ports, int64_t now);

    // ---- state

    /// @return the counters
    const MrcCounters& GetCounters() const
    {
        return m_counters;
    }

    /// @return the parameters in force; null before it is connected
    const MrcTerms* GetTerms() const
    {
        return m_requester ? &m_terms : nullptr;
    }

    /// @return the planes; none before it is connected
    const std::vector<std::unique_ptr<MrcPlane>>& GetPlanes() const
    {
        return m_planes;
    }

    /// @param plane a plane @return its EVs; null: no request was posted yet
    const MrcPlaneEvs* GetEvs(uint32_t plane) const
    {
        return m_evs.empty() ? nullptr : &m_evs[plane];
    }

    /// @return which planes are in service and what they have sent; null before it is connected
    const MrcPlaneTurns* GetTurns() const
    {
        return m_turns ? &*m_turns : nullptr;
    }

    // ---- entropy values

    /// Give a plane its EVs (mode EXPLICIT), in place of drawn ones: once the queue pair is
    /// connected, before the first request. @param plane the plane @param values the first Active
    /// of the plane are in rotation, the others are backups; MrcEvFields generates some
    void SetEvs(uint32_t plane, std::vector<uint32_t> values);

    /// @return where the values of EVs come from
    const MrcEvSource& GetSource() const
    {
        return m_source;
    }

    // ---- the controller's part

    /// Take an EV out of service, or let it be used again. @param plane its plane @param ev its
    /// index
    /// @param deny whether it is denied
    void SetDenied(uint32_t plane, uint16_t ev, bool deny);

    /// The NIC's denial may say something else. Called by the endpoint.
    void ReviewEvs();

  protected:
    void DoDispose() override;

  private:
    /// Refuse what MRC cannot run with (std::invalid_argument).
    void Require() const;
    /// Draw the EVs: not before they are needed, as most queue pairs of a large fabric are idle.
    void DrawEvs();
    /// @param plane a plane; std::invalid_argument unless the queue pair has it
    void RequirePlane(uint32_t plane) const;
    /// Let all planes ask that may send now. @param now tick
    void Serve(int64_t now);
    /// Put planes into service, or take them out, by links, peer and EVs. @param now tick
    void UpdatePlanes(int64_t now);
    /// Act on what an answer or the timer says. @param outcome it @param now tick
    void Act(const MrcRequester::Outcome& outcome, int64_t now);
    /// @param plane a plane @param ev value of an EV @return whether the controller denies it
    bool IsDenied(const MrcPlane& plane, uint32_t ev) const;
    /// Address a frame and send it with control frames. @param frame the frame, taken over
    /// @param plane of its cause
    void SendControl(Frame* frame, uint32_t plane);
    /// Give a frame the addresses of a plane, and an EV. @param frame it @param plane the plane
    /// @param ev the EV
    void Dress(Frame& frame, const MrcPlane& plane, uint32_t ev) const;
    /// Send a reliability probe. @param plane its plane @param value of the EV that is probed
    /// @param number of the probe @param now tick @return whether the plane has a link to send it
    /// by
    bool SendProbe(uint32_t plane, uint32_t value, uint16_t number, int64_t now);

    /// Arm, move or remove the timer. @param now tick
    void UpdateTimer(int64_t now);
    /// The timer fired.
    void TimerFired();
    /// Let the congestion control know how much is in flight: it is called next.
    void NoteInFlight();

    MrcTerms m_terms; //!< what the settings come to
    Site m_site;
    MrcCounters m_counters;
    std::vector<std::unique_ptr<MrcPlane>> m_planes;
    std::vector<MrcPlaneEvs> m_evs; //!< by plane; empty: not drawn yet
    std::optional<MrcPlaneTurns> m_turns;
    std::unique_ptr<MrcResponder> m_responder;
    std::unique_ptr<MrcRequester> m_requester; //!< null: not connected
    uint32_t m_receives{0};                    //!< posted before it was connected
    MrcEvSource m_source;                      //!< values of EVs
    bool m_isOpen{false};                      //!< connected and not failed
    double m_mostPackets{0};                   //!< 1.5 bandwidth-delay products, packets
    MrcProbes m_probes{m_evs, m_counters};
    uint32_t m_hooks{0}; //!< RdmaCongestionOps::GetHooks()
    EventId m_timer;
    int64_t m_timerAt; //!< when m_timer fires, ticks
};

} // namespace ns3

#endif // LOSSLESS_RDMA_MRC_H
