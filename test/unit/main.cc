// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/nstime.h"

#include <gtest/gtest.h>

int
main(int argc, char* argv[])
{
    // Before any Time is kept, as in every program: ns-3 cannot change it safely later.
    ns3::Time::SetResolution(ns3::Time::PS);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
