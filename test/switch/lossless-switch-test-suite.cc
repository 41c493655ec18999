// SPDX-License-Identifier: GPL-2.0-only

// The pipeline of a switch: forwarding, drops, marks.

#include "switch-test-star.h"

#include "ns3/string.h"
#include "ns3/wred-ecn-marker.h"

using namespace ns3;

namespace
{

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

/// Remaps class 3 to 4, refuses class 5, and sends class 6 to all ports but the one it came by.
class RouteExtension : public SwitchExtension
{
  public:
    uint32_t GetHooks() const override
    {
        return ON_ROUTE;
    }

    void Start(FabricSwitch& owner) override
    {
        m_owner = &owner;
    }

    Verdict Routed(Frame& frame, uint32_t /* outPort */) override
    {
        switch (frame.trafficClass)
        {
        case 3:
            frame.trafficClass = 4;
            frame.dscp = 4 << 3;
            return {};
        case 5:
            return {Verdict::DROP, DropReason::UNKNOWN_MAC};
        case 6:
            for (uint16_t port = 0; port < m_owner->GetNPorts(); ++port)
            {
                if (port != frame.inPort)
                {
                    auto copy = Star::MakeFrame(0, port, 6, frame.bytes);
                    copy->inPort = frame.inPort;
                    copy->inClass = frame.inClass;
                    m_owner->Forward(copy, port);
                }
            }
            m_owner->Refuse(&frame, DropReason::INJECTED);
            return {Verdict::TAKEN, {}};
        default:
            return {};
        }
    }

  private:
    FabricSwitch* m_owner{nullptr};
};

class RoutedTest : public SwitchTestCase
{
  public:
    RoutedTest()
        : SwitchTestCase("An extension remaps, refuses and multiplies frames; the books agree")
    {
    }

  private:
    void DoRun() override
    {
        Star star(4);
        star.fabricSwitch->AddExtension(CreateObject<RouteExtension>());
        Simulator::Schedule(Time(0), [&] {
            star.Send(0, 1, 3, 1, 1000);
            star.Send(0, 1, 5, 1, 1000);
            star.Send(0, 1, 6, 2, 1000);
        });
        Simulator::Run();
        const auto& got = star.host[1].arrivals;
        NS_TEST_ASSERT_MSG_EQ(got.size(), 3, "remapped, and two copies");
        NS_TEST_EXPECT_MSG_EQ(star.host[2].arrivals.size(), 2, "copies");
        NS_TEST_EXPECT_MSG_EQ(star.host[3].arrivals.size(), 2, "copies");
        NS_TEST_EXPECT_MSG_EQ(star.host[0].arrivals.size(), 0, "none back");
        const bool remapped = got[0].cls == 4 || got[1].cls == 4 || got[2].cls == 4;
        NS_TEST_EXPECT_MSG_EQ(remapped, true, "the class is the new one");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetDropCount(DropReason::UNKNOWN_MAC), 1, "5");
        NS_TEST_EXPECT_MSG_EQ(star.fabricSwitch->GetDropCount(DropReason::INJECTED), 2, "6");
        ExpectIdle(star);
    }
};

class SwitchTestSuite : public TestSuite
{
  public:
    SwitchTestSuite()
        : TestSuite("lossless-switch", Type::UNIT)
    {
        AddTestCase(new ForwardingTest);
        AddTestCase(new DropTest);
        AddTestCase(new MarkTest);
        AddTestCase(new WredDropTest);
        AddTestCase(new RoutedTest);
    }
};

SwitchTestSuite g_switchTestSuite; //!< registers the suite

} // namespace
