// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_SWIFT_H
#define LOSSLESS_RDMA_SWIFT_H

#include "rdma-congestion-ops.h"
#include "swift-window.h"

#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Swift (Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the
 * Datacenter", SIGCOMM 2020): a window for the delay of the fabric, and with EndpointControl one
 * for that of the receiving host; the smaller one holds. Constants that the paper does not publish
 * are marked as such in their help.
 *
 * The round trip runs from the start of the data packet on the wire to the ACK. What a pause or
 * other queue pairs of the own port cost before that is no part of it. The receiving port stamps
 * into the ACK how long it had it; the delay of the fabric is the rest.
 */
class RdmaSwift : public RdmaCongestionOps
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetHooks() const override;
    TelemetryKind GetTelemetry() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;
    void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack) override;
    void OnTimeout(RdmaFlowState& state, int64_t nowPs) override;

    /// @return effective window, packets
    double GetWindow() const;

    /// @return window of the fabric, packets
    double GetFabricWindow() const
    {
        return m_fabric.Get();
    }

    /// @return window of the receiving host, packets
    double GetEndpointWindow() const
    {
        return m_endpoint.Get();
    }

    /// @return last delay of the fabric, picoseconds
    double GetFabricDelay() const
    {
        return m_fabricDelayPs;
    }

    /// @return smoothed delay of the receiving host, picoseconds; with EndpointControl
    double GetEndpointDelay() const
    {
        return m_endpointDelayPs;
    }

    /// @param hops on the way of the data @return target of the delay of the fabric with the
    /// window as it is, picoseconds
    double GetTarget(uint32_t hops) const
    {
        return m_target.Get(hops, m_fabric.Get());
    }

    /// For tests. @param fabric window @param endpoint window @param nowPs time, picoseconds
    void Force(double fabric, double endpoint, int64_t nowPs);

  private:
    /// Attributes of the target. @param tid the TypeId @return the same
    static TypeId AddTargets(TypeId tid);
    /// Attributes of the window. @param tid the TypeId @return the same
    static TypeId AddWindow(TypeId tid);
    /// Attributes of start, pacing and recovery. @param tid the TypeId @return the same
    static TypeId AddRest(TypeId tid);

    /// The receiving host. @param ack of data @param sample for the window, without delay
    void UpdateEndpoint(const RdmaAckEvent& ack, SwiftWindow::Sample sample);
    /// Tell the queue pair window and pace. @param state shared state
    void Apply(RdmaFlowState& state) const;

    Time m_base;               //!< attribute, 0: default
    Time m_hop;                //!< attribute
    Time m_range;              //!< attribute
    double m_smallWindow;      //!< attribute
    double m_largeWindow;      //!< attribute
    bool m_endpointControl;    //!< attribute
    Time m_endpointTarget;     //!< attribute
    double m_endpointGain;     //!< attribute
    double m_additiveIncrease; //!< attribute
    double m_beta;             //!< attribute
    double m_maxDecrease;      //!< attribute
    double m_minWindow;        //!< attribute, packets
    double m_maxWindow;        //!< attribute, packets
    bool m_startAtLineRate;    //!< attribute
    double m_initialWindow;    //!< attribute, packets
    bool m_pacing;             //!< attribute
    uint32_t m_resetAfter;     //!< attribute

    SwiftParameters m_parameters;  //!< in force
    SwiftTarget m_target;          //!< of the fabric
    SwiftWindow m_fabric;          //!< window of the fabric
    SwiftWindow m_endpoint;        //!< window of the receiving host
    double m_fabricDelayPs{0};     //!< last sample
    double m_endpointDelayPs{0};   //!< smoothed
    double m_endpointTargetPs{0};  //!< in force
    bool m_endpointSampled{false}; //!< there was a delay of the receiving host
    int64_t m_rttPs{0};            //!< last round trip
    uint32_t m_timeouts{0};        //!< in a row
};

} // namespace ns3

#endif // LOSSLESS_RDMA_SWIFT_H
