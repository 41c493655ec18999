// SPDX-License-Identifier: GPL-2.0-only

// QCN's feedback against numeric vectors computed by hand.

#include "ns3/qcn-feedback.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3;

TEST(QcnFeedback, Vectors)
{
    const QcnFeedback qcn;
    EXPECT_EQ(qcn.Raw(30000, 20000), -24000);
    EXPECT_EQ(qcn.Quantise(-24000), 12);
    EXPECT_EQ(qcn.Raw(60000, 30000), -94000);
    EXPECT_EQ(qcn.Quantise(-94000), 46);
    EXPECT_EQ(qcn.Raw(20000, 26000), 18000);
    EXPECT_EQ(qcn.Quantise(18000), 0); // no message
}

TEST(QcnFeedback, SaturatesAtSixBits)
{
    const QcnFeedback qcn;
    EXPECT_EQ(qcn.Quantise(-130000), 63);
    EXPECT_EQ(qcn.Quantise(-9000000), 63);
    EXPECT_EQ(qcn.Quantise(0), 0);
    EXPECT_EQ(qcn.Quantise(-1), 0);
}

TEST(QcnFeedback, SamplesRememberTheQueue)
{
    QcnFeedback qcn;
    EXPECT_EQ(qcn.Sample(20000), 16); // from empty: -(-6000 + 2 * 20000) = -34000
    EXPECT_EQ(qcn.Sample(30000), 12);
    EXPECT_EQ(qcn.Sample(30000), 2); // no growth: -4000
    EXPECT_EQ(qcn.Sample(10000), 0);
}

TEST(QcnFeedback, CutOfTheReactionPoint)
{
    EXPECT_DOUBLE_EQ(QcnFeedback::Cut(10e9, 64 / 2), 7.5e9);
    EXPECT_DOUBLE_EQ(QcnFeedback::Cut(10e9, 63), 10e9 * 65 / 128); // never more than half
    EXPECT_DOUBLE_EQ(QcnFeedback::Cut(10e9, 0), 10e9);
}

TEST(QcnFeedback, BadConstantsAreRefused)
{
    EXPECT_THROW(QcnFeedback(0), std::invalid_argument);
    EXPECT_THROW(QcnFeedback(26000, -1), std::invalid_argument);
}
