// SPDX-License-Identifier: GPL-2.0-only
#include "mmu-test-util.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

using namespace ns3;

namespace
{

using Pauses = std::set<std::pair<uint32_t, uint32_t>>;

/// 2 ports of 10,000 cells of shared space: classes 3 and 4 of both are lossless.
class MmuPortLimitsTest : public testing::Test
{
  protected:
    MmuPortLimitsTest()
        : m_mmu(MakeMmu(2, 10000 + 4 * 50))
    {
        for (uint32_t port = 0; port < 2; ++port)
        {
            m_mmu->SetLossless(port, 3, 50);
            m_mmu->SetLossless(port, 4, 50);
        }
        m_mmu->SetAttribute("XonOffset", UintegerValue(10));
        m_mmu->SetAttribute("Alpha", DoubleValue(1));
        m_mmu->SetPauseSink(&m_sink);
    }

    /// The switch runs from now on.
    void Begin()
    {
        m_mmu->Finalize();
        m_sink.running = PeekPointer(m_mmu);
    }

    Ptr<SwitchMmu> m_mmu;
    RecordingSink m_sink;
};

} // namespace

TEST_F(MmuPortLimitsTest, IngressPausesAllLosslessClassesOfThePort)
{
    m_mmu->SetAttribute("PortLimit", UintegerValue(100));
    Begin();
    EXPECT_EQ(m_mmu->Admit(0, 3, 1, 3, 60).region, MmuRegion::SHARED);
    EXPECT_FALSE(m_mmu->Admit(0, 0, 1, 0, 30).xoff); // lossy frames count, too
    EXPECT_EQ(m_mmu->Admit(1, 3, 0, 3, 90).region, MmuRegion::SHARED);
    EXPECT_TRUE(m_sink.paused.empty());
    EXPECT_TRUE(m_mmu->Admit(0, 4, 1, 4, 10).xoff);
    EXPECT_EQ(m_sink.paused, (Pauses{{0, 3}, {0, 4}})); // not port 1
    EXPECT_EQ(m_mmu->Admit(0, 3, 1, 3, 20).region, MmuRegion::HEADROOM);
    EXPECT_EQ(m_mmu->Admit(0, 0, 1, 0, 1).reason, DropReason::INGRESS_LIMIT);
    EXPECT_EQ(m_mmu->GetPortLimits(0).shared, 100U);
    EXPECT_NE(m_mmu->Explain(0, 4).find("; limit of the port 100 B, its classes hold 100 B;"),
              std::string::npos);

    m_mmu->Release(0, 0, 1, 0, 9);
    EXPECT_EQ(m_sink.paused.size(), 2U); // 91 + XonOffset is above the limit
    m_mmu->Release(0, 0, 1, 0, 1);
    EXPECT_EQ(m_sink.paused, (Pauses{{0, 3}})); // class 3 has frames in headroom
    m_mmu->Release(0, 3, 1, 3, 20);
    EXPECT_TRUE(m_sink.paused.empty());
    EXPECT_EQ(m_mmu->CheckInvariants(), "");
}

TEST_F(MmuPortLimitsTest, EgressDropsLossyFramesAlone)
{
    m_mmu->SetAttribute("EgressPortLimit", UintegerValue(100));
    m_mmu->SetEgressGuaranteed(1, 1, 5);
    Begin();
    EXPECT_TRUE(m_mmu->Admit(0, 3, 1, 3, 80).accepted);
    EXPECT_TRUE(m_mmu->Admit(0, 0, 1, 0, 20).accepted);
    EXPECT_EQ(m_mmu->Admit(0, 0, 1, 0, 1).reason, DropReason::EGRESS_LIMIT);
    EXPECT_TRUE(m_mmu->Admit(0, 1, 1, 1, 5).accepted); // guaranteed to its queue
    EXPECT_TRUE(m_mmu->Admit(0, 3, 1, 3, 80).accepted);
    EXPECT_TRUE(m_mmu->Admit(1, 0, 0, 0, 100).accepted); // of the other port
    EXPECT_EQ(m_mmu->GetPortLimits(1).queued, 185U);
    m_mmu->Release(0, 3, 1, 3, 80);
    m_mmu->Release(0, 3, 1, 3, 80);
    EXPECT_TRUE(m_mmu->Admit(0, 0, 1, 0, 75).accepted);
    EXPECT_EQ(m_mmu->CheckInvariants(), "");
}

TEST_F(MmuPortLimitsTest, ChangesActAtOnce)
{
    Begin();
    EXPECT_TRUE(m_mmu->Admit(0, 3, 1, 3, 400).accepted);
    EXPECT_TRUE(m_mmu->Admit(0, 0, 1, 0, 300).accepted);
    m_mmu->SetPortLimit(0, 700);
    EXPECT_EQ(m_sink.paused, (Pauses{{0, 3}, {0, 4}}));
    m_mmu->SetPortLimit(0, 709);
    EXPECT_EQ(m_sink.paused.size(), 2U);
    m_mmu->SetPortLimit(0, 710);
    EXPECT_TRUE(m_sink.paused.empty());
    m_mmu->SetAttribute("PortLimit", UintegerValue(1));
    EXPECT_EQ(m_sink.paused, (Pauses{})); // port 0 has its own, and port 1 holds nothing
    m_mmu->SetPortLimit(0, 0);
    EXPECT_EQ(m_mmu->GetPortLimits(0).limit, MmuPortLimits::NONE);
    m_mmu->SetPortConfig(0, {});
    EXPECT_EQ(m_sink.paused, (Pauses{{0, 3}, {0, 4}})); // as the switch: 1 byte
    m_mmu->SetAttribute("PortLimit", UintegerValue(0));
    EXPECT_TRUE(m_sink.paused.empty());
    m_mmu->SetEgressPortLimit(1, 700);
    EXPECT_EQ(m_mmu->Admit(0, 0, 1, 0, 1).reason, DropReason::EGRESS_LIMIT);
    EXPECT_TRUE(m_sink.consistent);
}

TEST_F(MmuPortLimitsTest, APortMustBeThere)
{
    EXPECT_THROW(m_mmu->SetPortLimit(2, 100), std::invalid_argument);
    EXPECT_THROW(m_mmu->SetEgressPortLimit(2, 100), std::invalid_argument);
    EXPECT_THROW(m_mmu->GetPortConfig(2), std::invalid_argument);
}
