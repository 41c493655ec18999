// SPDX-License-Identifier: GPL-2.0-only
#include "nic-receive-buffer.h"

#include "ns3/boolean.h"
#include "ns3/credit-link.h"
#include "ns3/double.h"
#include "ns3/fixed-accessor.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/lossless-link.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NicReceiveBuffer");

NS_OBJECT_ENSURE_REGISTERED(NicReceiveBuffer);

TypeId
NicReceiveBuffer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NicReceiveBuffer")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<NicReceiveBuffer>()
            .AddAttribute("PcieRate",
                          "Rate at which the NIC writes payload to host memory",
                          DataRateValue(DataRate("64Gbps")),
                          MakeFixed(MakeDataRateAccessor(&NicReceiveBuffer::m_pcieRate)),
                          MakeDataRateChecker())
            .AddAttribute("MissTime",
                          "Time to fetch the address translation of a page from host memory",
                          TimeValue(MicroSeconds(1)),
                          MakeFixed(MakeTimeAccessor(&NicReceiveBuffer::m_missTime)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TranslationEntries",
                          "Number of pages whose translations the NIC caches, 1 to 2^24",
                          UintegerValue(2048),
                          MakeFixed(MakeUintegerAccessor(&NicReceiveBuffer::m_entries)),
                          MakeUintegerChecker<uint32_t>(1, 1U << 24))
            .AddAttribute("PageBytes",
                          "Size of a page of host memory, bytes",
                          UintegerValue(4096),
                          MakeFixed(MakeUintegerAccessor(&NicReceiveBuffer::m_pageBytes)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("RegionBytes",
                          "Size of the registered memory region that data is written to, bytes",
                          UintegerValue(uint64_t{16} << 20),
                          MakeFixed(MakeUintegerAccessor(&NicReceiveBuffer::m_regionBytes)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("BufferBytes",
                          "Size of the receive buffer, frame bytes",
                          UintegerValue(1000000),
                          MakeLive(MakeUintegerAccessor(&NicReceiveBuffer::m_bufferBytes),
                                   &NicReceiveBuffer::SettingChanged),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("XoffShare",
                          "Share of BufferBytes, 0 to 1, above which the NIC pauses its classes; "
                          "less where the link needs more headroom",
                          DoubleValue(0.75),
                          MakeLive(MakeDoubleAccessor(&NicReceiveBuffer::m_xoffShare),
                                   &NicReceiveBuffer::SettingChanged),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("XonShare",
                          "Share of BufferBytes, 0 to 1, at which the NIC resumes its classes; at "
                          "most XoffShare, and no more bytes than the XOFF threshold",
                          DoubleValue(0.5),
                          MakeLive(MakeDoubleAccessor(&NicReceiveBuffer::m_xonShare),
                                   &NicReceiveBuffer::SettingChanged),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Unaligned",
                          "Whether a frame is written from a random byte of its page on, so that "
                          "it may touch one page more; false: from the first byte of the page",
                          BooleanValue(false),
                          MakeFixed(MakeBooleanAccessor(&NicReceiveBuffer::m_unaligned)),
                          MakeBooleanChecker());
    return tid;
}

NicReceiveBuffer::NicReceiveBuffer()
    : m_done(Ptr<DoneEvent>(new DoneEvent(this), false)),
      m_random(CreateObject<UniformRandomVariable>())
{
}

NicReceiveBuffer::~NicReceiveBuffer() = default;

void
NicReceiveBuffer::DoDispose()
{
    m_done->Detach();
    m_sink = Sink();
    m_port = nullptr;
    while (!m_fifo.IsEmpty())
    {
        m_fifo.Pop()->Release();
    }
    Object::DoDispose();
}

void
NicReceiveBuffer::CheckAttributes() const
{
    if (m_pcieRate.GetBitRate() == 0)
    {
        throw std::invalid_argument("NicReceiveBuffer: PcieRate is 0; it must be above 0");
    }
    if (m_xonShare > m_xoffShare)
    {
        throw std::invalid_argument(
            "NicReceiveBuffer: XonShare exceeds XoffShare: " + std::to_string(m_xonShare) +
            " and " + std::to_string(m_xoffShare));
    }
    const uint64_t pages = (m_regionBytes - 1) / m_pageBytes + 1;
    if (pages > (1U << 30))
    {
        throw std::invalid_argument("NicReceiveBuffer: RegionBytes are " + std::to_string(pages) +
                                    " pages of PageBytes; at most 2^30 are possible");
    }
}

void
NicReceiveBuffer::Attach(QbbNetDevice& port, Sink sink)
{
    if (m_port)
    {
        throw std::invalid_argument(
            "NicReceiveBuffer: the buffer serves a port already; give each port its own");
    }
    CheckAttributes();
    m_port = &port;
    m_sink = sink;
    m_pages = static_cast<uint32_t>((m_regionBytes - 1) / m_pageBytes + 1);
    m_cache.Reset(m_entries, m_pages);
    m_missTicks = m_missTime.GetTimeStep();
    m_prepared = false;
}

void
NicReceiveBuffer::SettingChanged()
{
    if (m_port)
    {
        CheckAttributes();
        m_prepared = false;
    }
}

uint64_t
NicReceiveBuffer::GetXoffBytes() const
{
    const auto wanted = static_cast<uint64_t>(m_xoffShare * static_cast<double>(m_bufferBytes));
    if (!m_port)
    {
        return wanted;
    }
    const uint64_t headroom = HeadroomBytes(GetHeadroomLink(*m_port), 1);
    return std::min(wanted, m_bufferBytes > headroom ? m_bufferBytes - headroom : 0);
}

void
NicReceiveBuffer::Prepare()
{
    m_prepared = true;
    m_xoffBytes = GetXoffBytes();
    m_xonBytes = std::min(static_cast<uint64_t>(m_xonShare * static_cast<double>(m_bufferBytes)),
                          m_xoffBytes);
}

std::vector<LosslessMistake>
NicReceiveBuffer::FindMistakes() const
{
    if (!m_port || !m_port->GetPeer())
    {
        return {}; // nothing can arrive
    }
    auto findings = FindPauseMistakes(*m_port);
    const uint64_t headroom = HeadroomBytes(GetHeadroomLink(*m_port), 1);
    if (m_port->GetActivePfcClasses() && m_bufferBytes < headroom)
    {
        findings.push_back(
            {"receive",
             m_port->GetPortIndex(),
             {},
             "the receive buffer of " + std::to_string(m_bufferBytes) + " bytes is " +
                 std::to_string(headroom - m_bufferBytes) +
                 " bytes short of the headroom that the link needs",
             "set BufferBytes of NicReceiveBuffer to " + std::to_string(headroom) + " at least"});
    }
    const uint64_t granted = GrantedBytes();
    if (m_bufferBytes < granted)
    {
        findings.push_back({"credits",
                            m_port->GetPortIndex(),
                            {},
                            "credits stand for " + std::to_string(granted) +
                                " bytes, and the receive buffer has " +
                                std::to_string(m_bufferBytes),
                            "set BufferBytes of NicReceiveBuffer to " + std::to_string(granted) +
                                " at least, or CbfcCredits of the port to fewer"});
    }
    return findings;
}

uint64_t
NicReceiveBuffer::GrantedBytes() const
{
    const uint32_t classes = __builtin_popcount(m_port->GetCbfcClasses());
    return classes ? classes * CreditMemoryBytes(GetGrantedCredits(*m_port),
                                                 m_port->GetCreditUnit(),
                                                 1,
                                                 GetCreditLink(*m_port).maxFrameBytes)
                   : 0;
}

void
NicReceiveBuffer::Detach()
{
    m_doneAt = -1;
    m_dead = false;
    while (!m_fifo.IsEmpty())
    {
        HandOn();
    }
    UpdatePause();
    m_sink = Sink();
    m_port = nullptr;
}

void
NicReceiveBuffer::Arrived(Frame* frame)
{
    if (!m_prepared)
    {
        Prepare();
    }
    ++m_counters.arrived;
    const uint64_t bytes = m_fifo.Bytes() + frame->bytes;
    if (bytes > m_xoffBytes && bytes > LimitOf(*frame))
    {
        ++m_counters.dropped;
        m_port->FreeCredits(frame->credits);
        m_port->Drop(frame, DropReason::RECEIVE_FULL);
        return;
    }
    m_fifo.Push(frame);
    m_counters.peakBytes = std::max(m_counters.peakBytes, m_fifo.Bytes());
    UpdatePause();
    Process();
}

uint64_t
NicReceiveBuffer::LimitOf(const Frame& frame) const
{
    // What is not paused must not take the headroom of what is.
    const uint8_t pfc = m_port->GetActivePfcClasses();
    const auto map = m_port->GetTrafficClassMap()->GetTable();
    const uint32_t priority = map->pfcPriority[map->group[map->Classify(frame)]];
    const bool isHeldBack = pfc & (1U << priority) || frame.credits.count > 0;
    return pfc == 0 || isHeldBack ? m_bufferBytes : m_xoffBytes;
}

void
NicReceiveBuffer::Process()
{
    // HandOn() may send, and a frame that it lets arrive comes back here.
    if (m_processing || m_dead || m_doneAt >= 0)
    {
        return;
    }
    m_processing = true;
    while (!m_fifo.IsEmpty())
    {
        const int64_t ticks = ProcessingTicks(*m_fifo.Head());
        if (ticks > 0)
        {
            const int64_t now = SimulationClock::Now();
            m_doneAt = now + ticks;
            m_done->Arm(m_port->GetNode()->GetId(), now, m_doneAt);
            break;
        }
        HandOn();
    }
    m_processing = false;
}

void
NicReceiveBuffer::Done()
{
    if (m_doneAt < 0 || m_dead)
    {
        return; // detached or stopped meanwhile
    }
    const int64_t now = SimulationClock::Now();
    if (now < m_doneAt)
    {
        m_done->Arm(m_port->GetNode()->GetId(), now, m_doneAt);
        return;
    }
    m_doneAt = -1;
    HandOn();
    if (m_port)
    {
        Process();
    }
}

int64_t
NicReceiveBuffer::ProcessingTicks(const Frame& frame)
{
    if (frame.kind != FrameKind::ROCE || frame.payloadBytes == 0)
    {
        return 0; // no data: ACK, CNP; the IP stack copies its own
    }
    uint64_t page = m_pages > 1 ? m_random->GetInteger(0, m_pages - 1) : 0;
    const uint64_t limit = std::min<uint64_t>(m_pageBytes, std::numeric_limits<uint32_t>::max());
    const uint64_t offset =
        m_unaligned ? m_random->GetInteger(0, static_cast<uint32_t>(limit - 1)) : 0;
    const uint64_t last = (offset + frame.payloadBytes - 1) / m_pageBytes;
    uint32_t misses = 0;
    for (uint64_t i = 0; i <= last; ++i)
    {
        misses += m_cache.Touch(static_cast<uint32_t>(page)) ? 0 : 1;
        page = page + 1 < m_pages ? page + 1 : 0;
    }
    m_counters.touched += last + 1;
    m_counters.misses += misses;
    const double bits = 8.0 * frame.payloadBytes;
    const double perSecond = static_cast<double>(SimulationClock::TicksPerSecond());
    return static_cast<int64_t>(bits * perSecond / static_cast<double>(m_pcieRate.GetBitRate())) +
           misses * m_missTicks;
}

void
NicReceiveBuffer::HandOn()
{
    Frame* frame = m_fifo.Pop();
    ++m_counters.processed;
    m_port->FreeCredits(frame->credits);
    UpdatePause();
    m_sink(*m_port, frame);
}

void
NicReceiveBuffer::UpdatePause()
{
    const bool pause = m_fifo.Bytes() > (m_pausing ? m_xonBytes : m_xoffBytes);
    if (pause != m_pausing)
    {
        m_pausing = pause;
        NS_LOG_LOGIC((pause ? "XOFF" : "XON") << ": " << m_fifo.Bytes() << " bytes wait");
        m_counters.xoffs += pause;
        Tell(pause);
    }
}

void
NicReceiveBuffer::Tell(bool xoff)
{
    for (uint32_t group = 0; group < TRAFFIC_CLASSES; ++group)
    {
        m_port->RequestPause(group, xoff); // where there is no PFC it does nothing
    }
}

void
NicReceiveBuffer::LinkChanged(bool up)
{
    NS_LOG_FUNCTION(this << up);
    m_prepared = false; // the line may be another
    if (up && m_pausing)
    {
        Tell(true);
    }
}

void
NicReceiveBuffer::SetDead(bool dead)
{
    NS_LOG_FUNCTION(this << dead);
    if (dead == m_dead)
    {
        return;
    }
    m_dead = dead;
    if (!dead && m_port)
    {
        m_doneAt = -1; // what was in the pipeline begins anew
        Process();
    }
}

int64_t
NicReceiveBuffer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3
