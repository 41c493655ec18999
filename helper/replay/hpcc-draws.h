// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_DRAWS_H
#define LOSSLESS_HPCC_DRAWS_H

#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The draws of the public HPCC simulator: the first number of a new random stream for each, whoever
 * draws. All markers of a fabric share one such object, so that one thread alone may run it.
 */
class HpccDraws : public UniformRandomVariable
{
  public:
    /// @param next number of the first stream that nobody has used
    explicit HpccDraws(uint64_t next)
        : m_next(next)
    {
    }

    /// Somebody else has drawn.
    void Skip()
    {
        ++m_next;
    }

    double GetValue() override;

  private:
    uint64_t m_next;
};

} // namespace ns3

#endif // LOSSLESS_HPCC_DRAWS_H
