// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANK_PLACEMENT_H
#define LOSSLESS_RANK_PLACEMENT_H

#include "rank-place.h"

#include "ns3/fabric-topology.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Puts the ranks of a job on the GPUs of hosts that no other job has taken, by a policy:
 *
 * - `packed`: host after host, GPU after GPU;
 * - `round-robin`: rank r on host r modulo the number of hosts;
 * - `spread`: one rank for each leaf switch in turn, as the first switch of a host says;
 * - `rail`: rank r on GPU r mod G of host r div G, of hosts that are all free; as many on each
 *   host, or it is refused;
 * - `random`: GPUs drawn without replacement;
 * - `list:0,0,3,1`: the host of each rank; its GPUs are taken in order.
 */
class RankPlacement
{
  public:
    /// @param topology whose hosts @param gpusPerHost of each, 1 or more
    RankPlacement(const FabricTopology& topology, uint32_t gpusPerHost);

    /// @param policy a name, or a list @param ranks how many @param draw of the policy `random`;
    /// may be null for others @return by rank: its place; FabricError where there is no room
    std::vector<RankPlace> Place(const std::string& policy,
                                 uint32_t ranks,
                                 const Ptr<UniformRandomVariable>& draw = nullptr) const;

    /// Take GPUs: other jobs get none of them. @param places of the ranks of a job
    void Take(const std::vector<RankPlace>& places);

    /// @return GPUs that are free
    uint32_t CountFree() const;

    /// @param places of ranks @return those on the first hosts in words: "host 0: 0 to 7; host 1:
    /// 8 to 15; and 62 more hosts"
    static std::string Describe(const std::vector<RankPlace>& places);

  private:
    /// FabricError unless there is room for so many. @param ranks how many
    void RequireRoom(uint32_t ranks) const;
    /// @return by host: its GPUs that are free
    std::vector<std::vector<uint32_t>> GetFree() const;
    /// @param order hosts, of which each takes the next rank that has a GPU left, again and again
    /// @param ranks how many @return their places
    std::vector<RankPlace> InTurn(const std::vector<HostId>& order, uint32_t ranks) const;
    /// @return the hosts, first one of each leaf, then the second one of each, and so on
    std::vector<HostId> LeafByLeaf() const;
    /// @param text hosts with commas between @param ranks how many @return their places
    std::vector<RankPlace> FromList(const std::string& text, uint32_t ranks) const;

    const FabricTopology& m_topology;
    uint32_t m_hosts;
    uint32_t m_gpus;
    std::set<std::pair<HostId, uint32_t>> m_taken; //!< GPUs of other jobs
};

} // namespace ns3

#endif // LOSSLESS_RANK_PLACEMENT_H
