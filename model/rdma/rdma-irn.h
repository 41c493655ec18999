// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_IRN_H
#define LOSSLESS_RDMA_IRN_H

#include "rdma-loss-recovery.h"

#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup lossless
 * Selective repeat of IRN (Mittal et al., "Revisiting network support for RDMA", SIGCOMM 2018): the
 * receiver keeps packets that arrive out of order and reports them (SACK). The sender resends only
 * missing packets, keeps at most a bandwidth-delay product in flight (BDP-FC), and has two
 * timeouts. IRN needs no PFC. doc/rdma.rst describes it for each verb.
 *
 * With a ReorderThreshold it takes overtaking for what it is on many paths: doc/paths.rst.
 */
class RdmaIrn final : public RdmaLossRecovery
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    PathNeed GetPathNeed() const override;
    uint64_t RestartPoint(uint64_t psn, uint64_t messageStart, uint32_t mtuBytes) const override;
    std::unique_ptr<RdmaSelectiveSender> MakeSender(const RdmaFlowState& flow) const override;
    std::unique_ptr<RdmaSelectiveReceiver> MakeReceiver() const override;

    /// @param flow line rate, base RTT and MTU @return largest number of packets in flight: BdpCap,
    /// or ceil(line rate * base RTT / MTU)
    uint32_t CapOf(const RdmaFlowState& flow) const;

  private:
    /// @param flow line rate, base RTT and MTU @return ceil(line rate * base RTT / MTU)
    /// @param attribute that asks, for the message
    static uint32_t ProductOf(const RdmaFlowState& flow, const char* attribute);
    /// @return whether a packet is lost when one has overtaken it
    bool TakesGapsForLosses() const;

    uint32_t m_bdpCap;     //!< attribute BdpCap
    uint32_t m_fewPackets; //!< attribute FewPackets
    Time m_timeoutLow;     //!< attribute TimeoutLow
    Time m_timeoutHigh;    //!< attribute TimeoutHigh
    bool m_countSacked;    //!< attribute CountSacked
    int32_t m_reorder;     //!< attribute ReorderThreshold
    uint32_t m_maxKept;    //!< attribute MaxKept
};

} // namespace ns3

#endif // LOSSLESS_RDMA_IRN_H
