// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_SETTINGS_H
#define LOSSLESS_MRC_SETTINGS_H

#include "mrc-terms.h"

#include "ns3/nstime.h"
#include "ns3/rdma-transport.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The attributes of RdmaMrc, and what follows from them. Only RdmaMrc derives from this class: the
 * attributes belong to RdmaMrc.
 */
class MrcSettings : public RdmaTransport
{
  public:
    /// How an entropy value (EV) says which way a packet takes.
    enum Format : uint8_t
    {
        UDP,  //!< switches hash it
        STEV, //!< structured: each tier of switches has a field of it (StevLoadBalancer)
        SRV6  //!< its low 10 bits number the spine, which SRv6 names to switches (Srv6Switch)
    };

    std::vector<uint32_t> GetPorts(const RdmaHw& hw, uint32_t port) const override;
    uint32_t CountPlanes(uint32_t ports) const override;
    uint32_t GetHeaderBytes() const override;
    uint32_t GetOuterBytes() const override;

  protected:
    /// @param tid the TypeId @return the TypeId with the attributes
    static TypeId AddSettings(TypeId tid);

    /// @param flow rate and round trip of the connection @return the parameters in force
    MrcTerms MakeTerms(const RdmaFlowState& flow) const;

    /// @param flow round trip of the connection @return time without an answer after which the
    /// connection asks, ticks
    int64_t GetProbeAfterTicks(const RdmaFlowState& flow) const;

    /// std::invalid_argument unless a congestion control can control MRC. @param ops it
    static void RequireControl(const RdmaCongestionOps& ops);

    /// @param connection parameters of a queue pair @return bytes of its longest IP packet
    uint32_t GetLongestPacket(const RdmaConnection& connection) const;

    /// @param flow rate and round trip of the connection @return packets of 1.5 bandwidth-delay
    /// products
    double GetMostPackets(const RdmaFlowState& flow) const;

    Format m_format{UDP};            //!< attribute Format
    uint32_t m_planesWanted{0};      //!< attribute Planes
    uint32_t m_evsWanted{0};         //!< attribute Evs
    uint32_t m_active{0};            //!< attribute Active
    uint32_t m_minActive{0};         //!< attribute MinActive
    bool m_shuffle{true};            //!< attribute Shuffle
    uint32_t m_planeLead{0};         //!< attribute PlaneLead
    Time m_probeInterval;            //!< attribute ProbeInterval
    Time m_probeAfter;               //!< attribute ProbeAfter
    uint32_t m_probeSuccesses{0};    //!< attribute ProbeSuccesses
    uint8_t m_repeatClass{0};        //!< attribute RepeatClass
    uint8_t m_controlClass{0};       //!< attribute ControlClass
    Time m_baseRtt;                  //!< attribute BaseRtt
    uint32_t m_window{0};            //!< attribute Mpr
    int32_t m_timeout{0};            //!< attribute Timeout
    int32_t m_reorderThreshold{0};   //!< attribute ReorderThreshold
    uint32_t m_sackBytes{};          //!< attribute SackBytes
    uint32_t m_maxImmediates{};      //!< attribute MaxWimm
    uint32_t m_linearRetries{};      //!< attribute LinearRetries
    uint32_t m_expRetries{};         //!< attribute ExpRetries
    MrcTerms::LossRule m_lossRule{}; //!< attribute LossRule
    bool m_timeStamp{};              //!< attribute TimeStamp
    bool m_transportAcks{};          //!< attribute TransportAcks
    bool m_trimNack{};               //!< attribute TrimNack

  private:
    /// Attributes of EVs and planes. @param tid the TypeId @return the same
    static TypeId AddPaths(TypeId tid);
    /// Attributes of acknowledgements and losses. @param tid the TypeId @return the same
    static TypeId AddRecovery(TypeId tid);
    /// @param flow round trip of the connection @return longest round trip of the empty network,
    /// picoseconds
    int64_t GetLongestRtt(const RdmaFlowState& flow) const;
};

} // namespace ns3

#endif // LOSSLESS_MRC_SETTINGS_H
