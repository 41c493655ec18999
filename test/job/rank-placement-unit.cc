// SPDX-License-Identifier: GPL-2.0-only

// Several jobs are placed on GPUs that are free.

#include "ns3/fabric-error.h"
#include "ns3/fabric-topology.h"
#include "ns3/rank-placement.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/// @param placement of a cluster @param policy likewise @param ranks how many @return where they
/// are, or why they are not
std::string
TextOf(const RankPlacement& placement, const std::string& policy, uint32_t ranks)
{
    try
    {
        return RankPlacement::Describe(placement.Place(policy, ranks));
    }
    catch (const FabricError& error)
    {
        return error.what();
    }
}

TEST(RankPlacementUnit, JobsShareNoGpu)
{
    const FabricLinkSpec link;
    const FabricTopology topology = FabricTopology::LeafSpine(2, 1, 2, link, link);
    RankPlacement two(topology, 2);
    EXPECT_EQ(two.CountFree(), 8U);
    two.Take(two.Place("packed", 3));
    EXPECT_EQ(two.CountFree(), 5U);
    EXPECT_EQ(TextOf(two, "packed", 3), "host 1: 0; host 2: 1 to 2");
    EXPECT_EQ(TextOf(two, "round-robin", 4), "host 1: 0; host 2: 1, 3; host 3: 2");
    EXPECT_EQ(TextOf(two, "spread", 4), "host 1: 1; host 2: 0, 3; host 3: 2");
    EXPECT_EQ(TextOf(two, "rail", 4), "host 2: 0 to 1; host 3: 2 to 3");
    EXPECT_EQ(TextOf(two, "list:3,1,3", 3), "host 1: 1; host 3: 0, 2");
    EXPECT_EQ(two.Place("list:1", 1).front().gpu, 1U) << "GPU 0 of host 1 has a rank";
    EXPECT_EQ(TextOf(two, "list:1,1", 2),
              "the placement has more than 1 ranks on host 1; as many as it has GPUs that no other "
              "job has");
    EXPECT_EQ(TextOf(two, "packed", 6), "6 ranks, and 5 GPUs that are free; a GPU for each rank");
    two.Take(two.Place("list:3", 1));
    EXPECT_EQ(TextOf(two, "rail", 4),
              "placement rail of 4 ranks, and 2 GPUs are on hosts that are free; a host for each "
              "2");
}

} // namespace
