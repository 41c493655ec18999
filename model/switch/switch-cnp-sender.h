// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_CNP_SENDER_H
#define LOSSLESS_SWITCH_CNP_SENDER_H

#include "roce-flow-table.h"
#include "switch-extension.h"

#include "ns3/nstime.h"
#include "ns3/simulation-clock.h"
#include "ns3/traced-callback.h"
#include "ns3/wake-event.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * CNPs made by a switch ("IPCC" of switch vendors): it looks at its queues, and asks the senders of
 * those that fill up to slow down, without the way by the receiver. SwitchCnpRule says how many;
 * the flows with the most bytes since the last look get them.
 *
 * Data packets carry the queue pair of the receiver; the CNP needs that of the sender. The
 * switch learns it from what comes back: ACKs, NAKs, CNPs and READ requests between the same hosts
 * with the same UDP port. A flow whose way back does not lead through this switch gets no CNP.
 *
 * It looks only while there is something in a queue: an idle switch has no events.
 */
class SwitchCnpSender : public SwitchExtension
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    SwitchCnpSender();
    ~SwitchCnpSender() override;

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    void Arrived(Frame& frame, uint32_t inPort) override;
    void Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;

    /// @return CNPs that this switch has made
    uint64_t GetCnpCount() const
    {
        return m_cnps;
    }

    /// @return CNPs that were due, but the queue pair of the sender was not known
    uint64_t GetUnknownCount() const
    {
        return m_unknown;
    }

    /// A CNP was made. @param port egress port of the queue that fills up
    /// @param sender address of the sender, last 32 bits @param queuePair of the sender
    typedef void (*CnpTracedCallback)(uint32_t port, uint32_t sender, uint32_t queuePair);

  protected:
    void DoDispose() override;

  private:
    /// What is known of a flow that passes.
    struct Flow
    {
        uint64_t bytes{0};                 //!< since the last look
        int64_t lastSeen{0};               //!< tick
        uint64_t lastCnp{0};               //!< number of its last CNP; 0: none
        uint16_t udpPort{0};               //!< source port, of both directions
        uint16_t inPort{0};                //!< where it comes in
        uint16_t outPort{0};               //!< where it goes out
        uint8_t cls{0};                    //!< in which queue
        uint8_t ipVersion{4};              //!< 4 or 6
        std::array<uint32_t, 3> srcHigh{}; //!< first 96 bits of the IPv6 source
        std::array<uint32_t, 3> dstHigh{}; //!< first 96 bits of the IPv6 destination
    };

    /// The queue pair at the other end of a flow.
    struct Reverse
    {
        uint32_t queuePair{0}; //!< of the sender
        int64_t lastSeen{0};   //!< tick
    };

    using FlowTable = RoceFlowTable<Flow>;

    /// Look at all queues.
    void Poll();
    /// Look at a queue. @param port egress port @param cls the class @return whether it has frames
    bool Look(uint32_t port, uint32_t cls);
    /// Send a CNP to the sender of a flow, if it is known. @param entry the flow
    void Notify(FlowTable::Entry& entry);
    /// Begin a new window, and forget old flows. @param now tick
    void EndWindow(int64_t now);

    Time m_interval;       //!< attribute Interval
    Time m_flowTimeout;    //!< attribute FlowTimeout
    uint64_t m_limitBytes; //!< attribute LimitBytes
    uint8_t m_classes;     //!< attribute Classes
    uint8_t m_cnpClass;    //!< attribute CnpClass
    bool m_markCe;         //!< attribute MarkCe

    FabricSwitch* m_owner{nullptr};     //!< the switch
    uint32_t m_nodeId{0};               //!< its node
    int64_t m_purgeAt{0};               //!< when old flows are forgotten next, tick
    bool m_armed{false};                //!< a look is due
    uint64_t m_cnps{0};                 //!< made
    uint64_t m_unknown{0};              //!< not made
    std::vector<uint64_t> m_before;     //!< lengths at the last look, by port * 8 + class
    std::vector<uint64_t> m_limits;     //!< by port
    FlowTable m_flows;                  //!< by source, destination and destination queue pair
    RoceFlowTable<Reverse> m_reverse;   //!< by source, destination and UDP port of the data
    std::vector<uint32_t> m_candidates; //!< Look(): numbers of flows
    SimulationClock m_clock;            //!< the simulator
    Ptr<WakeEvent<SwitchCnpSender, &SwitchCnpSender::Poll>> m_wake; //!< the next look
    TracedCallback<uint32_t, uint32_t, uint32_t> m_cnpTrace;        //!< Cnp
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_CNP_SENDER_H
