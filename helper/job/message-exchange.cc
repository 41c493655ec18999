// SPDX-License-Identifier: GPL-2.0-only
#include "message-exchange.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <utility>

namespace ns3
{

namespace
{

/// @param queues by key @param key that has a queue with something in it
/// @return the first of the queue, which is taken away
template <typename Queues, typename Key>
auto
TakeFirst(Queues& queues, const Key& key)
{
    const auto queue = queues.find(key);
    auto first = std::move(queue->second.front());
    queue->second.pop_front();
    if (queue->second.empty())
    {
        queues.erase(queue);
    }
    return first;
}

} // namespace

std::size_t
MessageExchange::Hash::operator()(const Key& key) const
{
    std::size_t hash = 0;
    boost::hash_combine(hash, key.peer);
    boost::hash_combine(hash, key.scope);
    boost::hash_combine(hash, key.tag);
    return hash;
}

MessageExchange::MessageExchange(MessageNetwork& network, uint32_t ranks, const Options& options)
    : m_network(network),
      m_options(options),
      m_ends(ranks),
      m_onChange([](uint32_t) {})
{
    m_network.OnArrival([this](const RankMessage& message) { Arrived(message); });
}

void
MessageExchange::Connect(const MessageNetwork::Pair& pair)
{
    m_network.Connect(pair);
    if (m_options.rendezvous)
    {
        MessageNetwork::Pair back = pair;
        std::swap(back.source, back.destination);
        back.nic = RankMessage::ANY_NIC;
        m_network.Connect(back);
    }
}

void
MessageExchange::Send(const RankMessage& message, MessageNetwork::Completed onCompleted)
{
    if (m_options.rendezvous)
    {
        End& end = m_ends[message.source];
        const Key key{message.destination, message.scope, message.tag};
        const auto ready = end.ready.find(key);
        if (ready == end.ready.end())
        {
            end.held[key].push_back({message, std::move(onCompleted)});
            return;
        }
        if (--ready->second == 0)
        {
            end.ready.erase(ready);
        }
    }
    Launch(message, std::move(onCompleted));
}

void
MessageExchange::Launch(const RankMessage& message, MessageNetwork::Completed onCompleted)
{
    const uint32_t rank = message.source;
    ++m_ends[rank].underWay;
    m_network.Send(message, [this, rank, onCompleted = std::move(onCompleted)](bool isDelivered) {
        --m_ends[rank].underWay;
        onCompleted(isDelivered);
        m_onChange(rank);
    });
}

void
MessageExchange::Receive(const Wanted& wanted, Matched onMatched)
{
    if (m_options.rendezvous)
    {
        TellReady(wanted);
    }
    End& end = m_ends[wanted.rank];
    const Key key{wanted.source, wanted.scope, wanted.tag};
    if (wanted.source == ANY || wanted.tag == ANY_TAG)
    {
        RankMessage message;
        if (TakeEarliest(end, wanted, message))
        {
            onMatched(message);
            return;
        }
        end.wild.push_back({end.order++, wanted, std::move(onMatched)});
    }
    else if (end.unexpected.count(key))
    {
        onMatched(TakeFirst(end.unexpected, key).message);
    }
    else
    {
        end.posted[key].push_back({end.order++, wanted, std::move(onMatched)});
    }
}

void
MessageExchange::Arrived(const RankMessage& message)
{
    if (message.isReady)
    {
        BecameReady(message);
        return;
    }
    End& end = m_ends[message.destination];
    const Key key{message.source, message.scope, message.tag};
    const auto exact = end.posted.find(key);
    const auto wild = std::find_if(end.wild.begin(), end.wild.end(), [&message](const Posted& one) {
        return Fits(one.wanted, message);
    });
    if (wild != end.wild.end() &&
        (exact == end.posted.end() || wild->order < exact->second.front().order))
    {
        const Matched onMatched = std::move(wild->onMatched);
        end.wild.erase(wild);
        onMatched(message);
    }
    else if (exact != end.posted.end())
    {
        TakeFirst(end.posted, key).onMatched(message);
    }
    else
    {
        end.unexpected[key].push_back({end.order++, message});
    }
}

void
MessageExchange::BecameReady(const RankMessage& message)
{
    End& end = m_ends[message.destination];
    const Key key{message.source, message.scope, message.tag};
    if (end.held.count(key))
    {
        Held held = TakeFirst(end.held, key);
        Launch(held.message, std::move(held.onCompleted));
        m_onChange(message.destination);
        return;
    }
    ++end.ready[key];
}

void
MessageExchange::RequireNamed(const std::string& who, uint32_t source, uint64_t tag)
{
    if (source == ANY || tag == ANY_TAG)
    {
        throw FabricError(who + "receives from any rank or any tag, with a rendezvous",
                          "name both, or use no rendezvous: nobody can be told to send");
    }
}

void
MessageExchange::TellReady(const Wanted& wanted)
{
    RequireNamed("rank " + std::to_string(wanted.rank) + " ", wanted.source, wanted.tag);
    RankMessage ready;
    ready.source = wanted.rank;
    ready.destination = wanted.source;
    ready.scope = wanted.scope;
    ready.tag = wanted.tag;
    ready.bytes = m_options.readyBytes;
    ready.channel = wanted.channel;
    ready.isReady = true;
    Launch(ready, [](bool) {});
}

bool
MessageExchange::Fits(const Wanted& wanted, const RankMessage& message)
{
    return wanted.scope == message.scope &&
           (wanted.source == ANY || wanted.source == message.source) &&
           (wanted.tag == ANY_TAG || wanted.tag == message.tag);
}

bool
MessageExchange::TakeEarliest(End& end, const Wanted& wanted, RankMessage& taken)
{
    // The order of the table is not that of anything: compare all.
    auto earliest = end.unexpected.end();
    for (auto queue = end.unexpected.begin(); queue != end.unexpected.end(); ++queue)
    {
        if (Fits(wanted, queue->second.front().message) &&
            (earliest == end.unexpected.end() ||
             queue->second.front().order < earliest->second.front().order))
        {
            earliest = queue;
        }
    }
    if (earliest == end.unexpected.end())
    {
        return false;
    }
    const Key key = earliest->first;
    taken = TakeFirst(end.unexpected, key).message;
    return true;
}

std::vector<RankMessage>
MessageExchange::GetUnexpected(uint32_t rank) const
{
    std::vector<const Unexpected*> found;
    for (const auto& [key, queue] : m_ends[rank].unexpected)
    {
        for (const Unexpected& one : queue)
        {
            found.push_back(&one);
        }
    }
    std::sort(found.begin(), found.end(), [](const Unexpected* a, const Unexpected* b) {
        return a->order < b->order;
    });
    std::vector<RankMessage> messages;
    messages.reserve(found.size());
    for (const Unexpected* one : found)
    {
        messages.push_back(one->message);
    }
    return messages;
}

} // namespace ns3
