// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/rdma-fixed-window.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;

namespace
{

RdmaFlowState
State()
{
    RdmaFlowState state;
    state.lineRate = 100e9;
    state.mtuBytes = 1024;
    state.baseRttPs = 12000000;
    return state;
}

} // namespace

TEST(RdmaFixedWindow, BandwidthDelayProduct)
{
    auto fixed = CreateObject<RdmaFixedWindow>();
    auto state = State();
    fixed->Init(state, 0);
    EXPECT_EQ(state.window, 150000);
    EXPECT_EQ(state.rate, 100e9);
    EXPECT_EQ(fixed->GetHooks(), 0);
    EXPECT_FALSE(fixed->OnMarkedData(0));
    EXPECT_EQ(fixed->NextTimer(), RdmaCongestionOps::NEVER);
}

TEST(RdmaFixedWindow, AttributeWinsAndStays)
{
    auto fixed = CreateObject<RdmaFixedWindow>();
    fixed->SetAttribute("Window", UintegerValue(4096));
    auto state = State();
    fixed->Init(state, 0);
    fixed->OnCnp(state, 0);
    fixed->OnTimeout(state, 0);
    EXPECT_EQ(state.window, 4096);
    EXPECT_EQ(state.rate, 100e9);
}

TEST(RdmaFixedWindow, NeedsTheRoundTripOrAWindow)
{
    auto fixed = CreateObject<RdmaFixedWindow>();
    auto state = State();
    state.baseRttPs = 0;
    EXPECT_THROW(fixed->Init(state, 0), std::invalid_argument);
}
