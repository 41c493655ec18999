// SPDX-License-Identifier: GPL-2.0-only

// A switch between real ports: the pipeline, PFC from the buffer, marks, drops, cuts.

#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/fabric-switch.h"
#include "ns3/node.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/wred-ecn-marker.h"

#include <deque>
#include <vector>

using namespace ns3;

namespace
{

/// A host that sends what it is given, and notes what arrives.
class TestHost : public QbbPortOwner
{
  public:
    /// What arrived, and when.
    struct Arrival
    {
        Time at;      //!< last bit
        uint32_t src; //!< source address
        Ecn ecn;      //!< ECN field
        uint8_t cls;  //!< class
        uint8_t ttl;  //!< TTL
    };

    void FrameArrived(QbbNetDevice&, Frame* frame) override
    {
        arrivals.push_back(
            {Simulator::Now(), frame->src, frame->ecn, frame->trafficClass, frame->ttl});
        frame->Release();
    }

    Frame* NextFrame(QbbNetDevice& port) override
    {
        return port.PopQueues();
    }

    bool HasNext(const QbbNetDevice& port) const override
    {
        return port.HasSendable();
    }

    std::vector<Arrival> arrivals; //!< in order
};

/// A star: hosts 10.0.0.1 and so on around one switch, 100 Gb/s, 1 us.
struct Star
{
    explicit Star(uint32_t hosts)
        : host(hosts)
    {
        switchNode = CreateObject<Node>();
        fabricSwitch = CreateObject<FabricSwitch>();
        switchNode->AggregateObject(fabricSwitch);
        for (uint32_t i = 0; i < hosts; ++i)
        {
            Ptr<QbbNetDevice> ends[2];
            for (auto& end : ends)
            {
                end = CreateObject<QbbNetDevice>();
                end->SetAddress(Mac48Address::Allocate());
            }
            auto node = CreateObject<Node>();
            node->AddDevice(ends[0]);
            switchNode->AddDevice(ends[1]);
            ends[0]->SetOwner(&host[i], 0);
            fabricSwitch->AddPort(ends[1]);
            auto cable = CreateObject<QbbChannel>();
            cable->SetDelay(MicroSeconds(1));
            ends[0]->Attach(cable);
            ends[1]->Attach(cable);
            nic.push_back(ends[0]);
            channel.push_back(cable);
            fabricSwitch->AddRoute(Ipv4Address(Address(i)), {static_cast<uint16_t>(i)});
        }
    }

    /// @param i a host @return its address
    static uint32_t Address(uint32_t i)
    {
        return 0x0a000001 + i;
    }

    /// @return a frame from one host to another; its class follows from its DSCP
    static Frame* MakeFrame(uint32_t from, uint32_t to, uint8_t cls, uint32_t bytes)
    {
        auto frame = new Frame;
        frame->src = Address(from);
        frame->dst = Address(to);
        frame->trafficClass = cls;
        frame->dscp = cls << 3;
        frame->ecn = Ecn::ECT0;
        frame->bytes = bytes;
        return frame;
    }

    /// Queue a frame at its source. @param from the source @param frame the frame
    void Send(uint32_t from, Frame* frame)
    {
        nic[from]->Queues().Push(frame);
        nic[from]->Kick();
    }

    /// Queue frames at one host. @param from source @param to destination @param cls class
    /// @param count how many @param bytes frame bytes
    void Send(uint32_t from, uint32_t to, uint8_t cls, uint32_t count, uint32_t bytes)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            nic[from]->Queues().Push(MakeFrame(from, to, cls, bytes));
        }
        nic[from]->Kick();
    }

    /// @return frames dropped by the switch, all reasons
    uint64_t Drops() const
    {
        return fabricSwitch->GetLosslessDrops() + fabricSwitch->GetLossyDrops();
    }

    std::deque<TestHost> host;
    Ptr<Node> switchNode;
    Ptr<FabricSwitch> fabricSwitch;
    std::vector<Ptr<QbbNetDevice>> nic;
    std::vector<Ptr<QbbChannel>> channel;
};

/// Base of the cases: picoseconds, and a clean simulator.
class SwitchTestCase : public TestCase
{
  public:
    explicit SwitchTestCase(std::string name)
        : TestCase(std::move(name))
    {
    }

  protected:
    void DoSetup() override
    {
        if (Time::GetResolution() != Time::PS)
        {
            Time::SetResolution(Time::PS);
        }
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
    }

    /// Everything has drained (invariant I7 of sheet 02). @param star the network
    void ExpectIdle(const Star& star)
    {
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetMmu()->IsIdle(), true, "buffer is empty");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetMmu()->CheckInvariants(), "", "books agree");
        for (uint32_t i = 0; i < star.nic.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(+star.nic[i]->PausedMask(), 0, "host " << i << " is not paused");
        }
    }
};

class ForwardingTest : public SwitchTestCase
{
  public:
    ForwardingTest()
        : SwitchTestCase("A frame crosses a switch assembled by hand, store and forward")
    {
    }

  private:
    void DoRun() override
    {
        Star star(3);
        Simulator::Schedule(Time(0), [&] { star.Send(0, 2, 5, 1, 1230); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(star.host[2].arrivals.size(), 1, "it arrives");
        const auto& got = star.host[2].arrivals[0];
        NS_TEST_EXPECT_MSG_EQ(got.at, NanoSeconds(2 * 1100), "two serialisations, two delays");
        NS_TEST_EXPECT_MSG_EQ(+got.cls, 5, "class by DSCP");
        NS_TEST_EXPECT_MSG_EQ(+got.ttl, 63, "TTL counted down");
        NS_TEST_EXPECT_MSG_EQ((got.ecn == Ecn::ECT0), true, "not marked");
        ExpectIdle(star);
    }
};

class DropTest : public SwitchTestCase
{
  public:
    DropTest()
        : SwitchTestCase("Every drop has its reason: no route, link-local, TTL, length")
    {
    }

  private:
    void DoRun() override
    {
        Star star(2);
        std::vector<DropReason> traced;
        star.fabricSwitch->TraceConnectWithoutContext(
            "Drop",
            Callback<void, uint32_t, uint32_t, uint32_t, DropReason>(
                [&traced](uint32_t port, uint32_t cls, uint32_t bytes, DropReason reason) {
                    traced.push_back(reason);
                }));
        Simulator::Schedule(Time(0), [&] {
            auto frame = Star::MakeFrame(0, 77, 3, 500);
            star.Send(0, frame);
            frame = Star::MakeFrame(0, 1, 0, 500);
            frame->dst = Ipv4Address("224.0.0.9").Get();
            star.Send(0, frame);
            frame = Star::MakeFrame(0, 1, 0, 500);
            frame->ipVersion = 6;
            frame->dstHigh = {0xfe800000, 0, 0};
            star.Send(0, frame);
            frame = Star::MakeFrame(0, 1, 0, 500);
            frame->ttl = 1;
            star.Send(0, frame);
            star.Send(0, Star::MakeFrame(0, 1, 0, 1519));
            star.Send(0, Star::MakeFrame(0, 1, 0, 1518));
        });
        Simulator::Run();
        const auto& fabricSwitch = *star.fabricSwitch;
        NS_TEST_EXPECT_MSG_EQ(star.host[1].arrivals.size(), 1, "the last one is good");
        NS_TEST_EXPECT_MSG_EQ(traced.size(), 5, "the others are traced");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetDropCount(DropReason::NO_ROUTE), 1, "no route");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetDropCount(DropReason::LINK_LOCAL), 2, "link-local");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetDropCount(DropReason::TTL_EXPIRED), 1, "TTL");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetDropCount(DropReason::OVERSIZE), 1, "length");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetLosslessDrops(), 1, "class 3");
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetLossyDrops(), 2, "class 0, without link-local");
        ExpectIdle(star);
    }
};

/// Incast into one host: lossless with the default headroom, in both release modes.
class IncastTest : public SwitchTestCase
{
  public:
    IncastTest(std::string releaseAt, uint64_t cellBytes, uint32_t frameBytes)
        : SwitchTestCase("Pitfall 1: incast without a drop, release at " + releaseAt +
                         ", cells of " + std::to_string(cellBytes) + ", frames of " +
                         std::to_string(frameBytes)),
          m_releaseAt(releaseAt),
          m_cellBytes(cellBytes),
          m_frameBytes(frameBytes)
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t senders = 16;
        const uint32_t frames = 400;
        Star star(senders + 1);
        star.fabricSwitch->SetAttribute("ReleaseAt", StringValue(m_releaseAt));
        auto mmu = star.fabricSwitch->GetMmu();
        mmu->SetAttribute("CellBytes", UintegerValue(m_cellBytes));
        mmu->SetAttribute("BufferSize", UintegerValue(2 * 1024 * 1024));
        for (uint32_t i = 0; i < senders; ++i)
        {
            Simulator::Schedule(NanoSeconds(i), [&star, i, this] {
                star.Send(i, senders, 3, frames, m_frameBytes);
            });
            // The other way too, so that PFC frames meet data.
            Simulator::Schedule(NanoSeconds(i),
                                [&star, i, this] { star.Send(senders, i, 3, 20, m_frameBytes); });
        }
        Simulator::Run();
        uint64_t xoff = 0;
        for (uint32_t i = 0; i < senders; ++i)
        {
            xoff += mmu->GetIngress(i, 3).xoffCount;
            NS_TEST_EXPECT_MSG_EQ(mmu->GetIngress(i, 3).xoffCount,
                                  mmu->GetIngress(i, 3).xonCount,
                                  "every pause ends");
            NS_TEST_EXPECT_MSG_EQ(star.host[i].arrivals.size(), 20, "reverse traffic");
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(xoff, senders, "PFC works hard");
        NS_TEST_EXPECT_MSG_EQ(star.host[senders].arrivals.size(), senders * frames, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(star.Drops(), 0, "no drop");
        NS_TEST_EXPECT_MSG_GT(mmu->GetHeadroomPeak(), 0, "headroom was needed");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->CheckLossless().size(), 0, "nothing to object to");
        ExpectIdle(star);
    }

    std::string m_releaseAt;
    uint64_t m_cellBytes;
    uint32_t m_frameBytes;
};

class ShortHeadroomTest : public SwitchTestCase
{
  public:
    ShortHeadroomTest()
        : SwitchTestCase("Headroom below the bound is reported, drops, and the drop is named")
    {
    }

  private:
    void DoRun() override
    {
        Star star(3);
        auto mmu = star.fabricSwitch->GetMmu();
        for (uint32_t port = 0; port < 2; ++port)
        {
            mmu->SetLossless(port, 3, 10 * 208);
            mmu->SetStaticThreshold(port, 3, 20000);
        }
        star.fabricSwitch->Start();
        const auto findings = star.fabricSwitch->CheckLossless();
        NS_TEST_ASSERT_MSG_EQ(findings.size(), 2, "one for each port");
        const HeadroomLink link = star.fabricSwitch->GetHeadroomLink(0);
        const std::string missing =
            std::to_string(HeadroomBytes(link, 208) - 2080) + " bytes short";
        NS_TEST_EXPECT_MSG_NE(findings[0].find("port 0 class 3"), std::string::npos, findings[0]);
        NS_TEST_EXPECT_MSG_NE(findings[0].find(missing), std::string::npos, findings[0]);
        for (uint32_t i = 0; i < 2; ++i)
        {
            Simulator::Schedule(Time(0), [&star, i] { star.Send(i, 2, 3, 200, 1500); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(star.fabricSwitch->GetLosslessDrops(), 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetDropCount(DropReason::HEADROOM_FULL),
                              star.fabricSwitch->GetLosslessDrops(),
                              "all for the same reason");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetLossyDrops(), 0, "and in the lossless class");
        ExpectIdle(star);
    }
};

class TightHeadroomTest : public SwitchTestCase
{
  public:
    TightHeadroomTest()
        : SwitchTestCase("Headroom by the rule is enough and not much more than enough")
    {
    }

  private:
    /// One sender at line rate, a receiver that is paused, nothing drains: the tight case.
    /// @param cut bytes taken off the headroom @return drops
    uint64_t Run(uint64_t cut)
    {
        Star star(2);
        auto mmu = star.fabricSwitch->GetMmu();
        mmu->SetAttribute("CellBytes", UintegerValue(1));
        const uint64_t headroom = HeadroomBytes(star.fabricSwitch->GetHeadroomLink(0), 1);
        mmu->SetLossless(0, 3, headroom - cut);
        mmu->SetStaticThreshold(0, 3, 20000);
        Simulator::Schedule(Time(0), [&] { star.nic[1]->RequestPause(3, true); });
        // A long frame in the way of the PFC frame now and then.
        Simulator::Schedule(MicroSeconds(2), [&] {
            star.Send(1, 0, 5, 60, 1518);
            star.Send(0, 1, 3, 60, 1518);
        });
        Simulator::Schedule(MicroSeconds(50), [&] { star.nic[1]->RequestPause(3, false); });
        Simulator::Run();
        if (cut == 0)
        {
            const double share = mmu->GetIngress(0, 3).headroomPeak / static_cast<double>(headroom);
            NS_TEST_EXPECT_MSG_GT(share, 0.8, "not oversized");
        }
        NS_TEST_EXPECT_MSG_EQ(star.Drops(),
                              mmu->GetDrops(0, 3, DropReason::HEADROOM_FULL),
                              "no other drops");
        ExpectIdle(star);
        const uint64_t drops = star.Drops();
        Simulator::Destroy();
        return drops;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Run(0), 0, "no drop");
        // Without the bytes on the cable, twice 1 us at 100 Gb/s.
        NS_TEST_EXPECT_MSG_GT(Run(25000), 0, "drops");
    }
};

class MarkTest : public SwitchTestCase
{
  public:
    MarkTest()
        : SwitchTestCase("Marks at dequeue leave one queueing delay earlier than at enqueue")
    {
    }

  private:
    /// @param at attribute MarkAt @return arrival of the first CE mark at the host
    Time FirstMark(const std::string& at)
    {
        Star star(3);
        star.fabricSwitch->SetAttribute("MarkAt", StringValue(at));
        auto marker = DynamicCast<WredEcnMarker>(star.fabricSwitch->GetEcnMarker());
        marker->SetThresholds(2, 400000, 400000, 1);
        uint64_t marks = 0;
        star.fabricSwitch->TraceConnectWithoutContext(
            "EcnMark",
            Callback<void, uint32_t, uint32_t, uint64_t>(
                [&marks](uint32_t port, uint32_t cls, uint64_t bytes) { ++marks; }));
        for (uint32_t i = 0; i < 2; ++i)
        {
            // Class 0: without PFC the queue grows as fast as two senders fill it.
            Simulator::Schedule(Time(0), [&star, i] { star.Send(i, 2, 0, 700, 1230); });
        }
        Simulator::Run();
        Time first;
        uint64_t seen = 0;
        for (const auto& arrival : star.host[2].arrivals)
        {
            if (arrival.ecn == Ecn::CE && seen++ == 0)
            {
                first = arrival.at;
            }
        }
        NS_TEST_EXPECT_MSG_GT(seen, 0, "marks arrive");
        NS_TEST_EXPECT_MSG_EQ(seen, marks, "every mark is traced");
        NS_TEST_EXPECT_MSG_EQ(seen, star.fabricSwitch->GetCounters(2).ecnMarks[0], "and counted");
        NS_TEST_EXPECT_MSG_EQ(star.host[2].arrivals.size(), 1400, "nothing is dropped");
        ExpectIdle(star);
        Simulator::Destroy();
        return first;
    }

    void DoRun() override
    {
        const Time enqueue = FirstMark("Enqueue");
        const Time dequeue = FirstMark("Dequeue");
        // 400 KB at 100 Gb/s take 32 us and, on the wire, 1250/1230 of that.
        NS_TEST_EXPECT_MSG_EQ_TOL((enqueue - dequeue).GetMicroSeconds(), 32, 1, "Fast ECN");
    }
};

class WredDropTest : public SwitchTestCase
{
  public:
    WredDropTest()
        : SwitchTestCase("WRED drops what cannot be marked, in lossy classes, data only")
    {
    }

  private:
    void DoRun() override
    {
        Star star(3);
        auto marker = DynamicCast<WredEcnMarker>(star.fabricSwitch->GetEcnMarker());
        marker->SetThresholds(2, 20000, 20000, 1);
        Simulator::Schedule(Time(0), [&] {
            for (uint32_t i = 0; i < 2; ++i)
            {
                for (int n = 0; n < 200; ++n)
                {
                    // Host 0: lossy data and lossy ACKs. Host 1: data in the lossless class.
                    auto frame = Star::MakeFrame(i, 2, i == 0 ? 0 : 3, 1000);
                    frame->ecn = Ecn::NOT_ECT;
                    frame->opcode =
                        i == 0 && n % 2 ? RoceOpcode::ACKNOWLEDGE : RoceOpcode::WRITE_MIDDLE;
                    star.Send(i, frame);
                }
            }
        });
        Simulator::Run();
        const uint64_t dropped = star.fabricSwitch->GetDropCount(DropReason::WRED);
        NS_TEST_EXPECT_MSG_GT(dropped, 10, "drops");
        NS_TEST_EXPECT_MSG_LT(dropped, 101, "of data frames of host 0 alone");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetLossyDrops(), dropped, "lossy");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetLosslessDrops(), 0, "never lossless");
        ExpectIdle(star);
    }
};

class CutTest : public SwitchTestCase
{
  public:
    CutTest(std::string releaseAt)
        : SwitchTestCase("Pitfall 15: a cut releases buffer and pauses, release at " + releaseAt),
          m_releaseAt(releaseAt)
    {
    }

  private:
    void DoRun() override
    {
        Star star(3);
        star.fabricSwitch->SetAttribute("ReleaseAt", StringValue(m_releaseAt));
        auto mmu = star.fabricSwitch->GetMmu();
        for (uint32_t port = 0; port < 2; ++port)
        {
            mmu->SetStaticThreshold(port, 3, 50000);
            Simulator::Schedule(Time(0), [&star, port] { star.Send(port, 2, 3, 300, 1230); });
        }
        Simulator::Schedule(MicroSeconds(20), [&] {
            NS_TEST_EXPECT_MSG_EQ(+star.nic[0]->PausedMask(), 1 << 3, "host 0 is paused");
            NS_TEST_EXPECT_MSG_GT(mmu->GetTotalUsed(), 200, "a long queue");
            star.channel[2]->SetUp(false);
            NS_TEST_EXPECT_MSG_EQ(mmu->IsIdle(), true, "nothing is left of it");
        });
        Simulator::Schedule(MicroSeconds(40), [&] {
            NS_TEST_EXPECT_MSG_EQ(+star.nic[0]->PausedMask(), 0, "host 0 may send");
            NS_TEST_EXPECT_MSG_EQ(star.nic[0]->Queues().TotalBytes(), 0, "and has sent");
            star.channel[2]->SetUp(true);
            star.Send(0, 2, 3, 1, 1230);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(star.fabricSwitch->GetDropCount(DropReason::LINK_DOWN), 100, "named");
        NS_TEST_EXPECT_MSG_EQ(star.host[2].arrivals.back().at,
                              MicroSeconds(40) + NanoSeconds(2200),
                              "the port is back");
        ExpectIdle(star);
    }

    std::string m_releaseAt;
};

class PausedIngressCutTest : public SwitchTestCase
{
  public:
    PausedIngressCutTest()
        : SwitchTestCase("A pause still due is told again after the link of the sender came back")
    {
    }

  private:
    void DoRun() override
    {
        Star star(3);
        auto mmu = star.fabricSwitch->GetMmu();
        mmu->SetStaticThreshold(0, 3, 20000);
        // The receiver stops, so that the class at port 0 stays paused.
        Simulator::Schedule(Time(0), [&] { star.nic[2]->RequestPause(3, true); });
        Simulator::Schedule(MicroSeconds(2), [&] { star.Send(0, 2, 3, 100, 1230); });
        Simulator::Schedule(MicroSeconds(20), [&] {
            NS_TEST_EXPECT_MSG_EQ(+star.nic[0]->PausedMask(), 1 << 3, "paused");
            star.channel[0]->SetUp(false);
            star.channel[0]->SetUp(true);
            NS_TEST_EXPECT_MSG_EQ(+star.nic[0]->PausedMask(), 0, "forgotten");
        });
        Simulator::Schedule(MicroSeconds(25), [&] {
            NS_TEST_EXPECT_MSG_EQ(+star.nic[0]->PausedMask(), 1 << 3, "told again");
            star.nic[2]->RequestPause(3, false);
        });
        Simulator::Run();
        ExpectIdle(star);
    }
};

class HairpinTest : public SwitchTestCase
{
  public:
    HairpinTest(std::string releaseAt)
        : SwitchTestCase("An XON due at the port that sends never starts a second frame, " +
                         releaseAt),
          m_releaseAt(releaseAt)
    {
    }

  private:
    void DoRun() override
    {
        // Everybody sends to the same host, ten frames long, then to the next: classes pause by a
        // threshold of a few frames, and departures from a port make an XON due at that port.
        const uint32_t frames = 600;
        Star star(3);
        star.fabricSwitch->SetAttribute("ReleaseAt", StringValue(m_releaseAt));
        auto mmu = star.fabricSwitch->GetMmu();
        for (uint32_t port = 0; port < 3; ++port)
        {
            mmu->SetAlpha(port, 3, 1.0 / 128);
            mmu->SetXonOffset(port, 3, 0);
            Simulator::Schedule(Time(0), [&star, port] {
                for (uint32_t i = 0; i < frames; ++i)
                {
                    const uint32_t to = i / 10 % 3;
                    star.Send(port, to == port ? (to + 1) % 3 : to, 3, 1, 1230);
                }
            });
        }
        mmu->SetAttribute("BufferSize", UintegerValue(700 * 1024));
        uint32_t overlaps = 0;
        std::vector<Time> last(3, Seconds(-1));
        for (uint32_t i = 0; i < 3; ++i)
        {
            star.nic[i]->TraceConnectWithoutContext(
                "FrameRx",
                Callback<void, const QbbNetDevice&, const Frame&>(
                    [&overlaps, &last, i](const QbbNetDevice&, const Frame& frame) {
                        // At 100 Gb/s a byte takes 80 ps.
                        const Time start = Simulator::Now() - PicoSeconds(80 * frame.WireBytes());
                        overlaps += start < last[i];
                        last[i] = Simulator::Now();
                    }));
        }
        Simulator::Run();
        size_t arrived = 0;
        for (const auto& host : star.host)
        {
            arrived += host.arrivals.size();
        }
        NS_TEST_EXPECT_MSG_EQ(overlaps, 0, "no frame starts before the last one ended");
        uint32_t xoff = 0;
        for (uint32_t port = 0; port < 3; ++port)
        {
            xoff += mmu->GetIngress(port, 3).xoffCount;
        }
        NS_TEST_EXPECT_MSG_EQ(arrived, 3 * frames, "all arrive");
        NS_TEST_EXPECT_MSG_GT(xoff, 10, "pauses");
        NS_TEST_EXPECT_MSG_EQ(star.Drops(), 0, "no drop");
        ExpectIdle(star);
    }

    std::string m_releaseAt;
};

class SwitchTestSuite : public TestSuite
{
  public:
    SwitchTestSuite()
        : TestSuite("lossless-switch", Type::UNIT)
    {
        AddTestCase(new ForwardingTest);
        AddTestCase(new DropTest);
        AddTestCase(new IncastTest("DequeueStart", 208, 1086));
        AddTestCase(new IncastTest("DequeueStart", 208, 64));
        AddTestCase(new IncastTest("LastBit", 208, 1518));
        AddTestCase(new IncastTest("LastBit", 1, 1518));
        AddTestCase(new ShortHeadroomTest);
        AddTestCase(new TightHeadroomTest);
        AddTestCase(new MarkTest);
        AddTestCase(new WredDropTest);
        AddTestCase(new CutTest("DequeueStart"));
        AddTestCase(new CutTest("LastBit"));
        AddTestCase(new PausedIngressCutTest);
        AddTestCase(new HairpinTest("DequeueStart"));
        AddTestCase(new HairpinTest("LastBit"));
    }
};

SwitchTestSuite g_switchTestSuite; //!< registers the suite

} // namespace
