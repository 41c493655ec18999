// SPDX-License-Identifier: GPL-2.0-only

#include "inof-switch.h"

#include "ns3/log.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("InofSwitch");

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
    NS_LOG_DEBUG("switch " << m_config.number << " boots, time " << m_boots);
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
    NS_LOG_DEBUG("switch " << m_config.number << ": host " << hello.hello.id << " joins at port "
                           << index);
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
    NS_LOG_DEBUG("switch " << m_config.number << ": host " << port.host.id << " leaves port "
                           << index);
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

// ---- other switches

void
InofSwitch::AddSession(uint32_t number, Relation relation)
{
    const std::string pair =
        "iNOF: switches " + std::to_string(m_config.number) + " and " + std::to_string(number);
    if (number == m_config.number)
    {
        throw std::invalid_argument(pair + " are the same: a session joins two switches");
    }
    if (relation == CLIENT && m_config.cluster == 0)
    {
        throw std::invalid_argument(pair + " are both clients: a session needs a reflector, which "
                                           "is a switch with a cluster");
    }
    const auto [peer, isNew] = m_peers.try_emplace(number);
    if (!isNew)
    {
        throw std::invalid_argument(pair + " have a session already; add it once");
    }
    peer->second.relation = relation;
    peer->second.session = std::make_unique<InofSession>(static_cast<InofSessionSink&>(*this),
                                                         m_config.number,
                                                         number,
                                                         m_config.session);
}

bool
InofSwitch::IsSessionUp(uint32_t number) const
{
    const auto peer = m_peers.find(number);
    return peer != m_peers.end() && peer->second.session->IsUp();
}

void
InofSwitch::PeerDatagram(const InofDatagram& datagram, int64_t now)
{
    const auto peer = m_peers.find(datagram.sender);
    if (m_running && peer != m_peers.end() && datagram.kind == InofDatagram::SESSION)
    {
        peer->second.session->Receive(datagram, now);
    }
}

void
InofSwitch::SendDatagram(InofSession& session, const InofDatagram& datagram)
{
    m_sink.SendToPeer(session.GetPeer(), datagram);
}

// ---- life of a session

void
InofSwitch::SessionUp(InofSession& session, int64_t now)
{
    const uint32_t number = session.GetPeer();
    Peer& peer = m_peers.at(number);
    m_sink.SessionChanged(number, true);
    if (m_config.cluster != 0)
    {
        SendZones(peer, now);
    }
    for (const auto& [key, route] : m_directory.GetRoutes())
    {
        const bool passes = std::any_of(route.via.begin(), route.via.end(), [&](uint32_t via) {
            return MayPass(via, peer);
        });
        if (passes && key.second != number)
        {
            InofMessage word = route.word;
            if (word.originator != m_config.number)
            {
                word.clusterList.insert(word.clusterList.begin(), m_config.cluster);
            }
            ++m_counters.routesSent;
            session.Post(word, now);
        }
    }
    if (m_deferUntil == InofSendStream::NEVER)
    {
        session.Post(InofMessage{}, now);
    }
}

void
InofSwitch::SessionDown(InofSession& session, int64_t now)
{
    const uint32_t number = session.GetPeer();
    NS_LOG_DEBUG("switch " << m_config.number << " loses its session with " << number);
    ++m_counters.sessionsLost;
    m_sink.SessionChanged(number, false);
    if (m_config.gracefulPs > 0)
    {
        m_counters.kept += m_directory.MarkStale(number);
        m_peers.at(number).keepUntil = now + m_config.gracefulPs;
    }
    else
    {
        Lost(m_directory.WithdrawAll(number), number, now);
    }
}

void
InofSwitch::MessageReceived(InofSession& session, const InofMessage& message, int64_t now)
{
    const uint32_t number = session.GetPeer();
    switch (message.type)
    {
    case InofMessage::ROUTE:
        RouteReceived(message, number, now);
        break;
    case InofMessage::WITHDRAW: {
        const InofDirectory::Key key{message.host.id, message.originator};
        if (m_directory.Withdraw(key, number))
        {
            Lost({key}, number, now);
        }
        break;
    }
    case InofMessage::SYNC_END:
        m_peers.at(number).keepUntil = InofSendStream::NEVER;
        Lost(m_directory.WithdrawStale(number), number, now);
        break;
    case InofMessage::ZONE_BEGIN:
    case InofMessage::ZONE:
    case InofMessage::ZONE_END:
        ZoneReceived(m_peers.at(number), message, now);
        break;
    case InofMessage::HOST_EVENT:
        break; // for hosts
    }
}

void
InofSwitch::EndDeferral(int64_t now)
{
    m_deferUntil = InofSendStream::NEVER;
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        if (m_ports[port].present)
        {
            m_ports[port].notices.Post(InofMessage{});
            Flush(port, now);
        }
    }
    for (auto& [number, peer] : m_peers)
    {
        peer.session->Post(InofMessage{}, now);
    }
}

// ---- reflection

bool
InofSwitch::MayPass(uint32_t via, const Peer& to) const
{
    if (via == InofDirectory::SELF)
    {
        return true;
    }
    if (m_config.cluster == 0 || via == to.session->GetPeer())
    {
        return false;
    }
    return m_peers.at(via).relation == CLIENT || to.relation == CLIENT;
}

void
InofSwitch::RouteReceived(const InofMessage& word, uint32_t via, int64_t now)
{
    ++m_counters.routesReceived;
    const auto& clusters = word.clusterList;
    const bool isReflected =
        m_config.cluster != 0 && std::count(clusters.begin(), clusters.end(), m_config.cluster) > 0;
    if (isReflected || word.originator == m_config.number ||
        clusters.size() >= InofDatagram::MAX_LIST)
    {
        ++m_counters.loops;
        return;
    }
    Learn(word, via, now);
}

void
InofSwitch::Learn(const InofMessage& word, uint32_t via, int64_t now)
{
    const InofDirectory::Outcome outcome = m_directory.Update(word, via);
    if (outcome != InofDirectory::CHANGED)
    {
        ++(outcome == InofDirectory::OLD ? m_counters.outdated : m_counters.duplicates);
        return;
    }
    InofMessage passed = word;
    if (via != InofDirectory::SELF)
    {
        passed.clusterList.insert(passed.clusterList.begin(), m_config.cluster);
    }
    for (auto& [number, peer] : m_peers)
    {
        if (peer.session->IsUp() && number != word.originator && MayPass(via, peer))
        {
            ++m_counters.routesSent;
            peer.session->Post(passed, now);
        }
    }
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        Reconcile(port, word.host.id, now);
    }
}

void
InofSwitch::Lost(const std::vector<InofDirectory::Key>& keys, uint32_t via, int64_t now)
{
    for (const auto& [host, originator] : keys)
    {
        InofMessage withdraw;
        withdraw.type = InofMessage::WITHDRAW;
        withdraw.host.id = host;
        withdraw.originator = originator;
        for (auto& [number, peer] : m_peers)
        {
            if (number != originator && MayPass(via, peer))
            {
                peer.session->Post(withdraw, now);
            }
        }
        for (uint32_t port = 0; port < m_ports.size(); ++port)
        {
            Reconcile(port, host, now);
        }
    }
}

// ---- zones

void
InofSwitch::ConfigureZones(const std::function<void(InofZoneTable&)>& change, int64_t now)
{
    if (m_config.cluster == 0 && !m_peers.empty())
    {
        throw std::invalid_argument("iNOF: switch " + std::to_string(m_config.number) +
                                    " is a client: zones are configured on a reflector");
    }
    change(m_zones);
    for (auto& [number, peer] : m_peers)
    {
        SendZones(peer, now);
    }
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        ReconcileAll(port, now);
    }
}

void
InofSwitch::SendZones(Peer& to, int64_t now)
{
    InofMessage message;
    message.type = InofMessage::ZONE_BEGIN;
    message.version = m_zones.GetVersion();
    message.autoJoin = m_zones.GetAutoJoin();
    to.session->Post(message, now);
    for (const auto& [number, zone] : m_zones.GetZones())
    {
        InofMessage part;
        part.type = InofMessage::ZONE;
        part.zone = number;
        part.name = zone.name;
        for (const uint32_t host : zone.members)
        {
            if (part.members.size() == InofDatagram::MAX_LIST)
            {
                to.session->Post(part, now);
                part.members.clear();
            }
            part.members.push_back(host);
        }
        to.session->Post(part, now);
    }
    message.type = InofMessage::ZONE_END;
    to.session->Post(message, now);
}

void
InofSwitch::ZoneReceived(Peer& from, const InofMessage& message, int64_t now)
{
    if (from.relation == CLIENT)
    {
        return; // configuration comes from reflectors
    }
    if (message.type == InofMessage::ZONE_BEGIN)
    {
        from.incoming = InofZoneTable();
        from.incoming.SetAutoJoin(message.autoJoin);
        return;
    }
    if (message.type == InofMessage::ZONE)
    {
        from.incoming.Insert(message.zone, message.name, message.members);
        return;
    }
    if (message.version <= m_zones.GetVersion())
    {
        return; // of the past, or known by another reflector
    }
    m_zones = from.incoming;
    m_zones.SetVersion(message.version);
    ++m_counters.zoneUpdates;
    for (auto& [number, peer] : m_peers)
    {
        if (m_config.cluster != 0 && &peer != &from)
        {
            SendZones(peer, now);
        }
    }
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        ReconcileAll(port, now);
    }
}

} // namespace ns3
