// SPDX-License-Identifier: GPL-2.0-only

// What a switch has to do with other switches: sessions, reflection, zone tables.

#include "inof-switch.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

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
        throw std::invalid_argument(pair + " have a session already");
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
