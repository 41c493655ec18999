// SPDX-License-Identifier: GPL-2.0-only

// What is set on the objects of a fabric takes effect: after FabricHelper has built, and at any
// time during the run, with frames stored.

#include "fabric-test-case.h"
#include "switch-test-star.h"
#include "wire-digest.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/wred-ecn-marker.h"

#include <functional>
#include <string>
#include <vector>

using namespace ns3;
using tests::WireDigest;

namespace
{

/// Call a function with each port of a fabric.
template <typename F>
void
ForEachPort(const Fabric& fabric, F use)
{
    const FabricTopology& topology = fabric.GetTopology();
    for (const NodeId node : topology.Nodes())
    {
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            use(*fabric.GetDevice(node, port));
        }
    }
}

/// One setting, in the two ways in which a user can make it.
struct Setting
{
    std::string name;                             //!< for messages
    std::function<void(FabricHelper&)> inHelper;  //!< before the build
    std::function<void(const Fabric&)> onObjects; //!< after the build
    bool isForRun{true};                          //!< whether it may change while frames are stored
};

/// @return a setting of all ports @param attribute of QbbNetDevice @param value its value
Setting
OfPorts(const std::string& attribute, const std::string& value)
{
    return {attribute,
            [=](FabricHelper& helper) { helper.SetLink(attribute, StringValue(value)); },
            [=](const Fabric& fabric) {
                ForEachPort(fabric, [&](QbbNetDevice& port) {
                    port.SetAttribute(attribute, StringValue(value));
                });
            }};
}

/// @return a setting of the switch @param attribute of FabricSwitch @param value its value
Setting
OfSwitch(const std::string& attribute, const std::string& value)
{
    return {attribute,
            [=](FabricHelper& helper) {
                helper.SetSwitch("ns3::FabricSwitch", attribute, StringValue(value));
            },
            [=](const Fabric& fabric) {
                fabric.GetSwitch(0)->SetAttribute(attribute, StringValue(value));
            }};
}

/// @return a setting of the buffer @param attribute of SwitchMmu @param value its value
Setting
OfMmu(const std::string& attribute, const std::string& value)
{
    return {attribute,
            [=](FabricHelper& helper) {
                helper.SetSwitch("ns3::SwitchMmu", attribute, StringValue(value));
            },
            [=](const Fabric& fabric) {
                fabric.GetSwitch(0)->GetMmu()->SetAttribute(attribute, StringValue(value));
            }};
}

/// @return a setting of the ECN marker @param attribute of WredEcnMarker @param value its value
Setting
OfMarker(const std::string& attribute, const std::string& value)
{
    return {attribute,
            [=](FabricHelper& helper) {
                helper.SetEcn("ns3::WredEcnMarker", attribute, StringValue(value));
            },
            [=](const Fabric& fabric) {
                fabric.GetSwitch(0)->GetEcnMarker()->SetAttribute(attribute, StringValue(value));
            }};
}

/// @return what the tests set
std::vector<Setting>
GetSettings()
{
    std::vector<Setting> settings{
        OfPorts("PfcReactionDelay", "2us"),
        OfPorts("FrameFormat", "Hpcc"),
        OfPorts("PfcQuanta", "200"),
        OfPorts("PfcRefreshInterval", "1us"),
        OfPorts("PfcDialect", "ShortQuanta"),
        OfPorts("PfcClasses", "24"),
        OfPorts("PfcEnabled", "false"),
        OfPorts("Mtu", "9000"),
        {"Delay",
         [](FabricHelper& helper) { helper.SetLink("Delay", StringValue("3us")); },
         [](const Fabric& fabric) {
             for (const LinkId link : fabric.GetTopology().Links())
             {
                 fabric.GetChannel(link)->SetAttribute("Delay", StringValue("3us"));
             }
         }},
        OfMmu("BufferSize", "3000000"),
        OfMmu("Alpha", "0.0625"),
        OfMmu("XonOffset", "20000"),
        OfMmu("GuaranteedBytes", "3000"),
        OfMmu("CellBytes", "256"),
        OfMarker("Kmin", "5000"),
        OfMarker("Kmax", "200000"),
        OfMarker("Pmax", "1"),
        OfMarker("Classes", "0"),
        OfSwitch("EcnEnabled", "false"),
        OfSwitch("MarkAt", "Enqueue"),
        OfSwitch("ReleaseAt", "LastBit"),
    };
    for (auto& setting : settings)
    {
        setting.isForRun = setting.name != "CellBytes";
    }
    return settings;
}

/// An incast of eight hosts, with pauses and marks.
class SettingsTestCase : public FabricTestCase
{
  public:
    explicit SettingsTestCase(const std::string& name)
        : FabricTestCase(name)
    {
    }

  protected:
    /// @param configure called before the build @param change called after the build
    /// @param at when to call it in the run; negative: before the run
    /// @return digest of what the ports sent
    uint64_t RunWith(const std::function<void(FabricHelper&)>& configure,
                     const std::function<void(const Fabric&)>& change,
                     Time at = Time(-1))
    {
        FabricHelper helper;
        helper.AllowLossy();
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", UintegerValue(2000000));
        configure(helper);
        const Fabric fabric = helper.Star(9);
        fabric.AssignStreams(0);
        RdmaFlowHelper flows(fabric);
        flows.AssignStreams(1000);
        flows.Incast(8, 0, 200000, Time(0));
        const WireDigest digest(fabric);
        if (at.IsNegative())
        {
            change(fabric);
        }
        else
        {
            Simulator::Schedule(at, [&] { change(fabric); });
        }
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        m_drops = fabric.GetSwitch(0)->GetLosslessDrops();
        ExpectSettled(fabric, m_where);
        const uint64_t sum = digest.Get();
        Simulator::Destroy();
        return sum;
    }

    std::string m_where; //!< of messages
    uint64_t m_drops{0}; //!< lossless drops of the latest run
};

/// After the build, a setting is as good as before it.
class AfterTheBuildTest : public SettingsTestCase
{
  public:
    AfterTheBuildTest()
        : SettingsTestCase("Settings: after the build, as before the build")
    {
    }

  private:
    void DoRun() override
    {
        const auto none = [](const auto&) {};
        const uint64_t unset = RunWith(none, none);
        for (const Setting& setting : GetSettings())
        {
            m_where = setting.name;
            const uint64_t before = RunWith(setting.inHelper, none);
            const uint64_t after = RunWith(none, setting.onObjects);
            NS_TEST_EXPECT_MSG_NE(before, unset, setting.name << " changes what is sent");
            NS_TEST_EXPECT_MSG_EQ(after, before, setting.name);
            NS_TEST_EXPECT_MSG_EQ(m_drops, 0, setting.name);
        }
    }
};

/// During the run a setting takes effect, and nothing that was promised is dropped.
class DuringTheRunTest : public SettingsTestCase
{
  public:
    DuringTheRunTest()
        : SettingsTestCase("Settings: during the run, with frames stored")
    {
    }

  private:
    void DoRun() override
    {
        const auto none = [](const auto&) {};
        const uint64_t unset = RunWith(none, none);
        for (const Setting& setting : GetSettings())
        {
            m_where = setting.name;
            if (!setting.isForRun)
            {
                NS_TEST_EXPECT_MSG_EQ(
                    RunWith(
                        none,
                        [&](const Fabric& fabric) { ExpectRefused(setting, fabric); },
                        MicroSeconds(40)),
                    unset,
                    setting.name << " is refused, and nothing has changed");
                continue;
            }
            for (const int64_t at : {10, 25, 40})
            {
                const uint64_t sum = RunWith(none, setting.onObjects, MicroSeconds(at));
                NS_TEST_EXPECT_MSG_NE(sum, unset, setting.name << " at " << at << " us");
                NS_TEST_EXPECT_MSG_EQ(m_drops, 0, setting.name << " at " << at << " us");
            }
        }
    }

    /// The setting is refused in one line.
    void ExpectRefused(const Setting& setting, const Fabric& fabric)
    {
        std::string refusal;
        try
        {
            setting.onObjects(fabric);
        }
        catch (const std::exception& error)
        {
            refusal = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(refusal.find(setting.name), std::string::npos, refusal);
    }
};

/// Each port classifies by its own map, and by a new one from the next frame on.
class OwnMapTest : public SwitchTestCase
{
  public:
    OwnMapTest()
        : SwitchTestCase("Settings: each port has its own class map, which may be replaced")
    {
    }

  private:
    void DoRun() override
    {
        Star star(4);
        auto& fabricSwitch = *star.fabricSwitch;
        const auto classOf = [&](uint32_t from) {
            const std::size_t before = star.host[3].arrivals.size();
            star.Send(from, 3, 1, 1, 1000); // DSCP 8
            Simulator::Stop(MicroSeconds(20));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(star.host[3].arrivals.size(), before + 1, "arrived");
            return +star.host[3].arrivals.back().cls;
        };
        for (uint32_t from : {0, 1, 2})
        {
            NS_TEST_EXPECT_MSG_EQ(classOf(from), 1, "the default map");
        }
        fabricSwitch.GetPort(1)->GetTrafficClassMap()->SetDscp(8, 5);
        NS_TEST_EXPECT_MSG_EQ(classOf(0), 1, "not the map of port 0");
        NS_TEST_EXPECT_MSG_EQ(classOf(1), 5, "the map of port 1");
        NS_TEST_EXPECT_MSG_EQ(classOf(2), 1, "not the map of port 2");

        // Port 0 has the map that equal ports may share in memory: it goes, and nobody looks at it.
        fabricSwitch.GetPort(0)->SetTrafficClassMap(CreateObject<TrafficClassMap>());
        fabricSwitch.GetPort(0)->GetTrafficClassMap()->SetAttribute("Trust",
                                                                    StringValue("Untrusted"));
        fabricSwitch.GetPort(0)->GetTrafficClassMap()->SetAttribute("DefaultClass",
                                                                    UintegerValue(6));
        NS_TEST_EXPECT_MSG_EQ(classOf(0), 6, "the new map of port 0");
        NS_TEST_EXPECT_MSG_EQ(classOf(1), 5, "as before");
        NS_TEST_EXPECT_MSG_EQ(classOf(2), 1, "as before");

        // One map for two ports: both follow.
        fabricSwitch.GetPort(2)->SetTrafficClassMap(fabricSwitch.GetPort(1)->GetTrafficClassMap());
        NS_TEST_EXPECT_MSG_EQ(classOf(2), 5, "the map of port 1");
        fabricSwitch.GetPort(1)->GetTrafficClassMap()->SetDscp(8, 4);
        NS_TEST_EXPECT_MSG_EQ(classOf(1), 4, "changed for both");
        NS_TEST_EXPECT_MSG_EQ(classOf(2), 4, "changed for both");
    }
};

/// PFC that is switched at one end tells the other end at once.
class PfcSwitchedTest : public SwitchTestCase
{
  public:
    PfcSwitchedTest()
        : SwitchTestCase("Settings: PFC off and on under a pause, at either end")
    {
    }

  private:
    void DoRun() override
    {
        Star star(3);
        auto& fabricSwitch = *star.fabricSwitch;
        fabricSwitch.GetMmu()->SetAttribute("BufferSize", UintegerValue(700000));
        // Host 1 holds port 1 of the switch, so that what host 0 sends stays in the buffer.
        star.nic[1]->OverridePause(1U << 3, 0);
        star.Send(0, 1, 3, 300, 1000);
        const auto run = [](int64_t us) {
            Simulator::Stop(MicroSeconds(us));
            Simulator::Run();
        };
        run(100);
        const auto isPaused = [&] { return (star.nic[0]->PausedMask() & 8) != 0; };
        NS_TEST_ASSERT_MSG_EQ(isPaused(), true, "the buffer is over its threshold");
        const uint64_t stored = fabricSwitch.GetMmu()->GetTotalUsed();

        // The issuer: the host hears XON, and no refresh follows.
        const auto& issuer = fabricSwitch.GetPort(0)->GetIssuer().Get(3);
        const uint64_t told = issuer.txXoff;
        fabricSwitch.GetPort(0)->SetPfcEnabled(false);
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetMmu()->IsLossless(0, 3), false, "lossy since then");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetMmu()->GetTotalUsed(), stored, "booked as before");
        run(3);
        NS_TEST_EXPECT_MSG_EQ(isPaused(), false, "XON has been told");
        NS_TEST_EXPECT_MSG_EQ(issuer.txXon, 1, "one XON");
        run(1000);
        NS_TEST_EXPECT_MSG_EQ(issuer.txXoff, told, "no refresh of a pause that is none");
        const uint64_t lossy = fabricSwitch.GetLossyDrops();
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetLosslessDrops(), 0, "none was lossless");

        // On again while the buffer is over its threshold: XOFF is told at once.
        fabricSwitch.GetPort(0)->SetPfcEnabled(true);
        star.Send(0, 1, 3, 300, 1000);
        run(100);
        NS_TEST_EXPECT_MSG_EQ(isPaused(), true, "XOFF has been told");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetLosslessDrops(), 0, "in time");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetLossyDrops(), lossy, "none is lossy");

        // The obeyer: it sends, and hears of the pause anew when it listens again.
        star.nic[0]->SetPfcEnabled(false);
        NS_TEST_EXPECT_MSG_EQ(isPaused(), false, "it does not obey");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.CheckLossless().empty(), false, "which a check names");
        star.nic[0]->SetPfcEnabled(true);
        run(3);
        NS_TEST_EXPECT_MSG_EQ(isPaused(), true, "it is told anew");

        star.nic[1]->OverridePause(0, 0);
        run(5000);
        NS_TEST_EXPECT_MSG_EQ(isPaused(), false, "all has been sent");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetMmu()->IsIdle(), true, "all has left");
    }
};

/// An XON does not overtake an XOFF, whatever becomes shorter in between.
class OrderKeptTest : public SwitchTestCase
{
  public:
    OrderKeptTest()
        : SwitchTestCase("Settings: a shorter cable or reaction delay keeps the order of frames")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool isCable : {true, false})
        {
            Star star(2);
            auto& port = *star.fabricSwitch->GetPort(0);
            star.channel[0]->SetDelay(MicroSeconds(isCable ? 10 : 1));
            star.nic[0]->SetPfcReactionDelay(MicroSeconds(isCable ? 0 : 10));
            port.SetPfcDialect(QbbNetDevice::ENDLESS_XOFF);
            star.nic[0]->SetPfcDialect(QbbNetDevice::ENDLESS_XOFF);
            Simulator::Schedule(MicroSeconds(1), [&] { port.RequestPause(3, true); });
            Simulator::Schedule(MicroSeconds(2), [&] {
                star.channel[0]->SetDelay(MicroSeconds(1));
                star.nic[0]->SetPfcReactionDelay(Time(0));
                port.RequestPause(3, false);
            });
            Simulator::Stop(MicroSeconds(100));
            Simulator::Run();
            const auto& counters = star.nic[0]->GetObeyer().Get(3);
            NS_TEST_EXPECT_MSG_EQ(counters.rxXoff, 1, "one XOFF");
            NS_TEST_EXPECT_MSG_EQ(counters.rxXon, 1, "one XON");
            NS_TEST_EXPECT_MSG_EQ(+star.nic[0]->PausedMask(), 0, "and no pause that stays");
            Simulator::Destroy();
        }
    }
};

/// A longer pause time reaches a peer whose pause is about to end.
class QuantaGrowTest : public SwitchTestCase
{
  public:
    QuantaGrowTest()
        : SwitchTestCase("Settings: an XOFF in force is told anew when pause times change")
    {
    }

  private:
    void DoRun() override
    {
        Star star(2);
        auto& port = *star.fabricSwitch->GetPort(0);
        port.SetPfcQuanta(1000); // 5.12 us, refreshed each 2.56 us
        Simulator::Schedule(MicroSeconds(1), [&] { port.RequestPause(3, true); });
        Simulator::Schedule(MicroSeconds(10), [&] { port.SetPfcQuanta(65535); });
        Simulator::Stop(MicroSeconds(2000));
        Simulator::Run();
        const auto& counters = star.nic[0]->GetObeyer().Get(3);
        NS_TEST_EXPECT_MSG_EQ(counters.pauses, 1, "one pause");
        NS_TEST_EXPECT_MSG_EQ(counters.expired, 0, "which never ended");
    }
};

/// What an owner cannot follow is refused, and nothing has changed.
class RefusedTest : public FabricTestCase
{
  public:
    RefusedTest()
        : FabricTestCase("Settings: refused in one line, and as before")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", UintegerValue(2000000));
        const Fabric fabric = helper.Star(3);
        RdmaFlowHelper flows(fabric);
        flows.Incast(2, 0, 100000, Time(0));
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        const auto nic = fabric.GetRdma(1)->GetDevice(0);
        Simulator::Schedule(MicroSeconds(5), [&] {
            const uint32_t pool = mmu->GetSharedPool();
            ExpectRefusal([&] { mmu->SetAttribute("BufferSize", UintegerValue(100000)); },
                          "short of");
            NS_TEST_EXPECT_MSG_EQ(mmu->GetBufferSize(), 2000000, "as before");
            NS_TEST_EXPECT_MSG_EQ(mmu->GetSharedPool(), pool, "as before");
            ExpectRefusal([&] { mmu->SetLossless(0, 5, 5000000); }, "short of");
            NS_TEST_EXPECT_MSG_EQ(mmu->IsLossless(0, 5), false, "as before");
            ExpectRefusal([&] { nic->SetDataRate(DataRate("50Gbps")); }, "queue pair");
            NS_TEST_EXPECT_MSG_EQ(nic->GetDataRate(), DataRate("100Gbps"), "as before");
            ExpectRefusal([&] { nic->SetMtu(500); }, "MTU");
            NS_TEST_EXPECT_MSG_GT(nic->GetMtu(), 1000, "as before");
            const auto channel = fabric.GetChannel(LinkId(0));
            ExpectRefusal([&] { channel->SetDelay(MilliSeconds(1)); }, "short of");
            NS_TEST_EXPECT_MSG_EQ(channel->GetDelay(), MicroSeconds(1), "as before");
            const auto marker = fabric.GetSwitch(0)->GetEcnMarker();
            ExpectRefusal([&] { marker->SetAttribute("Kmin", UintegerValue(900000)); }, "Kmin");
            UintegerValue kmin;
            marker->GetAttribute("Kmin", kmin);
            NS_TEST_EXPECT_MSG_EQ(kmin.Get(), 100000, "as before");
        });
        Simulator::Run();
        ExpectClean(fabric);
    }

    /// Expect std::invalid_argument with a text in its message.
    template <typename F>
    void ExpectRefusal(F call, const std::string& text)
    {
        std::string refusal;
        try
        {
            call();
        }
        catch (const std::invalid_argument& error)
        {
            refusal = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(refusal.find(text), std::string::npos, "says: " << refusal);
        NS_TEST_EXPECT_MSG_EQ(refusal.find('\n'), std::string::npos, "one line");
    }
};

/// The suite.
class SettingsTestSuite : public TestSuite
{
  public:
    SettingsTestSuite()
        : TestSuite("lossless-settings", Type::SYSTEM)
    {
        AddTestCase(new AfterTheBuildTest);
        AddTestCase(new DuringTheRunTest);
        AddTestCase(new OwnMapTest);
        AddTestCase(new PfcSwitchedTest);
        AddTestCase(new OrderKeptTest);
        AddTestCase(new QuantaGrowTest);
        AddTestCase(new RefusedTest);
    }
};

SettingsTestSuite g_settingsTestSuite;

} // namespace
