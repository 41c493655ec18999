// SPDX-License-Identifier: GPL-2.0-only

// What is set on the objects of a fabric takes effect: after FabricHelper has built, and at any
// time during the run, with frames stored.

#include "fabric-test-case.h"
#include "switch-test-star.h"
#include "wire-digest.h"

#include "ns3/wred-ecn-marker.h"

using namespace ns3;
using tests::WireDigest;

namespace
{

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
        fabricSwitch.GetPort(0)->SetPfcEnabled(false);
        star.nic[0]->SetPfcEnabled(false);
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
};

/// PFC needs a trusted field of frames, at both ends of the links of a switch.
class TrustTest : public FabricTestCase
{
  public:
    TrustTest()
        : FabricTestCase("Settings: PFC of ports that trust no field is refused")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string place : {"all", "switches", "hosts", "switch 0 port 1", "host 1"})
        {
            FabricHelper helper;
            helper.At(place).Set("ns3::TrafficClassMap::Trust", StringValue("Untrusted"));
            ExpectError([&] { helper.Star(3); }, "Trust Untrusted");
            Simulator::Destroy();
        }
        FabricHelper lossy;
        lossy.AllowLossy(); // it allows loss, and no PFC that stands for nothing
        lossy.At("all").Set("ns3::TrafficClassMap::Trust", StringValue("Untrusted"));
        const Fabric unable = lossy.Star(3);
        FabricRun run(unable);
        ExpectError([&] { run.Execute(); }, "Trust Untrusted");
        Simulator::Destroy();

        FabricHelper helper;
        helper.At("all").Set("ns3::TrafficClassMap::Trust", StringValue("Untrusted"));
        helper.At("all").Set("ns3::QbbNetDevice::PfcEnabled", BooleanValue(false));
        const Fabric fabric = helper.Star(3);
        const auto port = fabric.GetSwitch(0)->GetPort(1);
        const auto nic = fabric.GetRdma(1)->GetDevice(0);
        const auto turn = [&] {
            for (const auto& end : {port, nic})
            {
                ExpectRefusal([&] { end->SetPfcEnabled(true); }, "Trust Untrusted");
                NS_TEST_EXPECT_MSG_EQ(end->GetPfcEnabled(), false, "as before");
                end->GetTrafficClassMap()->SetTrust(TrafficClassMap::DOT1P);
                end->SetPfcEnabled(true);
                ExpectRefusal(
                    [&] { end->GetTrafficClassMap()->SetTrust(TrafficClassMap::UNTRUSTED); },
                    "Trust Untrusted");
                NS_TEST_EXPECT_MSG_EQ(end->GetTrafficClassMap()->GetTrust(),
                                      TrafficClassMap::DOT1P,
                                      "as before");
            }
        };
        Simulator::Schedule(MicroSeconds(1), turn);
        Simulator::Run();
    }
};

/// The suite.
class SettingsTestSuite : public TestSuite
{
  public:
    SettingsTestSuite()
        : TestSuite("lossless-settings", Type::SYSTEM)
    {
        AddTestCase(new OwnMapTest);
        AddTestCase(new PfcSwitchedTest);
        AddTestCase(new OrderKeptTest);
        AddTestCase(new QuantaGrowTest);
        AddTestCase(new RefusedTest);
        AddTestCase(new TrustTest);
    }
};

SettingsTestSuite g_settingsTestSuite;

} // namespace
