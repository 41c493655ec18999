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

/**
 * @ingroup lossless
 *
 * Seed and run number of a run that is under way: what is chosen while it runs is for later, and
 * what is said of the run has what it was made with.
 */
class RunSeedInForce
{
  public:
    /// @param seed of the run @param number run number of the run
    RunSeedInForce(uint32_t seed, uint64_t number);
    /// What was chosen meanwhile is in force again.
    ~RunSeedInForce();
    RunSeedInForce(const RunSeedInForce&) = delete;
    RunSeedInForce& operator=(const RunSeedInForce&) = delete;

  private:
    uint32_t m_seed;   //!< chosen meanwhile
    uint64_t m_number; //!< chosen meanwhile
};

} // namespace ns3

#endif // LOSSLESS_RUN_SEED_H
