// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_IRN_RECEIVER_H
#define LOSSLESS_IRN_RECEIVER_H

#include "rdma-selective-recovery.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Receiver of IRN (Mittal et al., SIGCOMM 2018, section 3.1): keeps packets that arrive out of
 * order. A real NIC places the data at once and keeps a bitmap. This receiver keeps the headers and
 * executes them in order, so that completions and receives are those of a path without loss.
 */
class IrnReceiver final : public RdmaSelectiveReceiver
{
  public:
    /// Largest distance that can be.
    static constexpr uint64_t MAX_SPAN = 1U << 19;

    /// @param span largest distance of a kept PSN from the expected PSN, up to MAX_SPAN
    explicit IrnReceiver(uint64_t span = MAX_SPAN)
        : m_span(span)
    {
    }

    IrnReceiver(const IrnReceiver&) = delete;
    IrnReceiver& operator=(const IrnReceiver&) = delete;
    ~IrnReceiver() override;

    Verdict Keep(const Frame& frame, uint64_t expected) override;
    Frame* Take(uint64_t expected) override;
    bool Has(uint64_t psn) const override;
    void Clear() override;

    uint32_t Count() const override
    {
        return m_count;
    }

  private:
    void Advance(uint64_t expected);
    void Grow(uint64_t span);

    Frame*& At(uint64_t psn)
    {
        return m_slots[psn & (m_slots.size() - 1)];
    }

    uint64_t m_span; //!< largest distance of a kept PSN from the expected PSN
    std::vector<Frame*>
        m_slots; //!< packets of [m_expected, m_end), by PSN modulo size; null: not received
    uint64_t m_expected{0}; //!< expected PSN at the last call
    uint64_t m_end{0};      //!< PSN after the highest kept
    uint32_t m_count{0};    //!< packets kept
};

} // namespace ns3

#endif // LOSSLESS_IRN_RECEIVER_H
