// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_DCTCP_H
#define LOSSLESS_RDMA_DCTCP_H

#include "dctcp-rate.h"
#include "rdma-congestion-ops.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * DCTCP (Alizadeh et al., SIGCOMM 2010; RFC 8257) over RDMA: ACKs echo CE marks, and the sender
 * reacts to the share of marked ACKs, see DctcpRate. Switches should mark from a single threshold
 * on, 30 KB for each 10 Gb/s of the port (doc/congestion.rst).
 */
class RdmaDctcp : public RdmaCongestionOps
{
  public:
    /// Which variable the algorithm controls.
    enum Control
    {
        RATE,  //!< the rate; UseWindow and VariableWindow select the window
        WINDOW //!< the window: rate times base RTT; packets leave at line rate
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    RdmaDctcp();
    ~RdmaDctcp() override;

    std::string GetName() const override;
    uint32_t GetHooks() const override;
    bool SendsCnps() const override;
    bool SetsWindow() const override;
    bool EchoesMarks() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;
    void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack) override;
    void OnTimeout(RdmaFlowState& state, int64_t nowPs) override;

    /// @return the constants in use, valid after Init()
    const DctcpParameters& GetParameters() const
    {
        return m_parameters;
    }

  private:
    /// @return whether Control is Rate
    bool ControlsRate() const
    {
        return m_control == RATE;
    }

    /// @return whether the window may stay at line rate
    bool ChoosesWindow() const
    {
        return ControlsRate() && m_useWindow;
    }

    /// @return whether something is computed of the base RTT
    bool UsesBaseRtt() const
    {
        return m_increase.GetBitRate() == 0 || SetsWindow();
    }

    /// Write rate and window. @param state shared state
    void Publish(RdmaFlowState& state) const;

    DctcpParameters m_parameters;          //!< constants in use
    std::unique_ptr<DctcpRate> m_reaction; //!< made by Init()
    uint64_t m_unacked{0};                 //!< first PSN not acknowledged
    double m_payloadPerBps{0};             //!< window in payload bytes for a rate of 1 bit/s

    Control m_control;      //!< attribute
    bool m_useWindow;       //!< attribute
    bool m_variableWindow;  //!< attribute
    bool m_payloadWindow;   //!< attribute
    bool m_firstAckUpdates; //!< attribute
    double m_gain;          //!< attribute
    double m_initialAlpha;  //!< attribute
    DataRate m_increase;    //!< attribute, 0: one packet per BaseRtt
    DataRate m_minRate;     //!< attribute
    Time m_baseRtt;         //!< attribute, 0: base RTT of the connection
};

} // namespace ns3

#endif // LOSSLESS_RDMA_DCTCP_H
