// SPDX-License-Identifier: GPL-2.0-only

// Credits (CBFC) on one link: its share of the line, lost frames, cuts, refusals.

#include "port-test-case.h"
#include "refusal-of.h"

#include "ns3/credit-link.h"
#include "ns3/double.h"
#include "ns3/fault-loss.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint8_t CLS = 3;            //!< class with credits
constexpr uint32_t FRAME = 1086;      //!< bytes
constexpr uint32_t FRAME_CREDITS = 5; //!< of 256 bytes
constexpr uint32_t FRAMES = 4000;     //!< of a saturated sender
constexpr double BYTE_NS = 8 / 100.0; //!< at 100 Gb/s

/// Takes frames, and gives their memory back at once, or when it is told to.
class Receiver : public QueuePortOwner
{
  public:
    ~Receiver() override
    {
        for (Frame* frame : held)
        {
            frame->Release();
        }
    }

    bool FreesCredits(const QbbNetDevice&) const override
    {
        return holds;
    }

    void FrameArrived(QbbNetDevice&, Frame* frame) override
    {
        ++arrived;
        last = Simulator::Now();
        if (holds)
        {
            held.push_back(frame);
        }
        else
        {
            frame->Release();
        }
    }

    /// Free the memory of all frames held. @param port the port
    void FreeAll(QbbNetDevice& port)
    {
        for (Frame* frame : held)
        {
            port.FreeCredits(frame->credits);
            frame->Release();
        }
        held.clear();
    }

    bool holds{false};        //!< memory is freed by FreeAll()
    uint32_t arrived{0};      //!< frames
    Time last;                //!< when the last has arrived
    std::vector<Frame*> held; //!< frames in memory
};

/// Two ports of 100 Gb/s with credits for class 3: 0 sends to 1.
struct CreditedLink : PortPair<Receiver>
{
    explicit CreditedLink(Time delay, uint32_t credits = 0, uint32_t spacing = 6400)
        : PortPair("100Gbps", delay)
    {
        for (const auto& each : port)
        {
            each->SetMtu(FRAME - ETHERNET_OVERHEAD_BYTES);
            each->SetPfcClasses(0);
            each->SetCbfcClasses(1U << CLS);
            each->SetCbfcCredits(credits);
            each->SetCfMinSpacing(spacing);
        }
    }

    void Send(uint32_t count)
    {
        PortPair::Send(CLS, count, FRAME);
    }

    const PortCbfc& Sender() const
    {
        return *port[0]->GetCbfc();
    }
};

/// The share of the line that so many credits give, as an event simulation of the algorithm alone
/// has it.
class ShareTest : public PortTestCase
{
  public:
    ShareTest()
        : PortTestCase("Share of the line by credits, distance and spacing of updates")
    {
    }

  private:
    void DoRun() override
    {
        struct Row
        {
            int64_t delayNs;
            uint32_t frames; //!< that the credits hold
            double far;      //!< share with updates each 6400 bytes
            double near;     //!< each 800 bytes
        };

        const std::vector<Row> rows{
            {100, 1, 0.173, 0.306},
            {100, 2, 0.346, 0.612},
            {100, 4, 0.605, 1.000},
            {100, 8, 0.950, 1.000},
            {100, 12, 1.000, 1.000},
            {1000, 1, 0.042, 0.042},
            {1000, 2, 0.085, 0.085},
            {1000, 4, 0.169, 0.170},
            {1000, 8, 0.277, 0.339},
            {1000, 12, 0.415, 0.508},
            {1000, 16, 0.554, 0.679},
            {1000, 32, 1.000, 1.000},
            {5000, 1, 0.009, 0.009},
            {5000, 4, 0.035, 0.035},
            {5000, 16, 0.140, 0.141},
            {5000, 32, 0.277, 0.282},
            {5000, 64, 0.544, 0.563},
            {5000, 128, 1.000, 1.000},
        };
        for (const Row& row : rows)
        {
            for (const auto& [spacing, expected] :
                 {std::pair<uint32_t, double>{6400, row.far}, {800, row.near}})
            {
                const double share = Share(row.delayNs, row.frames, spacing);
                NS_TEST_EXPECT_MSG_EQ_TOL(share,
                                          expected,
                                          0.0006, // half a digit, and CC_Updates on the line
                                          row.delayNs << " ns, " << row.frames
                                                      << " frames, spacing " << spacing);
            }
        }
    }

    double Share(int64_t delayNs, uint32_t frames, uint32_t spacing)
    {
        CreditedLink link(NanoSeconds(delayNs), frames * FRAME_CREDITS, spacing);
        Simulator::Schedule(Time(0), [&] { link.Send(FRAMES); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrived, FRAMES, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(link.Sender().Used(CLS), 0, "credits in use at the end");
        NS_TEST_EXPECT_MSG_EQ(link.port[1]->GetCbfc()->Stored(CLS), 0, "stored at the end");
        NS_TEST_EXPECT_MSG_EQ((link.Sender().Get(CLS).peakUsed <= frames * FRAME_CREDITS),
                              true,
                              "never more than granted");
        const double end = (link.owner[1].last - NanoSeconds(delayNs)).ToDouble(Time::NS);
        Simulator::Destroy();
        return FRAMES * (FRAME + ETHERNET_GAP_BYTES) * BYTE_NS / end;
    }
};

/// The automatic number of credits keeps lines full at all distances, with all frames from half the
/// longest up.
class AutomaticTest : public PortTestCase
{
  public:
    AutomaticTest()
        : PortTestCase("Automatic credits keep the line full")
    {
    }

  private:
    void DoRun() override
    {
        for (const int64_t delayNs : {0, 100, 1000, 5000, 50000})
        {
            CreditedLink link{NanoSeconds(delayNs)};
            Simulator::Schedule(Time(0), [&] { link.Send(FRAMES); });
            Simulator::Run();
            const double end = (link.owner[1].last - NanoSeconds(delayNs)).ToDouble(Time::NS);
            // The CC_Updates take the line, 84 bytes each 256 us.
            const double line =
                FRAMES * (FRAME + ETHERNET_GAP_BYTES) + 84.0 * link.Sender().Get(CLS).ccSent;
            NS_TEST_EXPECT_MSG_EQ_TOL(end, line * BYTE_NS, 0.001 * end, delayNs << " ns");
            const auto& counters = link.port[0]->GetObeyer().Get(CLS);
            NS_TEST_EXPECT_MSG_EQ(counters.pausedTicks, 0, "never without credits");
            Simulator::Destroy();
        }
    }
};

/// A class is closed only as long as its memory is full, and the time is reported.
class HoldTest : public PortTestCase
{
  public:
    HoldTest()
        : PortTestCase("Frames in memory hold credits until they are freed")
    {
    }

  private:
    void DoRun() override
    {
        CreditedLink link(MicroSeconds(1), 2 * FRAME_CREDITS);
        link.owner[1].holds = true;
        Simulator::Schedule(Time(0), [&] { link.Send(4); });
        const Time freed = MicroSeconds(100);
        Simulator::Schedule(freed, [&] {
            NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrived, 2, "no more than granted");
            NS_TEST_EXPECT_MSG_EQ(link.port[1]->GetCbfc()->Stored(CLS), 2 * FRAME_CREDITS, "held");
            NS_TEST_EXPECT_MSG_EQ(+link.port[0]->PausedMask(), 1U << CLS, "closed");
            link.owner[1].FreeAll(*link.port[1]);
        });
        Simulator::Schedule(freed + MicroSeconds(50),
                            [&] { link.owner[1].FreeAll(*link.port[1]); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrived, 4, "all in the end");
        NS_TEST_EXPECT_MSG_EQ(link.Sender().Used(CLS), 0, "nothing in use");
        const int64_t frameTicks = (FRAME + ETHERNET_GAP_BYTES) * 80;
        // Closed with the second frame, until 8 bytes have come back; and between the third and the
        // fourth, which find room one after the other, as the second update waits for its spacing.
        const int64_t back = MicroSeconds(1).GetTimeStep() + 8 * 80;
        const int64_t last = (freed + MicroSeconds(50)).GetTimeStep() + back;
        NS_TEST_EXPECT_MSG_EQ(link.port[0]->GetObeyer().Get(CLS).pausedTicks,
                              last - frameTicks,
                              "time without credits");
        NS_TEST_EXPECT_MSG_EQ(link.port[0]->GetObeyer().Get(CLS).pauses, 3, "times");
    }
};

/// Lost frames and lost updates cost credits for a while only, and nothing runs on an idle link.
class LossTest : public PortTestCase
{
  public:
    LossTest()
        : PortTestCase("CC_Updates find the credits of lost frames")
    {
    }

  private:
    void DoRun() override
    {
        for (const double rate : {0.001, 0.05, 0.5})
        {
            CreditedLink link(MicroSeconds(1), 8 * FRAME_CREDITS);
            for (uint32_t i = 0; i < 2; ++i)
            {
                const auto loss = CreateObject<RandomFrameLoss>();
                loss->SetAttribute("Rate", DoubleValue(rate));
                loss->AssignStreams(7 + i);
                link.port[i]->AddReceiveLoss(loss);
            }
            Simulator::Schedule(Time(0), [&] { link.Send(FRAMES); });
            Simulator::Run(); // it ends: an idle link has no events
            const auto& receiver = link.port[1]->GetCbfc()->Get(CLS);
            const uint32_t lost = FRAMES - link.owner[1].arrived;
            NS_TEST_EXPECT_MSG_GT(lost, 0, "some are lost");
            NS_TEST_EXPECT_MSG_EQ(receiver.lostCredits, lost * FRAME_CREDITS, "all are found");
            NS_TEST_EXPECT_MSG_EQ(link.Sender().Used(CLS), 0, "and come back");
            NS_TEST_EXPECT_MSG_EQ(+link.port[0]->PausedMask(), 0, "open");
            NS_TEST_EXPECT_MSG_EQ(+link.port[0]->Queues().NonEmpty(), 0, "all are sent");
            Simulator::Destroy();
        }
    }
};

/// Both ends forget at a cut; what is in memory from before counts no more.
class CutTest : public PortTestCase
{
  public:
    CutTest()
        : PortTestCase("A cut gives all credits back, once")
    {
    }

  private:
    void DoRun() override
    {
        CreditedLink link(MicroSeconds(1), 2 * FRAME_CREDITS);
        link.owner[1].holds = true;
        Simulator::Schedule(Time(0), [&] { link.Send(2); });
        Simulator::Schedule(MicroSeconds(10), [&] { link.channel->SetUp(false); });
        Simulator::Schedule(MicroSeconds(11), [&] {
            link.channel->SetUp(true);
            NS_TEST_EXPECT_MSG_EQ(link.Sender().Used(CLS), 0, "forgotten");
            NS_TEST_EXPECT_MSG_EQ(+link.port[0]->PausedMask(), 0, "open");
            link.Send(4);
        });
        Simulator::Schedule(MicroSeconds(20), [&] {
            NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrived, 4, "two, and two of those behind");
            // The first two are from before the cut.
            for (uint32_t i = 0; i < 2; ++i)
            {
                link.port[1]->FreeCredits(link.owner[1].held[i]->credits);
            }
        });
        Simulator::Schedule(MicroSeconds(30), [&] {
            NS_TEST_EXPECT_MSG_EQ(link.Sender().Used(CLS), 2 * FRAME_CREDITS, "still in use");
            link.owner[1].FreeAll(*link.port[1]);
        });
        Simulator::Schedule(MicroSeconds(40), [&] { link.owner[1].FreeAll(*link.port[1]); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.owner[1].arrived, 6, "all");
        NS_TEST_EXPECT_MSG_EQ(link.Sender().Used(CLS), 0, "nothing in use");
    }
};

/// What cannot be is refused, in one line that says what would be right.
class RefusalTest : public PortTestCase
{
  public:
    RefusalTest()
        : PortTestCase("Credits that cannot be are refused")
    {
    }

  private:
    /// Expect that a link is refused. @param change what is wrong @param text of the refusal
    template <typename Change>
    void Expect(const Change& change, const std::string& text)
    {
        CreditedLink link(MicroSeconds(1));
        change(link);
        const std::string message =
            tests::RefusalOf<std::invalid_argument>([&] { RequireCredits(*link.port[0]); });
        NS_TEST_EXPECT_MSG_NE(message.find(text), std::string::npos, "says: " << message);
        NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        Expect([](CreditedLink& link) { link.port[1]->SetCbfcClasses(0); },
               "set CbfcClasses alike at both ends");
        Expect([](CreditedLink& link) { link.port[0]->SetPfcClasses(1U << CLS); },
               "take it out of PfcClasses or of CbfcClasses");
        Expect([](CreditedLink& link) { link.port[0]->SetCbfcCredits(FRAME_CREDITS - 1); },
               "set CbfcCredits to 5 or more, or to 0");
        Expect([](CreditedLink& link) { link.channel->SetDelay(MilliSeconds(1)); },
               "can be counted; set CreditBytes to ");
        Expect([](CreditedLink& link) { link.port[0]->GetTrafficClassMap()->SetQueue(5, CLS); },
               "needs a queue and a priority group of that number");
        CreditedLink link(MicroSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(
            tests::RefusalOf<std::invalid_argument>([&] { RequireCredits(*link.port[0]); }),
            "",
            "the link itself is right");
        Simulator::Schedule(Time(0), [&] {
            const std::string message =
                tests::RefusalOf<std::invalid_argument>([&] { link.port[0]->SetCbfcClasses(0); });
            NS_TEST_EXPECT_MSG_NE(message.find("set them before"), std::string::npos, message);
        });
        Simulator::Run();
    }
};

class CbfcLinkTestSuite : public TestSuite
{
  public:
    CbfcLinkTestSuite()
        : TestSuite("lossless-cbfc-link", Type::SYSTEM)
    {
        AddTestCase(new ShareTest);
        AddTestCase(new AutomaticTest);
        AddTestCase(new HoldTest);
        AddTestCase(new LossTest);
        AddTestCase(new CutTest);
        AddTestCase(new RefusalTest);
    }
};

CbfcLinkTestSuite g_cbfcLinkTestSuite; //!< registers the suite

} // namespace
