// SPDX-License-Identifier: GPL-2.0-only

// Timed behaviour of a link: serialisation, PFC pause and refresh, cuts (IEEE 802.1Qbb).

#include "port-test-case.h"

#include "ns3/boolean.h"
#include "ns3/error-model.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Feeds a port with frames from its queues, and notes what arrives.
class TestOwner : public QueuePortOwner
{
  public:
    /// What arrived, and when.
    struct Arrival
    {
        Time at;        //!< last bit
        uint8_t cls;    //!< class
        uint32_t bytes; //!< frame bytes
    };

    void FrameArrived(QbbNetDevice&, Frame* frame) override
    {
        arrivals.push_back({Simulator::Now(), frame->trafficClass, frame->bytes});
        frame->Release();
    }

    void FrameFlushed(QbbNetDevice&, Frame*, DropReason) override
    {
        ++flushed;
    }

    std::vector<Arrival> arrivals; //!< in order
    uint32_t flushed{0};           //!< frames thrown away on link down
};

using TestLink = PortPair<TestOwner>;

class SerialisationTest : public PortTestCase
{
  public:
    SerialisationTest()
        : PortTestCase("Frames arrive after serialisation and propagation, back to back")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("400Gbps", MicroSeconds(1));
        Simulator::Schedule(NanoSeconds(10), [&] { link.Send(3, 1000, 1062); });
        Simulator::Run();
        const auto& got = link.owner[1].arrivals;
        NS_TEST_ASSERT_MSG_EQ(got.size(), 1000, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(got[0].at, NanoSeconds(1010) + PicoSeconds(1082 * 20), "first");
        NS_TEST_EXPECT_MSG_EQ(got[999].at, NanoSeconds(1010) + PicoSeconds(1082 * 20000), "last");
        NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount(), 2010, "at most two events a frame");
    }
};

/// What comes at the very time at which a transmission ends, due before it began.
class TieTest : public PortTestCase
{
  public:
    /// @param transmitter attribute Transmitter @param next class that leaves next
    TieTest(const std::string& transmitter, uint8_t next)
        : PortTestCase("The end of a transmission and arrivals at one time: " + transmitter),
          m_transmitter(transmitter),
          m_next(next)
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("100Gbps", MicroSeconds(1));
        link.port[0]->SetAttribute("Transmitter", StringValue(m_transmitter));
        const Time end = PicoSeconds(1082 * 80);
        Simulator::Schedule(end, [&] { link.Send(3, 1, 1062); });
        Simulator::Schedule(end, [&] { link.Send(5, 1, 1062); }); // goes before class 3
        Simulator::Schedule(Time(0), [&] { link.Send(3, 1, 1062); });
        Simulator::Run();
        const auto& got = link.owner[1].arrivals;
        NS_TEST_ASSERT_MSG_EQ(got.size(), 3, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(+got[1].cls, +m_next, "second");
        for (uint32_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(got[i].at, MicroSeconds(1) + (i + 1) * end, "back to back");
        }
    }

    std::string m_transmitter;
    uint8_t m_next;
};

class PauseTest : public PortTestCase
{
  public:
    PauseTest()
        : PortTestCase("A pause of 977 quanta blocks its class for 5.00224 us and no other")
    {
    }

  private:
    /// @return the address of a port, its name in the traces
    static std::string Name(const QbbNetDevice& port)
    {
        std::ostringstream name;
        name << port.GetAddress();
        return name.str();
    }

    /// Write what the PFC traces of a port say.
    static void Trace(QbbNetDevice& port, std::string& out)
    {
        for (const auto& [source, verb] :
             {std::pair{"PfcTx", " tells "}, std::pair{"PfcRx", " obeys "}})
        {
            const Callback<void, const QbbNetDevice&, uint32_t, uint16_t> sink(
                [&out, verb = verb](const QbbNetDevice& at, uint32_t cls, uint16_t quanta) {
                    out +=
                        Name(at) + verb + std::to_string(cls) + " " + std::to_string(quanta) + ", ";
                });
            port.TraceConnectWithoutContext(source, sink);
        }
        const Callback<void, const QbbNetDevice&, uint32_t, bool> sink(
            [&out](const QbbNetDevice& at, uint32_t cls, bool paused) {
                out += Name(at) + (paused ? " pauses " : " opens ") + std::to_string(cls) + ", ";
            });
        port.TraceConnectWithoutContext("PauseState", sink);
    }

    void DoRun() override
    {
        TestLink link("100Gbps", Time(0));
        // Tell end 0 to pause class 3; the frame takes 6.72 ns.
        link.port[1]->SetAttribute("PfcQuanta", UintegerValue(977));
        link.port[1]->SetAttribute("PfcRefreshInterval", TimeValue(Time(0)));
        std::string traces;
        for (const auto& port : link.port)
        {
            Trace(*port, traces);
        }
        Simulator::Schedule(Time(0), [&] { link.port[1]->RequestPause(3, true); });
        Simulator::Schedule(NanoSeconds(100), [&] {
            link.Send(3, 1, 1230); // 1250 wire bytes: 100 ns
            link.Send(5, 1, 1230);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((traces == Name(*link.port[1]) + " tells 3 977, " +
                                             Name(*link.port[0]) + " obeys 3 977, " +
                                             Name(*link.port[0]) + " pauses 3, " +
                                             Name(*link.port[0]) + " opens 3, "),
                              true,
                              "traces with their ports: " << traces);
        const auto& got = link.owner[1].arrivals;
        NS_TEST_ASSERT_MSG_EQ(got.size(), 2, "both arrive");
        NS_TEST_EXPECT_MSG_EQ(+got[0].cls, 5, "the other class is not held up");
        NS_TEST_EXPECT_MSG_EQ(got[0].at, NanoSeconds(200), "at once");
        NS_TEST_EXPECT_MSG_EQ(got[1].at,
                              PicoSeconds(6720 + 5002240) + NanoSeconds(100),
                              "exactly the pause");
        NS_TEST_EXPECT_MSG_EQ(link.port[0]->GetObeyer().Get(3).expired, 1, "by expiry");
    }
};

class ReactionTest : public PortTestCase
{
  public:
    ReactionTest()
        : PortTestCase("A pause takes effect after the reaction delay; a frame in progress ends")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("100Gbps", Time(0));
        link.port[0]->SetAttribute("PfcReactionDelay", TimeValue(NanoSeconds(250)));
        Simulator::Schedule(Time(0), [&] {
            link.Send(3, 10, 1230); // one each 100 ns
            link.port[1]->RequestPause(3, true);
        });
        Simulator::Schedule(MicroSeconds(2), [&] { link.port[1]->RequestPause(3, false); });
        Simulator::Run();
        const auto& got = link.owner[1].arrivals;
        NS_TEST_ASSERT_MSG_EQ(got.size(), 10, "all arrive in the end");
        NS_TEST_EXPECT_MSG_EQ(got[2].at, NanoSeconds(300), "begun before 256.72 ns");
        NS_TEST_EXPECT_MSG_EQ(got[3].at,
                              MicroSeconds(2) + PicoSeconds(6720) + NanoSeconds(350),
                              "resumed by XON, after the delay");
    }
};

class RefreshTest : public PortTestCase
{
  public:
    RefreshTest()
        : PortTestCase("An XOFF held for 1 ms is refreshed five times and nothing is sent")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("100Gbps", MicroSeconds(1));
        Simulator::Schedule(Time(0), [&] { link.port[1]->RequestPause(3, true); });
        Simulator::Schedule(MicroSeconds(5), [&] { link.Send(3, 1, 1062); });
        Simulator::Schedule(MilliSeconds(1), [&] {
            NS_TEST_EXPECT_MSG_EQ(link.port[1]->GetIssuer().Get(3).txXoff, 6, "1 and 5 refreshes");
            NS_TEST_EXPECT_MSG_EQ(link.port[1]->GetIssuer().Get(3).txRefresh, 5, "refreshes");
            NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrivals.size(), 0, "nothing sent");
            link.port[1]->RequestPause(3, false);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrivals.size(), 1, "sent after XON");
        NS_TEST_EXPECT_MSG_EQ(link.port[0]->GetObeyer().Get(3).pauses, 1, "one pause");
        NS_TEST_EXPECT_MSG_EQ(link.port[0]->GetObeyer().Get(3).expired, 0, "never expired");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(1200), "no timer runs on");
    }
};

class LostXonTest : public PortTestCase
{
  public:
    LostXonTest()
        : PortTestCase("Pitfall 9: a lost XON stalls for the rest of the quanta only")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("100Gbps", MicroSeconds(1));
        auto errors = CreateObject<ReceiveListErrorModel>();
        errors->SetList({1}); // the second frame that end 0 receives: the XON
        link.port[0]->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        Simulator::Schedule(Time(0), [&] { link.port[1]->RequestPause(3, true); });
        Simulator::Schedule(MicroSeconds(5), [&] { link.Send(3, 1, 1062); });
        Simulator::Schedule(MicroSeconds(10), [&] { link.port[1]->RequestPause(3, false); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(link.owner[1].arrivals.size(), 1, "not stalled for ever");
        NS_TEST_EXPECT_MSG_EQ(link.port[0]->GetObeyer().Get(3).expired, 1, "the pause expired");
        NS_TEST_EXPECT_MSG_EQ(
            link.port[0]->GetCounters().drops[static_cast<size_t>(DropReason::CORRUPTED)],
            1,
            "the XON");
    }
};

class PfcOffTest : public PortTestCase
{
  public:
    PfcOffTest()
        : PortTestCase("A port with PFC off neither issues nor obeys")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("100Gbps", MicroSeconds(1));
        link.port[0]->SetAttribute("PfcEnabled", BooleanValue(false));
        Simulator::Schedule(Time(0), [&] {
            link.port[1]->RequestPause(3, true);
            link.port[0]->RequestPause(3, true);
        });
        Simulator::Schedule(MicroSeconds(5), [&] { link.Send(3, 1, 1230); });
        Simulator::Schedule(MicroSeconds(7), [&] { link.port[1]->RequestPause(3, false); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(link.owner[1].arrivals.size(), 1, "sent");
        NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrivals[0].at,
                              MicroSeconds(6) + NanoSeconds(100),
                              "not paused");
        NS_TEST_EXPECT_MSG_EQ(link.port[0]->GetIssuer().Get(3).txXoff, 0, "not issued");
    }
};

class CutTest : public PortTestCase
{
  public:
    CutTest()
        : PortTestCase("A cut loses what is in flight, flushes what is queued, forgets pauses")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("100Gbps", MicroSeconds(1));
        Simulator::Schedule(Time(0), [&] { link.Send(3, 30, 1230); });
        Simulator::Schedule(NanoSeconds(50), [&] { link.port[1]->RequestPause(5, true); });
        // 1.05 us: the first frame is 50 ns short of its end, 10 are sent, 11th in progress.
        Simulator::Schedule(NanoSeconds(1050), [&] { link.channel->SetUp(false); });
        Simulator::Schedule(NanoSeconds(1060), [&] { link.channel->SetUp(true); });
        Simulator::Schedule(NanoSeconds(3000), [&] { link.Send(5, 1, 1230); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.owner[0].flushed, 19, "what was queued");
        NS_TEST_ASSERT_MSG_EQ(link.owner[1].arrivals.size(), 1, "only the frame after the repair");
        NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrivals[0].at, NanoSeconds(4100), "not paused");
    }
};

/// A pause that was on its way into effect when the cable was cut is forgotten with all others.
class CutReactionTest : public PortTestCase
{
  public:
    CutReactionTest()
        : PortTestCase("A cut and mend during the reaction delay forgets the pause")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("100Gbps", Time(0));
        for (uint32_t end = 0; end < 2; ++end)
        {
            link.port[end]->SetAttribute("PfcDialect", StringValue("EndlessXoff"));
        }
        link.port[0]->SetAttribute("PfcReactionDelay", TimeValue(MicroSeconds(1)));
        Simulator::Schedule(Time(0), [&] { link.port[1]->RequestPause(3, true); });
        Simulator::Schedule(NanoSeconds(500), [&] { link.channel->SetUp(false); });
        Simulator::Schedule(NanoSeconds(600), [&] { link.channel->SetUp(true); });
        Simulator::Schedule(NanoSeconds(2000), [&] { link.Send(3, 1, 1230); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrivals.size(), 1, "not paused for ever");
    }
};

class FlushTest : public PortTestCase
{
  public:
    FlushTest()
        : PortTestCase("A class is flushed, another is not, and pauses are ignored on demand")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("100Gbps", MicroSeconds(1));
        Simulator::Schedule(Time(0), [&] { link.port[1]->RequestPause(3, true); });
        Simulator::Schedule(MicroSeconds(2), [&] {
            link.Send(3, 5, 1230);
            link.Send(5, 3, 1230); // the first of them is on its way at once
            NS_TEST_EXPECT_MSG_EQ(link.port[0]->FlushClass(3, DropReason::WATCHDOG), 5, "paused");
            NS_TEST_EXPECT_MSG_EQ(link.port[0]->FlushClass(5, DropReason::WATCHDOG), 2, "queued");
            NS_TEST_EXPECT_MSG_EQ(link.port[0]->FlushClass(5, DropReason::WATCHDOG), 0, "empty");
            link.port[0]->SetPfcIgnored(1 << 3);
            link.Send(3, 1, 1230);
        });
        Simulator::Schedule(MicroSeconds(9), [&] { link.port[1]->RequestPause(3, false); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.owner[0].flushed, 7, "the owner is told");
        const auto& drops = link.port[0]->GetCounters().drops;
        NS_TEST_EXPECT_MSG_EQ(drops[static_cast<size_t>(DropReason::WATCHDOG)], 7, "counted");
        const auto& got = link.owner[1].arrivals;
        NS_TEST_ASSERT_MSG_EQ(got.size(), 2, "what was not flushed");
        NS_TEST_EXPECT_MSG_EQ(+got[1].cls, 3, "in spite of the pause");
        NS_TEST_EXPECT_MSG_EQ(got[1].at, MicroSeconds(3) + NanoSeconds(200), "at once");
    }
};

class StuckTest : public PortTestCase
{
  public:
    StuckTest()
        : PortTestCase("A stuck port pauses its peer for ever, across a cut, until it is muted")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("100Gbps", MicroSeconds(1));
        Simulator::Schedule(Time(0), [&] { link.port[1]->OverridePause(1 << 3, 0); });
        Simulator::Schedule(MilliSeconds(1), [&] {
            link.Send(3, 1, 1230);
            NS_TEST_EXPECT_MSG_EQ(link.port[1]->GetIssuer().Get(3).txXoff, 6, "5 refreshes");
        });
        Simulator::Schedule(MilliSeconds(2), [&] {
            link.channel->SetUp(false);
            link.channel->SetUp(true);
        });
        Simulator::Schedule(MicroSeconds(2003), [&] {
            NS_TEST_EXPECT_MSG_EQ(+link.port[0]->PausedMask(), 1 << 3, "after the cut");
            link.Send(3, 1, 1230);
        });
        Simulator::Schedule(MilliSeconds(3), [&] { link.port[1]->OverridePause(1 << 3, 1 << 3); });
        Simulator::Run();
        const auto& got = link.owner[1].arrivals;
        NS_TEST_ASSERT_MSG_EQ(got.size(), 1, "the other was flushed by the cut");
        NS_TEST_EXPECT_MSG_GT(got[0].at, MilliSeconds(3), "not before");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(3400), "no timer runs on");
    }
};

/// Loses the frames of a class.
class ClassLoss : public FrameLoss
{
  public:
    bool IsLost(const Frame& frame) override
    {
        return frame.kind != FrameKind::PFC && frame.trafficClass == 4;
    }
};

class LossTest : public PortTestCase
{
  public:
    LossTest()
        : PortTestCase("A loss model sees parsed frames, until it is removed")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("100Gbps", MicroSeconds(1));
        auto loss = CreateObject<ClassLoss>();
        link.port[1]->AddReceiveLoss(loss);
        for (const int us : {0, 10})
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                link.Send(4, 2, 1230);
                link.Send(5, 1, 1230);
            });
        }
        Simulator::Schedule(MicroSeconds(5), [&] { link.port[1]->RemoveReceiveLoss(loss); });
        Simulator::Run();
        const auto& drops = link.port[1]->GetCounters().drops;
        NS_TEST_EXPECT_MSG_EQ(drops[static_cast<size_t>(DropReason::INJECTED)], 2, "counted");
        NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrivals.size(), 4, "the others arrive");
    }
};

/// Loses what ClassLoss does, by a name of its own.
class NamedLoss : public ClassLoss
{
  public:
    DropReason GetReason() const override
    {
        return DropReason::WATCHDOG;
    }
};

class LossOrderTest : public PortTestCase
{
  public:
    LossOrderTest()
        : PortTestCase(
              "Losses are asked in the order of adding, an ErrorModel last; each names its drops")
    {
    }

  private:
    void DoRun() override
    {
        TestLink link("100Gbps", MicroSeconds(1));
        QbbNetDevice& port = *link.port[1];
        auto errors = CreateObject<ReceiveListErrorModel>();
        errors->SetList({0, 1}); // of the frames that it is asked about
        port.SetAttribute("ReceiveErrorModel", PointerValue(errors));
        port.AddReceiveLoss(CreateObject<NamedLoss>());
        port.AddReceiveLoss(CreateObject<ClassLoss>()); // never comes to it
        NS_TEST_EXPECT_MSG_EQ(port.GetReceiveLosses().size(), 3, "all are FrameLosses");
        PointerValue model;
        port.GetAttribute("ReceiveErrorModel", model);
        NS_TEST_EXPECT_MSG_EQ(model.Get<ErrorModel>(), errors, "the door gives back what was set");
        Simulator::Schedule(Time(0), [&] {
            link.Send(4, 2, 1230);
            link.Send(5, 3, 1230);
        });
        Simulator::Schedule(MicroSeconds(10), [&] {
            auto other = CreateObject<ReceiveListErrorModel>();
            other->SetList({0});
            other->Disable();
            port.SetAttribute("ReceiveErrorModel", PointerValue(other));
            NS_TEST_EXPECT_MSG_EQ(port.GetReceiveLosses().size(), 3, "in place of the first");
            link.Send(5, 1, 1230);
        });
        Simulator::Run();
        const auto drops = [&port](DropReason reason) {
            return port.GetCounters().drops[static_cast<size_t>(reason)];
        };
        NS_TEST_EXPECT_MSG_EQ(drops(DropReason::WATCHDOG), 2, "the first that destroys it");
        NS_TEST_EXPECT_MSG_EQ(drops(DropReason::INJECTED), 0, "nothing is left for the second");
        NS_TEST_EXPECT_MSG_EQ(drops(DropReason::CORRUPTED), 2, "by the error model");
        NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrivals.size(),
                              2,
                              "one of three, and one with a model that is off");
    }
};

class LinkTestSuite : public TestSuite
{
  public:
    LinkTestSuite()
        : TestSuite("lossless-link", Type::UNIT)
    {
        AddTestCase(new SerialisationTest);
        AddTestCase(new TieTest("Prompt", 3));
        AddTestCase(new TieTest("Hpcc", 5));
        AddTestCase(new PauseTest);
        AddTestCase(new ReactionTest);
        AddTestCase(new RefreshTest);
        AddTestCase(new LostXonTest);
        AddTestCase(new PfcOffTest);
        AddTestCase(new CutTest);
        AddTestCase(new CutReactionTest);
        AddTestCase(new FlushTest);
        AddTestCase(new StuckTest);
        AddTestCase(new LossTest);
        AddTestCase(new LossOrderTest);
    }
};

LinkTestSuite g_linkTestSuite; //!< registers the suite

} // namespace
