// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_HOST_AGENT_H
#define LOSSLESS_INOF_HOST_AGENT_H

#include "inof-host.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/fixed-accessor.h"
#include "ns3/nstime.h"
#include "ns3/qbb-net-device.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * iNOF at one port of a host: an InofHost whose datagrams are UDP packets on the link. The agent is
 * an Application: it sends HELLOs from its StartTime on and signs off at its StopTime. Without a
 * StopTime it sends HELLOs for ever, so that the simulation needs Simulator::Stop().
 *
 * Storage applications connect to PeerUp and PeerDown.
 */
class InofHostAgent : public Application, public FixedWhenUsed, private InofHostSink
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    const char* FixedSince() const override
    {
        return m_machine ? "the agent has started" : nullptr;
    }

    InofHostAgent();
    ~InofHostAgent() override;

    /// @param device the port @param id identifier of the host in iNOF @param address address of
    /// the port
    void SetPort(Ptr<QbbNetDevice> device, uint32_t id, Ipv4Address address);
    /// Set the role, before the start. @param role server or disk
    void SetRole(InofRole role);

    /// @return identifier of the host in iNOF
    uint32_t GetId() const
    {
        return m_config.info.id;
    }

    /// The software of the host crashes: from now on the agent sends nothing and ignores all
    /// datagrams.
    void Crash();

    /// @return the state machine; null before the start
    const InofHost* GetMachine() const
    {
        return m_machine.get();
    }

    // ---- signatures of trace sources

    /// A host of a common zone has come up. @param peer the host
    typedef void (*PeerUpTracedCallback)(const InofHostInfo& peer);
    /// A host of a common zone has gone down. @param peer the host @param reason why
    typedef void (*PeerDownTracedCallback)(const InofHostInfo& peer, InofReason reason);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void SendToSwitch(const InofDatagram& datagram) override;
    void PeerUp(const InofHostInfo& peer) override;
    void PeerDown(const InofHostInfo& peer, InofReason reason) override;

    /// Refuse what would have no effect any more. @param what is called too late
    void RequireNotStarted(const char* what) const;
    void SetHelloMisses(uint32_t misses);
    uint32_t GetHelloMisses() const;
    /// The port has received a packet.
    void PacketReceived(Ptr<NetDevice> device,
                        Ptr<const Packet> packet,
                        uint16_t protocol,
                        const Address& from,
                        const Address& to,
                        NetDevice::PacketType type);
    /// @param datagram datagram of the switch, after MessageDelay
    void Handle(const InofDatagram& datagram);
    /// The link of the port has changed.
    void LinkChanged();
    /// Arm the event for the next deadline.
    void Arm();
    /// A deadline has come.
    void Expired();
    /// @return the time, ps
    static int64_t NowPs();

    InofHost::Config m_config;
    Time m_helloInterval; //!< attribute HelloInterval
    Time m_retryInterval; //!< attribute RetryInterval
    Time m_messageDelay;  //!< attribute MessageDelay
    uint8_t m_dscp;       //!< attribute Dscp
    Ptr<QbbNetDevice> m_device;
    std::unique_ptr<InofHost> m_machine;
    bool m_running{false};
    bool m_watching{false}; //!< whether link changes are traced
    EventId m_timer;
    int64_t m_timerAt{InofSendStream::NEVER}; //!< ps
    TracedCallback<const InofHostInfo&> m_peerUpTrace;
    TracedCallback<const InofHostInfo&, InofReason> m_peerDownTrace;
};

} // namespace ns3

#endif // LOSSLESS_INOF_HOST_AGENT_H
