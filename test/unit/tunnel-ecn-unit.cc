// SPDX-License-Identifier: GPL-2.0-only

// ECN across tunnels: the whole table of RFC 6040, figure 4.

#include "ns3/tunnel-ecn.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::tunnel_ecn;

namespace
{

constexpr Ecn NOT = Ecn::NOT_ECT;
constexpr Ecn E0 = Ecn::ECT0;
constexpr Ecn E1 = Ecn::ECT1;
constexpr Ecn CE = Ecn::CE;

} // namespace

TEST(TunnelEcn, Decapsulation)
{
    const Ecn outers[] = {NOT, E0, E1, CE};

    const struct
    {
        Ecn inner;
        Ecn result[4];
    } table[] = {
        {NOT, {NOT, NOT, NOT, NOT}}, // the last is dropped
        {E0, {E0, E0, E1, CE}},
        {E1, {E1, E1, E1, CE}},
        {CE, {CE, CE, CE, CE}},
    };

    for (const auto& row : table)
    {
        for (int i = 0; i < 4; ++i)
        {
            const auto result = Decapsulate(row.inner, outers[i]);
            EXPECT_EQ(result.drop, row.inner == NOT && outers[i] == CE) << i;
            EXPECT_EQ(result.ecn, row.result[i]) << int(row.inner) << " " << i;
        }
    }
}

TEST(TunnelEcn, EncapsulationCopiesMarksToo)
{
    for (const Ecn ecn : {NOT, E0, E1, CE})
    {
        EXPECT_EQ(Encapsulate(ecn), ecn);
        EXPECT_EQ(Decapsulate(ecn, Encapsulate(ecn)).ecn, ecn); // nothing happens on the way
        EXPECT_FALSE(Decapsulate(ecn, Encapsulate(ecn)).drop);
    }
}

TEST(TunnelEcn, SourcePort)
{
    EXPECT_EQ(SourcePort(0), 0xc000);
    EXPECT_EQ(SourcePort(0xffffffff), 0xffff);
    EXPECT_EQ(SourcePort(0x12345678), 0xd678);
    EXPECT_EQ(VXLAN_OVERHEAD_BYTES, 50U);
}
