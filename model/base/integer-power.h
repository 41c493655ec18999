// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INTEGER_POWER_H
#define LOSSLESS_INTEGER_POWER_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A power with a whole exponent, by squaring. The products and their order depend on the exponent
 * alone, so that the result is the same on every machine; the last bit of std::pow() is that of the
 * C library, which picks its code by the processor.
 *
 * @param base any number
 * @param exponent 0 or more
 * @return base to the power of the exponent; 1 for exponent 0
 */
constexpr double
IntegerPower(double base, uint64_t exponent)
{
    double power = 1;
    for (; exponent > 0; exponent /= 2)
    {
        if (exponent % 2)
        {
            power *= base;
        }
        base *= base;
    }
    return power;
}

} // namespace ns3

#endif // LOSSLESS_INTEGER_POWER_H
