// SPDX-License-Identifier: GPL-2.0-only
#include "message-exchange.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{

MessageExchange::MessageExchange(MessageNetwork& network,
                                 Owner& owner,
                                 uint32_t ranks,
                                 const Options& options)
    : m_network(network),
      m_owner(owner),
      m_options(options),
      m_ends(ranks)
{
    m_network.SetListener(*this);
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
MessageExchange::Send(const RankMessage& message)
{
    if (m_options.rendezvous)
    {
        End& end = m_ends[message.source];
        const MatchKey key{message.destination, message.scope, message.tag};
        if (!end.ready.Peek(key))
        {
            end.held.Add(key, message);
            return;
        }
        end.ready.Take(key);
    }
    Launch(message);
}

void
MessageExchange::Launch(const RankMessage& message)
{
    ++m_ends[message.source].underWay;
    m_network.Send(message);
}

void
MessageExchange::Completed(const RankMessage& message, bool isDelivered)
{
    --m_ends[message.source].underWay;
    if (!message.isReady)
    {
        m_owner.Completed(message, isDelivered);
    }
    m_owner.UnderWayChanged(message.source);
}

void
MessageExchange::Receive(const Wanted& wanted)
{
    if (m_options.rendezvous)
    {
        TellReady(wanted);
    }
    End& end = m_ends[wanted.rank];
    const MatchKey key{wanted.source, wanted.scope, wanted.tag};
    if (wanted.source == ANY || wanted.tag == ANY_TAG)
    {
        RankMessage message;
        if (TakeEarliest(end, wanted, message))
        {
            m_owner.Matched(wanted, message);
            return;
        }
        end.wild.push_back({end.order++, wanted});
    }
    else if (end.unexpected.Peek(key))
    {
        const Unexpected first = end.unexpected.Take(key);
        m_owner.Matched(wanted, first.message);
    }
    else
    {
        end.posted.Add(key, {end.order++, wanted});
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
    const MatchKey key{message.source, message.scope, message.tag};
    const Posted* const exact = end.posted.Peek(key);
    const auto wild = std::find_if(end.wild.begin(), end.wild.end(), [&message](const Posted& one) {
        return Fits(one.wanted, message);
    });
    if (wild != end.wild.end() && (!exact || wild->order < exact->order))
    {
        const Wanted wanted = wild->wanted;
        end.wild.erase(wild);
        m_owner.Matched(wanted, message);
    }
    else if (exact)
    {
        const Posted posted = end.posted.Take(key);
        m_owner.Matched(posted.wanted, message);
    }
    else
    {
        end.unexpected.Add(key, {end.order++, message});
    }
}

void
MessageExchange::BecameReady(const RankMessage& message)
{
    End& end = m_ends[message.destination];
    const MatchKey key{message.source, message.scope, message.tag};
    if (end.held.Peek(key))
    {
        const RankMessage held = end.held.Take(key);
        Launch(held);
        m_owner.UnderWayChanged(message.destination);
        return;
    }
    end.ready.Add(key, {});
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
    Launch(ready);
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
    uint64_t earliest = end.order;
    MatchKey found;
    end.unexpected.ForEach([&](const MatchKey& key, const Unexpected& one) {
        if (one.order < earliest && Fits(wanted, one.message))
        {
            earliest = one.order;
            found = key;
        }
    });
    if (earliest == end.order)
    {
        return false;
    }
    taken = end.unexpected.Take(found).message;
    return true;
}

std::vector<RankMessage>
MessageExchange::GetUnexpected(uint32_t rank) const
{
    std::vector<const Unexpected*> found;
    m_ends[rank].unexpected.ForEach(
        [&found](const MatchKey&, const Unexpected& one) { found.push_back(&one); });
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
