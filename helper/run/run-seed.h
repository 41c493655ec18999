// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_SEED_H
#define LOSSLESS_RUN_SEED_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Seed and run number of ns-3's random numbers, as runs choose them. Both are of the process: what
 * a run has chosen ends with the simulation, and what the user of the process has chosen comes
 * back.
 */
class RunSeed
{
  public:
    RunSeed() = delete;

    /// A run chooses its seed, until Simulator::Destroy(). @param seed the seed
    static void SetSeed(uint32_t seed);

    /// A run chooses its run number, until Simulator::Destroy(). @param number the run number
    static void SetRun(uint64_t number);
};

} // namespace ns3

#endif // LOSSLESS_RUN_SEED_H
