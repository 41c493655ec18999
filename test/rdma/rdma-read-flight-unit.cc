// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-read-flight.h"

#include <gtest/gtest.h>

namespace
{

using ns3::RdmaReadFlight;

constexpr uint32_t MTU = 1000;

/// Send the responses of a READ.
void
Send(RdmaReadFlight& flight, uint64_t first, uint64_t bytes)
{
    for (; bytes > MTU; bytes -= MTU)
    {
        flight.Add(first++, MTU, MTU);
    }
    flight.Add(first, bytes, MTU);
}

TEST(RdmaReadFlight, CountsWhatIsNotAcknowledged)
{
    RdmaReadFlight flight;
    Send(flight, 10, 2500); // 10..12
    Send(flight, 13, 2000); // 13, 14
    Send(flight, 20, 10);   // other requests have 15..19
    EXPECT_EQ(flight.Bytes(), 4510U);
    EXPECT_EQ(flight.Sent(), 6U);
    EXPECT_EQ(flight.Next(), 21U);
    EXPECT_EQ(flight.Acknowledge(10), 0U);
    EXPECT_EQ(flight.Acknowledge(12), 2000U);
    EXPECT_EQ(flight.Acknowledge(12), 0U);
    EXPECT_EQ(flight.Acknowledge(14), 1500U);
    EXPECT_EQ(flight.Acknowledge(18), 1000U);
    EXPECT_EQ(flight.Acknowledged(), 5U);
    EXPECT_EQ(flight.Acknowledge(99), 10U);
    EXPECT_EQ(flight.Bytes(), 0U);
    EXPECT_EQ(flight.Acknowledged(), 6U);
}

TEST(RdmaReadFlight, WhatIsSentAgainIsInFlightOnce)
{
    RdmaReadFlight flight;
    Send(flight, 0, 4500);   // 0..4
    Send(flight, 5, 3000);   // 5..7
    flight.Add(3, MTU, MTU); // resent alone: it is counted already
    EXPECT_EQ(flight.Bytes(), 7500U);
    EXPECT_EQ(flight.Sent(), 8U);
    EXPECT_EQ(flight.Acknowledge(2), 2000U);
    flight.SendAgain(4);
    EXPECT_EQ(flight.Bytes(), 2000U);
    EXPECT_EQ(flight.Sent(), 4U);
    EXPECT_EQ(flight.Next(), 4U);
    Send(flight, 4, 500);
    Send(flight, 5, 3000);
    EXPECT_EQ(flight.Bytes(), 5500U);
    EXPECT_EQ(flight.Acknowledge(8), 5500U);
    flight.SendAgain(0); // go-back-0 goes back behind what was acknowledged
    EXPECT_EQ(flight.Bytes(), 0U);
    EXPECT_EQ(flight.Sent(), flight.Acknowledged());
    EXPECT_EQ(flight.Next(), 0U);
    Send(flight, 0, 1000);
    EXPECT_EQ(flight.Bytes(), 1000U);
}

} // namespace
