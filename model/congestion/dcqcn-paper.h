// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DCQCN_PAPER_H
#define LOSSLESS_DCQCN_PAPER_H

#include "dcqcn-reaction-point.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The reaction point of the DCQCN paper (Zhu et al., SIGCOMM 2015, section 3.1). A CNP cuts the
 * rate at once by the factor 1 - alpha/2, with alpha from before the CNP. A timer and a byte
 * counter raise the rate again through fast recovery, additive increase and hyper increase.
 */
class DcqcnPaper final : public DcqcnReactionPoint
{
  public:
    using DcqcnReactionPoint::DcqcnReactionPoint;

    void OnCnp(RdmaFlowState& state, int64_t nowPs) override;
    void OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs) override;
    int64_t NextTimer() const override;
    void OnTimer(RdmaFlowState& state, int64_t nowPs) override;
    double GetAlpha(int64_t nowPs) const override;

  private:
    /// Raise the rate by one step; the counters have been advanced. @param state shared state
    void Increase(RdmaFlowState& state);

    int64_t m_alphaSince{NEVER}; //!< time of the last CNP, from which alpha decays every K
    int64_t m_increaseAt{NEVER}; //!< next expiry of the increase timer
    uint64_t m_bytes{0};         //!< wire bytes sent since the byte counter last expired
    uint32_t m_timerCount{0};    //!< T of the paper: expiries of the timer
    uint32_t m_byteCount{0};     //!< BC of the paper: expiries of the byte counter
};

} // namespace ns3

#endif // LOSSLESS_DCQCN_PAPER_H
