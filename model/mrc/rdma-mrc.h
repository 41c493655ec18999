// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_MRC_H
#define LOSSLESS_RDMA_MRC_H

#include "mrc-evs.h"
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
class MrcPlanes;

/**
 * @ingroup lossless
 *
 * MRC, the Multipath Reliable Connection (OCP MRC 1.0 of 2026, sheet 16): one queue pair over the
 * ports of both hosts, each in a plane of its own, with entropy values (EVs) that choose paths,
 * selective acknowledgements, repeats under the window and no PFC. Only WRITE and WRITE_IMM.
 *
 * This class connects MrcRequester, MrcResponder, EVs and planes with congestion control, the timer
 * and probes. The congestion control sets the window for all planes together.
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
    void Fail(RdmaStatus status, int64_t now) override;
    bool CanSend() const override;

    void PortChanged(uint32_t port) override;

    bool IsBusy() const override
    {
        return m_requester && m_requester->IsBusy();
    }

    uint32_t GetRetries() const override
    {
        return m_requester ? m_requester->GetRetries() : 0;
    }

    bool GivesUp() const override
    {
        return m_expRetries < MrcTerms::FOR_EVER;
    }

    int64_t AssignStreams(int64_t stream) override
    {
        return m_source.AssignStreams(stream);
    }

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

    /// @return number of planes; 0 before it is connected
    uint32_t GetNPlanes() const;

    /// @return the planes, once it is connected
    const MrcPlanes& GetPlanes() const
    {
        return *m_planes;
    }

    /// @param plane a plane @return its EVs; null: no request was posted yet
    const MrcPlaneEvs* GetEvs(uint32_t plane) const
    {
        return m_evs.planes.empty() ? nullptr : &m_evs.planes[plane];
    }

    /// @return which planes are in service and what they have sent; null before it is connected
    const MrcPlaneTurns* GetTurns() const;

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
    /// index @param deny whether it is denied
    void SetDenied(uint32_t plane, uint16_t ev, bool deny);

    /// The NIC's denial may say something else. Called by the endpoint.
    void ReviewEvs();

  protected:
    void DoDispose() override;

  private:
    /// Follow the class maps of the ports, and refuse what MRC cannot run with
    /// (std::invalid_argument).
    void Follow();
    /// Draw the EVs if there are none yet.
    void DrawEvs();
    /// @param plane a plane; std::invalid_argument unless the queue pair has it
    void RequirePlane(uint32_t plane) const;
    /// Put planes into service, or take them out, by links, peer and EVs. @param now tick
    void UpdatePlanes(int64_t now);
    /// Let all planes ask that may send now.
    void Serve();
    /// What planes may do may have changed: update and serve them. @param now tick
    void Resume(int64_t now);
    /// Act on what an answer or the timer says. @param outcome it @param now tick
    void Act(const MrcRequester::Outcome& outcome, int64_t now);
    /// @param plane a plane @param ev value of an EV @return whether the controller denies it
    bool IsDenied(uint32_t plane, uint32_t ev) const;
    /// Arm, move or remove the timer. @param now tick
    void UpdateTimer(int64_t now);
    /// The timer fired.
    void TimerFired();

    MrcTerms m_terms; //!< what the settings come to
    Site m_site;
    MrcCounters m_counters;
    MrcEvSource m_source; //!< values of EVs
    MrcEvs m_evs;
    std::unique_ptr<MrcPlanes> m_planes; //!< null: not connected
    std::unique_ptr<MrcResponder> m_responder;
    std::unique_ptr<MrcRequester> m_requester; //!< null: not connected
    uint32_t m_receives{0};                    //!< posted before it was connected
    bool m_isOpen{false};                      //!< connected and not failed
    double m_mostPackets{0};                   //!< 1.5 bandwidth-delay products, packets
    MrcProbes m_probes;
    uint32_t m_hooks{0}; //!< RdmaCongestionOps::GetHooks()
    EventId m_timer;
    int64_t m_timerAt{RDMA_NEVER}; //!< when m_timer fires, ticks
};

} // namespace ns3

#endif // LOSSLESS_RDMA_MRC_H
