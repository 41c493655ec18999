// SPDX-License-Identifier: GPL-2.0-only
#include "inof-host.h"

#include "ns3/log.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("InofHost");

InofHost::InofHost(InofHostSink& sink, const Config& config)
    : m_sink(sink),
      m_config(config)
{
    if (config.helloIntervalPs > std::numeric_limits<int64_t>::max() / 2 / config.helloMisses)
    {
        throw std::invalid_argument("InofHost: " + std::to_string(config.helloMisses) +
                                    " intervals of " + std::to_string(config.helloIntervalPs) +
                                    " ps are more than can be counted: take shorter ones");
    }
}

void
InofHost::Start(int64_t now)
{
    m_running = true;
    ++m_epoch;
    NS_LOG_DEBUG("host " << m_config.info.id << " starts, time " << m_epoch);
    m_switchEpoch = 0;
    m_in.Reset();
    m_retryPs = m_config.retryPs;
    m_lastHeard = now;
    m_nextHello = now;
    Advance(now);
}

void
InofHost::Stop(InofReason reason)
{
    if (m_running && reason == InofReason::REMOVED)
    {
        Send(InofDatagram::GOODBYE);
    }
    m_running = false;
    m_switchEpoch = 0;
    LosePeers(reason);
}

void
InofHost::Send(InofDatagram::Kind kind)
{
    InofDatagram datagram;
    datagram.kind = kind;
    datagram.sender = m_config.info.id;
    datagram.senderEpoch = m_epoch;
    datagram.receiverEpoch = m_switchEpoch;
    datagram.acknowledge = m_in.Last();
    datagram.hello = kind == InofDatagram::HELLO ? m_config.info : InofHostInfo();
    m_sink.SendToSwitch(datagram);
}

void
InofHost::Receive(const InofDatagram& datagram, int64_t now)
{
    if (!m_running || datagram.kind != InofDatagram::NOTICE)
    {
        return;
    }
    if (datagram.receiverEpoch == 0)
    {
        Send(InofDatagram::HELLO); // the switch asks who is there
        return;
    }
    if (datagram.receiverEpoch != m_epoch || datagram.senderEpoch < m_switchEpoch)
    {
        return; // meant for an earlier life, or of one of the switch
    }
    if (datagram.senderEpoch != m_switchEpoch)
    {
        m_switchEpoch = datagram.senderEpoch;
        m_in.Reset();
        m_nextHello = now + m_config.helloIntervalPs;
        for (const auto& [id, peer] : m_peers)
        {
            m_stale.insert(id);
        }
    }
    m_lastHeard = now;
    if (datagram.message)
    {
        const bool isNew = m_in.Accept(datagram.sequence);
        Send(InofDatagram::ACK);
        if (isNew)
        {
            MessageReceived(*datagram.message);
        }
    }
}

void
InofHost::MessageReceived(const InofMessage& message)
{
    if (message.type == InofMessage::HOST_EVENT && message.up)
    {
        m_stale.erase(message.host.id);
        const auto [peer, isNew] = m_peers.try_emplace(message.host.id, message.host);
        if (!isNew && !(peer->second == message.host))
        {
            LosePeer(message.host.id, InofReason::REMOVED);
            m_peers[message.host.id] = message.host;
            m_sink.PeerUp(message.host);
        }
        else if (isNew)
        {
            m_sink.PeerUp(message.host);
        }
    }
    else if (message.type == InofMessage::HOST_EVENT)
    {
        LosePeer(message.host.id, message.reason);
    }
    else if (message.type == InofMessage::SYNC_END)
    {
        const std::set<uint32_t> stale = std::move(m_stale);
        m_stale.clear();
        for (const uint32_t id : stale)
        {
            LosePeer(id, InofReason::REMOVED);
        }
    }
}

void
InofHost::LosePeer(uint32_t id, InofReason reason)
{
    const auto entry = m_peers.find(id);
    if (entry != m_peers.end())
    {
        const InofHostInfo peer = entry->second;
        NS_LOG_DEBUG("host " << m_config.info.id << " loses peer " << id);
        m_peers.erase(entry);
        m_stale.erase(id);
        m_sink.PeerDown(peer, reason);
    }
}

void
InofHost::LosePeers(InofReason reason)
{
    while (!m_peers.empty())
    {
        LosePeer(m_peers.begin()->first, reason);
    }
}

void
InofHost::SetPfcClasses(uint8_t classes, int64_t now)
{
    m_config.info.pfcClasses = classes;
    if (m_running)
    {
        m_nextHello = now;
        Advance(now);
    }
}

void
InofHost::Advance(int64_t now)
{
    if (!m_running)
    {
        return;
    }
    const int64_t silence = m_config.helloIntervalPs * m_config.helloMisses;
    if (IsRegistered() && now - m_lastHeard >= silence)
    {
        ++m_epoch; // the switch may have us still: it must begin anew, too
        m_switchEpoch = 0;
        m_in.Reset();
        m_retryPs = m_config.retryPs;
        m_nextHello = now;
        LosePeers(InofReason::TIMEOUT);
    }
    if (now >= m_nextHello)
    {
        Send(InofDatagram::HELLO);
        m_nextHello = now + (IsRegistered() ? m_config.helloIntervalPs : m_retryPs);
        m_retryPs = std::min(2 * m_retryPs, m_config.helloIntervalPs);
    }
}

int64_t
InofHost::NextDeadline() const
{
    if (!m_running)
    {
        return InofSendStream::NEVER;
    }
    const int64_t silence = m_config.helloIntervalPs * m_config.helloMisses;
    return IsRegistered() ? std::min(m_nextHello, m_lastHeard + silence) : m_nextHello;
}

} // namespace ns3
