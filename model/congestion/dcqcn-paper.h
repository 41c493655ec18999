// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DCQCN_PAPER_H
#define LOSSLESS_DCQCN_PAPER_H

#include "dcqcn-reaction-point.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The reaction point of the DCQCN paper (SIGCOMM 2015, section 3.1): a CNP cuts
 * the rate at once by alpha/2, with the alpha from before the CNP; a timer and a byte counter raise
 * it again through fast recovery, additive and hyper increase.
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
    /// One step up; counters have been advanced. @param state shared state
    void Increase(RdmaFlowState& state);

    int64_t m_alphaSince{NEVER}; //!< last CNP: alpha decays every K from here
    int64_t m_increaseAt{NEVER}; //!< next expiry of the increase timer
    uint64_t m_bytes{0};         //!< sent since the byte counter last expired
    uint32_t m_timerCount{0};    //!< T
    uint32_t m_byteCount{0};     //!< BC
};

} // namespace ns3

#endif // LOSSLESS_DCQCN_PAPER_H
