// SPDX-License-Identifier: GPL-2.0-only
//
// ECN of tunnels: the whole table of RFC 6040, normal mode.
#include "ns3/tunnel-ecn.h"

#include <array>
#include <gtest/gtest.h>
#include <optional>

using namespace ns3;

namespace
{

constexpr std::array<Ecn, 4> CODE_POINTS{Ecn::NOT_ECT, Ecn::ECT0, Ecn::ECT1, Ecn::CE};

} // namespace

TEST(TunnelEcn, TheOuterHeaderBeginsAsTheInnerOneIs)
{
    for (const Ecn inner : CODE_POINTS)
    {
        EXPECT_EQ(EnterTunnelEcn(inner), inner);
    }
}

TEST(TunnelEcn, LeavingIsFigure4OfRfc6040)
{
    // Rows: inner Not-ECT, ECT(0), ECT(1), CE; columns: outer in the same order.
    const std::optional<Ecn> drop;
    const std::array<std::array<std::optional<Ecn>, 4>, 4> figure{
        {{Ecn::NOT_ECT, Ecn::NOT_ECT, Ecn::NOT_ECT, drop},
         {Ecn::ECT0, Ecn::ECT0, Ecn::ECT1, Ecn::CE},
         {Ecn::ECT1, Ecn::ECT1, Ecn::ECT1, Ecn::CE},
         {Ecn::CE, Ecn::CE, Ecn::CE, Ecn::CE}}};
    for (std::size_t inner = 0; inner < 4; ++inner)
    {
        for (std::size_t outer = 0; outer < 4; ++outer)
        {
            EXPECT_EQ(LeaveTunnelEcn(CODE_POINTS[inner], CODE_POINTS[outer]), figure[inner][outer])
                << "inner " << inner << ", outer " << outer;
        }
    }
}

TEST(TunnelEcn, AnUnmarkedTunnelChangesNothing)
{
    for (const Ecn inner : CODE_POINTS)
    {
        EXPECT_EQ(LeaveTunnelEcn(inner, EnterTunnelEcn(inner)), inner);
    }
}
