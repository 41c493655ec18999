// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PINT_CODE_H
#define LOSSLESS_PINT_CODE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The logarithmic scale of PintTelemetry (Ben Basat et al., "PINT: Probabilistic In-band Network
 * Telemetry", SIGCOMM 2020, section 4.3): neighbouring codes differ by a constant factor, so that
 * two bytes hold any utilisation with a constant relative error. The scale reaches from 1/128 to
 * 128 and contains 1. Code 0 means that no switch has written a utilisation.
 *
 * The table holds powers that are computed by multiplication: logarithms of different C libraries
 * differ in the last bit.
 */
class PintCode
{
  public:
    /// @param base factor between two codes, from 1.001 to 2
    explicit PintCode(double base);

    /// @param utilisation any number, not negative
    /// @return code of the value that is nearest by ratio; outside the scale the first (1) or the
    /// last code
    uint16_t Encode(double utilisation) const;

    /// @param code what Encode() returned @return the utilisation
    double Decode(uint16_t code) const;

  private:
    std::vector<double> m_values; //!< by code; 0 is 0
};

} // namespace ns3

#endif // LOSSLESS_PINT_CODE_H
