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
 * Datacenter", SIGCOMM 2020): a window for the fabric delay, and with EndpointControl a second
 * window for the delay of the receiving host; the smaller window applies. The help of an attribute
 * says if the paper does not publish its value.
 *
 * The round trip runs from the start of the transmission of the data packet to the arrival of its
 * ACK; waiting in the own port before that does not count. The receiving port writes its own delay
 * into the ACK; the fabric delay is the rest.
 */
class RdmaSwift : public RdmaCongestionOps
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetHooks() const override;
    bool SendsCnps() const override;
    bool SetsWindow() const override;
    TelemetryKind GetTelemetry() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;
    void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack) override;
    void OnTimeout(RdmaFlowState& state, int64_t nowPs) override;

    /// @return effective window, packets
    double GetWindow() const;

    /// @return fabric window, packets
    double GetFabricWindow() const
    {
        return m_fabric.Get();
    }

    /// @return window of the receiving host, packets
    double GetEndpointWindow() const
    {
        return m_endpoint.Get();
    }

    /// @return last fabric delay, picoseconds
    double GetFabricDelay() const
    {
        return m_fabricDelayPs;
    }

    /// @return smoothed delay of the receiving host, picoseconds; with EndpointControl
    double GetEndpointDelay() const
    {
        return m_endpointDelayPs;
    }

    /// @param hops switches on the path of the data @return target of the fabric delay for the
    /// current window, picoseconds
    double GetTarget(uint32_t hops) const
    {
        return m_target.Get(hops, m_fabric.Get());
    }

    /// Set the windows, for tests. @param fabric fabric window, packets @param endpoint window of
    /// the receiving host, packets @param nowPs time, picoseconds
    void Force(double fabric, double endpoint, int64_t nowPs);

  private:
    /// Attributes of the target. @param tid the TypeId @return the same
    static TypeId AddTargets(TypeId tid);
    /// Attributes of the window. @param tid the TypeId @return the same
    static TypeId AddWindow(TypeId tid);
    /// Attributes of start, pacing and recovery. @param tid the TypeId @return the same
    static TypeId AddRest(TypeId tid);

    /// @return whether a second window controls the delay of the receiving host
    bool ControlsEndpoint() const
    {
        return m_endpointControl;
    }

    /// @return whether InitialWindow says what the first window is, not the path
    bool HasInitialWindow() const
    {
        return !m_startAtLineRate;
    }

    /// @return whether flow scaling adds time to the target
    bool ScalesByFlows() const
    {
        return m_range.IsStrictlyPositive();
    }

    /// Update the window of the receiving host. @param ack the ACK @param sample the sample,
    /// without delay
    void UpdateEndpoint(const RdmaAckEvent& ack, SwiftWindow::Sample sample);
    /// Write rate and window. @param state shared state
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

    SwiftParameters m_parameters;  //!< constants in use
    SwiftTarget m_target;          //!< target of the fabric delay
    SwiftWindow m_fabric;          //!< fabric window
    SwiftWindow m_endpoint;        //!< window of the receiving host
    double m_fabricDelayPs{0};     //!< last fabric delay, picoseconds
    double m_endpointDelayPs{0};   //!< smoothed delay of the receiving host, picoseconds
    double m_endpointTargetPs{0};  //!< EndpointTarget, picoseconds
    bool m_endpointSampled{false}; //!< m_endpointDelayPs is valid
    int64_t m_rttPs{0};            //!< last round trip, picoseconds
    uint32_t m_timeouts{0};        //!< successive timeouts
};

} // namespace ns3

#endif // LOSSLESS_RDMA_SWIFT_H
