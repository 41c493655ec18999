// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_RANKS_H
#define LOSSLESS_FABRIC_RANKS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class Node;

/**
 * @ingroup lossless
 *
 * The processes ("ranks") that run one simulation together by ns-3's module mpi. Each of them makes
 * all nodes; the events of a node run on one of them, which the system identifier of the node
 * names.
 *
 * Without MPI in the build, and before Begin(), there is one rank, 0, which has all nodes.
 */
class FabricRanks
{
  public:
    /// @return whether the build has MPI
    static bool IsBuilt();

    /// Start MPI; ns-3's DistributedSimulatorImpl becomes the simulator, with WheelScheduler.
    /// Before anything of the simulator. Standard output of all ranks but 0 goes nowhere. Without
    /// MPI in the build an error (std::invalid_argument)
    static void Begin();

    /// All ranks are done, the simulator is destroyed: stop MPI.
    static void End();

    /// @return whether MPI runs, on one rank or several
    static bool IsOn();

    /// @return how many ranks there are
    static uint32_t Count();

    /// @return number of this rank, from 0
    static uint32_t Own();

    /// @param node a node @return whether its events run on this rank
    static bool HasNode(const Node& node);

    /// @param call called by the engine whenever this rank is about to wait for the others; null:
    /// none
    static void BeforeWaiting(void (*call)());

    /// Begin to add numbers of all ranks, in an event that all ranks have at one time: a rank
    /// cannot wait there for others, which may be behind. @param mine number of this rank
    static void BeginSum(uint64_t mine);

    /// In an event that is later than BeginSum() by more than the longest delay between ranks, and
    /// so after that of all ranks. @return the sum, the same on all ranks
    static uint64_t EndSum();

    /// Bring bytes of all ranks to rank 0; all ranks must call it. @param mine bytes of this rank
    /// @return on rank 0 those of each rank, in their order; else nothing
    static std::vector<std::string> Gather(const std::string& mine);
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_RANKS_H
