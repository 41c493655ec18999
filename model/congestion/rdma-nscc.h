// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_NSCC_H
#define LOSSLESS_RDMA_NSCC_H

#include "nscc-window.h"
#include "rdma-congestion-ops.h"

#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * NSCC, the congestion control that Ultra Ethernet and MRC have at the sender (Ultra Ethernet
 * Specification 1.0, section 3.6.13), on RoCE queue pairs: a NsccWindow for the payload that is
 * delivered. Attributes have the names of MRC's API where that has one.
 *
 * The round trip runs from the start of the transmission of a data packet to the arrival of its
 * ACK, which brings back the time of that transmission: a packet that was sent again is no less
 * valid. Trimmed packets count on the last hop, too, since no receiver grants credit here.
 */
class RdmaNscc : public RdmaCongestionOps
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetHooks() const override;
    bool EchoesMarks() const override;
    bool SendsCnps() const override;
    bool SetsWindow() const override;
    TelemetryKind GetTelemetry() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;
    void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack) override;
    void OnTimeout(RdmaFlowState& state, int64_t nowPs) override;
    void OnLineRate(RdmaFlowState& state) override;

    /// @return the window
    const NsccWindow& GetWindow() const
    {
        return m_window;
    }

    /// Force the window, for tests. @param state shared state @param bytes the window
    void Force(RdmaFlowState& state, double bytes);

  private:
    /// Attributes of the network. @param tid the TypeId @return the same
    static TypeId AddNetwork(TypeId tid);
    /// Attributes of increase and decrease. @param tid the TypeId @return the same
    static TypeId AddLaw(TypeId tid);
    /// Attributes of quick adapt and adjustment. @param tid the TypeId @return the same
    static TypeId AddPeriods(TypeId tid);

    /// @return whether the window can fall to what has arrived
    bool AdaptsQuickly() const
    {
        return m_quickAdapt;
    }

    /// @param state shared state @param rtt R, picoseconds @return the constants
    NsccParameters MakeParameters(const RdmaFlowState& state, int64_t rtt) const;
    /// Let attributes read back as what is in force. @param parameters the constants
    void ReadBack(const NsccParameters& parameters);
    /// Write the window. @param state shared state
    void Publish(RdmaFlowState& state) const;

    Time m_baseRtt;                    //!< attribute, 0: default
    bool m_trimming;                   //!< attribute
    Time m_target;                     //!< attribute, 0: default
    uint64_t m_maxWindow;              //!< attribute, 0: default
    double m_alpha;                    //!< attribute, negative: default
    double m_fi;                       //!< attribute, negative: default
    double m_eta;                      //!< attribute, negative: default
    double m_fiScale;                  //!< attribute, negative: default
    double m_gamma;                    //!< attribute
    double m_maxMdJump;                //!< attribute
    bool m_quickAdapt;                 //!< attribute
    uint32_t m_qaGate;                 //!< attribute
    Time m_qaThreshold;                //!< attribute, 0: default
    uint32_t m_adjustBytes;            //!< attribute, 0: default
    Time m_adjustPeriod;               //!< attribute, 0: default
    NsccParameters::Average m_average; //!< attribute
    NsccParameters::Dialect m_dialect; //!< attribute

    NsccWindow m_window;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_NSCC_H
