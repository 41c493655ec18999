// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DCQCN_NIC_H
#define LOSSLESS_DCQCN_NIC_H

#include "dcqcn-reaction-point.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The reaction point of NICs and of the public HPCC simulator (doc/congestion.rst). CNPs only set
 * flags: alpha is updated every Ta, the rate is cut at most once every Td, and raised every Tr.
 *
 * In the simulator the timers of Ta and Td start at the first CNP and never stop. Here only
 * expiries that can change the rate are timers; expiries of Ta are counted when alpha is needed.
 * When Ta and Td expire together, Td takes effect 1 ns later.
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

    /// @return number of increases since the last cut
    uint32_t GetStage() const
    {
        return m_stage;
    }

  private:
    /// Bring alpha up to date. @param nowPs time, picoseconds
    void AdvanceAlpha(int64_t nowPs);
    /// Td expired after a CNP: cut the rate. @param state shared state @param nowPs time,
    /// picoseconds
    void Decrease(RdmaFlowState& state, int64_t nowPs);
    /// Tr expired: raise the rate. @param state shared state
    void Increase(RdmaFlowState& state);

    int64_t m_firstCnp{NEVER};   //!< time of the first CNP, at which Ta and Td start
    int64_t m_alphaTick{0};      //!< last expiry of Ta that alpha includes
    int64_t m_decreaseAt{NEVER}; //!< next expiry of Td that cuts the rate
    int64_t m_increaseAt{NEVER}; //!< next expiry of Tr
    uint32_t m_stage{0};         //!< increases since the last cut
    bool m_cnpForAlpha{false};   //!< a CNP has come since the last expiry of Ta
};

} // namespace ns3

#endif // LOSSLESS_DCQCN_NIC_H
