// SPDX-License-Identifier: GPL-2.0-only

// Entropy values of MRC that name paths: packets take the way that theirs names and no other,
// denied ways carry nothing, ways that are dead are found, and runs repeat.

#include "captured-errors.h"
#include "mrc-test-case.h"
#include "wire-digest.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-run.h"
#include "ns3/fault-helper.h"
#include "ns3/mrc-controller.h"
#include "ns3/mrc-ev-fields.h"
#include "ns3/rdma-mrc.h"
#include "ns3/srv6-frame.h"
#include "ns3/srv6-switch.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t LEAVES = 4;
constexpr uint32_t SPINES = 4;
constexpr uint32_t HOSTS = 16;

/// Planes of 100 Gb/s, 4 leaves and 4 spines each, 16 hosts, links of 0.5 us: M8 of sheet 16,
/// section 11, with 8 planes.
class NamedPathsCase : public MrcTestCase
{
  public:
    /// @param format of entropy values @param name of the test
    NamedPathsCase(RdmaMrc::Format format, const std::string& name)
        : MrcTestCase(name + ", format " + std::to_string(format)),
          m_format(format)
    {
    }

  protected:
    /// @param planes how many @param spines of a plane @return the fabric
    Fabric Build(uint32_t planes, uint32_t spines = SPINES) const
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12), m_format);
        FabricLinkSpec link;
        link.rate = DataRate("100Gbps");
        link.delay = NanoSeconds(500);
        return helper.FromTopology(
            FabricTopology::MultiPlane(planes, LEAVES, spines, HOSTS / LEAVES, link, link));
    }

    /// @param value of a packet @return number of the spine that it names
    uint32_t SpineOf(uint32_t value) const
    {
        return m_format == RdmaMrc::STEV ? value >> 30 : value & 0x3ff;
    }

    /// @param which number of a switch @return number of the spine in
    /// its plane; 0xffffffff: a leaf
    static uint32_t SpineNumber(uint32_t which)
    {
        const uint32_t number = which % (LEAVES + SPINES);
        return number < LEAVES ? 0xffffffff : number - LEAVES;
    }

    /// Count what passes spines. @param fabric whose ports are watched from now on
    void Watch(const Fabric& fabric)
    {
        m_sent.assign(fabric.GetNSwitches(), 0);
        for (uint32_t which = 0; which < fabric.GetNSwitches(); ++which)
        {
            for (uint32_t port = 0; port < fabric.GetSwitch(which)->GetNPorts(); ++port)
            {
                fabric.GetSwitch(which)->GetPort(port)->TraceConnectWithoutContext(
                    "FrameTx",
                    Callback<void, const QbbNetDevice&, const Frame&>(
                        [this, which](const QbbNetDevice&, const Frame& frame) {
                            Saw(which, frame);
                        }));
            }
        }
    }

    /// A switch sends a frame. @param which number of the switch @param frame the frame
    void Saw(uint32_t which, const Frame& frame)
    {
        const uint32_t spine = SpineNumber(which);
        if (spine == 0xffffffff || frame.kind != FrameKind::ROCE || !IsMrc(frame.opcode))
        {
            return;
        }
        m_sent[which] += IsMrcWrite(frame.opcode);
        m_astray += SpineOf(uint32_t{frame.flowLabel} << 16 | frame.srcPort) != spine;
    }

    /// @param fabric a fabric @param host of it @return messages of the host that are complete
    static uint64_t Completed(const Fabric& fabric, HostId host)
    {
        return fabric.GetRdma(host)->GetCounters().messagesCompleted;
    }

    RdmaMrc::Format m_format;
    std::vector<uint64_t> m_sent; //!< data packets, by number of the switch; leaves have none
    uint64_t m_astray{0};         //!< frames at a spine that their entropy value does not name
};

/// M8: a permutation between all hosts; then messages between hosts of a leaf.
class NamedPermutationTest : public NamedPathsCase
{
  public:
    explicit NamedPermutationTest(RdmaMrc::Format format)
        : NamedPathsCase(format, "Packets take the way that is named")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = Build(8);
        Watch(fabric);
        RdmaFlowHelper flows(fabric);
        flows.Permutation(4 << 20, Time(0));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted(), HOSTS, "all messages");
        NS_TEST_EXPECT_MSG_EQ(m_astray, 0U, "frames that went astray");
        for (uint32_t which = 0; which < fabric.GetNSwitches(); ++which)
        {
            NS_TEST_EXPECT_MSG_EQ((m_sent[which] > 0), (SpineNumber(which) != 0xffffffff), which);
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(which)->GetDropCount(DropReason::NO_ROUTE),
                                  0U,
                                  "each name is one of a way");
        }
        const std::vector<uint64_t> before = m_sent;
        RdmaFlowHelper local(fabric);
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            local.Add({HostId(host),
                       HostId(host % LEAVES == LEAVES - 1 ? host - 3 : host + 1),
                       1 << 20,
                       Simulator::Now()});
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(local.GetNCompleted(), HOSTS, "all messages of a leaf");
        NS_TEST_EXPECT_MSG_EQ((m_sent == before), true, "which no spine has seen");
    }
};

/// A long message alone: share of payload.
class NamedShareTest : public NamedPathsCase
{
  public:
    /// @param format of entropy values @param share of the line
    NamedShareTest(RdmaMrc::Format format, double share)
        : NamedPathsCase(format, "Share of payload"),
          m_share(share)
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = Build(8);
        RdmaFlowHelper flows(fabric);
        flows.Add({HostId(0), HostId(HOSTS - 1), 60000000});
        const RdmaCounters& received = fabric.GetRdma(HostId(HOSTS - 1))->GetCounters();
        std::vector<double> delivered;
        for (const int us : {200, 400})
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                delivered.push_back(static_cast<double>(received.payloadDelivered));
            });
        }
        Simulator::Run();
        const double gbps = (delivered[1] - delivered[0]) * 8 / 200e3;
        NS_TEST_EXPECT_MSG_EQ_TOL(gbps, 800 * m_share, 8 * m_share, "Gb/s");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(HostId(0))->GetCounters().retransmitted, 0U, "once");
    }

    double m_share;
};

/// 16.19: the controller denies all values that name one spine.
class DeniedSpineTest : public NamedPathsCase
{
  public:
    explicit DeniedSpineTest(RdmaMrc::Format format)
        : NamedPathsCase(format, "A denied spine carries nothing")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t PLANES = 4;
        constexpr uint32_t DENIED = 2;
        const Fabric fabric = Build(PLANES);
        Watch(fabric);
        std::vector<Ptr<RdmaQueuePair>> ends;
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            const auto connection = fabric.Connect(HostId(host), HostId((host + 5) % HOSTS));
            ends.push_back(connection.source);
            const auto mrc = DynamicCast<RdmaMrc>(connection.source->GetTransport());
            mrc->SetDenied(0, 0, true); // the values are there
            mrc->SetDenied(0, 0, false);
            for (uint32_t plane = 0; plane < PLANES; ++plane)
            {
                for (uint16_t ev = 0; ev < mrc->GetEvs(plane)->GetN(); ++ev)
                {
                    const uint32_t value = mrc->GetEvs(plane)->GetValue(ev);
                    mrc->SetDenied(plane, ev, SpineOf(value) == DENIED);
                }
            }
            connection.source->Post({RdmaVerb::WRITE, 4 << 20});
        }
        uint64_t apart = 0;
        for (int us = 20; us < 400; us += 20)
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                for (const auto& end : ends)
                {
                    const auto mrc = DynamicCast<RdmaMrc>(end->GetTransport());
                    apart = std::max(apart, Apart(*mrc, PLANES));
                }
            });
        }
        Simulator::Run();
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(Completed(fabric, HostId(host)), 1U, "the message");
        }
        NS_TEST_EXPECT_MSG_EQ((apart > 0 && apart <= 8), true, "PlaneLead: " << apart);
        for (uint32_t which = 0; which < fabric.GetNSwitches(); ++which)
        {
            const uint32_t spine = SpineNumber(which);
            NS_TEST_EXPECT_MSG_EQ((m_sent[which] > 0),
                                  (spine != 0xffffffff && spine != DENIED),
                                  "data at " << which);
        }
    }
};

/// MrcController denies the values that name a link.
class ControlledLinkTest : public NamedPathsCase
{
  public:
    explicit ControlledLinkTest(RdmaMrc::Format format)
        : NamedPathsCase(format, "A controller knows what values name")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t DENIED = 2;
        const Fabric fabric = Build(2);
        const FabricTopology& topology = fabric.GetTopology();
        MrcController controller(fabric);
        controller.Deny(topology.FindLink(topology.NodeOf(SwitchId(0)),
                                          topology.NodeOf(SwitchId(LEAVES + DENIED))));
        const auto connection = fabric.Connect(HostId(0), HostId(HOSTS - 1));
        connection.source->Post({RdmaVerb::WRITE, 4096});
        const auto mrc = DynamicCast<RdmaMrc>(connection.source->GetTransport());
        uint32_t denied = 0;
        for (uint32_t plane = 0; plane < 2; ++plane)
        {
            const MrcPlaneEvs& evs = *mrc->GetEvs(plane);
            for (uint16_t ev = 0; ev < evs.GetN(); ++ev)
            {
                const bool names = plane == 0 && SpineOf(evs.GetValue(ev)) == DENIED;
                NS_TEST_EXPECT_MSG_EQ((evs.GetState(ev) == MrcPlaneEvs::DENIED), names, ev);
                denied += names;
            }
        }
        NS_TEST_EXPECT_MSG_GT(denied, 0U, "some name the link");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Completed(fabric, HostId(0)), 1U, "message");
    }
};

/// Values that the user gives, and a way that is dead.
class GivenValuesTest : public NamedPathsCase
{
  public:
    explicit GivenValuesTest(RdmaMrc::Format format)
        : NamedPathsCase(format, "Values are given, and one names a dead way")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = Build(2);
        Watch(fabric);
        FaultHelper faults(fabric);
        const FabricTopology& topology = fabric.GetTopology();
        const auto leaf = topology.NodeOf(SwitchId(0));
        const auto spine = topology.NodeOf(SwitchId(LEAVES + 1));
        faults.CutLink(topology.FindLink(leaf, spine), MicroSeconds(50));
        const auto connection = fabric.Connect(HostId(0), HostId(HOSTS - 1));
        const auto mrc = DynamicCast<RdmaMrc>(connection.source->GetTransport());
        const MrcEvFields fields = m_format == RdmaMrc::STEV
                                       ? MrcEvFields({{2, 1, 2}, {30, 0, 0}}) // spines 1 and 3
                                       : MrcEvFields({{2, 1, 2}});
        for (uint32_t plane = 0; plane < 2; ++plane)
        {
            mrc->SetEvs(plane, {fields.Expand(0), fields.Expand(1)});
        }
        ExpectRefusal([&] { mrc->SetEvs(2, {1}); }, "no plane 2");
        ExpectRefusal([&] { mrc->SetEvs(0, {}); }, "give 1 to 16384");
        connection.source->Post({RdmaVerb::WRITE, 8 << 20});
        ExpectRefusal([&] { mrc->SetEvs(0, {1}); }, "before the first request");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(mrc->GetEvs(0)->GetN(), 2U, "as many as were given");
        NS_TEST_EXPECT_MSG_EQ(Completed(fabric, HostId(0)), 1U, "message");
        NS_TEST_EXPECT_MSG_EQ(m_astray, 0U, "frames that went astray");
        for (uint32_t which = 0; which < fabric.GetNSwitches(); ++which)
        {
            const uint32_t number = SpineNumber(which);
            NS_TEST_EXPECT_MSG_EQ((m_sent[which] > 0), (number == 1 || number == 3), which);
        }
        NS_TEST_EXPECT_MSG_GT(mrc->GetCounters().evsLost + mrc->GetCounters().evsKept, 0U, "dead");
        NS_TEST_EXPECT_MSG_GT(m_sent[LEAVES + 3], m_sent[LEAVES + 1], "the way that lives");
    }
};

/// The same bytes again, by several threads, too.
class NamedThreadsTest : public NamedPathsCase
{
  public:
    explicit NamedThreadsTest(RdmaMrc::Format format)
        : NamedPathsCase(format, "Runs repeat")
    {
    }

  private:
    /// @param threads of the run @return a number of what all ports have sent
    uint64_t Once(uint32_t threads)
    {
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        uint64_t hash = 0;
        {
            const Fabric fabric = Build(2);
            RunOptions options;
            options.progress = false;
            options.threads = threads;
            FabricRun run(fabric, options);
            run.Rdma().Permutation(1 << 20, Time(0));
            run.Rdma().Incast(7, HostId(3), 300000, Time(0));
            const RunTotals totals = run.Execute().totals;
            NS_TEST_EXPECT_MSG_EQ(totals.flowsCompleted, totals.flowsTotal, "all complete");
            hash = tests::DigestOfCounters(fabric);
        }
        Simulator::Destroy();
        SetSimulator(DefaultSimulatorImpl::GetTypeId());
        return hash;
    }

    void DoRun() override
    {
        const CapturedErrors warnings; // of timeouts where trimmed packets find no room
        const uint64_t one = Once(1);
        for (const uint32_t threads : {1, 2, 3, 4, 5, 6, 7})
        {
            NS_TEST_EXPECT_MSG_EQ(Once(threads), one, threads << " threads");
        }
    }
};

/// 16.23: what cannot be named.
class NamedRefusalTest : public NamedPathsCase
{
  public:
    explicit NamedRefusalTest(RdmaMrc::Format format)
        : NamedPathsCase(format, "What cannot be named is refused")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper old;
        old.SetMrc(MicroSeconds(12), m_format);
        old.SetIpVersion(4);
        const Fabric overIpv4 = old.MultiPlane(2, 2, 2, 2);
        ExpectRefusal([&] { overIpv4.Connect(HostId(0), HostId(1)); }, "take IPv6");
        FabricHelper plain;
        plain.SetMrc(MicroSeconds(12));
        plain.SetQueuePair("Transport",
                           StringValue(m_format == RdmaMrc::STEV ? "ns3::RdmaMrc[Format=Stev]"
                                                                 : "ns3::RdmaMrc[Format=Srv6]"));
        const Fabric unnamed = plain.MultiPlane(2, 2, 2, 2);
        ExpectRefusal([&] { unnamed.Connect(HostId(0), HostId(1)); }, "FabricHelper::SetMrc()");
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12), m_format);
        FabricTopology uneven = FabricTopology::LeafSpine(2, 2, 2, {}, {});
        uneven.AddLink(uneven.AddSwitch(), uneven.NodeOf(SwitchId(0)), {});
        ExpectError([&] { helper.FromTopology(uneven); }, "entropy values of format Udp");
    }
};

/// Structured values in three tiers.
class ThreeTiersTest : public NamedPathsCase
{
  public:
    ThreeTiersTest()
        : NamedPathsCase(RdmaMrc::STEV, "Three tiers have two fields")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(20), RdmaMrc::STEV);
        const Fabric fabric = helper.FatTree(4);
        const auto connection = fabric.Connect(HostId(0), HostId(15));
        const auto mrc = DynamicCast<RdmaMrc>(connection.source->GetTransport());
        mrc->SetEvs(0, {0x80000000}); // aggregation switch 1, its core switch 0
        connection.source->Post({RdmaVerb::WRITE, 1000000});
        uint64_t sent = 0;
        uint64_t others = 0;
        constexpr uint32_t FIRST_CORE = 16;
        for (uint32_t which = FIRST_CORE; which < fabric.GetNSwitches(); ++which)
        {
            for (uint32_t port = 0; port < 4; ++port)
            {
                fabric.GetSwitch(which)->GetPort(port)->TraceConnectWithoutContext(
                    "FrameTx",
                    Callback<void, const QbbNetDevice&, const Frame&>(
                        [which, &sent, &others](const QbbNetDevice&, const Frame& frame) {
                            const bool isThere = which == FIRST_CORE + 2;
                            (isThere ? sent : others) += IsMrcWrite(frame.opcode);
                        }));
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Completed(fabric, HostId(0)), 1U, "message");
        NS_TEST_EXPECT_MSG_EQ(sent, 245U, "packets by the core switch that is named");
        NS_TEST_EXPECT_MSG_EQ(others, 0U, "packets by others");
    }
};

/// The path of the sheet: plane 5, leaf 17, spine 3, leaf 34, its port 7; and its marks.
class Srv6VectorTest : public NamedPathsCase
{
  public:
    Srv6VectorTest()
        : NamedPathsCase(RdmaMrc::SRV6, "The path of the sheet")
    {
    }

  private:
    /// Note where a packet of plane 5 goes. @param frame it
    void Note(const QbbNetDevice&, const Frame& frame)
    {
        if (IsMrcWrite(frame.opcode) && frame.flowLabel == 5)
        {
            std::ostringstream os;
            os << std::hex << frame.dstHigh[0] << ":" << frame.dstHigh[1] << ":" << frame.dstHigh[2]
               << ":" << frame.dst << std::dec << " " << +frame.ttl << " " << frame.bytes;
            m_ways.push_back(os.str());
        }
    }

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12), RdmaMrc::SRV6);
        const Fabric fabric = helper.MultiPlane(6, 35, 4, 8);
        const HostId source(17 * 8 + 2);
        const HostId destination(34 * 8 + 7);
        const auto connection = fabric.Connect(source, destination);
        const auto mrc = DynamicCast<RdmaMrc>(connection.source->GetTransport());
        for (uint32_t plane = 0; plane < 6; ++plane)
        {
            mrc->SetEvs(plane, {plane << 16 | 3});
        }
        for (const FabricPort& each : PortsOf(fabric))
        {
            each.device->TraceConnectWithoutContext("FrameTx",
                                                    MakeCallback(&Srv6VectorTest::Note, this));
        }
        connection.source->Post({RdmaVerb::WRITE, 6 * 4096});
        Simulator::Run();
        const std::vector<std::string> expected{"fcbbbb00:54115803:54225007:0 64 4242",
                                                "fcbbbb00:58035422:50070000:0 63 4242",
                                                "fcbbbb00:54225007:0:0 62 4242",
                                                "fcbbbb00:50070000:0:0 61 4242"};
        NS_TEST_EXPECT_MSG_EQ(m_ways.size(), expected.size(), "hops");
        NS_TEST_EXPECT_MSG_EQ((m_ways == expected), true, (m_ways.empty() ? "" : m_ways.back()));
        NS_TEST_EXPECT_MSG_EQ(Completed(fabric, source), 1U, "message");
    }

    std::vector<std::string> m_ways;
};

/// What a switch does with addresses that no host of this fabric would send.
class Srv6ForwardingTest : public NamedPathsCase
{
  public:
    Srv6ForwardingTest()
        : NamedPathsCase(RdmaMrc::SRV6, "Switches shift their own uSIDs, and drop unknown ones")
    {
    }

  private:
    static constexpr uint32_t LOCATOR = 0xfcbbbb00;

    /// Send a packet from host 0 to host 5. @param fabric of both @param to outer destination
    /// @param ttl outer hop limit @param ecn of the outer header; the inner one is not ECN-capable
    static void Send(const Fabric& fabric,
                     const Srv6Address& to,
                     uint8_t ttl = Frame::INITIAL_TTL,
                     Ecn ecn = Ecn::NOT_ECT)
    {
        auto frame = new Frame;
        const RdmaAddress& own = fabric.GetRdma(HostId(0))->GetAddress(0);
        const RdmaAddress& peer = fabric.GetRdma(HostId(5))->GetAddress(0);
        frame->ipVersion = 6;
        frame->src = own.low;
        frame->srcHigh = own.high;
        frame->dst = peer.low;
        frame->dstHigh = peer.high;
        frame->dstPort = ROCE_UDP_PORT;
        frame->destQp = 0xffffff;
        frame->opcode = RoceOpcode::MRC_PROBE;
        frame->telemetryKind = TelemetryKind::MRC;
        frame->telemetry.mrc = {};
        frame->bytes = RoceFrameBytes(frame->opcode, 0, 6);
        frame->ttl = ttl;
        EnterSrv6(*frame, to);
        frame->ecn = ecn;
        const auto port = fabric.GetRdma(HostId(0))->GetDevice(0);
        port->Queues().Push(frame);
        port->Kick();
        Simulator::Run();
    }

    /// @param fabric a fabric @param which a switch @param reason why it drops @return how often
    static uint64_t Drops(const Fabric& fabric, uint32_t which, DropReason reason)
    {
        return fabric.GetSwitch(which)->GetDropCount(reason);
    }

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12), RdmaMrc::SRV6);
        const Fabric fabric = helper.MultiPlane(1, 3, 2, 2); // leaves 0 to 2, spines 3 and 4
        constexpr uint32_t LEAF0 = 0x0400;
        constexpr uint32_t LEAF2 = 0x0402;
        constexpr uint32_t SPINE1 = 0x0801;
        const auto arrived = [&fabric](DropReason reason) {
            return fabric.GetRdma(HostId(5))->GetDevice(0)->GetCounters().drops[static_cast<size_t>(
                reason)];
        };
        Send(fabric, {LOCATOR, LEAF0 << 16 | SPINE1, LEAF2 << 16 | 1, 0});
        NS_TEST_EXPECT_MSG_EQ(arrived(DropReason::NO_QUEUE_PAIR), 1U, "at the host");
        Send(fabric, {LOCATOR, SPINE1 << 16 | LEAF2, 1 << 16, 0});
        NS_TEST_EXPECT_MSG_EQ(arrived(DropReason::NO_QUEUE_PAIR), 2U, "leaf 0: not its own");
        Send(fabric, {LOCATOR, LEAF2 << 16 | 1, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(Drops(fabric, 0, DropReason::NO_ROUTE), 1U, "no neighbour");
        Send(fabric, {LOCATOR, LEAF0 << 16 | 0x0805, LEAF2 << 16 | 1, 0});
        NS_TEST_EXPECT_MSG_EQ(Drops(fabric, 0, DropReason::NO_ROUTE), 2U, "unknown spine");
        Send(fabric, {LOCATOR + 1, LEAF0 << 16 | SPINE1, LEAF2 << 16 | 1, 0});
        NS_TEST_EXPECT_MSG_EQ(Drops(fabric, 0, DropReason::NO_ROUTE), 3U, "another locator");
        Send(fabric, {LOCATOR, LEAF0 << 16 | SPINE1, LEAF2 << 16 | 1, 0}, 2);
        NS_TEST_EXPECT_MSG_EQ(Drops(fabric, 4, DropReason::TTL_EXPIRED), 1U, "outer hop limit");
        Send(fabric, {LOCATOR, LEAF0 << 16 | SPINE1, LEAF2 << 16 | 1, 0}, 64, Ecn::CE);
        NS_TEST_EXPECT_MSG_EQ(arrived(DropReason::TUNNEL_ECN), 1U, "a mark that is not to be lost");
        Send(fabric, {LOCATOR, LEAF0 << 16 | SPINE1, LEAF2 << 16, 0});
        NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(HostId(4))
                                  ->GetDevice(0)
                                  ->GetCounters()
                                  .drops[static_cast<size_t>(DropReason::NOT_FOR_US)],
                              1U,
                              "another host");
        NS_TEST_EXPECT_MSG_EQ(arrived(DropReason::NO_QUEUE_PAIR), 2U, "no other has come");
    }
};

/// 16.23 of SRv6.
class Srv6RefusalTest : public NamedPathsCase
{
  public:
    Srv6RefusalTest()
        : NamedPathsCase(RdmaMrc::SRV6, "What SRv6 cannot do is refused")
    {
    }

  private:
    /// @param change of the settings @return helper of fabrics of SRv6
    template <typename Change>
    static FabricHelper With(Change change)
    {
        FabricHelper helper;
        helper.SetMrc(MicroSeconds(12), RdmaMrc::SRV6);
        change(helper);
        return helper;
    }

    void DoRun() override
    {
        const FabricHelper helper = With([](FabricHelper&) {});
        ExpectError([&] { helper.FatTree(4); }, "3 tiers");
        ExpectError([&] { helper.MultiPlane(17, 1, 1, 1); }, "16 planes");
        const FabricHelper wrong = With([](FabricHelper& h) {
            h.At("all").Set("ns3::Srv6Switch::Locator", Ipv6AddressValue("fd00::"));
        });
        ExpectError([&] { wrong.Star(2); }, "not fd00::");
        ExpectRefusal(
            [] {
                CreateObject<Srv6Switch>()->SetAttribute("Locator", Ipv6AddressValue("fcbb::1"));
            },
            "32 bits");
        const FabricHelper narrow =
            With([](FabricHelper& h) { h.SetLink("Mtu", UintegerValue(4096 + 131)); });
        ExpectError([&] { narrow.Star(2); }, "4228 bytes");
        const FabricHelper wide =
            With([](FabricHelper& h) { h.SetLink("Mtu", UintegerValue(4096 + 132)); });
        const Fabric fabric = wide.Star(2);
        const auto connection = fabric.Connect(HostId(0), HostId(1));
        connection.source->Post({RdmaVerb::WRITE, 100000});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Completed(fabric, HostId(0)), 1U, "a star");
        const Fabric late = wide.Star(2);
        late.GetRdma(HostId(0))->GetDevice(0)->SetMtu(4096 + 131);
        ExpectRefusal([&] { late.Connect(HostId(0), HostId(1)); }, "4228 bytes");
    }
};

/// The suite.
class LosslessMrcPathsTestSuite : public TestSuite
{
  public:
    LosslessMrcPathsTestSuite()
        : TestSuite("lossless-mrc-paths", UNIT)
    {
        for (const auto& [format, share] :
             {std::pair{RdmaMrc::STEV, 0.970156}, {RdmaMrc::SRV6, 0.961051}})
        {
            AddTestCase(new NamedPermutationTest(format));
            AddTestCase(new NamedShareTest(format, share));
            AddTestCase(new DeniedSpineTest(format));
            AddTestCase(new ControlledLinkTest(format));
            AddTestCase(new GivenValuesTest(format));
            AddTestCase(new NamedThreadsTest(format));
            AddTestCase(new NamedRefusalTest(format));
        }
        AddTestCase(new ThreeTiersTest);
        AddTestCase(new Srv6VectorTest);
        AddTestCase(new Srv6ForwardingTest);
        AddTestCase(new Srv6RefusalTest);
    }
};

LosslessMrcPathsTestSuite g_losslessMrcPathsTestSuite; //!< the suite

} // namespace
