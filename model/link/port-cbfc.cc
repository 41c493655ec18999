// SPDX-License-Identifier: GPL-2.0-only
#include "port-cbfc.h"

#include "simulation-clock.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PortCbfc");

namespace
{

/// Classes that one ordered set of a CF_Update names.
constexpr uint32_t CLASSES_OF_SET = 2;

} // namespace

PortCbfc::PortCbfc(Port& port)
    : m_port(port),
      m_spacing(Ptr<SpacingEvent>(new SpacingEvent(this), false)),
      m_cc(Ptr<CcEvent>(new CcEvent(this), false))
{
}

PortCbfc::~PortCbfc() = default;

void
PortCbfc::Configure(const Settings& settings, uint32_t node)
{
    NS_LOG_FUNCTION(this << +settings.classes << settings.limit << node);
    m_settings = settings;
    m_node = node;
    m_most = settings.used.Of(settings.maxFrameBytes);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        m_senders[cls].SetLimit(settings.limit);
        if (settings.classes & (1U << cls))
        {
            Compare(cls);
        }
    }
}

// ---- the sender of frames

void
PortCbfc::Sent(const Frame& frame)
{
    const uint32_t cls = frame.trafficClass;
    if (!(m_settings.classes & (1U << cls)) || frame.kind == FrameKind::PFC)
    {
        return;
    }
    const uint32_t credits = m_settings.used.Of(frame.bytes);
    CreditSender& sender = m_senders[cls];
    Counters& counters = m_counters[cls];
    sender.Consume(credits);
    counters.consumed += credits;
    counters.peakUsed = std::max(counters.peakUsed, sender.Used());
    if (!m_ccArmed)
    {
        m_ccArmed = true;
        m_nextCc = SimulationClock::Now() + m_settings.ccTicks;
        m_cc->Arm(m_node, SimulationClock::Now(), m_nextCc);
    }
    Compare(cls);
}

void
PortCbfc::Compare(uint32_t cls)
{
    const uint8_t bit = 1U << cls;
    const bool starved = !m_senders[cls].Fits(m_most);
    if (starved != ((m_starved & bit) != 0))
    {
        m_starved ^= bit;
        m_port.CreditsChanged(cls, starved);
    }
}

bool
PortCbfc::IsInUse() const
{
    return std::any_of(m_senders.begin(), m_senders.end(), [](const auto& sender) {
        return sender.Used() > 0;
    });
}

bool
PortCbfc::IsIdle() const
{
    return !IsInUse() && std::all_of(m_receivers.begin(),
                                     m_receivers.end(),
                                     [](const auto& receiver) { return receiver.Stored() == 0; });
}

void
PortCbfc::CcDue()
{
    const bool isInUse = IsInUse();
    m_ccArmed = isInUse;
    if (!isInUse)
    {
        return; // the next frame plans the next one
    }
    if (!m_port.MaySendAgain()) // else no credits are lost, and the peer would count frames twice
    {
        Frame* const update = MakeUpdate(m_settings.classes, true);
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            update->creditUpdate.counts[cls] = m_senders[cls].Consumed();
            m_counters[cls].ccSent += m_settings.classes >> cls & 1U;
        }
        m_port.SendUpdate(update, update->WireBytes(), true);
    }
    m_nextCc += m_settings.ccTicks;
    m_cc->Arm(m_node, SimulationClock::Now(), m_nextCc);
}

// ---- the receiver of frames

void
PortCbfc::Arrived(Frame& frame)
{
    const uint32_t cls = frame.trafficClass; // the queue of the sender, until the owner changes it
    if (!(m_settings.classes & (1U << cls)) || frame.kind == FrameKind::PFC)
    {
        return;
    }
    const uint32_t credits = m_settings.granted.Of(frame.bytes);
    m_receivers[cls].Store(credits);
    m_counters[cls].peakStored = std::max(m_counters[cls].peakStored, m_receivers[cls].Stored());
    frame.credits = {static_cast<uint16_t>(credits), static_cast<uint8_t>(cls), m_epoch};
}

void
PortCbfc::Free(FrameCredits credits)
{
    if (credits.epoch == m_epoch)
    {
        m_receivers[credits.cls].Free(credits.count);
        m_untold |= 1U << credits.cls;
        Tell();
    }
}

void
PortCbfc::Tell()
{
    const int64_t now = SimulationClock::Now();
    if (now < m_nextCf)
    {
        m_spacing->Arm(m_node, now, m_nextCf);
        return;
    }
    Frame* const update = MakeUpdate(m_untold, false);
    uint32_t named = 0;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (m_untold & (1U << cls))
        {
            ++named;
            ++m_counters[cls].cfSent;
            update->creditUpdate.counts[cls] =
                m_receivers[cls].Freed() & ((1U << CREDIT_WIRE_BITS) - 1);
        }
    }
    m_untold = 0;
    m_nextCf = now + m_settings.spacingTicks;
    const uint32_t sets = (named + CLASSES_OF_SET - 1) / CLASSES_OF_SET;
    m_port.SendUpdate(update, sets * CF_UPDATE_BYTES, false);
}

void
PortCbfc::SpacingOver()
{
    if (m_untold)
    {
        Tell();
    }
}

// ---- updates

Frame*
PortCbfc::MakeUpdate(uint8_t classes, bool consumed)
{
    auto* const update = new Frame;
    update->kind = FrameKind::PFC; // with no class paused: to losses a MAC control frame as others
    update->bytes = ETHERNET_MIN_FRAME_BYTES;
    update->creditUpdate.classes = classes;
    update->creditUpdate.consumed = consumed;
    return update;
}

void
PortCbfc::ReceiveFrame(Frame* frame)
{
    if (m_port.DropsUpdate(frame))
    {
        return;
    }
    const FrameCreditUpdate update = frame->creditUpdate;
    frame->Release();
    NS_LOG_LOGIC("node " << m_node << " gets a " << (update.consumed ? "CC" : "CF")
                         << "_Update for classes " << +update.classes);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (!(update.classes & (1U << cls)))
        {
            continue;
        }
        Counters& counters = m_counters[cls];
        if (update.consumed)
        {
            ++counters.ccReceived;
            counters.lostCredits += m_receivers[cls].Update(update.counts[cls]);
        }
        else
        {
            ++counters.cfReceived;
            m_senders[cls].Update(update.counts[cls]);
            Compare(cls);
        }
    }
    if (update.consumed)
    {
        m_untold |= update.classes; // the answer: an update may have been lost
        Tell();
    }
}

void
PortCbfc::Cut()
{
    m_senders = {};
    m_receivers = {};
    m_starved = 0;
    m_untold = 0;
    m_nextCf = 0;
    ++m_epoch;
    for (CreditSender& sender : m_senders)
    {
        sender.SetLimit(m_settings.limit);
    }
}

void
PortCbfc::Detach()
{
    m_spacing->Detach();
    m_cc->Detach();
}

} // namespace ns3
