// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_CNP_SENDER_H
#define LOSSLESS_SWITCH_CNP_SENDER_H

#include "port-list.h"
#include "roce-flow-table.h"
#include "switch-cnp-rule.h"
#include "switch-extension.h"

#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/simulation-clock.h"
#include "ns3/traced-callback.h"
#include "ns3/wake-event.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * CNPs that a switch makes ("IPCC" of switch vendors). The switch polls its queues and sends CNPs
 * straight to the senders of flows in queues that fill up, without the detour through the receiver.
 * A SwitchCnpRule gives the number of CNPs; the flows with the most bytes since the last poll get
 * them. A switch may have several senders, each with its own Ports.
 *
 * Data packets carry the queue pair of the receiver; a CNP needs the queue pair of the sender. The
 * switch learns the latter from packets in the other direction: ACKs, NAKs, CNPs and READ requests
 * between the same hosts with the same UDP port. For a flow whose return path does not lead through
 * this switch, the CNP names the queue pair of the receiver, with a flag of this vendor
 * (ReceiverTelemetry), and the NIC of the sender finds its own.
 *
 * The switch polls only while a queue holds frames: an idle switch has no events.
 */
class SwitchCnpSender : public SwitchExtension
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    SwitchCnpSender();
    ~SwitchCnpSender() override;

    uint32_t GetHooks() const override;
    PathNeed GetPathNeed() const override;

    /// @return whether it has sent a CNP, or would have to a sender that it knows
    bool HasActed() const override
    {
        return m_cnps > 0 || m_unknown > 0;
    }

    bool ReadsRoce() const override
    {
        return true;
    }

    void Check(FabricSwitch& owner) override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    void Arrived(Frame& frame, uint32_t inPort) override;
    void Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;

    /// @param port a port @return whether its egress queues get no marks: attribute MarkCe
    bool HoldsMarks(uint32_t port) const
    {
        return !m_markCe && m_ports.Has(port);
    }

    /// @return CNPs that this switch has made
    uint64_t GetCnpCount() const
    {
        return m_cnps;
    }

    /// @return those of them that name the receiver, as the queue pair of the sender was unknown
    uint64_t GetFlaggedCount() const
    {
        return m_flagged;
    }

    /// @return CNPs that were due but not made, as the queue pair of the sender was unknown
    /// (attribute FlagUnknown false) or the link to it was down
    uint64_t GetUnknownCount() const
    {
        return m_unknown;
    }

    /// A CNP was made. @param port egress port of the queue that fills up
    /// @param sender address of the sender, last 32 bits @param queuePair queue pair of the sender;
    /// 0: unknown, the CNP names that of the receiver
    typedef void (*CnpTracedCallback)(uint32_t port, uint32_t sender, uint32_t queuePair);

  protected:
    void DoDispose() override;

  private:
    static constexpr int64_t NEVER = -1; //!< at no time

    /// State of a flow.
    struct Flow
    {
        uint64_t bytes{0};                 //!< frame bytes since the last poll
        int64_t lastSeen{0};               //!< when its last data packet came, ticks
        uint64_t lastCnp{0};               //!< number of its last CNP; 0: none
        uint16_t udpPort{0};               //!< UDP source port of both directions
        uint16_t inPort{0};                //!< ingress port
        uint16_t outPort{0};               //!< egress port
        uint8_t cls{0};                    //!< class of its egress queue
        uint8_t ipVersion{4};              //!< 4 or 6
        uint32_t src{0};                   //!< source, last 32 bits
        uint32_t dst{0};                   //!< destination, last 32 bits
        std::array<uint32_t, 3> srcHigh{}; //!< first 96 bits of the IPv6 source
        std::array<uint32_t, 3> dstHigh{}; //!< first 96 bits of the IPv6 destination
    };

    /// The sending end of a flow.
    struct Reverse
    {
        uint32_t queuePair{0}; //!< queue pair of the sender
        int64_t lastSeen{0};   //!< when its last packet came, ticks
    };

    using FlowTable = RoceFlowTable<Flow>;

    /// @param text attribute Ports; throws std::invalid_argument if it cannot be read
    void SetPorts(const std::string& text);
    /// @return attribute Ports
    std::string GetPorts() const;
    /// @param factory attribute Rule; throws std::invalid_argument if it makes no SwitchCnpRule
    void SetRule(const ObjectFactory& factory);
    /// @return attribute Rule
    ObjectFactory GetRule() const;
    /// @return when the next poll is due, ticks
    int64_t NextPoll() const;
    /// Poll all queues.
    void Poll();
    /// Poll a queue. @param port egress port @param cls the class @return whether it holds frames
    bool Look(uint32_t port, uint32_t cls);
    /// Send a CNP to the sender of a flow. @param entry the flow
    void Notify(FlowTable::Entry& entry);
    /// @param flow a flow @return a CNP to the host that sends it, without a queue pair
    Frame* MakeCnp(const Flow& flow) const;
    /// Begin a new polling interval, and forget silent flows. @param now ticks
    void EndWindow(int64_t now);

    PortList m_ports{"SwitchCnpSender: Ports"}; //!< attribute Ports
    ObjectFactory m_ruleFactory;                //!< attribute Rule
    Ptr<SwitchCnpRule> m_rule;                  //!< what it has made
    Time m_interval;                            //!< attribute Interval
    Time m_flowTimeout;                         //!< attribute FlowTimeout
    uint64_t m_limitBytes{0};                   //!< attribute LimitBytes
    uint8_t m_classes{0};                       //!< attribute Classes
    uint8_t m_cnpClass{0};                      //!< attribute CnpClass
    bool m_markCe{false};                       //!< attribute MarkCe
    bool m_flagUnknown{true};                   //!< attribute FlagUnknown

    FabricSwitch* m_owner{nullptr};     //!< the switch
    uint32_t m_nodeId{0};               //!< node of the switch
    int64_t m_purgedAt{NEVER};          //!< when silent flows were last forgotten, ticks
    int64_t m_lastPoll{NEVER};          //!< or when it began to wait for one, ticks
    uint64_t m_cnps{0};                 //!< CNPs made
    uint64_t m_flagged{0};              //!< those of them that name the receiver
    uint64_t m_unknown{0};              //!< CNPs not made, as the sender was unknown
    std::vector<uint64_t> m_before;     //!< lengths at the last poll, by port * 8 + class
    std::vector<uint64_t> m_limits;     //!< length that counts as full, by port
    FlowTable m_flows;                  //!< by source, destination and destination queue pair
    RoceFlowTable<Reverse> m_reverse;   //!< by source, destination and UDP port of the data
    std::vector<uint32_t> m_candidates; //!< scratch memory of Look(): indices of flows
    Ptr<WakeEvent<SwitchCnpSender, &SwitchCnpSender::Poll>> m_wake; //!< the next poll
    TracedCallback<uint32_t, uint32_t, uint32_t> m_cnpTrace;        //!< Cnp
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_CNP_SENDER_H
