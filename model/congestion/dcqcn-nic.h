// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DCQCN_NIC_H
#define LOSSLESS_DCQCN_NIC_H

#include "dcqcn-reaction-point.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The reaction point of NICs and of the public HPCC simulator (doc/congestion.rst): CNPs only set
 * flags; alpha is updated every Ta, the rate is cut at most once every Td, and raised every Tr.
 *
 * The Ta and Td tickers start at the first CNP and never stop there; here only ticks that can
 * change something are timers, alpha's are counted when alpha is needed. A tick of Td comes 1 ns
 * after the tick of Ta that it coincides with.
 */
class DcqcnNic final : public DcqcnReactionPoint
{
  public:
    using DcqcnReactionPoint::DcqcnReactionPoint;

    void OnCnp(RdmaFlowState& state, int64_t nowPs) override;
    void OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs) override;
    int64_t NextTimer() const override;
    void OnTimer(RdmaFlowState& state, int64_t nowPs) override;
    double GetAlpha(int64_t nowPs) const override;

    /// @return increases since the last cut
    uint32_t GetStage() const
    {
        return m_stage;
    }

  private:
    /// Bring alpha up to date. @param nowPs time
    void AdvanceAlpha(int64_t nowPs);
    /// A tick of Td with a CNP before it. @param state shared state @param nowPs the tick
    void Decrease(RdmaFlowState& state, int64_t nowPs);
    /// A tick of Tr. @param state shared state
    void Increase(RdmaFlowState& state);

    int64_t m_firstCnp{NEVER};   //!< start of both tickers
    int64_t m_alphaTick{0};      //!< last tick of Ta that alpha contains
    int64_t m_decreaseAt{NEVER}; //!< tick of Td that will cut
    int64_t m_increaseAt{NEVER}; //!< next tick of Tr
    uint32_t m_stage{0};         //!< increases since the last cut
    bool m_cnpForAlpha{false};   //!< a CNP came since the last tick of Ta
};

} // namespace ns3

#endif // LOSSLESS_DCQCN_NIC_H
