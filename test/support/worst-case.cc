// SPDX-License-Identifier: GPL-2.0-only
#include "worst-case.h"

#include "port-test-case.h"

#include "ns3/cut-time.h"
#include "ns3/integer.h"
#include "ns3/nic-receive-buffer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace tests
{
namespace
{

constexpr uint32_t GAP = ETHERNET_GAP_BYTES; // of what goes the other way
constexpr uint32_t PFC_WIRE = ETHERNET_MIN_FRAME_BYTES + GAP;
constexpr uint32_t OBSTRUCTING_CLASS = 7;
constexpr uint32_t LOSSY_CLASS = 1;
constexpr uint64_t AMPLE_BYTES = uint64_t{1} << 30;
/// Chunks of three periods for which leaking pauses are watched.
constexpr uint32_t MOST_CHUNKS = 20000;

/// @param index of a host @return its address
uint32_t
AddressOf(uint32_t index)
{
    return 0x0a000001 + index;
}

/// The longest frame of a port, with a tag.
uint32_t
LongestOf(const QbbNetDevice& port)
{
    return port.GetMtu() + ETHERNET_OVERHEAD_BYTES + 4;
}

/// @param bits bits @param port a port @return ticks on its line, rounded up
int64_t
TicksOfBits(uint64_t bits, const QbbNetDevice& port)
{
    LineClock line;
    line.SetRate(port.GetDataRate().GetBitRate(), SimulationClock::TicksPerSecond());
    return line.TicksOfBits(bits);
}

/// @param wireBytes of a frame @param port that sends it @return ticks on its line, rounded up
int64_t
TicksOfFrame(uint64_t wireBytes, const QbbNetDevice& port)
{
    const int64_t unit = port.SerialisationTicks();
    return unit > 1 ? CutFrameTime(wireBytes,
                                   port.GetDataRate().GetBitRate(),
                                   SimulationClock::TicksPerSecond(),
                                   unit)
                    : TicksOfBits(8 * wireBytes, port);
}

/// @return the delay of the cable of a port, ticks
int64_t
DelayOf(const QbbNetDevice& port)
{
    return DynamicCast<QbbChannel>(port.GetChannel())->GetDelay().GetTimeStep();
}

/// The MMU behind a port of a switch.
class SwitchVictim : public Victim
{
  public:
    SwitchVictim(Ptr<SwitchMmu> mmu, uint32_t port)
        : m_mmu(mmu),
          m_port(port)
    {
    }

    Outcome Predict(uint32_t cls, uint32_t bytes) const override
    {
        const MmuIngress& in = m_mmu->GetIngress(m_port, cls);
        const uint64_t cells = m_mmu->GetCellSize().OfFrame(bytes);
        const uint64_t free = m_mmu->GetPool(in.pool).Free();
        const uint64_t excess =
            cells - std::min<uint64_t>(cells, in.guaranteed - in.guaranteedUsed);
        const uint64_t shared = in.sharedUsed + excess;
        if (excess > 0 &&
            (in.headroomUsed > 0 || excess > free || shared > in.threshold.Cells(free)))
        {
            return TAKES_HEADROOM;
        }
        return shared > 0 && shared >= in.threshold.Cells(free - excess) ? PAUSES : STAYS_OPEN;
    }

    bool HasGuaranteedLeft(uint32_t cls) const override
    {
        const MmuIngress& in = m_mmu->GetIngress(m_port, cls);
        return in.guaranteedUsed < in.guaranteed;
    }

    uint32_t GetCellBytes() const override
    {
        return m_mmu->GetCellSize().Bytes();
    }

  private:
    Ptr<SwitchMmu> m_mmu;
    uint32_t m_port;
};

/// The receive buffer of a NIC.
class NicVictim : public Victim
{
  public:
    explicit NicVictim(Ptr<NicReceiveBuffer> buffer)
        : m_buffer(buffer)
    {
    }

    Outcome Predict(uint32_t, uint32_t bytes) const override
    {
        return m_buffer->GetBytes() + bytes > m_buffer->GetXoffBytes() ? TAKES_HEADROOM
                                                                       : STAYS_OPEN;
    }

    bool HasGuaranteedLeft(uint32_t) const override
    {
        // Up to the threshold to the byte, as long as a frame fits.
        return m_buffer->GetBytes() + ShortestFrameBytes(FRAMES_HPCC) <= m_buffer->GetXoffBytes();
    }

    uint32_t GetCellBytes() const override
    {
        return 1;
    }

  private:
    Ptr<NicReceiveBuffer> m_buffer;
};

/// What else is there: sends what is queued, throws away what arrives.
class LossyHost : public QueuePortOwner
{
  public:
    void FrameArrived(QbbNetDevice&, Frame* frame) override
    {
        frame->Release();
    }
};

} // namespace

// ---- the sender

WorstSender::WorstSender(Ptr<QbbNetDevice> nic,
                         std::unique_ptr<Victim> victim,
                         std::vector<uint32_t> classes,
                         uint32_t destination)
    : m_nic(nic),
      m_peer(nic->GetPeer()),
      m_victim(std::move(victim)),
      m_classes(std::move(classes)),
      m_destination(destination)
{
    nic->SetOwner(this, 0);
    m_peer->TraceConnectWithoutContext("FrameRx", MakeCallback(&WorstSender::Arrives, this));
    m_peer->TraceConnectWithoutContext("PfcTx", MakeCallback(&WorstSender::PfcSent, this));
}

void
WorstSender::Start(std::function<void()> done)
{
    m_done = std::move(done);
    m_longest = LongestOf(*m_nic);
    m_shortest = ShortestFrameBytes(m_nic->GetFrameFormat());
    m_gap = GapBytes(m_nic->GetFrameFormat());
    PlanFillers();
    m_started = true;
    m_nic->Kick();
}

void
WorstSender::SetAcks(const LinkEnd& end)
{
    m_ackClass = end.ackClass;
    m_ackQueue = end.ackQueue;
    // The class of their queue is the last to be filled: then that queue is open.
    std::stable_partition(m_classes.begin(), m_classes.end(), [&](uint32_t cls) {
        return static_cast<int32_t>(cls) != m_ackQueue;
    });
}

Frame*
WorstSender::Ack()
{
    for (std::size_t before = 0; m_ackQueue >= 0 && before < m_at; ++before)
    {
        const uint32_t cls = m_classes[before];
        const bool isOpen = !(m_nic->PausedMask() & (1U << m_ackQueue));
        if (isOpen && (m_ackClass < 0 || static_cast<uint32_t>(m_ackClass) == cls))
        {
            Frame* frame = Make(cls, m_shortest);
            frame->trafficClass = m_ackQueue;
            return frame;
        }
    }
    return nullptr;
}

Time
WorstSender::GetPeriod() const
{
    const Time pause = TimeStep(TicksOfBits(uint64_t{512} * m_peer->GetPauseQuanta(), *m_nic));
    return std::max(pause, m_peer->GetPauseRefresh());
}

void
WorstSender::FrameArrived(QbbNetDevice&, Frame* frame)
{
    frame->Release();
}

bool
WorstSender::HasNext(const QbbNetDevice&) const
{
    return m_started; // NextFrame() is the one to know
}

int64_t
WorstSender::TicksOf(uint32_t bytes) const
{
    return TicksOfFrame(bytes + m_gap, *m_nic);
}

Frame*
WorstSender::Make(uint32_t cls, uint32_t bytes)
{
    auto frame = new Frame;
    frame->src = AddressOf(0xffff);
    frame->dst = m_destination;
    frame->trafficClass = cls;
    frame->dscp = cls << 3;
    frame->bytes = bytes;
    frame->gapBytes = static_cast<uint8_t>(m_gap);
    frame->tagged = true; // the longest frames have a tag
    ++m_sent;
    return frame;
}

Frame*
WorstSender::NextFrame(QbbNetDevice& port)
{
    if (!m_started)
    {
        return nullptr;
    }
    const int64_t now = port.Now();
    while (m_at < m_classes.size() && (port.PausedMask() & (1U << m_classes[m_at])))
    {
        NextClass(now);
    }
    if (m_at < m_classes.size() && m_blasting)
    {
        if (now <= m_effect + MicroSeconds(1).GetTimeStep())
        {
            return Blast(m_classes[m_at], now);
        }
        NextClass(now); // the XOFF has had no effect
    }
    for (std::size_t before = 0; before < m_at; ++before)
    {
        if (!(port.PausedMask() & (1U << m_classes[before])))
        {
            return Make(m_classes[before], m_longest);
        }
    }
    if (Frame* ack = Ack())
    {
        return ack;
    }
    if (m_at == m_classes.size())
    {
        return nullptr;
    }
    if (now < m_notBefore)
    {
        port.WakeAt(m_notBefore);
        return nullptr;
    }
    return Fill(m_classes[m_at], now);
}

void
WorstSender::NextClass(int64_t now)
{
    // What is under way still arrives.
    m_blasting = false;
    m_notBefore = now + TicksOf(m_longest) + DelayOf(*m_nic) + 2;
    if (++m_at == m_classes.size())
    {
        Simulator::Schedule(TimeStep(m_notBefore - now), m_done);
    }
}

Frame*
WorstSender::Fill(uint32_t cls, int64_t now)
{
    uint32_t bytes = 0;
    if (m_victim->Predict(cls, m_longest) != Victim::TAKES_HEADROOM ||
        m_victim->HasGuaranteedLeft(cls))
    {
        const uint32_t cell = m_victim->GetCellBytes();
        uint32_t cells = (m_longest + cell - 1) / cell;
        while (cells > 0 && bytes == 0)
        {
            const uint32_t wanted = std::max(std::min(cells * cell, m_longest), m_shortest);
            bytes = m_victim->Predict(cls, wanted) == Victim::STAYS_OPEN ? wanted : 0;
            cells = wanted == m_shortest ? 0 : cells - 1;
        }
    }
    if (bytes > 0)
    {
        m_notBefore = now + TicksOf(bytes) + DelayOf(*m_nic) + 2;
        return Make(cls, bytes);
    }
    m_blasting = true;
    m_obstructed = false;
    m_effect = now + TicksOf(m_longest) + TicksOfFrame(LongestOf(*m_peer) + GAP, *m_peer) +
               TicksOfFrame(PFC_WIRE, *m_peer) + 2 * DelayOf(*m_nic) +
               m_nic->GetPfcReactionDelay().GetTimeStep() - 4;
    return Make(cls, m_longest);
}

Frame*
WorstSender::Blast(uint32_t cls, int64_t now)
{
    if (m_nic->SerialisationTicks() > 1)
    {
        return Make(cls, now + TicksOf(m_wasteful) > m_effect ? m_longest : m_wasteful);
    }
    __extension__ using Wide = unsigned __int128;
    const Wide ticks = m_effect > now ? m_effect - now : 0;
    const Wide second = SimulationClock::TicksPerSecond();
    const auto wire =
        static_cast<uint64_t>(ticks * m_nic->GetDataRate().GetBitRate() / (8 * second));
    return Make(cls, wire < m_shortest + m_gap ? m_longest : Filler(wire));
}

uint32_t
WorstSender::Filler(uint64_t wire)
{
    if (m_victim->GetCellBytes() == 1)
    {
        // As few frames as possible, alike, without a rest.
        const uint64_t frames = (wire + m_longest + m_gap - 1) / (m_longest + m_gap);
        return std::max<uint64_t>(wire / frames - m_gap, m_shortest);
    }
    return wire < m_choice.size() ? m_choice[wire] : m_wasteful;
}

void
WorstSender::PlanFillers()
{
    const uint32_t cell = m_victim->GetCellBytes();
    if (m_nic->SerialisationTicks() > 1)
    {
        double most = 0; // cells a tick
        for (uint32_t bytes = m_shortest; bytes <= m_longest; ++bytes)
        {
            const uint32_t cells = (bytes + cell - 1) / cell;
            const double pace = static_cast<double>(cells) / static_cast<double>(TicksOf(bytes));
            m_wasteful = pace > most ? bytes : m_wasteful;
            most = std::max(most, pace);
        }
        return;
    }
    if (cell == 1)
    {
        return;
    }
    m_best.assign(3 * (m_longest + m_gap), 0);
    m_choice.assign(m_best.size(), m_shortest);
    double worst = 0;
    for (uint32_t cells = 1; (cells - 1) * cell < m_longest; ++cells)
    {
        const uint32_t bytes = std::max((cells - 1) * cell + 1, m_shortest);
        const uint32_t real = (bytes + cell - 1) / cell;
        const double ratio = static_cast<double>(real) / (bytes + m_gap);
        if (ratio > worst)
        {
            worst = ratio;
            m_wasteful = bytes;
        }
    }
    for (std::size_t wire = m_shortest + m_gap; wire < m_best.size(); ++wire)
    {
        for (uint32_t cells = 1; (cells - 1) * cell < m_longest; ++cells)
        {
            const uint32_t bytes = std::max((cells - 1) * cell + 1, m_shortest);
            if (bytes + m_gap > wire)
            {
                break;
            }
            const uint32_t sum = m_best[wire - bytes - m_gap] + (bytes + cell - 1) / cell;
            if (sum > m_best[wire])
            {
                m_best[wire] = sum;
                m_choice[wire] = bytes;
            }
        }
    }
}

void
WorstSender::Obstruct()
{
    if (m_peer->BusyUntil() > m_peer->Now() || m_peer->Queues().Frames(OBSTRUCTING_CLASS) > 0)
    {
        return;
    }
    auto frame = new Frame;
    frame->trafficClass = OBSTRUCTING_CLASS;
    frame->bytes = LongestOf(*m_peer);
    frame->tagged = true;
    m_peer->Queues().Push(frame);
    m_peer->Kick();
}

void
WorstSender::Arrives(const QbbNetDevice&, const Frame& frame)
{
    if (m_blasting && !m_obstructed && frame.kind != FrameKind::PFC &&
        m_victim->Predict(frame.trafficClass, frame.bytes) != Victim::STAYS_OPEN)
    {
        m_obstructed = true;
        Obstruct();
    }
}

void
WorstSender::PfcSent(const QbbNetDevice& port, uint32_t, uint16_t quanta)
{
    const Time refresh = port.GetPauseRefresh();
    if (quanta > 0 && refresh.IsStrictlyPositive())
    {
        Simulator::Schedule(refresh - TimeStep(1), &WorstSender::Obstruct, this);
    }
}

// ---- the scene

WorstCase::WorstCase(std::vector<uint32_t> classes)
    : m_classes(std::move(classes)),
      m_switchNode(CreateObject<Node>())
{
    fabricSwitch = CreateObject<FabricSwitch>();
    m_switchNode->AggregateObject(fabricSwitch);
    fabricSwitch->GetMmu()->SetAttribute("BufferSize", UintegerValue(AMPLE_BYTES));
    fabricSwitch->TraceConnectWithoutContext("Drop", MakeCallback(&WorstCase::Dropped, this));
    LinkEnd end;
    end.mtu = 9216; // of all lengths there are
    end.pfcClasses = 0;
    for (const uint32_t cls : m_classes)
    {
        end.pfcClasses |= 1U << cls;
    }
    // The sinks. Each sends to the other.
    AddSender(end, end, MicroSeconds(1));
    AddSender(end, end, MicroSeconds(1));
}

WorstCase::~WorstCase() = default;

Ptr<QbbNetDevice>
WorstCase::MakePort(Ptr<Node> node, const LinkEnd& end)
{
    auto port = CreateObject<QbbNetDevice>();
    port->SetAddress(Mac48Address::Allocate());
    port->SetAttribute("DataRate", DataRateValue(end.rate));
    port->SetAttribute("Mtu", UintegerValue(end.mtu));
    port->SetAttribute("PfcReactionDelay", TimeValue(end.reaction));
    port->SetAttribute("PfcDialect", StringValue(end.dialect));
    port->SetAttribute("PfcQuanta", UintegerValue(end.quanta));
    port->SetAttribute("PfcRefreshInterval", TimeValue(end.refresh));
    port->SetAttribute("PfcClasses", UintegerValue(end.pfcClasses));
    port->SetFrameFormat(end.format);
    port->SetSerialisationUnit(end.unit);
    node->AddDevice(port);
    return port;
}

void
WorstCase::Join(Ptr<QbbNetDevice> a, Ptr<QbbNetDevice> b, Time delay)
{
    auto cable = CreateObject<QbbChannel>();
    cable->SetDelay(delay);
    a->Attach(cable);
    b->Attach(cable);
}

uint32_t
WorstCase::AddSender(const LinkEnd& host, const LinkEnd& port, Time delay)
{
    const auto inner = MakePort(m_switchNode, port);
    const auto outer = MakePort(CreateObject<Node>(), host);
    const uint16_t index = fabricSwitch->AddPort(inner);
    fabricSwitch->AddRoute(Ipv4Address(AddressOf(index)), {index});
    Join(outer, inner, delay);
    hosts.push_back(outer);
    // It is asked whether all is lossless; the worst sender takes the port from it.
    senders.push_back(CreateObject<RdmaHw>());
    outer->GetNode()->AggregateObject(senders.back());
    senders.back()->AddPort(outer, Ipv4Address(AddressOf(index)));
    senders.back()->SetQueuePairAttribute("AckClass", IntegerValue(host.ackClass));
    senders.back()->SetQueuePairAttribute("AckQueue", IntegerValue(host.ackQueue));
    senders.back()->SetQueuePairAttribute("CnpClass", UintegerValue(host.cnpClass));
    m_senders.push_back(
        std::make_unique<WorstSender>(outer,
                                      std::make_unique<SwitchVictim>(fabricSwitch->GetMmu(), index),
                                      m_classes,
                                      AddressOf(index == 0 ? 1 : 0)));
    m_senders.back()->SetAcks(host);
    return index;
}

void
WorstCase::AddLossyTraffic(uint32_t frames)
{
    m_lossyFrames = frames;
    LinkEnd end;
    end.pfcClasses = 0;
    for (uint32_t i = 0; i < 2; ++i)
    {
        const auto inner = MakePort(m_switchNode, end);
        const auto outer = MakePort(CreateObject<Node>(), end);
        fabricSwitch->AddPort(inner);
        hosts.push_back(outer);
        Join(outer, inner, MicroSeconds(1));
        m_lossy.push_back(std::make_unique<LossyHost>());
        outer->SetOwner(m_lossy.back().get(), 0);
        m_lossyNics.push_back(outer);
    }
}

void
WorstCase::AddNic(const LinkEnd& host, const LinkEnd& end, Time delay, uint64_t bufferBytes)
{
    const auto node = CreateObject<Node>();
    nic = MakePort(node, end);
    const auto outer = MakePort(CreateObject<Node>(), host);
    Join(outer, nic, delay);
    rdma = CreateObject<RdmaHw>();
    node->AggregateObject(rdma);
    rdma->AddPort(nic, Ipv4Address(AddressOf(1000)));
    const auto buffer = CreateObject<NicReceiveBuffer>();
    buffer->SetAttribute("BufferBytes", UintegerValue(bufferBytes));
    rdma->SetReceiveBuffer(0, buffer);
    nic->TraceConnectWithoutContext("Drop", MakeCallback(&WorstCase::NicDropped, this));
    buffer->SetDead(true);
    m_senders.push_back(std::make_unique<WorstSender>(outer,
                                                      std::make_unique<NicVictim>(buffer),
                                                      m_classes,
                                                      AddressOf(1000)));
}

void
WorstCase::CutBuffer(uint64_t sharedBytes)
{
    const auto mmu = fabricSwitch->GetMmu();
    fabricSwitch->Start();
    const uint64_t cell = mmu->GetCellSize().Bytes();
    const uint64_t parted = AMPLE_BYTES / cell - mmu->GetSharedPool();
    mmu->SetAttribute("BufferSize", UintegerValue(parted * cell + sharedBytes));
    fabricSwitch->Start();
}

std::vector<std::string>
WorstCase::Check() const
{
    fabricSwitch->Start();
    auto findings = fabricSwitch->CheckLossless();
    auto all = senders;
    if (rdma)
    {
        all.push_back(rdma);
    }
    for (const auto& each : all)
    {
        const auto some = each->CheckLossless();
        findings.insert(findings.end(), some.begin(), some.end());
    }
    return findings;
}

void
WorstCase::StartSender(std::size_t next)
{
    m_allStarted = next == m_senders.size();
    if (!m_allStarted)
    {
        m_senders[next]->Start([this, next] { StartSender(next + 1); });
    }
}

void
WorstCase::Run()
{
    uint8_t mask = 0;
    for (const uint32_t cls : m_classes)
    {
        mask |= 1U << cls;
    }
    for (uint32_t sink = 0; sink < 2; ++sink)
    {
        Simulator::Schedule(Time(0), [this, sink, mask] { hosts[sink]->OverridePause(mask, 0); });
    }
    for (const auto& lossy : m_lossyNics)
    {
        Simulator::Schedule(MicroSeconds(5), [this, lossy] {
            for (uint32_t i = 0; i < m_lossyFrames; ++i)
            {
                auto frame = new Frame;
                frame->dst = AddressOf(0);
                frame->trafficClass = LOSSY_CLASS;
                frame->dscp = LOSSY_CLASS << 3;
                frame->bytes = 1000;
                lossy->Queues().Push(frame);
            }
            lossy->Kick();
        });
    }
    Simulator::Schedule(MicroSeconds(20), [this] { StartSender(0); });
    Time chunk = MicroSeconds(100);
    for (const auto& sender : m_senders)
    {
        chunk = std::max(chunk, 3 * sender->GetPeriod());
    }
    uint64_t before = 0;
    for (uint32_t i = 0; i < MOST_CHUNKS && GetDrops() == 0; ++i)
    {
        Simulator::Stop(chunk);
        Simulator::Run();
        uint64_t sent = 0;
        for (const auto& sender : m_senders)
        {
            sent += sender->GetSent();
        }
        if (m_allStarted && sent == before)
        {
            break; // all are paused for good
        }
        before = sent;
    }
}

void
WorstCase::Dropped(uint32_t, uint32_t cls, uint32_t, DropReason)
{
    if (std::find(m_classes.begin(), m_classes.end(), cls) != m_classes.end() && m_drops++ == 0)
    {
        Simulator::Stop();
    }
}

void
WorstCase::NicDropped(const QbbNetDevice&, const Frame& frame, DropReason reason)
{
    if (reason == DropReason::RECEIVE_FULL)
    {
        Dropped(0, frame.dscp >> 3, frame.bytes, reason);
    }
}

} // namespace tests
} // namespace ns3
