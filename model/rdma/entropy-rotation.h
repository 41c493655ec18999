// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ENTROPY_ROTATION_H
#define LOSSLESS_ENTROPY_ROTATION_H

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// All entropy values in turn, each once in a round, in an order that is new each round: counted up
/// and XORed with a number that is drawn for the round (uet-htsim).
class EntropyRotation
{
  public:
    /// @param paths number of values, a power of two @param draw called for a random value at the
    /// start of a round @return the value whose turn it is
    template <typename Draw>
    uint16_t Peek(uint32_t paths, Draw&& draw)
    {
        if (!m_isDrawn)
        {
            m_flip = draw() & (paths - 1);
            m_isDrawn = true;
        }
        return m_next ^ m_flip;
    }

    /// The turn passes on. @param paths as of Peek()
    void Step(uint32_t paths)
    {
        if (++m_next == paths)
        {
            m_next = 0;
            m_isDrawn = false;
        }
    }

  private:
    uint16_t m_next{0};    //!< place in the round
    uint16_t m_flip{0};    //!< number of the round
    bool m_isDrawn{false}; //!< whether the round has its number
};

} // namespace ns3

#endif // LOSSLESS_ENTROPY_ROTATION_H
