// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_SWITCH_AGENT_H
#define LOSSLESS_INOF_SWITCH_AGENT_H

#include "inof-switch.h"

#include "ns3/event-id.h"
#include "ns3/fixed-accessor.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/switch-extension.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * iNOF at a FabricSwitch: an InofSwitch whose datagrams are UDP packets on the fabric. Between
 * hosts and switch they go to a link-local group, between switches they follow the routes. The
 * datagrams have a lossy class of their own: a cut or full link loses them, a busy link delays
 * them. The switch handles a datagram after its processing time.
 *
 * The switch sends keep-alives until Stop(), so that the simulation needs Simulator::Stop().
 */
class InofSwitchAgent : public SwitchExtension, public FixedWhenUsed, private InofSwitchSink
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    const char* FixedSince() const override
    {
        return m_machine ? "the agent has started" : nullptr;
    }

    InofSwitchAgent();
    ~InofSwitchAgent() override;

    // ---- assembly, before the simulation starts

    /// @param number number of the switch, unique @param address address of its control plane
    /// @param cluster cluster of a reflector, from 1; 0: not a reflector
    void SetIdentity(uint32_t number, Ipv4Address address, uint32_t cluster);
    /// @param port a port to which a host may be attached
    void AddHostPort(uint32_t port);
    /// @param peer number of another switch @param address address of its control plane
    /// @param relation its role in the session
    void AddSession(uint32_t peer, Ipv4Address address, InofSwitch::Relation relation);

    // ---- operation

    /// Change the zones, at a reflector or in direct mode. @param change called with the zone table
    void ConfigureZones(const std::function<void(InofZoneTable&)>& change);
    /// @param port a port @param fault why the port is unusable; NONE: it works again
    void SetFault(uint32_t port, InofReason fault);
    /// Stop the control plane; the switch still forwards frames.
    void Stop();
    /// Restart the control plane. @param after delay of the start
    void Restart(Time after);

    /// @return the state machine; null before the simulation starts
    const InofSwitch* GetMachine() const
    {
        return m_machine.get();
    }

    /// @return iNOF datagrams that could not be read
    uint64_t GetMalformed() const
    {
        return m_malformed;
    }

    // ---- SwitchExtension

    /// Agents of several switches talk to each other. @return false
    bool KeepsToItsSwitch() const override
    {
        return false;
    }

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    bool Unrouted(Frame* frame) override;

    // ---- signatures of trace sources

    /// A host is notified of another host. @param port port of the first host @param host the other
    /// host
    /// @param up whether the other host has come up @param reason why it has gone down
    typedef void (*NotifyTracedCallback)(uint32_t port,
                                         const InofHostInfo& host,
                                         bool up,
                                         InofReason reason);
    /// A session went up or down. @param peer number of the other switch @param up new state
    typedef void (*SessionTracedCallback)(uint32_t peer, bool up);

  protected:
    void DoDispose() override;

  private:
    void SendToHost(uint32_t port, const InofDatagram& datagram) override;
    void SendToPeer(uint32_t peer, const InofDatagram& datagram) override;
    void Notified(uint32_t port, const InofMessage& event) override;
    void SessionChanged(uint32_t peer, bool up) override;

    /// Attributes of keep-alives. @param tid the TypeId @return the same
    static TypeId AddKeepAlive(TypeId tid);
    void SetHelloMisses(uint32_t misses);
    uint32_t GetHelloMisses() const;
    void SetSessionMisses(uint32_t misses);
    uint32_t GetSessionMisses() const;
    /// Refuse a port that the switch does not have. @param owner the switch @param port the port
    static void RequirePort(const FabricSwitch& owner, uint32_t port);
    /// Refuse what would have no effect any more. @param what is called too late
    void RequireNotStarted(const char* what) const;
    /// Make the state machine, at time 0.
    void Boot();
    /// @param port ingress port @param datagram datagram of a host
    void HandleHost(uint32_t port, const InofDatagram& datagram);
    /// @param datagram datagram of another switch
    void HandlePeer(const InofDatagram& datagram);
    /// @param port whose link has changed
    void HandleLink(uint32_t port);
    /// Check whether PFC of a port was switched off or on at this end.
    void CheckPfc(uint32_t port);
    /// Arm the event for the next deadline.
    void Arm();
    /// A deadline has come.
    void Expired();
    /// @return the time, ps
    static int64_t NowPs();

    InofSwitch::Config m_config;
    Time m_helloInterval;     //!< attribute HelloInterval
    Time m_sessionInterval;   //!< attribute SessionInterval
    Time m_retransmitTimeout; //!< attribute RetransmitTimeout
    Time m_gracefulRestart;   //!< attribute GracefulRestart
    Time m_restartDeferral;   //!< attribute RestartDeferral
    Time m_hostDelay;         //!< attribute HostMessageDelay
    Time m_sessionDelay;      //!< attribute SessionMessageDelay
    uint8_t m_dscp;           //!< attribute Dscp
    Ipv4Address m_address;
    std::vector<bool> m_isHostPort;    //!< by port: AddHostPort() was called
    std::vector<bool> m_pfcMissing;    //!< by port: some classes of m_pfcAtStart have lost PFC
    std::vector<uint8_t> m_pfcAtStart; //!< by port: classes with PFC at the start
    std::map<uint32_t, Ipv4Address> m_peers; //!< control plane addresses, by number of the switch
    std::vector<std::pair<uint32_t, InofSwitch::Relation>> m_sessions;
    std::vector<std::function<void(InofZoneTable&)>>
        m_zoneChanges;                              //!< changes to apply at the start
    std::map<uint32_t, InofReason> m_faultsAtStart; //!< faults found before the start, by port
    std::unique_ptr<InofSwitch> m_machine;
    FabricSwitch* m_owner{nullptr};
    EventId m_timer;
    int64_t m_timerAt{InofSendStream::NEVER}; //!< ps
    uint64_t m_malformed{0};
    TracedCallback<uint32_t, const InofHostInfo&, bool, InofReason> m_notifyTrace;
    TracedCallback<uint32_t, bool> m_sessionTrace;
};

} // namespace ns3

#endif // LOSSLESS_INOF_SWITCH_AGENT_H
