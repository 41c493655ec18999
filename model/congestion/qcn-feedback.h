// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QCN_FEEDBACK_H
#define LOSSLESS_QCN_FEEDBACK_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Arithmetic of the ancestor of DCQCN, QCN (IEEE 802.1Qau, in IEEE 802.1Q clauses 30 to 32): the
 * feedback that a congestion point computes when it samples its queue, and the cut of a reaction
 * point. For reference and comparison: no switch of this module sends congestion notification
 * messages of layer 2.
 */
class QcnFeedback
{
  public:
    static constexpr uint32_t MAX_FEEDBACK = 63; //!< of 6 bits

    /// @param setPointBytes queue to be kept, Qeq, more than 0 @param weight of its growth, w
    explicit QcnFeedback(int64_t setPointBytes = 26000, int64_t weight = 2);

    /// Fb = -((q - Qeq) + w * (q - qold)). @param queueBytes queue now @param oldBytes queue at the
    /// sample before @return bytes; negative: congested
    int64_t Raw(int64_t queueBytes, int64_t oldBytes) const;

    /// @param raw of Raw() @return |Fb| in 6 bits, over the range Qeq * (1 + 2w); 0: no message
    uint32_t Quantise(int64_t raw) const;

    /// A sample of the queue. @param queueBytes queue now @return what the message says, 0: none
    uint32_t Sample(int64_t queueBytes);

    /// RC * (1 - Gd * Fb). @param rate bit/s @param feedback of Quantise() @param gain Gd
    /// @return rate, bit/s
    static double Cut(double rate, uint32_t feedback, double gain = 1.0 / 128);

  private:
    int64_t m_setPointBytes;
    int64_t m_weight;
    int64_t m_oldBytes{0}; //!< queue at the last sample
};

} // namespace ns3

#endif // LOSSLESS_QCN_FEEDBACK_H
