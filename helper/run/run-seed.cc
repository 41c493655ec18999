// SPDX-License-Identifier: GPL-2.0-only
#include "run-seed.h"

#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <optional>
#include <utility>

namespace ns3
{
namespace
{

/// A number of the process that runs choose.
struct Number
{
    std::optional<uint64_t> chosen; //!< by a run; none: no run has chosen in this simulation
    uint64_t before{0};             //!< what the user of the process has chosen

    /// A run chooses. @param now what is in force @param next what it chooses
    void Choose(uint64_t now, uint64_t next)
    {
        if (now != chosen)
        {
            before = now; // the first choice, or the user has chosen anew
        }
        chosen = next;
    }

    /// @param now what is in force @return what is to be in force when the simulation is gone
    uint64_t End(uint64_t now)
    {
        return std::exchange(chosen, std::nullopt) == now ? before : now;
    }
};

/// Both numbers.
struct Numbers
{
    Number seed;
    Number run;
    bool isPlanned{false}; //!< their end
};

/// @return those of the process
Numbers&
GetNumbers()
{
    static Numbers numbers;
    return numbers;
}

/// The simulation ends: what runs have chosen is over.
void
EndAll()
{
    Numbers& numbers = GetNumbers();
    RngSeedManager::SetSeed(static_cast<uint32_t>(numbers.seed.End(RngSeedManager::GetSeed())));
    RngSeedManager::SetRun(numbers.run.End(RngSeedManager::GetRun()));
    numbers.isPlanned = false;
}

/// @return the numbers of the process, which end with the simulation
Numbers&
Plan()
{
    Numbers& numbers = GetNumbers();
    if (!std::exchange(numbers.isPlanned, true))
    {
        Simulator::ScheduleDestroy(&EndAll);
    }
    return numbers;
}

} // namespace

void
RunSeed::SetSeed(uint32_t seed)
{
    Plan().seed.Choose(RngSeedManager::GetSeed(), seed);
    RngSeedManager::SetSeed(seed);
}

void
RunSeed::SetRun(uint64_t number)
{
    Plan().run.Choose(RngSeedManager::GetRun(), number);
    RngSeedManager::SetRun(number);
}

} // namespace ns3
