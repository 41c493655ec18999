// SPDX-License-Identifier: GPL-2.0-only
#include "storage-initiator.h"

#include "has-way.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-error.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("StorageInitiator");

StorageInitiator::StorageInitiator(const Fabric& fabric, HostId host, const Options& options)
    : m_fabric(fabric),
      m_host(host),
      m_options(options)
{
    m_fabric.GetHost(host); // there is one
    m_fabric.RequireCongestionControl(options.queuePair.congestion);
    if (options.verb == RdmaVerb::READ)
    {
        m_fabric.RequireReads(options.queuePair);
    }
    if (options.depth == 0 || options.ioBytes == 0)
    {
        throw FabricError("a storage server with " + std::to_string(options.depth) +
                              " outstanding I/Os of " + std::to_string(options.ioBytes) + " bytes",
                          "both must be 1 or more");
    }
    if (options.depth > MOST_DEPTH)
    {
        throw FabricError("a storage server with " + std::to_string(options.depth) +
                              " outstanding I/Os",
                          "there are at most " + std::to_string(MOST_DEPTH));
    }
    if (options.retryInterval <= Time(0))
    {
        throw FabricError("a storage server that tries again after " +
                              std::to_string(options.retryInterval.GetSeconds()) + " s",
                          "it must be more than 0");
    }
}

StorageInitiator::~StorageInitiator()
{
    m_next.Cancel();
}

uint32_t
StorageInitiator::AddPath(HostId target, uint32_t choice)
{
    const auto pairs = m_fabric.GetPortPairs(m_host, target);
    if (choice >= pairs.size())
    {
        throw FabricError("there is no way " + std::to_string(choice) + " from " + m_host.Name() +
                              " to " + target.Name(),
                          "there are " + std::to_string(pairs.size()) + ", from 0");
    }
    const Path path = ToPath(target, pairs[choice]);
    for (const Path& other : m_paths)
    {
        if (other.peerId == path.peerId && other.ports.source == path.ports.source)
        {
            throw FabricError(target.Name() + " is a path twice, by way " + std::to_string(choice),
                              "name each path once: what cuts one cuts the other");
        }
    }
    m_paths.push_back(path);
    return static_cast<uint32_t>(m_paths.size() - 1);
}

StorageInitiator::Path
StorageInitiator::ToPath(HostId target, const Fabric::Ports& ports) const
{
    Path path;
    path.target = target;
    path.ports = ports;
    path.peerId =
        m_fabric.GetAddress(target, ports.destination).Get() - m_fabric.GetAddress(0).Get();
    return path;
}

void
StorageInitiator::UseInof(const InofHelper& inof)
{
    m_agents.clear();
    for (uint32_t port = 0; port < m_fabric.GetRdma(m_host)->GetNPorts(); ++port)
    {
        const auto agent = inof.GetHostAgent(m_host, port);
        m_agents.push_back(agent);
        agent->TraceConnectWithoutContext(
            "PeerUp",
            Callback<void, const InofHostInfo&>(
                m_guard.Wrap([this, port](const InofHostInfo& peer) { PeerUp(port, peer); })));
        agent->TraceConnectWithoutContext(
            "PeerDown",
            Callback<void, const InofHostInfo&, InofReason>(
                m_guard.Wrap([this, port](const InofHostInfo& peer, InofReason reason) {
                    PeerDown(port, peer, reason);
                })));
    }
}

void
StorageInitiator::OnCompletion(std::function<void(uint32_t path)> listener)
{
    m_onCompletion = std::move(listener);
}

void
StorageInitiator::Run(Time begin, Time end)
{
    NS_LOG_FUNCTION(this << begin << end);
    RequireOpen("I/Os");
    if (m_paths.empty() && m_agents.empty())
    {
        throw FabricError("the storage server has no path", "add one first, or use iNOF");
    }
    if (m_origin + begin < Simulator::Now())
    {
        throw FabricError("I/Os begin " + ExactText(Simulator::Now() - m_origin - begin) +
                              " before the time now",
                          "the begin must not be past; it counts from the begin of the run");
    }
    if (end <= begin)
    {
        throw FabricError("I/Os end before they begin", "the end must be after the begin");
    }
    Plan(m_fabric);
    m_begin = m_origin + begin;
    m_end = m_origin + end;
    m_next = Simulator::Schedule(m_begin - Simulator::Now(), &StorageInitiator::Begin, this);
}

void
StorageInitiator::Begin()
{
    LearnPeers();
    m_running = true;
    m_lastCompletion = Simulator::Now();
    TellStarted(ToItem());
    if (m_agents.empty())
    {
        OpenAny(0);
    }
    Choose("begin");
}

void
StorageInitiator::LearnPeers()
{
    const auto peersOf = [this](uint32_t port) {
        const InofHost* const machine = // null: it has not started
            port < m_agents.size() ? m_agents[port]->GetMachine() : nullptr;
        return machine ? machine->GetPeers() : std::map<uint32_t, InofHostInfo>();
    };
    for (uint32_t port = 0; port < m_agents.size(); ++port)
    {
        for (const auto& peer : peersOf(port))
        {
            AddFound(port, peer.second);
        }
    }
    for (std::size_t i = 0; i < m_paths.size(); ++i)
    {
        const uint32_t port = m_paths[i].ports.source;
        const auto peers = peersOf(port);
        const auto peer = peers.find(m_paths[i].peerId);
        if (!m_paths[i].told && peer != peers.end())
        {
            PeerUp(port, peer->second);
        }
    }
}

// ---- paths

void
StorageInitiator::Open(uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    Path& path = m_paths[number];
    Fabric::QueuePairOptions options = m_options.queuePair;
    try
    {
        const auto pairs = m_fabric.GetPortPairs(m_host, path.target);
        const auto way = std::find_if(pairs.begin(), pairs.end(), [&path](const auto& ports) {
            return ports.source == path.ports.source && ports.destination == path.ports.destination;
        });
        if (way == pairs.end())
        {
            return; // no switches join these two ports now
        }
        options.choice = static_cast<uint32_t>(way - pairs.begin());
        path.connection = m_fabric.Connect(m_host, path.target, options);
    }
    catch (const FabricError&)
    {
        if (HasWay(m_fabric, m_host, path.target))
        {
            throw; // a mistake, of which the results would say nothing
        }
        return;
    }
    path.open = true;
    const uint32_t life = ++path.life;
    path.connection.source->SetCompletionCallback(Callback<void, const RdmaCompletion&>(
        m_guard.Wrap([this, number, life](const RdmaCompletion& completion) {
            Completed(number, life, completion);
        })));
    // Receives for all that could come, so that SENDs meet one.
    path.connection.destination->PostReceive(m_options.depth);
    path.connection.destination->SetReceiveCallback(Callback<void, const RdmaCompletion&>(
        [destination = PeekPointer(path.connection.destination)](const RdmaCompletion&) {
            destination->PostReceive();
        }));
}

void
StorageInitiator::OpenAny(uint32_t first)
{
    for (uint32_t i = 0; i < m_paths.size() && GetNOpenPaths() == 0; ++i)
    {
        Open(static_cast<uint32_t>((first + i) % m_paths.size()));
    }
}

void
StorageInitiator::Retry()
{
    if (m_current != NONE || Simulator::Now() >= m_end)
    {
        EndIfOver();
        return;
    }
    if (m_agents.empty())
    {
        OpenAny(0);
    }
    for (uint32_t number = 0; number < m_paths.size(); ++number)
    {
        if (m_paths[number].told && !m_paths[number].open)
        {
            Open(number);
        }
    }
    Choose("retry");
}

void
StorageInitiator::Close(uint32_t number, const std::string& why)
{
    NS_LOG_FUNCTION(this << number << why);
    Path& path = m_paths[number];
    if (!path.open)
    {
        return;
    }
    path.open = false;
    ++path.life; // what is flushed now is not heard
    m_fabric.GetRdma(m_host)->DestroyQueuePair(path.connection.source);
    m_fabric.GetRdma(path.target)->DestroyQueuePair(path.connection.destination);
    path.connection = Fabric::Connection();
    if (m_current == number)
    {
        m_reissued += m_outstanding;
        m_outstanding = 0;
        if (m_agents.empty())
        {
            OpenAny(number + 1);
        }
        Choose(why);
        EndIfOver();
    }
}

void
StorageInitiator::Choose(const std::string& why)
{
    NS_LOG_FUNCTION(this << why);
    uint32_t best = NONE;
    for (uint32_t number = 0; number < m_paths.size(); ++number)
    {
        if (m_paths[number].open && (best == NONE || IsBetter(number, best)))
        {
            best = number;
        }
    }
    if (best != m_current || m_failovers.empty())
    {
        m_failovers.push_back({Simulator::Now(), m_current, best, why});
    }
    m_current = best;
    if (best == NONE && m_next.IsExpired())
    {
        m_next = Simulator::Schedule(m_options.retryInterval, &StorageInitiator::Retry, this);
    }
    Issue();
}

bool
StorageInitiator::IsBetter(uint32_t one, uint32_t other) const
{
    const auto rank = [this](uint32_t number) {
        const Path& path = m_paths[number];
        return std::tuple(path.found, path.found ? path.peerId : number, path.ports.source);
    };
    return rank(one) < rank(other);
}

HostId
StorageInitiator::GetTarget(uint32_t path) const
{
    if (path >= m_paths.size())
    {
        throw FabricError("there is no path " + std::to_string(path),
                          "there are " + std::to_string(m_paths.size()) + ", from 0");
    }
    return m_paths[path].target;
}

uint32_t
StorageInitiator::GetNOpenPaths() const
{
    uint32_t open = 0;
    for (const Path& path : m_paths)
    {
        open += path.open;
    }
    return open;
}

void
StorageInitiator::AddFound(uint32_t port, const InofHostInfo& peer)
{
    const auto isIt = [&](const Path& path) {
        return path.peerId == peer.id && path.ports.source == port;
    };
    if (m_stopped || peer.role != InofRole::DISK ||
        std::any_of(m_paths.begin(), m_paths.end(), isIt))
    {
        return;
    }
    for (const HostId host : m_fabric.Hosts())
    {
        for (uint32_t at = 0; host != m_host && at < m_fabric.GetRdma(host)->GetNPorts(); ++at)
        {
            Path path = ToPath(host, {port, at});
            if (path.peerId == peer.id)
            {
                path.found = true;
                m_paths.push_back(path);
                return;
            }
        }
    }
}

void
StorageInitiator::PeerUp(uint32_t port, const InofHostInfo& peer)
{
    if (m_stopped)
    {
        return;
    }
    AddFound(port, peer);
    for (uint32_t number = 0; number < m_paths.size(); ++number)
    {
        Path& path = m_paths[number];
        if (path.peerId == peer.id && path.ports.source == port)
        {
            path.told = true;
            if (!path.open)
            {
                Open(number);
            }
        }
    }
    if (m_running && m_current == NONE)
    {
        Choose("up"); // a path that works is not left for a better one
    }
}

void
StorageInitiator::PeerDown(uint32_t port, const InofHostInfo& peer, InofReason reason)
{
    for (uint32_t number = 0; number < m_paths.size(); ++number)
    {
        if (m_paths[number].peerId == peer.id && m_paths[number].ports.source == port)
        {
            m_paths[number].told = false;
            Close(number, ToString(reason));
        }
    }
}

// ---- I/Os

void
StorageInitiator::Issue()
{
    if (m_current == NONE || !m_running || Simulator::Now() >= m_end)
    {
        return;
    }
    const auto queuePair = m_paths[m_current].connection.source;
    while (m_outstanding < m_options.depth)
    {
        RdmaWorkRequest request;
        request.verb = m_options.verb;
        request.bytes = m_options.ioBytes;
        ++m_outstanding;
        queuePair->Post(request);
    }
}

void
StorageInitiator::Completed(uint32_t number, uint32_t life, const RdmaCompletion& completion)
{
    if (m_paths[number].life != life)
    {
        return;
    }
    if (completion.status != RdmaStatus::SUCCESS)
    {
        Close(number, ToString(completion.status));
        return;
    }
    ++m_completed;
    --m_outstanding;
    const Time now = Simulator::Now();
    if (now - m_lastCompletion > m_longestGap)
    {
        m_longestGap = now - m_lastCompletion;
        m_longestGapBegin = m_lastCompletion;
    }
    m_lastCompletion = now;
    if (m_onCompletion)
    {
        m_onCompletion(number);
    }
    Issue();
    EndIfOver();
}

// ---- results

Time
StorageInitiator::GetCurrentGap() const
{
    const Time now = Simulator::Now();
    const Time until = m_outstanding > 0 ? now : std::min(now, m_end);
    return m_running ? until - m_lastCompletion : Time(0);
}

Time
StorageInitiator::GetLongestGap() const
{
    return std::max(m_longestGap, GetCurrentGap());
}

Time
StorageInitiator::GetLongestGapBegin() const
{
    return GetCurrentGap() > m_longestGap ? m_lastCompletion : m_longestGapBegin;
}

// ---- TrafficSource

void
StorageInitiator::SetBegin(Time begin)
{
    m_origin = begin;
}

void
StorageInitiator::Stop()
{
    m_next.Remove();
    m_current = NONE;
    m_over = true;
    for (uint32_t number = 0; number < m_paths.size(); ++number)
    {
        Close(number, "");
    }
    m_stopped = true; // iNOF opens none
}

std::string
StorageInitiator::GetName() const
{
    return "storage";
}

void
StorageInitiator::EndIfOver()
{
    if (!m_over && m_outstanding == 0 && Simulator::Now() >= m_end)
    {
        m_over = true;
        TellEnded(ToItem());
    }
}

TrafficItem
StorageInitiator::ToItem() const
{
    TrafficItem item;
    item.source = m_host;
    item.destination = m_paths.empty() ? m_host : m_paths[m_current == NONE ? 0 : m_current].target;
    item.start = m_begin;
    item.end = m_over ? Simulator::Now() : Time(0);
    item.state = m_over      ? TrafficItem::COMPLETED
                 : m_running ? TrafficItem::RUNNING
                             : TrafficItem::NOT_STARTED;
    return item;
}

TrafficSource::Counts
StorageInitiator::GetCounts() const
{
    Counts counts;
    counts.added = m_end.IsZero() ? 0 : 1;
    counts.expected = static_cast<double>(counts.added);
    counts.started = m_running ? 1 : 0;
    counts.completed = m_over ? 1 : 0;
    return counts;
}

bool
StorageInitiator::IsAwaited() const
{
    return !m_end.IsZero() && !m_over;
}

Time
StorageInitiator::GetNextActivity() const
{
    return IsAwaited() ? std::max(m_begin, Simulator::Now()) : Time::Max();
}

Time
StorageInitiator::GetFirstStart() const
{
    return m_end.IsZero() ? Simulator::Now() : std::min(m_begin, Simulator::Now());
}

bool
StorageInitiator::MayActByItself() const
{
    return IsAwaited() && m_current == NONE; // it tries again
}

void
StorageInitiator::ForEachUnfinished(const Unfinished& tell) const
{
    if (IsAwaited())
    {
        tell(ToItem(),
             std::to_string(m_outstanding) + " I/Os outstanding; " +
                 (m_running && m_current == NONE ? "no path is open" : "its time is not over"));
    }
}

} // namespace ns3
