// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_SWITCH_AGENT_H
#define LOSSLESS_INOF_SWITCH_AGENT_H

#include "inof-switch.h"

#include "ns3/event-id.h"
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
 * iNOF at a FabricSwitch: an InofSwitch whose datagrams are UDP packets on the fabric, between
 * hosts and switch in a link-local group, between switches by the routes of their addresses. The
 * datagrams have a lossy class of their own; a cut or full link loses them, a busy link delays
 * them. The switch handles a datagram after the time that its processor needs.
 *
 * Keep-alives go on until Stop(): the simulation needs an end (Simulator::Stop()).
 */
class InofSwitchAgent : public SwitchExtension, private InofSwitchSink
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    InofSwitchAgent();
    ~InofSwitchAgent() override;

    // ---- assembly, before the simulation starts

    /// @param number of the switch, unique @param address of its control plane
    /// @param cluster of a reflector, from 1; 0: not a reflector
    void SetIdentity(uint32_t number, Ipv4Address address, uint32_t cluster);
    /// @param port where a host may be
    void AddHostPort(uint32_t port);
    /// @param peer number of another switch @param address of its control plane
    /// @param relation what it is
    void AddSession(uint32_t peer, Ipv4Address address, InofSwitch::Relation relation);

    // ---- operation

    /// Change the zones; at a reflector, or in direct mode. @param change called with the table
    void ConfigureZones(const std::function<void(InofZoneTable&)>& change);
    /// @param port where @param fault why it is unusable; NONE: it works again
    void SetFault(uint32_t port, InofReason fault);
    /// The control plane stops; frames are forwarded as before.
    void Stop();
    /// The control plane starts anew. @param after how much time
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

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    bool Unrouted(Frame* frame) override;

    // ---- signatures of trace sources

    /// A host is told of another. @param port where the first is @param host the other
    /// @param up whether it has come @param reason why it has gone
    typedef void (*NotifyTracedCallback)(uint32_t port,
                                         const InofHostInfo& host,
                                         bool up,
                                         InofReason reason);
    /// A session changed. @param peer number of the other switch @param up now
    typedef void (*SessionTracedCallback)(uint32_t peer, bool up);

  protected:
    void DoDispose() override;

  private:
    void SendToHost(uint32_t port, const InofDatagram& datagram) override;
    void SendToPeer(uint32_t peer, const InofDatagram& datagram) override;
    void Notified(uint32_t port, const InofMessage& event) override;
    void SessionChanged(uint32_t peer, bool up) override;

    /// The part of GetTypeId() on keep-alives. @return the same type
    static TypeId AddKeepAlive(TypeId tid);
    void SetHelloMisses(uint32_t misses);
    uint32_t GetHelloMisses() const;
    void SetSessionMisses(uint32_t misses);
    uint32_t GetSessionMisses() const;
    /// Make the state machine, at time 0.
    void Boot();
    /// @param port where a datagram has come from a host @param datagram it
    void HandleHost(uint32_t port, const InofDatagram& datagram);
    /// @param datagram of another switch
    void HandlePeer(const InofDatagram& datagram);
    /// @param port whose link has changed
    void HandleLink(uint32_t port);
    /// Whether PFC of a port was switched off or on at this end.
    void CheckPfc(uint32_t port);
    /// Arm the event for the next deadline.
    void Arm();
    /// A deadline has come.
    void Expired();
    /// @return now, ps
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
    std::vector<bool> m_isHostPort;          //!< by port
    std::vector<bool> m_pfcMissing;          //!< by port: some of these are gone
    std::vector<uint8_t> m_pfcAtStart;       //!< by port: classes with PFC
    std::map<uint32_t, Ipv4Address> m_peers; //!< by number of the switch
    std::vector<std::pair<uint32_t, InofSwitch::Relation>> m_sessions;
    std::vector<std::function<void(InofZoneTable&)>> m_zoneChanges; //!< before the start
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
