// SPDX-License-Identifier: GPL-2.0-only

// What NS_LOG says, in builds that have it.

#include "mmu-test-util.h"

#include "ns3/log.h"

#include <gtest/gtest.h>
#include <iostream>
#include <sstream>
#include <string>

#ifdef NS3_LOG_ENABLE

using namespace ns3;

namespace
{

/// All that a component logs while this lives.
class Capture
{
  public:
    /// @param component its name
    explicit Capture(const std::string& component)
        : m_component(component),
          m_before(std::clog.rdbuf(m_text.rdbuf()))
    {
        LogComponentEnable(m_component.c_str(), LOG_LEVEL_ALL);
    }

    ~Capture()
    {
        LogComponentDisable(m_component.c_str(), LOG_LEVEL_ALL);
        std::clog.rdbuf(m_before);
    }

    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    /// @param words some text @return whether that was logged
    bool Has(const std::string& words) const
    {
        return m_text.str().find(words) != std::string::npos;
    }

    /// @return what was logged
    std::string Text() const
    {
        return m_text.str();
    }

  private:
    std::string m_component;
    std::ostringstream m_text;
    std::streambuf* m_before;
};

} // namespace

TEST(Log, SwitchMmuTellsPausesAndRefusals)
{
    auto mmu = MakeMmu(2, 10000);
    {
        const Capture settings("MmuSettings");
        mmu->SetLossless(0, 3, 150);
        EXPECT_TRUE(settings.Has("SetLossless(")) << settings.Text();
    }
    const Capture log("SwitchMmu");
    mmu->SetStaticThreshold(0, 3, 100);
    mmu->Finalize();
    EXPECT_FALSE(log.Has("XOFF")) << log.Text();
    EXPECT_TRUE(mmu->Admit(0, 3, 1, 3, 100).xoff);
    EXPECT_TRUE(log.Has("XOFF at port 0 class 3: 100 cells shared")) << log.Text();
    EXPECT_TRUE(mmu->Admit(0, 3, 1, 3, 100).accepted);
    EXPECT_FALSE(mmu->Admit(0, 3, 1, 3, 100).accepted);
    EXPECT_TRUE(log.Has("refused at port 0 class 3: ")) << log.Text();
    EXPECT_FALSE(log.Has("XON at")) << log.Text();
    mmu->Release(0, 3, 1, 3, 100);
    mmu->Release(0, 3, 1, 3, 100);
    EXPECT_TRUE(log.Has("XON at port 0 class 3: ")) << log.Text();
}

TEST(Log, ClassesWithStateHaveAComponent)
{
    const auto& components = *LogComponent::GetComponentList();
    for (const char* name :
         {"DeadlockDetector", "EcnTuner",        "FabricSwitch",    "ForwardingTable",
          "IccSwitch",        "InofHostAgent",   "InofSwitchAgent", "L2Tables",
          "NicReceiveBuffer", "NicWatchdog",     "PcnMarker",       "PfcWatchdog",
          "PolledWredMarker", "QbbChannel",      "QbbNetDevice",    "QbbStackPort",
          "RdmaDcqcn",        "RdmaHw",          "RdmaNscc",        "RdmaPcn",
          "RdmaQueuePair",    "RdmaRequester",   "RdmaResponder",   "RdmaSwift",
          "RdmaTimely",       "SwitchCnpSender", "SwitchHeadroom",  "SwitchMmu",
          "Tagger",           "WredEcnMarker"})
    {
        EXPECT_EQ(components.count(name), 1U) << name;
    }
}

#endif
