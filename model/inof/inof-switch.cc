// SPDX-License-Identifier: GPL-2.0-only

// The hosts of a switch. What it has to do with other switches is in inof-switch-sessions.cc.

#include "inof-switch.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace ns3
{

InofSwitch::InofSwitch(InofSwitchSink& sink, const Config& config)
    : m_sink(sink),
      m_config(config),
      m_ports(config.ports, Port(config.retransmitPs))
{
    if (config.helloIntervalPs > std::numeric_limits<int64_t>::max() / 2 / config.helloMisses)
    {
        throw std::invalid_argument("InofSwitch: " + std::to_string(config.helloMisses) +
                                    " intervals of " + std::to_string(config.helloIntervalPs) +
                                    " ps are more than can be counted: take shorter ones");
    }
    for (Port& port : m_ports)
    {
        port.requiredPfc = config.requiredPfc;
    }
}

InofSwitch::~InofSwitch() = default;

void
InofSwitch::Start(int64_t now)
{
    m_running = true;
    ++m_boots;
    m_epochs = m_boots << 16;
    m_serial = uint64_t{m_boots} << 32; // beyond the words of earlier lives
    if (m_boots > 1 && m_config.deferralPs > 0)
    {
        m_deferUntil = now + m_config.deferralPs;
    }
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        SendNotice(port, nullptr, 0); // who is there?
    }
    for (auto& [number, peer] : m_peers)
    {
        peer.session->Start(peer.session->GetEpoch() + 1, now);
    }
}

void
InofSwitch::Stop()
{
    m_running = false;
    m_deferUntil = InofSendStream::NEVER;
    m_directory.Clear();
    for (Port& port : m_ports)
    {
        port.present = false;
        port.notices.Reset();
        port.told.clear();
    }
    for (auto& [number, peer] : m_peers)
    {
        peer.session->Stop();
        peer.keepUntil = InofSendStream::NEVER;
    }
}

// ---- discovery

void
InofSwitch::HostDatagram(uint32_t index, const InofDatagram& datagram, int64_t now)
{
    Port& port = m_ports.at(index);
    if (!m_running || port.fault != InofReason::NONE)
    {
        return;
    }
    const bool isCurrent =
        port.present && datagram.sender == port.host.id && datagram.senderEpoch == port.hostEpoch;
    if (datagram.kind == InofDatagram::HELLO)
    {
        ++m_counters.hellos;
        if (port.requiredPfc & ~datagram.hello.pfcClasses)
        {
            Leave(index, InofReason::PFC_DISABLED, now);
            return;
        }
        const bool isPast = port.present && datagram.sender == port.host.id &&
                            datagram.senderEpoch < port.hostEpoch;
        if (isPast)
        {
            return;
        }
        if (!isCurrent || !(datagram.hello == port.host))
        {
            Leave(index, InofReason::REMOVED, now);
            Join(index, datagram, now);
        }
    }
    else if (!isCurrent)
    {
        return;
    }
    port.lastHeard = now;
    if (datagram.kind == InofDatagram::GOODBYE)
    {
        Leave(index, InofReason::REMOVED, now);
        return;
    }
    if (datagram.receiverEpoch == port.epoch)
    {
        port.notices.Acknowledged(datagram.acknowledge, now);
    }
    Flush(index, now);
    if (datagram.kind == InofDatagram::HELLO)
    {
        SendNotice(index, nullptr, 0);
    }
}

void
InofSwitch::Join(uint32_t index, const InofDatagram& hello, int64_t now)
{
    for (uint32_t other = 0; other < m_ports.size(); ++other)
    {
        if (m_ports[other].present && m_ports[other].host.id == hello.hello.id)
        {
            Leave(other, InofReason::REMOVED, now); // it has been plugged in elsewhere
        }
    }
    Port& port = m_ports[index];
    port.present = true;
    port.host = hello.hello;
    port.hostEpoch = hello.senderEpoch;
    port.epoch = ++m_epochs;
    port.notices.Reset();
    port.told.clear();
    Learn(MakeWord(port.host, true, InofReason::NONE), InofDirectory::SELF, now);
    ReconcileAll(index, now);
    if (m_deferUntil == InofSendStream::NEVER)
    {
        port.notices.Post(InofMessage{});
        Flush(index, now);
    }
}

void
InofSwitch::Leave(uint32_t index, InofReason reason, int64_t now)
{
    Port& port = m_ports[index];
    if (!port.present)
    {
        return;
    }
    port.present = false;
    port.notices.Reset();
    port.told.clear();
    Learn(MakeWord(port.host, false, reason), InofDirectory::SELF, now);
}

InofMessage
InofSwitch::MakeWord(const InofHostInfo& host, bool up, InofReason reason)
{
    InofMessage word;
    word.type = InofMessage::ROUTE;
    word.host = host;
    word.up = up;
    word.reason = reason;
    word.originator = m_config.number;
    word.serial = ++m_serial;
    return word;
}

void
InofSwitch::LinkChanged(uint32_t port, bool up, int64_t now)
{
    if (!m_running)
    {
        return;
    }
    if (up)
    {
        SendNotice(port, nullptr, 0); // who is there?
    }
    else
    {
        Leave(port, InofReason::LINK_DOWN, now);
    }
}

void
InofSwitch::SetFault(uint32_t index, InofReason fault, int64_t now)
{
    m_ports.at(index).fault = fault;
    if (fault != InofReason::NONE)
    {
        Leave(index, fault, now);
    }
    else if (m_running)
    {
        SendNotice(index, nullptr, 0);
    }
}

// ---- notification

void
InofSwitch::SendNotice(uint32_t index, const InofMessage* message, uint32_t sequence)
{
    const Port& port = m_ports[index];
    InofDatagram notice;
    notice.kind = InofDatagram::NOTICE;
    notice.sender = m_config.number;
    notice.senderEpoch = port.present ? port.epoch : 0;
    notice.receiverEpoch = port.present ? port.hostEpoch : 0;
    if (message)
    {
        notice.sequence = sequence;
        notice.message = *message;
    }
    m_sink.SendToHost(index, notice);
}

void
InofSwitch::Flush(uint32_t index, int64_t now)
{
    uint32_t sequence = 0;
    while (const InofMessage* message = m_ports[index].notices.Next(now, sequence))
    {
        SendNotice(index, message, sequence);
    }
}

void
InofSwitch::Tell(uint32_t index, const InofHostInfo& host, bool up, InofReason reason)
{
    InofMessage event;
    event.type = InofMessage::HOST_EVENT;
    event.up = up;
    event.reason = reason;
    event.host = host;
    ++m_counters.notifications;
    m_sink.Notified(index, event);
    m_ports[index].notices.Post(event);
}

void
InofSwitch::Reconcile(uint32_t index, uint32_t host, int64_t now)
{
    Port& port = m_ports[index];
    if (!port.present || port.host.id == host)
    {
        return; // a host is not told of itself
    }
    const InofHostInfo* info = m_directory.Find(host);
    const bool isVisible = info && m_zones.Share(port.host.id, host);
    const auto told = port.told.find(host);
    if (told != port.told.end() && !(isVisible && told->second == *info))
    {
        Tell(index, told->second, false, info ? InofReason::REMOVED : m_directory.WhyDown(host));
        port.told.erase(told);
    }
    if (isVisible && port.told.emplace(host, *info).second)
    {
        Tell(index, *info, true, InofReason::NONE);
    }
    Flush(index, now);
}

void
InofSwitch::ReconcileAll(uint32_t index, int64_t now)
{
    std::set<uint32_t> hosts;
    for (const auto& [key, route] : m_directory.GetRoutes())
    {
        hosts.insert(key.first);
    }
    for (const uint32_t host : hosts)
    {
        Reconcile(index, host, now);
    }
}

// ---- time

void
InofSwitch::Advance(int64_t now)
{
    if (!m_running)
    {
        return;
    }
    const int64_t silence = m_config.helloIntervalPs * m_config.helloMisses;
    for (uint32_t index = 0; index < m_ports.size(); ++index)
    {
        Port& port = m_ports[index];
        if (!port.present)
        {
            continue;
        }
        if (now - port.lastHeard >= silence)
        {
            ++m_counters.hostsTimedOut;
            Leave(index, InofReason::TIMEOUT, now);
            continue;
        }
        port.notices.Advance(now);
        Flush(index, now);
    }
    for (auto& [number, peer] : m_peers)
    {
        peer.session->Advance(now);
        if (now >= peer.keepUntil)
        {
            peer.keepUntil = InofSendStream::NEVER;
            Lost(m_directory.WithdrawStale(number), number, now);
        }
    }
    if (now >= m_deferUntil)
    {
        EndDeferral(now);
    }
}

int64_t
InofSwitch::NextDeadline() const
{
    if (!m_running)
    {
        return InofSendStream::NEVER;
    }
    int64_t next = m_deferUntil;
    const int64_t silence = m_config.helloIntervalPs * m_config.helloMisses;
    for (const Port& port : m_ports)
    {
        if (port.present)
        {
            next = std::min({next, port.lastHeard + silence, port.notices.NextDeadline()});
        }
    }
    for (const auto& [number, peer] : m_peers)
    {
        next = std::min({next, peer.session->NextDeadline(), peer.keepUntil});
    }
    return next;
}

InofSwitch::Counters
InofSwitch::GetCounters() const
{
    Counters counters = m_counters;
    for (const Port& port : m_ports)
    {
        counters.retransmitted += port.notices.GetRetransmitted();
    }
    for (const auto& [number, peer] : m_peers)
    {
        counters.retransmitted += peer.session->GetRetransmitted();
    }
    return counters;
}

} // namespace ns3
