// SPDX-License-Identifier: GPL-2.0-only
#include "port-pfc.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PortPfc");

PortPfc::PortPfc(Port& port, const LineClock& line, uint8_t& pending)
    : m_issuer(pending),
      m_port(port),
      m_line(line),
      m_timer(Ptr<TimerEvent>(new TimerEvent(this), false))
{
}

PortPfc::~PortPfc() = default;

void
PortPfc::Configure(const Settings& settings, uint32_t node)
{
    NS_LOG_FUNCTION(this << settings.quanta << settings.refreshTicks << settings.reactionTicks
                         << settings.endless << node);
    m_settings = settings;
    m_node = node;
    m_issuer.Configure(settings.quanta, settings.refreshTicks);
    if (m_issuer.Pending())
    {
        m_port.PfcDue();
    }
    Arm(); // a refresh may be due earlier than before
}

void
PortPfc::SetClasses(uint8_t classes, bool up)
{
    NS_LOG_FUNCTION(this << +classes << up);
    const uint8_t left = m_classes & ~classes;
    m_classes = classes;
    m_issuer.SetClasses(classes);
    if (up && m_issuer.Pending())
    {
        m_port.PfcDue();
        Arm();
    }
    const uint8_t opened =
        left && m_obeyer.PausedMask() ? m_obeyer.Release(left, SimulationClock::Now()) : 0;
    if (opened)
    {
        m_port.PausesChanged(0, opened);
    }
}

void
PortPfc::SetMaps(const std::array<uint8_t, TRAFFIC_CLASSES>& priorities,
                 const PfcObeyer::QueueMasks& queues,
                 bool up)
{
    m_issuer.SetPriorities(priorities);
    if (up && m_issuer.Pending())
    {
        m_port.PfcDue();
        Arm();
    }
    const uint8_t before = m_obeyer.PausedMask();
    const uint8_t opened = m_obeyer.SetQueues(queues, before ? SimulationClock::Now() : 0);
    if (const uint8_t closed = m_obeyer.PausedMask() & ~before)
    {
        m_port.PausesChanged(closed, 0);
    }
    if (opened)
    {
        m_port.PausesChanged(0, opened);
    }
}

void
PortPfc::Request(uint32_t group, bool xoff)
{
    m_issuer.Request(group, xoff);
    if (m_classes & (1U << m_issuer.PriorityOf(group)))
    {
        m_port.PfcDue();
        Arm();
    }
}

void
PortPfc::Repeat(uint8_t classes)
{
    m_issuer.Repeat(classes);
    if (m_issuer.Pending())
    {
        m_port.PfcDue();
        Arm();
    }
}

void
PortPfc::Override(uint8_t stuck, uint8_t muted, bool up)
{
    m_issuer.Override(stuck, muted);
    if (up)
    {
        m_port.PfcDue();
        Arm();
    }
}

void
PortPfc::SetIgnored(uint8_t queues)
{
    if (const uint8_t opened = m_obeyer.SetIgnored(queues, SimulationClock::Now()))
    {
        m_port.PausesChanged(0, opened);
    }
}

void
PortPfc::SetStarved(uint32_t queue, bool starved)
{
    const uint8_t before = m_obeyer.PausedMask();
    m_obeyer.SetStarved(queue, starved, SimulationClock::Now());
    const uint8_t after = m_obeyer.PausedMask();
    if (before != after)
    {
        m_port.PausesChanged(after & ~before, before & ~after);
    }
}

Frame*
PortPfc::MakeFrame()
{
    auto frame = new Frame;
    frame->kind = FrameKind::PFC;
    frame->bytes = PfcFrameBytes(m_settings.format);
    frame->gapBytes = GapBytes(m_settings.format);
    m_issuer.Fill(SimulationClock::Now(), *frame);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (frame->pfcEnable & (1U << cls))
        {
            m_port.PfcSent(cls, frame->pfcQuanta[cls]);
        }
    }
    Arm();
    return frame;
}

void
PortPfc::Arrived(Frame* frame)
{
    if (m_settings.reactionTicks == 0 && m_reacting == 0)
    {
        Obey(frame);
        return;
    }
    // In the order of arrival, even if the delay was longer for the one before: an XON that
    // overtakes an XOFF would pause the class for ever.
    const int64_t now = SimulationClock::Now();
    m_lastEffect = std::max(now + m_settings.reactionTicks, m_lastEffect);
    ++m_reacting;
    frame->receiver = this;
    SimulationClock::Post(m_node, m_lastEffect - now, frame);
}

void
PortPfc::ReceiveFrame(Frame* frame)
{
    --m_reacting;
    if (m_void > 0)
    {
        --m_void;
        frame->Release();
        return;
    }
    Obey(frame);
}

void
PortPfc::Obey(Frame* frame)
{
    frame->pfcEnable &= m_classes;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (frame->pfcEnable & (1U << cls))
        {
            m_port.PfcObeyed(cls, frame->pfcQuanta[cls]);
        }
    }
    const uint8_t before = m_obeyer.PausedMask();
    const uint8_t opened =
        m_obeyer.Apply(SimulationClock::Now(), *frame, m_line, m_settings.endless);
    frame->Release();
    const uint8_t closed = m_obeyer.PausedMask() & ~before;
    NS_LOG_LOGIC("node " << m_node << " obeys PFC: paused queues " << +before << " -> "
                         << +m_obeyer.PausedMask());
    if (closed)
    {
        m_port.PausesChanged(closed, 0);
    }
    Arm();
    if (opened)
    {
        m_port.PausesChanged(0, opened);
    }
}

uint8_t
PortPfc::Cut()
{
    m_issuer.Reset();
    m_void = m_reacting;
    m_obeyer.ForgetStarved();
    return m_obeyer.Release(0xff, SimulationClock::Now());
}

void
PortPfc::Detach()
{
    m_timer->Detach();
}

void
PortPfc::Arm()
{
    const int64_t next = std::min(m_obeyer.NextExpiry(), m_issuer.NextRefresh());
    if (next != PfcObeyer::NEVER)
    {
        // A refresh that was due, taken back by an XON and wanted again, is due at once.
        const int64_t now = SimulationClock::Now();
        m_timer->Arm(m_node, now, std::max(next, now));
    }
}

void
PortPfc::Timer()
{
    const int64_t now = SimulationClock::Now();
    const uint8_t opened = m_obeyer.Expire(now);
    m_issuer.Refresh(now);
    if (m_issuer.Pending())
    {
        m_port.PfcDue();
    }
    Arm();
    if (opened)
    {
        m_port.PausesChanged(0, opened);
    }
}

} // namespace ns3
