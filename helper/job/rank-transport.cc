// SPDX-License-Identifier: GPL-2.0-only
#include "rank-transport.h"

#include "unconnected-end.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-ranks.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RankTransport::RankTransport(const Fabric& fabric,
                             std::vector<RankPlace> places,
                             const QueuePairNetwork::Options& options)
    : m_fabric(fabric),
      m_options(options),
      m_network(fabric, std::move(places), options),
      m_exchange(m_network, *this, static_cast<uint32_t>(m_network.GetPlaces().size()), {}),
      m_first(Simulator::Now())
{
    if (GetNRanks() == 0)
    {
        throw FabricError("a transport without ranks", "places for 1 rank or more");
    }
    if (FabricRanks::Count() > 1)
    {
        throw FabricError("several processes run the fabric",
                          "a transport between ranks runs in one process, with one thread");
    }
}

// ---- what is posted

void
RankTransport::RequireRank(uint32_t rank) const
{
    if (rank >= GetNRanks())
    {
        throw FabricError("rank " + std::to_string(rank) + " of a transport",
                          "ranks are 0 to " + std::to_string(GetNRanks() - 1));
    }
}

void
RankTransport::RequirePossible(const Open& open) const
{
    RequireRank(open.source);
    RequireRank(open.destination);
    if (open.tag == MessageExchange::ANY_TAG)
    {
        throw FabricError("tag 2^64 - 1 of a message", "0 to 2^64 - 2");
    }
    if (open.item.bytes > MOST_BYTES)
    {
        throw FabricError("a message of " + std::to_string(open.item.bytes) + " B", "at most 2^40");
    }
}

RankTransport::Open
RankTransport::MakeOpen(uint32_t source, uint32_t destination, uint64_t tag, uint64_t bytes) const
{
    Open open;
    open.source = source;
    open.destination = destination;
    open.tag = tag;
    open.item.bytes = bytes;
    open.item.start = Simulator::Now();
    open.item.state = TrafficItem::RUNNING;
    RequirePossible(open);
    open.item.source = m_network.GetPlaces()[source].host;
    open.item.destination = m_network.GetPlaces()[destination].host;
    return open;
}

void
RankTransport::Send(uint32_t source,
                    uint32_t destination,
                    uint64_t tag,
                    uint64_t bytes,
                    Done onDone)
{
    RequireOpen("a message");
    Open open = MakeOpen(source, destination, tag, bytes);
    if (m_isStopped || !m_error.empty())
    {
        return;
    }
    m_exchange.Connect({source, destination});
    RankMessage message;
    message.source = source;
    message.destination = destination;
    message.tag = tag;
    message.bytes = bytes;
    message.cause = m_nextMessage;
    m_nextMessage = m_nextMessage + 1 == NO_MESSAGE ? 0 : m_nextMessage + 1;
    open.item.id = m_sent++;
    open.onDone = std::move(onDone);
    const TrafficItem item = open.item;
    m_messages.emplace(message.cause, std::move(open));
    ++m_active;
    TellStarted(item);
    m_network.Schedule(source, Time(0), [this, message]() mutable {
        message.posted = Simulator::Now().GetTimeStep();
        m_exchange.Send(message);
    });
}

void
RankTransport::Recv(uint32_t destination,
                    uint32_t source,
                    uint64_t tag,
                    uint64_t bytes,
                    Done onDone)
{
    RequireOpen("a receive");
    Open open = MakeOpen(source, destination, tag, bytes);
    if (m_isStopped || !m_error.empty())
    {
        return;
    }
    open.onDone = std::move(onDone);
    MessageExchange::Wanted wanted;
    wanted.id = m_nextReceive++;
    m_receives.emplace(wanted.id, std::move(open));
    wanted.rank = destination;
    wanted.source = source;
    wanted.tag = tag;
    m_exchange.Receive(wanted);
}

void
RankTransport::Schedule(uint32_t rank, Time delay, std::function<void()> call)
{
    RequireOpen("a call");
    RequireRank(rank);
    if (delay.IsStrictlyNegative())
    {
        throw FabricError("a call before now", "a delay of 0 or more");
    }
    if (m_isStopped || !m_error.empty())
    {
        return;
    }
    ++m_active;
    ++m_calls;
    m_network.Schedule(rank, delay, [this, call = std::move(call)] {
        --m_calls;
        if (!m_isStopped && m_error.empty())
        {
            call();
        }
        Leave(NO_MESSAGE);
    });
}

Time
RankTransport::Now() const
{
    return Simulator::Now();
}

// ---- what becomes of it

void
RankTransport::Completed(const RankMessage& message, bool isDelivered)
{
    if (m_isStopped || !m_error.empty())
    {
        return;
    }
    if (!isDelivered)
    {
        const std::vector<std::string> errors = m_network.GetErrors();
        Fail(errors.empty() ? "a connection has failed" : errors.front());
        return;
    }
    Open& open = m_messages.at(message.cause);
    open.isCompleted = true;
    if (open.onDone)
    {
        open.onDone();
    }
    Leave(message.cause);
}

void
RankTransport::Matched(const MessageExchange::Wanted& wanted, const RankMessage& message)
{
    const Open open = m_receives.at(wanted.id);
    if (open.item.bytes != message.bytes)
    {
        Fail("rank " + std::to_string(message.destination) + " recv of " +
             std::to_string(open.item.bytes) + " B got " + std::to_string(message.bytes) +
             " B from rank " + std::to_string(message.source) + ", tag " +
             std::to_string(message.tag));
        return;
    }
    m_receives.erase(wanted.id);
    ++m_active;
    // Not within Recv(), which takes what has come before.
    m_network.Schedule(message.destination,
                       Time(0),
                       [this, id = message.cause, onDone = open.onDone] {
                           if (m_isStopped || !m_error.empty())
                           {
                               return;
                           }
                           m_messages.at(id).isTaken = true;
                           if (onDone)
                           {
                               onDone();
                           }
                           Leave(id);
                       });
}

void
RankTransport::Leave(uint32_t id)
{
    if (m_isStopped || !m_error.empty())
    {
        return;
    }
    --m_active;
    const auto ended = m_messages.find(id);
    if (ended != m_messages.end() && ended->second.isCompleted && ended->second.isTaken)
    {
        TrafficItem item = ended->second.item;
        m_messages.erase(ended);
        ++m_completed;
        item.end = Simulator::Now();
        item.state = TrafficItem::COMPLETED;
        TellEnded(item);
    }
    else if (m_active == 0)
    {
        TellFailed();
    }
}

void
RankTransport::Fail(const std::string& why)
{
    m_error = why;
    TellFailed();
}

void
RankTransport::TellFailed()
{
    // What is left will not end: the end of one of them is enough for the run.
    if (!m_messages.empty() || !m_receives.empty())
    {
        TrafficItem item =
            (m_messages.empty() ? m_receives.begin()->second : m_messages.begin()->second).item;
        item.end = Simulator::Now();
        item.state = TrafficItem::FAILED;
        TellEnded(item);
    }
}

// ---- what is wrong

std::string
RankTransport::DescribeMessage(const Open& open)
{
    const std::string from = "rank " + std::to_string(open.source);
    const std::string to = "rank " + std::to_string(open.destination);
    const std::string what = std::to_string(open.item.bytes) + " B";
    const std::string tag = ", tag " + std::to_string(open.tag);
    return open.isCompleted && !open.isTaken
               ? to + " got " + what + " from " + from + tag + ", that no recv takes"
               : what + " from " + from + " to " + to + tag + ", are under way";
}

std::string
RankTransport::DescribeReceive(const Open& open)
{
    return "rank " + std::to_string(open.destination) + " waits for " +
           std::to_string(open.item.bytes) + " B from rank " + std::to_string(open.source) +
           ", tag " + std::to_string(open.tag);
}

bool
RankTransport::IsDone() const
{
    return m_error.empty() && m_active == 0 && m_messages.empty() && m_receives.empty();
}

std::string
RankTransport::GetError() const
{
    if (!m_error.empty() || m_active > 0 || IsDone())
    {
        return m_error;
    }
    const std::size_t more = m_messages.size() + m_receives.size() - 1;
    return (m_messages.empty() ? DescribeReceive(m_receives.begin()->second)
                               : DescribeMessage(m_messages.begin()->second)) +
           (more ? " (" + std::to_string(more) + " more)" : "");
}

// ---- TrafficSource

std::string
RankTransport::GetName() const
{
    return "transport of ranks";
}

void
RankTransport::ForEachControl(const Controls& visit) const
{
    visit(CongestionOf(m_fabric, m_options.queuePair));
}

TrafficSource::Counts
RankTransport::GetCounts() const
{
    Counts counts;
    counts.added = m_sent + m_receives.size();
    counts.expected = static_cast<double>(counts.added);
    counts.started = counts.added;
    counts.completed = m_completed;
    counts.failed = IsAwaited() ? 0 : counts.added - counts.completed;
    return counts;
}

bool
RankTransport::IsAwaited() const
{
    return !m_isStopped && m_error.empty() && m_active > 0;
}

Time
RankTransport::GetNextActivity() const
{
    return IsAwaited() ? Simulator::Now() : Time::Max();
}

Time
RankTransport::GetFirstStart() const
{
    return m_first;
}

bool
RankTransport::MayActByItself() const
{
    return m_calls > 0;
}

void
RankTransport::ForEachUnfinished(const Unfinished& tell) const
{
    const auto say = [&](const Open& open, uint64_t id, std::string why) {
        TrafficItem item = open.item;
        item.id = id;
        item.state = IsAwaited() ? TrafficItem::RUNNING : TrafficItem::FAILED;
        why = m_error.empty() ? why : m_error;
        std::replace(why.begin(), why.end(), ',', ';');
        tell(item, why);
    };
    std::map<uint64_t, const Open*> messages; // numbers of m_messages go round
    for (const auto& [number, open] : m_messages)
    {
        messages.emplace(open.item.id, &open);
    }
    for (const auto& [id, open] : messages)
    {
        say(*open, id, DescribeMessage(*open));
    }
    uint64_t id = m_sent;
    for (const auto& [number, open] : m_receives)
    {
        say(open, id++, DescribeReceive(open));
    }
}

void
RankTransport::SetBegin(Time begin)
{
    m_first = begin;
}

void
RankTransport::Stop()
{
    m_isStopped = true;
    m_network.Close();
}

} // namespace ns3
