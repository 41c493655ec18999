// SPDX-License-Identifier: GPL-2.0-only

// Packet trimming: at which length of a queue it begins, what share of a line headers take, that
// all messages complete without PFC, and which switches are refused.

#include "captured-errors.h"
#include "fabric-test-case.h"
#include "property-test-suite.h"
#include "random-fabric.h"
#include "wire-digest.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric-run.h"
#include "ns3/frame-trim.h"
#include "ns3/result-table.h"
#include "ns3/trim-switch.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using ns3::tests::Dice;

namespace
{

constexpr uint32_t GAP = ETHERNET_GAP_BYTES;
constexpr uint32_t NO_QUEUE_PAIR = 0xffffff; //!< hosts drop what is for this one

/// @param fabric a fabric @param index of a switch @return its trimming
Ptr<TrimSwitch>
TrimOf(const Fabric& fabric, uint32_t index)
{
    return DynamicCast<TrimSwitch>(fabric.GetSwitch(index)->GetExtension(0));
}

/// Single frames of hosts of a star, to host 0.
class TrimFrameTestCase : public FabricTestCase
{
  public:
    using FabricTestCase::FabricTestCase;

  protected:
    /// Build the star. @param hosts how many @param attributes of the trimming
    /// @param scheduler of the ports
    void Build(uint32_t hosts,
               const std::string& attributes,
               const std::string& scheduler = "ns3::StrictPriorityScheduler")
    {
        FabricHelper helper;
        helper.SetLosslessClasses({});
        helper.SetEcn("ns3::WredEcnMarker[Classes=0]");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("64MiB"));
        helper.SetLink("Mtu", UintegerValue(9000));
        helper.SetScheduler(scheduler);
        helper.AddSwitchExtension("ns3::TrimSwitch[" + attributes + "]");
        m_fabric.emplace(helper.Star(hosts));
        m_switch = m_fabric->GetSwitch(0);
        m_trim = TrimOf(*m_fabric, 0);
    }

    /// @param host which @return its port
    Ptr<QbbNetDevice> PortOf(uint32_t host) const
    {
        return m_fabric->GetDevice(m_fabric->GetTopology().NodeOf(HostId(host)), 0);
    }

    /// Send frames back to back. @param host which @param count how many @param bytes of each frame
    /// @param opcode of each @param cls of each
    void Send(uint32_t host,
              uint32_t count,
              uint32_t bytes,
              RoceOpcode opcode = RoceOpcode::WRITE_MIDDLE,
              uint8_t cls = 3)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            auto* frame = new Frame;
            frame->src = m_fabric->GetAddress(HostId(host)).Get();
            frame->dst = m_fabric->GetAddress(HostId(0)).Get();
            frame->dstPort = ROCE_UDP_PORT;
            frame->destQp = NO_QUEUE_PAIR;
            frame->opcode = opcode;
            frame->payloadBytes =
                CarriesData(opcode) ? bytes - RoceFrameBytes(opcode, 1024) + 1024 : 0;
            frame->bytes = bytes;
            frame->dscp = cls << 3;
            frame->trafficClass = cls;
            PortOf(host)->Queues().Push(frame);
        }
        PortOf(host)->Kick();
    }

    /// @param from counters of before @return bytes that the switch has sent to host 0 since, by
    /// class
    std::vector<double> SentSince(const QbbNetDevice::Counters& from) const
    {
        const auto now = m_switch->GetPort(0)->GetCounters();
        std::vector<double> bytes;
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            bytes.push_back(now.txClassBytes[cls] - from.txClassBytes[cls]);
        }
        return bytes;
    }

    std::optional<Fabric> m_fabric; //!< the star
    Ptr<FabricSwitch> m_switch;     //!< its switch
    Ptr<TrimSwitch> m_trim;         //!< of the switch
};

/// The thresholds to the byte: 150,000 bytes are 100 Gb/s times 12 us.
class TrimThresholdTest : public TrimFrameTestCase
{
  public:
    /// @param last ThresholdLastHop
    explicit TrimThresholdTest(double last)
        : TrimFrameTestCase("A queue of 150,000 bytes is the limit, times " + std::to_string(last)),
          m_last(last)
    {
    }

  private:
    /// @param queued bytes that wait in class 3 before a frame of 4202 comes
    /// @return whether that was trimmed
    bool IsTrimmedAt(uint64_t queued)
    {
        Build(2, "ThresholdLastHop=" + std::to_string(m_last));
        NS_TEST_EXPECT_MSG_EQ(m_trim->GetThresholdBytes(0), m_last * 150000, "bytes");
        // A port that is 10^5 times slower, with a base RTT that is as much longer.
        m_switch->GetPort(0)->SetAttribute("DataRate", StringValue("1Mbps"));
        m_trim->SetAttribute("BaseRtt", TimeValue(MilliSeconds(1200)));
        constexpr uint32_t FRAME = 4202;
        Send(1, 1, 1000); // this one is on the line
        Send(1, queued / FRAME - 1, FRAME);
        Send(1, 1, queued % FRAME + FRAME);
        RunUntil(MicroSeconds(40));
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetQueueBytes(0, 3), queued, "they wait");
        Send(1, 1, FRAME);
        Send(1, 1, 66, RoceOpcode::ACKNOWLEDGE); // never cut
        RunUntil(MicroSeconds(50));
        const auto counters = m_trim->GetCounters(0);
        const bool isCut = counters.trims == 1;
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetQueueBytes(0, 3),
                              queued + 66 + (isCut ? 0 : FRAME),
                              "the queue of data");
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetQueueBytes(0, 5), (isCut ? 64 : 0), "that of headers");
        NS_TEST_EXPECT_MSG_EQ(counters.trimmedBytes, isCut * (FRAME - 64), "what was cut off");
        const auto mmu = m_switch->GetMmu();
        const uint32_t cells = mmu->GetCellSize().OfFrame(64);
        NS_TEST_EXPECT_MSG_EQ(mmu->GetEgress(0, 5).used, isCut * cells, "booked as it is now");
        NS_TEST_EXPECT_MSG_EQ(mmu->CheckInvariants(), "", "books");
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetLossyDrops(), 0, "no loss");
        Simulator::Destroy();
        return isCut;
    }

    void DoRun() override
    {
        const uint64_t limit = m_last * 150000 - 4202;
        NS_TEST_EXPECT_MSG_EQ(IsTrimmedAt(limit), false, "to the last byte");
        NS_TEST_EXPECT_MSG_EQ(IsTrimmedAt(limit + 1), true, "one more");
    }

    double m_last;
};

/// Beyond its limit the class of headers drops.
class TrimLimitTest : public TrimFrameTestCase
{
  public:
    TrimLimitTest()
        : TrimFrameTestCase(
              "Trimmed packets beyond their limit are dropped, for a reason of theirs")
    {
    }

  private:
    void DoRun() override
    {
        Build(2, "ThresholdLastHop=0|TrimLimit=0.1");
        m_switch->GetPort(0)->SetAttribute("DataRate", StringValue("1Mbps"));
        m_trim->SetAttribute("BaseRtt", TimeValue(MilliSeconds(1200)));
        uint32_t dropped = 0;
        m_switch->TraceConnectWithoutContext(
            "Drop",
            Callback<void, uint32_t, uint32_t, uint32_t, DropReason>(
                [&](uint32_t, uint32_t cls, uint32_t bytes, DropReason reason) {
                    dropped += reason == DropReason::TRIMMED_FULL && cls == 5 && bytes == 64;
                }));
        constexpr uint32_t FIT = 15000 / 64; // and one on the line
        Send(1, FIT + 1 + 7, 1086);
        RunUntil(MicroSeconds(100));
        const auto counters = m_trim->GetCounters(0);
        NS_TEST_EXPECT_MSG_EQ(counters.trims, FIT + 8, "all are cut");
        NS_TEST_EXPECT_MSG_EQ(counters.dropped, 7, "the limit");
        NS_TEST_EXPECT_MSG_EQ(counters.sent, 1, "the first is on its way");
        NS_TEST_EXPECT_MSG_EQ(dropped, 7, "the trace says so");
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetDropCount(DropReason::TRIMMED_FULL), 7, "by reason");
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetQueueBytes(0, 5), FIT * 64, "what waits");
    }
};

/// What the buffer refuses is trimmed as what the threshold does.
class TrimRefusedTest : public TrimFrameTestCase
{
  public:
    TrimRefusedTest()
        : TrimFrameTestCase("A packet for which the buffer has no room is trimmed")
    {
    }

  private:
    void DoRun() override
    {
        Build(9, "ThresholdLastHop=1000", "ns3::DwrrScheduler");
        m_switch->GetMmu()->SetAttribute("BufferSize", UintegerValue(200000));
        for (uint32_t host = 1; host < 9; ++host)
        {
            Send(host, 200, 1086);
            Send(host, 50, 1086, RoceOpcode::WRITE_MIDDLE, 2); // of a class that is not trimmed
        }
        Simulator::Run();
        const auto counters = m_trim->GetCounters(0);
        const uint64_t refused = m_switch->GetDropCount(DropReason::INGRESS_LIMIT) +
                                 m_switch->GetDropCount(DropReason::EGRESS_LIMIT);
        NS_TEST_EXPECT_MSG_GT(counters.trims, 400, "most of them");
        NS_TEST_EXPECT_MSG_GT(refused, 20, "those of class 2 are lost");
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetLossyDrops(), refused + counters.dropped, "no more is");
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetDropCount(DropReason::TRIMMED_FULL),
                              counters.dropped,
                              "what had no room, cut or not");
        NS_TEST_EXPECT_MSG_EQ(counters.sent, counters.trims - counters.dropped, "SAI's books");
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetPort(0)->GetCounters().txFrames,
                              8 * 250 - m_switch->GetLossyDrops(),
                              "a trimmed packet is no loss");
        ExpectClean(*m_fabric);
    }
};

/// N line-rate senders to a port: the share of the line that headers take, in closed form.
class TrimShareTest : public TrimFrameTestCase
{
  public:
    /// @param senders how many @param payload bytes of a packet @param kept TrimBytes
    /// @param share of the line that headers may take under load; 1: strictly first
    TrimShareTest(uint32_t senders, uint32_t payload, uint32_t kept, double share)
        : TrimFrameTestCase(std::to_string(senders) + " senders of " + std::to_string(payload) +
                            " bytes, trimmed to " + std::to_string(kept) + ", headers up to " +
                            std::to_string(share)),
          m_senders(senders),
          m_payload(payload),
          m_kept(kept),
          m_share(share)
    {
    }

  private:
    void DoRun() override
    {
        Build(m_senders + 1,
              "TrimLimit=0.2|TrimBytes=" + std::to_string(m_kept),
              m_share == 1 ? "ns3::StrictPriorityScheduler"
                           : "ns3::DwrrScheduler[Weights=1 1 1 3 1 1 1 1|Quantum=5000]");
        const uint32_t frame = RoceFrameBytes(RoceOpcode::WRITE_MIDDLE, m_payload);
        const uint32_t header =
            RoceFrameBytes(RoceOpcode::WRITE_MIDDLE, (m_kept - LEAST_TRIM_BYTES) / 4 * 4);
        const double D = frame + GAP;
        const double t = header + GAP;
        constexpr double BYTES_PER_SECOND = 100e9 / 8;
        for (uint32_t host = 1; host <= m_senders; ++host)
        {
            Send(host, static_cast<uint32_t>(600e-6 * BYTES_PER_SECOND / D), frame);
        }
        // The queues are full; then half a millisecond.
        RunUntil(MicroSeconds(100));
        const auto before = m_switch->GetPort(0)->GetCounters();
        const auto trims = m_trim->GetCounters(0);
        RunUntil(MicroSeconds(500));
        const auto sent = SentSince(before);
        const auto counted = CountersSince(m_trim->GetCounters(0), trims);
        const double line = 400e-6 * BYTES_PER_SECOND;

        double data = (D - m_senders * t) / (D - t);
        double headers = (m_senders - data) * t / D;
        if (headers > m_share)
        {
            data = 1 - m_share;
        }
        const double wanted = (m_senders - data) * t / D;
        headers = std::min(wanted, m_share);
        const double lost = 1 - headers / wanted;
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[3] * D / frame / line, data, 0.01, "data");
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[5] * t / header / line, headers, 0.01, "headers");
        const double dropped = static_cast<double>(counted.dropped) / counted.trims;
        NS_TEST_EXPECT_MSG_EQ_TOL(dropped, lost, 0.01, "headers lost");
        if (lost == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(counted.dropped, 0, "not one");
        }
    }

    uint32_t m_senders;
    uint32_t m_payload;
    uint32_t m_kept;
    double m_share;
};

/// On the way to another switch the DSCP and the limit are others than on the last hop.
class TrimPlacesTest : public FabricTestCase
{
  public:
    TrimPlacesTest()
        : FabricTestCase("Receivers hear where a packet was trimmed")
    {
    }

  private:
    /// @param last whether the port to the host is the slow one
    void Run(bool last)
    {
        FabricHelper helper;
        helper.SetLosslessClasses({});
        helper.SetCongestionControl("ns3::RdmaFixedRate");
        helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn[BdpCap=1000]"));
        helper.AddSwitchExtension("ns3::TrimSwitch[BaseRtt=4us]");
        const Fabric fabric = helper.Dumbbell(4, 2, DataRate(last ? "400Gbps" : "100Gbps"));
        std::vector<uint64_t> seen(64, 0);
        const uint32_t receiver = 4;
        fabric.GetDevice(fabric.GetTopology().NodeOf(HostId(receiver)), 0)
            ->GetPeer()
            ->TraceConnectWithoutContext(
                "FrameTx",
                Callback<void, const QbbNetDevice&, const Frame&>(
                    [&](const QbbNetDevice&, const Frame& frame) {
                        if (IsTrimmed(frame))
                        {
                            ++seen[frame.dscp];
                            const Trim where = frame.dscp == 41 ? Trim::LAST_HOP : Trim::ON_PATH;
                            NS_TEST_EXPECT_MSG_EQ((frame.trim == where), true, "as its DSCP says");
                        }
                    }));
        for (uint32_t host = 0; host < 4; ++host)
        {
            fabric.Connect(host, receiver).source->Post({RdmaVerb::WRITE, 300000});
        }
        Simulator::Run();
        const uint32_t on = last ? 1 : 0;
        NS_TEST_EXPECT_MSG_GT(TrimOf(fabric, on)->GetCounters().trims, 50, "here");
        NS_TEST_EXPECT_MSG_EQ(TrimOf(fabric, 1 - on)->GetCounters().trims, 0, "not there");
        NS_TEST_EXPECT_MSG_EQ(TrimOf(fabric, 1)->GetCounters().sent,
                              TrimOf(fabric, on)->GetCounters().trims,
                              "they pass the other switch");
        NS_TEST_EXPECT_MSG_EQ(seen[last ? 41 : 40], TrimOf(fabric, on)->GetCounters().trims, "all");
        NS_TEST_EXPECT_MSG_EQ(seen[last ? 40 : 41], 0, "no other");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        Run(false);
        Run(true);
    }
};

/// Fifteen to one without PFC: no header is lost, and no sender waits for its timer.
class TrimIncastTest : public FabricTestCase
{
  public:
    /// @param recovery LossRecovery @param bytes of each sender
    TrimIncastTest(const std::string& recovery, uint64_t bytes)
        : FabricTestCase("Incast 15:1 without PFC, " + recovery),
          m_recovery(recovery),
          m_bytes(bytes)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t SENDERS = 15;
        FabricHelper helper;
        helper.SetLosslessClasses({});
        helper.SetCongestionControl("ns3::RdmaFixedRate");
        helper.SetQueuePair("LossRecovery", StringValue(m_recovery), "Mtu", UintegerValue(4096));
        helper.SetScheduler("ns3::StrictPriorityScheduler");
        helper.AddSwitchExtension("ns3::TrimSwitch");
        Fabric fabric = helper.Star(SENDERS + 1);
        FabricRun run(fabric, {});
        run.Rdma().Incast(SENDERS, 0, m_bytes, Time(0));
        const RunTotals& totals = run.Execute().totals;
        NS_TEST_EXPECT_MSG_EQ(totals.flowsCompleted, SENDERS, "all complete");
        NS_TEST_ASSERT_MSG_EQ(totals.trims.has_value(), true, "totals of trimming");
        NS_TEST_EXPECT_MSG_GT(totals.trims->trims, 100, "there was no room");
        NS_TEST_EXPECT_MSG_EQ(totals.trims->dropped, 0, "but for all headers");
        NS_TEST_EXPECT_MSG_EQ(totals.rdma.timeouts, 0, "so nobody waits");
        NS_TEST_EXPECT_MSG_EQ(totals.lossyDrops, 0, "a trimmed packet is no drop");
        NS_TEST_EXPECT_MSG_EQ(totals.pfc.xoffFrames, 0, "nor was anybody paused");
        const auto& counters = fabric.GetRdma(0)->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.payloadDelivered, SENDERS * m_bytes, "every byte once");
        if (m_recovery.find("Irn") != std::string::npos)
        {
            NS_TEST_EXPECT_MSG_EQ(counters.duplicates, 0, "nothing twice");
            NS_TEST_EXPECT_MSG_EQ(totals.rdma.retransmitted, totals.trims->trims, "each once");
        }
        ExpectSettled(fabric);
    }

    std::string m_recovery;
    uint64_t m_bytes;
};

/// What a run tells.
class TrimTableTest : public FabricTestCase
{
  public:
    TrimTableTest()
        : FabricTestCase("The table of a run has trims by switch and port")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetLosslessClasses({});
        helper.SetCongestionControl("ns3::RdmaFixedRate");
        helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn"));
        helper.AddSwitchExtension("ns3::TrimSwitch[BaseRtt=4us]");
        Fabric fabric = helper.Star(5);
        RunOptions options;
        options.progress = false;
        options.keep = {"trims"};
        FabricRun run(fabric, options);
        run.Rdma().Incast(4, 0, 300000, Time(0));
        const RunTotals totals = run.Execute().totals;
        const auto counters = TrimOf(fabric, 0)->GetCounters(0);
        const std::vector<uint64_t> expected{fabric.GetSwitch(0)->GetObject<Node>()->GetId(),
                                             0,
                                             counters.trims,
                                             counters.trimmedBytes,
                                             counters.sent,
                                             counters.dropped};
        std::vector<uint64_t> row;
        for (const auto& column : run.GetTable("trims").GetColumns())
        {
            const auto& cells = std::get<std::vector<int64_t>>(column);
            NS_TEST_ASSERT_MSG_EQ(cells.size(), 1, "one port");
            row.push_back(cells[0]);
        }
        NS_TEST_EXPECT_MSG_EQ((row == expected), true, "its counters");
        NS_TEST_EXPECT_MSG_EQ(totals.trims->trims, counters.trims, "the total");
    }
};

/// What cannot work is refused before the run.
class TrimRefusalTest : public FabricTestCase
{
  public:
    TrimRefusalTest()
        : FabricTestCase("Trimming in lossless classes, or without a class of its own, is refused")
    {
    }

  private:
    /// @param attributes of the trimming @param lossless classes @param text of the refusal
    void Expect(const std::string& attributes,
                const std::vector<uint32_t>& lossless,
                const std::string& text)
    {
        FabricHelper helper;
        helper.SetLosslessClasses(lossless);
        helper.AddSwitchExtension("ns3::TrimSwitch[" + attributes + "]");
        ExpectError([&] { helper.Star(3); }, text);
        Simulator::Destroy();
    }

    void DoRun() override
    {
        Expect("Classes=8", {3}, "class 3 has PFC");
        Expect("Classes=24", {4}, "class 4 has PFC");
        Expect("TrimClass=6", {}, "maps DSCP 40");
        Expect("TrimDscpLastHop=8", {}, "maps DSCP 8");
        Expect("Classes=32", {}, "one queue");
        FabricHelper helper;
        helper.SetLosslessClasses({4}); // not among those that are trimmed
        helper.AddSwitchExtension("ns3::TrimSwitch");
        const Fabric fabric = helper.Star(3);
        RunUntil(MicroSeconds(1));
        ExpectRefusal([&] { TrimOf(fabric, 0)->SetAttribute("Classes", UintegerValue(24)); },
                      "class 4 has PFC");
    }
};

/// A small fabric that trims, drawn from a number.
class RandomTrimTest : public FabricTestCase
{
  public:
    /// @param index number of the case
    explicit RandomTrimTest(uint32_t index)
        : FabricTestCase("Random fabric that trims, " + std::to_string(index)),
          m_index(index)
    {
    }

  private:
    /// What a run shows: a digest, trims, and packets that were sent again.
    using Shown = std::array<uint64_t, 3>;

    /// @param dice for the choices @return the fabric
    static Fabric Build(Dice& dice)
    {
        FabricHelper helper;
        const bool hasLossless = dice.Chance(30);
        helper.SetLosslessClasses(hasLossless ? std::vector<uint32_t>{4} : std::vector<uint32_t>{});
        helper.SetCongestionControl(dice.Pick(
            {"ns3::RdmaFixedRate", "ns3::RdmaDcqcn", "ns3::RdmaSwift", "ns3::RdmaDctcp"}));
        const std::string recovery =
            dice.Pick({"ns3::RdmaIrn", "ns3::RdmaIrn[CountSacked=false]", "ns3::RdmaGoBackN"});
        helper.SetQueuePair("LossRecovery",
                            StringValue(recovery),
                            "RetryLimit",
                            UintegerValue(200));
        if (recovery == "ns3::RdmaGoBackN")
        {
            helper.SetQueuePair("RetransmitTimeout", TimeValue(MicroSeconds(300)));
        }
        helper.SetScheduler(dice.Pick({"ns3::StrictPriorityScheduler", "ns3::DwrrScheduler"}));
        helper.SetSwitch("ns3::SwitchMmu",
                         "BufferSize",
                         StringValue(hasLossless ? "4MB" : dice.Pick({"100KB", "300KB", "4MB"})));
        const double threshold = 0.1 * static_cast<double>(dice.Between(1, 20));
        const Time baseRtt = MicroSeconds(dice.Between(2, 12));
        const double limit = dice.Pick({0.01, 0.1, 1.0});
        const uint32_t bytes = dice.Pick({24, 60, 200});
        helper.AddSwitchExtension("ns3::TrimSwitch",
                                  "BaseRtt",
                                  TimeValue(baseRtt),
                                  "Threshold",
                                  DoubleValue(threshold),
                                  "ThresholdLastHop",
                                  DoubleValue(1.5 * threshold),
                                  "TrimLimit",
                                  DoubleValue(limit),
                                  "TrimBytes",
                                  UintegerValue(bytes));
        const auto leaves = static_cast<uint32_t>(dice.Between(1, 3));
        const auto spines = static_cast<uint32_t>(dice.Between(1, 2));
        const auto hosts = static_cast<uint32_t>(dice.Between(2, 4));
        return helper.LeafSpine(leaves, spines, hosts);
    }

    /// @param threads of the run; 0: ns-3's simulator @return what it shows
    Shown Run(uint32_t threads)
    {
        Dice dice(m_index + 1);
        const CapturedErrors warnings; // that what is trimmed has no PFC
        if (threads > 0)
        {
            SetSimulator(FabricSimulatorImpl::GetTypeId());
        }
        const Fabric fabric = Build(dice);
        std::optional<tests::WireDigest> digest;
        RunOptions options;
        options.progress = false;
        if (threads > 0)
        {
            options.threads = threads;
        }
        else
        {
            digest.emplace(fabric);
        }
        FabricRun run(fabric, options);
        const uint32_t hosts = fabric.GetNHosts();
        uint64_t bytes = 0;
        for (uint64_t flows = dice.Between(3, 15); flows > 0; --flows)
        {
            RdmaFlow flow;
            const auto source = static_cast<uint32_t>(dice.Below(hosts));
            const auto other = static_cast<uint32_t>(dice.Below(hosts - 1));
            flow.source = HostId(source);
            flow.destination = HostId(other + (other >= source));
            flow.bytes = dice.Between(1, 300000);
            flow.start = NanoSeconds(dice.Below(20000));
            flow.verb = dice.Pick({RdmaVerb::WRITE, RdmaVerb::SEND, RdmaVerb::READ});
            flow.trafficClass = dice.Pick({3, 3, 4});
            bytes += flow.bytes;
            run.Rdma().Add(flow);
        }
        const RunTotals totals = run.Execute().totals;
        NS_TEST_EXPECT_MSG_EQ(totals.flowsCompleted, totals.flowsTotal, "all complete");
        NS_TEST_EXPECT_MSG_EQ(totals.rdma.payloadDelivered, bytes, "every byte once");
        NS_TEST_EXPECT_MSG_EQ(totals.losslessDrops, 0, "no class that is lossless loses");
        RunUntil(Simulator::Now() + MilliSeconds(1)); // what was sent twice is on its way
        ExpectSettled(fabric);
        const Shown shown{digest ? digest->Get()
                                 : tests::DigestOfCounters(fabric, totals.active.GetTimeStep()),
                          totals.trims->trims,
                          totals.rdma.retransmitted};
        digest.reset();
        Simulator::Destroy();
        SetSimulator(DefaultSimulatorImpl::GetTypeId());
        return shown;
    }

    void DoRun() override
    {
        const Shown once = Run(0);
        NS_TEST_EXPECT_MSG_EQ((Run(0) == once), true, "the same bytes again");
        NS_TEST_EXPECT_MSG_EQ((Run(1) == Run(2)), true, "the same with two threads");
    }

    uint32_t m_index;
};

class TrimTestSuite : public TestSuite
{
  public:
    TrimTestSuite()
        : TestSuite("lossless-trim", Type::SYSTEM)
    {
        for (const double last : {1.0, 1.5})
        {
            AddTestCase(new TrimThresholdTest(last));
        }
        AddTestCase(new TrimLimitTest);
        AddTestCase(new TrimRefusedTest);
        // g = (D - N t)/(D - t): data stop at N = D/t = 13.17, or 7.57 where 62 bytes more are
        // kept.
        for (const uint32_t senders : {2, 4, 8, 12, 14})
        {
            AddTestCase(new TrimShareTest(senders, 1024, 24, 1));
            AddTestCase(new TrimShareTest(senders, 1024, 24, 0.25));
        }
        AddTestCase(new TrimShareTest(6, 1024, 86, 1));
        AddTestCase(new TrimShareTest(32, 4096, 24, 1));
        AddTestCase(new TrimShareTest(32, 4096, 24, 0.25));
        AddTestCase(new TrimPlacesTest);
        AddTestCase(new TrimIncastTest("ns3::RdmaIrn", 500000));
        AddTestCase(new TrimIncastTest("ns3::RdmaGoBackN", 200000));
        AddTestCase(new TrimTableTest);
        AddTestCase(new TrimRefusalTest);
    }
};

const TrimTestSuite g_trimTestSuite;

class RandomTrimTestSuite : public tests::PropertyTestSuite
{
  public:
    RandomTrimTestSuite()
        : PropertyTestSuite("lossless-trim-random")
    {
        constexpr uint32_t CASES = 200;
        AddCases(CASES, [](uint32_t index) { return new RandomTrimTest(index); });
    }
};

const RandomTrimTestSuite g_randomTrimTestSuite;

} // namespace
