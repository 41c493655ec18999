// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_POWER_OF_TWO_FOLD_H
#define LOSSLESS_POWER_OF_TWO_FOLD_H

#include "stepped-part.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Makes an all-reduce of any number of ranks one of a power of two: with r ranks too many, each of
 * the first r even positions gives all its data to the next one, sits out, and gets the result at
 * the end (Thakur et al. 2005). The others are numbered anew.
 */
class PowerOfTwoFold
{
  public:
    /// @param shape of the collective
    explicit PowerOfTwoFold(const CollectiveShape& shape)
        : m_shape(shape)
    {
        while ((2U << m_bits) <= shape.ranks)
        {
            ++m_bits;
        }
        m_over = shape.ranks - (1U << m_bits);
        const bool isFolded = shape.position < 2 * m_over;
        m_number = isFolded ? shape.position / 2 : shape.position - m_over;
        m_sitsOut = isFolded && shape.position % 2 == 0;
    }

    /// @return logarithm of how many ranks are left
    uint32_t GetBits() const
    {
        return m_bits;
    }

    /// @return ranks that sit out
    uint32_t GetOver() const
    {
        return m_over;
    }

    /// @return the new number of this rank, of one that does not sit out
    uint32_t GetNumber() const
    {
        return m_number;
    }

    /// @return whether this rank sits out
    bool SitsOut() const
    {
        return m_sitsOut;
    }

    /// @param number a new number @return position of the rank that has it
    uint32_t PositionOf(uint32_t number) const
    {
        return number < m_over ? 2 * number + 1 : number + m_over;
    }

    /// @return what this rank does before: it gives its data, gets those of another one, or nothing
    SteppedPart::Step Before() const
    {
        if (m_sitsOut)
        {
            return SteppedPart::Exchange(m_shape.position + 1, m_shape.bytes, 0, 0, false);
        }
        return m_number < m_over
                   ? SteppedPart::Exchange(0, 0, m_shape.position - 1, m_shape.bytes, true)
                   : SteppedPart::Step();
    }

    /// @return what it does after
    SteppedPart::Step After() const
    {
        if (m_sitsOut)
        {
            return SteppedPart::Exchange(0, 0, m_shape.position + 1, m_shape.bytes, false);
        }
        return m_number < m_over
                   ? SteppedPart::Exchange(m_shape.position - 1, m_shape.bytes, 0, 0, false)
                   : SteppedPart::Step();
    }

  private:
    CollectiveShape m_shape;
    uint32_t m_bits{0};
    uint32_t m_over{0};
    uint32_t m_number{0};
    bool m_sitsOut{false};
};

} // namespace ns3

#endif // LOSSLESS_POWER_OF_TWO_FOLD_H
