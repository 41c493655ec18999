// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EFFECTIVE_PMAX_H
#define LOSSLESS_EFFECTIVE_PMAX_H

#include "headroom-table.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The marking probability above which more marks bring no more CNPs. A receiver answers the marks
 * of a flow of p packets a second, each marked with probability P, with min(P p, 1 / CnpInterval)
 * CNPs a second.
 *
 * @param packetsPerSecond packets of a flow that arrive in a second, above 0
 * @param cnpInterval least time between two CNPs of the flow; 0: each marked packet gets a CNP
 * @return CNPs a second at most over packets a second, at most 1
 */
double EffectivePmax(double packetsPerSecond, const Time& cnpInterval);

/**
 * @ingroup lossless
 *
 * Print a table of EffectivePmax() for people: a line for each rate and MTU. The flows share a port
 * alike, and all their packets are as long as the MTU allows.
 *
 * @param stream where to
 * @param links rates and MTUs; the rest does not count
 * @param flows at the port, 1 or more
 * @param cnpInterval least time between two CNPs of a flow
 */
void PrintEffectivePmax(std::ostream& stream,
                        const HeadroomCases& links,
                        uint32_t flows,
                        const Time& cnpInterval);

} // namespace ns3

#endif // LOSSLESS_EFFECTIVE_PMAX_H
