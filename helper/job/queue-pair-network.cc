// SPDX-License-Identifier: GPL-2.0-only
#include "queue-pair-network.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/flow-diagnosis.h"
#include "ns3/look-ahead-event.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulation-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <utility>

namespace ns3
{

namespace
{

/// Receives posted at a time for verbs that take them; a queue pair gets one more with each
/// message.
constexpr uint32_t RECEIVES = 1 << 20;

} // namespace

/**
 * What goes over the links within a host, a message or a piece of one: it is its own event, first
 * when its first byte comes to the other GPU, and again when its last one is there. A host keeps
 * those that it has needed.
 */
class QueuePairNetwork::Transit : public LookAheadEvent
{
  public:
    explicit Transit(QueuePairNetwork& network)
        : m_network(&network)
    {
    }

    /// The network is gone, or closed: nothing more happens.
    void Close()
    {
        m_network = nullptr;
    }

    /// @return whether nobody has said Close()
    bool IsOpen() const
    {
        return m_network != nullptr;
    }

    void Prefetch() const override
    {
    }

    Piece piece;             //!< what is sent
    Line* line{nullptr};     //!< by which it leaves the host from there; null: it stays
    uint64_t bytes{0};       //!< that are sent
    uint32_t gpu{0};         //!< that receives
    bool hasLastByte{false}; //!< its next event is the last one

  private:
    void Notify() override
    {
        if (!m_network)
        {
            return;
        }
        if (hasLastByte)
        {
            m_network->EndTransit(*this);
        }
        else
        {
            m_network->ReceiveTransit(*this);
        }
    }

    QueuePairNetwork* m_network;
};

QueuePairNetwork::QueuePairNetwork(const Fabric& fabric,
                                   std::vector<RankPlace> places,
                                   const Options& options)
    : m_fabric(fabric),
      m_places(std::move(places)),
      m_options(options),
      m_ranks(m_places.size()),
      m_hosts(fabric.GetNHosts()),
      m_last(GetLast().GetTimeStep()),
      m_onAnswer(MakeCallback(&QueuePairNetwork::Answered, this))
{
    m_options.queuePair.isNamed = true;
    RequireOptions();
    m_fabric.RequireCongestionControl(m_options.queuePair.congestion);
    for (auto& [name, value] : m_options.queuePair.attributes)
    {
        value = m_fabric.GetOptions().Check(RdmaQueuePair::GetTypeId(), name, *value);
    }
    for (uint32_t number = 0; number < m_hosts.size(); ++number)
    {
        m_hosts[number].gpus = m_options.gpusPerHost;
        m_hosts[number].node = m_fabric.GetHost(HostId(number))->GetId();
    }
    TakePlaces();
    std::vector<uint32_t> ranks(fabric.GetNHosts(), 0);
    for (const RankPlace& place : m_places)
    {
        ++ranks[place.host.Value()];
    }
    for (std::size_t number = 0; number < m_hosts.size(); ++number)
    {
        if (ranks[number] > 1 || (ranks[number] && m_options.pxn))
        {
            m_hosts[number].intra = std::make_unique<IntraLink>(m_hosts[number].gpus,
                                                                m_options.intraRate,
                                                                m_options.intraLatency);
        }
    }
}

void
QueuePairNetwork::RequireOptions() const
{
    if (m_options.verb == RdmaVerb::READ)
    {
        throw FabricError("messages of ranks by READ", "they are sent by WRITE, WRITE_IMM or SEND");
    }
    if (m_options.queuePairsPerConnection == 0 ||
        m_options.queuePairsPerConnection > MOST_QUEUE_PAIRS)
    {
        throw FabricError(std::to_string(m_options.queuePairsPerConnection) +
                              " queue pairs for each connection of two ranks",
                          "1 to " + std::to_string(MOST_QUEUE_PAIRS));
    }
    if (m_options.gpusPerHost > MOST_GPUS)
    {
        throw FabricError(std::to_string(m_options.gpusPerHost) + " GPUs of each host",
                          "1 to " + std::to_string(MOST_GPUS));
    }
    if (m_options.pxnBytes == 0)
    {
        throw FabricError("messages that go by PXN in pieces of 0 bytes", "1 or more");
    }
}

void
QueuePairNetwork::TakePlaces()
{
    bool hasNics = false;
    std::map<std::pair<HostId, uint32_t>, uint32_t> taken; // by host and GPU: its rank
    for (uint32_t rank = 0; rank < m_places.size(); ++rank)
    {
        const RankPlace& place = m_places[rank];
        const std::string gpu = "GPU " + std::to_string(place.gpu) + " of ";
        hasNics |= m_fabric.GetRdma(place.host)->GetNPorts() > 1; // there is such a host
        const auto [other, isFree] = taken.emplace(std::make_pair(place.host, place.gpu), rank);
        if (!isFree)
        {
            throw FabricError("ranks " + std::to_string(other->second) + " and " +
                                  std::to_string(rank) + " are both on " + gpu + place.host.Name(),
                              "a GPU for each rank");
        }
        if (place.gpu >= MOST_GPUS)
        {
            throw FabricError("a rank on " + gpu + place.host.Name(),
                              "GPUs are 0 to " + std::to_string(MOST_GPUS - 1));
        }
        uint32_t& gpus = m_hosts[place.host.Value()].gpus;
        if (m_options.gpusPerHost == 0)
        {
            gpus = std::max(gpus, place.gpu + 1);
        }
        else if (place.gpu >= m_options.gpusPerHost)
        {
            throw FabricError("a rank on " + gpu + place.host.Name(),
                              "it has " + std::to_string(m_options.gpusPerHost) + ", from 0");
        }
    }
    if (m_options.pxn && !hasNics)
    {
        throw FabricError("PXN, and no host of the job has several ports", "leave PXN out");
    }
}

QueuePairNetwork::~QueuePairNetwork()
{
    Close();
}

void
QueuePairNetwork::Close()
{
    m_guard = std::make_unique<CallbackGuard>(); // what is scheduled knows what is gone now
    for (Host& host : m_hosts)
    {
        for (const Ptr<Transit>& transit : host.transits)
        {
            transit->Close();
        }
        host.unused.clear();
        host.transits.clear();
    }
    for (Rank& rank : m_ranks)
    {
        for (const auto& [pair, connection] : rank.connections)
        {
            for (const auto& line : connection->lines)
            {
                line->ends.source->SetCompletionCallback(RdmaQueuePair::CompletionCallback());
                line->ends.destination->SetReceiveCallback(RdmaQueuePair::CompletionCallback());
                if (!m_fabric.IsDestroyed() && !line->isShared)
                {
                    m_fabric.GetRdma(m_places[pair.source].host)
                        ->DestroyQueuePair(line->ends.source);
                    m_fabric.GetRdma(m_places[pair.destination].host)
                        ->DestroyQueuePair(line->ends.destination);
                }
            }
        }
        rank.connections.clear();
    }
}

// ---- connections

uint32_t
QueuePairNetwork::PortOf(uint32_t rank, const Pair& pair, uint32_t line, NicChoice nic) const
{
    const RankPlace& place = m_places[rank];
    const auto host = place.host;
    const auto ports = static_cast<uint32_t>(
        m_fabric.GetTopology().GetLinksOf(m_fabric.GetTopology().NodeOf(host)).size());
    if (pair.nic != RankMessage::ANY_NIC)
    {
        if (pair.nic >= ports)
        {
            throw FabricError("NIC " + std::to_string(pair.nic) + " of " + host.Name(),
                              "it has " + std::to_string(ports) + ", from 0");
        }
        return pair.nic;
    }
    const uint32_t perGpu = std::max(1U, ports / m_hosts[host.Value()].gpus);
    switch (nic)
    {
    case NicChoice::CHANNEL:
        return pair.channel % ports;
    case NicChoice::HASH: {
        std::size_t hash = 0;
        boost::hash_combine(hash, pair.source);
        boost::hash_combine(hash, pair.destination);
        boost::hash_combine(hash, pair.channel + line);
        return static_cast<uint32_t>(hash % ports);
    }
    case NicChoice::RAIL:
        break;
    }
    return (place.gpu * perGpu + (pair.channel + line) % perGpu) % ports;
}

uint32_t
QueuePairNetwork::GpuThatSends(const Pair& pair) const
{
    const RankPlace& from = m_places[pair.source];
    const RankPlace& to = m_places[pair.destination];
    const bool goesByProxy =
        m_options.pxn && from.gpu != to.gpu && to.gpu < m_hosts[from.host.Value()].gpus;
    return goesByProxy ? to.gpu : from.gpu;
}

Fabric::Ports
QueuePairNetwork::PortsBy(const Pair& pair, uint32_t line, NicChoice nic) const
{
    const bool isOwn = !GoesByProxy(pair);
    Fabric::Ports ports;
    ports.source = isOwn ? PortOf(pair.source, pair, line, nic) : 0;
    ports.destination = PortOf(pair.destination, pair, line, nic);
    ports.source = isOwn ? ports.source : ports.destination;
    return ports;
}

Fabric::Ports
QueuePairNetwork::GetPorts(const Pair& pair, uint32_t line) const
{
    return PortsBy(pair, line, m_options.nic);
}

void
QueuePairNetwork::Connect(const Pair& pair)
{
    const RankPlace& from = m_places[pair.source];
    const RankPlace& to = m_places[pair.destination];
    if (from.host == to.host || m_ranks[pair.source].connections.count(pair))
    {
        return;
    }
    auto connection = std::make_unique<Connection>();
    connection->pair = pair;
    connection->proxy = GpuThatSends(pair);
    for (uint32_t i = 0; i < m_options.queuePairsPerConnection; ++i)
    {
        AddLine(*connection, i);
    }
    m_ranks[pair.source].connections.emplace(pair, std::move(connection));
}

void
QueuePairNetwork::AddLine(Connection& connection, uint32_t index)
{
    const Pair& pair = connection.pair;
    const Fabric::Ports wanted = GetPorts(pair, index);
    auto line = std::make_unique<Line>(connection);
    if (const Line* const other = FindOtherWay(pair, index, wanted))
    {
        line->ends = {other->ends.destination, other->ends.source, wanted};
        line->isShared = true;
    }
    else
    {
        line->ends = MakeQueuePair(pair, wanted);
        ++m_queuePairs;
    }
    line->ends.source->SetCompletionCallback(m_onAnswer);
    Line* const it = line.get();
    line->ends.destination->SetReceiveCallback(
        RdmaQueuePair::CompletionCallback([this, it](const RdmaCompletion&) { Received(*it); }));
    if (TakesReceive(m_options.verb))
    {
        line->ends.destination->PostReceive(RECEIVES);
    }
    connection.lines.push_back(std::move(line));
}

const QueuePairNetwork::Line*
QueuePairNetwork::FindOtherWay(const Pair& pair, uint32_t index, const Fabric::Ports& ports) const
{
    if (!m_options.bothWays)
    {
        return nullptr;
    }
    const auto& connections = m_ranks[pair.destination].connections;
    const auto other = connections.find({pair.destination, pair.source, pair.channel, pair.nic});
    if (other == connections.end())
    {
        return nullptr;
    }
    const Line& line = *other->second->lines[index];
    const bool isSameWay =
        line.ends.ports.source == ports.destination && line.ends.ports.destination == ports.source;
    return isSameWay ? &line : nullptr;
}

Fabric::Connection
QueuePairNetwork::MakeQueuePair(const Pair& pair, const Fabric::Ports& wanted) const
{
    const RankPlace& from = m_places[pair.source];
    const RankPlace& to = m_places[pair.destination];
    const std::vector<Fabric::Ports> ways = m_fabric.GetPortPairs(from.host, to.host);
    const auto way = std::find_if(ways.begin(), ways.end(), [&](const Fabric::Ports& ports) {
        return ports.source == wanted.source && ports.destination == wanted.destination;
    });
    if (way == ways.end())
    {
        throw FabricError("rank " + std::to_string(pair.source) + " on " + from.host.Name() +
                              " port " + std::to_string(wanted.source) + " cannot reach rank " +
                              std::to_string(pair.destination) + " on " + to.host.Name() +
                              " port " + std::to_string(wanted.destination),
                          "rails that no switch joins need PXN");
    }
    Fabric::QueuePairOptions options = m_options.queuePair;
    options.choice = static_cast<uint32_t>(way - ways.begin());
    try
    {
        return m_fabric.Connect(from.host, to.host, options);
    }
    catch (const std::invalid_argument& error) // such as an Mtu that the ports do not take
    {
        throw FabricError(error.what());
    }
}

QueuePairNetwork::Ideal
QueuePairNetwork::GetIdeal(const Pair& pair, uint64_t bytes) const
{
    const RankPlace& from = m_places[pair.source];
    const RankPlace& to = m_places[pair.destination];
    Ideal ideal;
    if (from.host == to.host)
    {
        if (from.gpu != to.gpu)
        {
            const IntraLink& intra = *m_hosts[from.host.Value()].intra;
            ideal.delivery = intra.Ideal(bytes);
            ideal.completion = ideal.delivery;
            ideal.propagation = intra.GetLatency();
        }
        return ideal;
    }
    const Connection& connection = *m_ranks[pair.source].connections.at(pair);
    const ConnectionIdeal between = GetConnectionIdeal(pair);
    const ConnectionIdeal::Pieces pieces = PiecesOf(connection, bytes);
    ideal.propagation = between.Least([](const IdealFct& fct) { return fct.GetDelays(); });
    if (GoesByProxy(pair))
    {
        const IntraLink& intra = *m_hosts[from.host.Value()].intra;
        const int64_t latency = intra.GetLatency();
        const auto within = [&](uint64_t piece) { return intra.Ideal(piece) - latency; };
        ideal.delivery = between.DeliveryByProxy(pieces, within, latency);
        ideal.propagation += latency;
    }
    else
    {
        ideal.delivery = between.Delivery(pieces);
    }
    ideal.completion = ideal.delivery + between.Answer(pieces);
    return ideal;
}

IdealFct::Framing
QueuePairNetwork::GetFraming(const Pair& pair) const
{
    const Connection& connection = *m_ranks[pair.source].connections.at(pair);
    const Fabric::Connection& ends = connection.lines.front()->ends;
    return m_fabric.GetFraming(ends);
}

ConnectionIdeal
QueuePairNetwork::GetConnectionIdeal(const Pair& pair) const
{
    const Connection& connection = *m_ranks[pair.source].connections.at(pair);
    const IdealFct::Framing framing = GetFraming(pair);
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> lines; // by ports
    for (const auto& line : connection.lines)
    {
        ++lines[{line->ends.ports.source, line->ends.ports.destination}];
    }
    std::vector<ConnectionIdeal::Way> ways;
    for (const auto& [ports, count] : lines)
    {
        ways.push_back({m_fabric.GetIdeal(m_places[pair.source].host,
                                          m_places[pair.destination].host,
                                          {ports.first, ports.second},
                                          framing),
                        count});
    }
    return {std::move(ways), m_options.verb};
}

int64_t
QueuePairNetwork::GetOccupation(const Pair& pair, uint64_t bytes) const
{
    if (bytes == 0)
    {
        return 0;
    }
    return GetConnectionIdeal(pair).Least(
        [&](const IdealFct& fct) { return fct.Occupation(m_options.verb, bytes); });
}

uint64_t
QueuePairNetwork::CountPieces(const Connection& connection, uint64_t bytes) const
{
    uint64_t pieces = 1;
    if (GoesByProxy(connection.pair))
    {
        pieces = (bytes + m_options.pxnBytes - 1) / m_options.pxnBytes;
    }
    else if (m_options.splitData)
    {
        pieces = std::min<uint64_t>(connection.lines.size(), bytes);
    }
    return std::max<uint64_t>(pieces, 1);
}

ConnectionIdeal::Pieces
QueuePairNetwork::PiecesOf(const Connection& connection, uint64_t bytes) const
{
    const uint64_t count = CountPieces(connection, bytes);
    if (GoesByProxy(connection.pair) && count > 1)
    {
        return {count, m_options.pxnBytes, bytes - (count - 1) * m_options.pxnBytes};
    }
    return {count, bytes / count, bytes / count};
}

uint64_t
QueuePairNetwork::CountPieces(const Pair& pair, uint64_t bytes) const
{
    return CountPieces(*m_ranks[pair.source].connections.at(pair), bytes);
}

void
QueuePairNetwork::ForEachLine(
    const std::function<void(const Pair& pair, const Fabric::Connection& ends)>& visit) const
{
    for (const Rank& rank : m_ranks)
    {
        for (const auto& [pair, connection] : rank.connections)
        {
            for (const auto& line : connection->lines)
            {
                visit(pair, line->ends);
            }
        }
    }
}

void
QueuePairNetwork::ForEachLineOf(
    const Pair& pair,
    const std::function<void(const Fabric::Connection& ends)>& visit) const
{
    const auto& connections = m_ranks[pair.source].connections;
    const auto connection = connections.find(pair);
    if (connection == connections.end())
    {
        return;
    }
    for (const auto& line : connection->second->lines)
    {
        visit(line->ends);
    }
}

// ---- messages

Time
QueuePairNetwork::GetLast()
{
    return TimeStep(Time::Max().GetTimeStep() / 1024 * 1023);
}

void
QueuePairNetwork::RequireBeforeLast(uint32_t rank, int64_t ticks) const
{
    // What the fabric schedules for messages, such as timeouts, has to be before Time::Max(), too.
    if (ticks > m_last - SimulationClock::Now())
    {
        char last[32];
        std::snprintf(last, sizeof(last), "%.7g s", GetLast().GetSeconds());
        throw FabricError("rank " + std::to_string(rank) +
                              " of a job computes, or waits for a message within its host, until "
                              "after the last time of a run, " +
                              last,
                          "shorter calculations, fewer iterations, or faster links in hosts");
    }
}

void
QueuePairNetwork::Schedule(uint32_t rank, Time delay, std::function<void()> call)
{
    RequireBeforeLast(rank, delay.GetTimeStep());
    Simulator::ScheduleWithContext(m_hosts[m_places[rank].host.Value()].node,
                                   delay,
                                   std::function<void()>(m_guard->Wrap(std::move(call))));
}

void
QueuePairNetwork::Send(const RankMessage& message)
{
    Carried& carried = m_ranks[message.source].carried;
    if (m_places[message.source].host == m_places[message.destination].host)
    {
        ++carried.intraMessages;
        carried.intraBytes += message.bytes;
        SendWithinHost(message);
        return;
    }
    ++carried.messages;
    carried.bytes += message.bytes;
    SendByFabric(message);
}

// ---- within a host

QueuePairNetwork::Transit&
QueuePairNetwork::MakeTransit(const Piece& piece, uint64_t bytes, uint32_t gpu)
{
    Host& host = m_hosts[m_places[piece.message.source].host.Value()];
    if (host.unused.empty())
    {
        host.transits.push_back(Create<Transit>(*this));
        host.unused.push_back(PeekPointer(host.transits.back()));
    }
    Transit& transit = *host.unused.back();
    host.unused.pop_back();
    transit.piece = piece;
    transit.line = nullptr;
    transit.bytes = bytes;
    transit.gpu = gpu;
    transit.hasLastByte = false;
    return transit;
}

void
QueuePairNetwork::Post(Transit& transit, int64_t ticks)
{
    const uint32_t rank = transit.piece.message.source;
    RequireBeforeLast(rank, ticks);
    transit.Ref(); // the simulator's
    SimulationClock::Post(m_hosts[m_places[rank].host.Value()].node, ticks, &transit);
}

void
QueuePairNetwork::SendWithinHost(const RankMessage& message)
{
    const uint32_t gpu = m_places[message.destination].gpu;
    Transit& transit = MakeTransit({message, 0, 1}, message.bytes, gpu);
    if (m_places[message.source].gpu == gpu)
    {
        transit.hasLastByte = true;
        Post(transit, 0);
        return;
    }
    BeginTransit(transit);
}

void
QueuePairNetwork::BeginTransit(Transit& transit)
{
    const RankPlace& from = m_places[transit.piece.message.source];
    const int64_t now = SimulationClock::Now();
    Post(transit, m_hosts[from.host.Value()].intra->Send(now, from.gpu, transit.bytes) - now);
}

void
QueuePairNetwork::ReceiveTransit(Transit& transit)
{
    const RankPlace& from = m_places[transit.piece.message.source];
    const int64_t now = SimulationClock::Now();
    transit.hasLastByte = true;
    Post(transit, m_hosts[from.host.Value()].intra->Receive(now, transit.gpu, transit.bytes) - now);
}

void
QueuePairNetwork::EndTransit(Transit& transit)
{
    RankMessage& message = transit.piece.message;
    if (transit.line)
    {
        Post(*transit.line, transit.piece, transit.bytes);
    }
    else
    {
        message.arrived = SimulationClock::Now();
        GetListener().Arrived(message);
        message.arrived = 0; // as it was posted
        GetListener().Completed(message, true);
    }
    if (transit.IsOpen())
    {
        m_hosts[m_places[message.source].host.Value()].unused.push_back(&transit);
    }
}

// ---- over the fabric

void
QueuePairNetwork::SendByFabric(const RankMessage& message)
{
    const Pair pair{message.source, message.destination, message.channel, message.nic};
    const auto found = m_ranks[message.source].connections.find(pair);
    if (found == m_ranks[message.source].connections.end())
    {
        throw std::logic_error("rank " + std::to_string(pair.source) +
                               " is not connected to rank " + std::to_string(pair.destination));
    }
    Connection& connection = *found->second;
    if (connection.hasFailed)
    {
        GetListener().Completed(message, false);
        return;
    }
    const auto lines = static_cast<uint32_t>(connection.lines.size());
    const bool goesByProxy = GoesByProxy(connection.pair);
    const auto pieces = static_cast<uint32_t>(CountPieces(connection, message.bytes));
    const Piece piece{message, connection.nextSequence++, pieces};
    connection.unanswered.Push({message, pieces});
    uint64_t left = message.bytes;
    for (uint64_t i = 0; i < pieces; ++i)
    {
        const uint64_t bytes =
            goesByProxy ? std::min(left, m_options.pxnBytes) : left / (pieces - i);
        left -= bytes;
        Line& line = *connection.lines[connection.nextLine];
        connection.nextLine = connection.nextLine + 1 < lines ? connection.nextLine + 1 : 0;
        if (!goesByProxy)
        {
            Post(line, piece, bytes);
            continue;
        }
        Transit& transit = MakeTransit(piece, bytes, connection.proxy);
        transit.line = &line;
        BeginTransit(transit);
    }
}

void
QueuePairNetwork::Post(Line& line, const Piece& piece, uint64_t bytes)
{
    line.unanswered.Push(piece.sequence);
    line.underWay.Add(piece);
    RdmaWorkRequest request;
    request.id = reinterpret_cast<std::uintptr_t>(&line);
    request.verb = m_options.verb;
    request.bytes = bytes;
    line.ends.source->Post(request);
}

void
QueuePairNetwork::Answered(const RdmaCompletion& completion)
{
    Line& line = *reinterpret_cast<Line*>(static_cast<std::uintptr_t>(completion.id));
    Connection& connection = *line.connection;
    const uint64_t sequence = line.unanswered.Front();
    line.unanswered.PopFront();
    const bool isDelivered = completion.status == RdmaStatus::SUCCESS;
    if (!isDelivered && !std::exchange(connection.hasFailed, true))
    {
        const RdmaStatus status = completion.status;
        FabricSimulatorImpl::Serially([this, &line, status] { NoteError(line, status); });
    }
    RdmaRing<Unanswered>& all = connection.unanswered;
    const uint64_t first = connection.nextSequence - all.Size();
    if (sequence < first || all[sequence - first].pieces == 0)
    {
        return; // another piece of it has failed
    }
    Unanswered& one = all[sequence - first];
    one.pieces = isDelivered ? one.pieces - 1 : 0;
    if (one.pieces > 0)
    {
        return;
    }
    const RankMessage message = one.message;
    while (!all.IsEmpty() && all.Front().pieces == 0)
    {
        all.PopFront();
    }
    GetListener().Completed(message, isDelivered);
}

void
QueuePairNetwork::Received(Line& line)
{
    Connection& connection = *line.connection;
    if (TakesReceive(m_options.verb))
    {
        line.ends.destination->PostReceive();
    }
    const Piece piece = line.underWay.Take();
    RdmaRing<Incoming>& all = connection.incoming;
    const uint64_t ahead = piece.sequence - connection.expected;
    while (all.Size() <= ahead)
    {
        all.Push({});
    }
    Incoming& incoming = all[ahead];
    if (!std::exchange(incoming.hasBegun, true))
    {
        incoming.message = piece.message;
        incoming.pieces = piece.pieces;
    }
    incoming.message.arrived = SimulationClock::Now();
    --incoming.pieces;
    // Other queue pairs may have been faster: tell of messages in the order of their posting.
    while (!all.IsEmpty() && all.Front().hasBegun && all.Front().pieces == 0)
    {
        const RankMessage message = all.Front().message;
        all.PopFront();
        ++connection.expected;
        GetListener().Arrived(message);
    }
}

// ---- errors

void
QueuePairNetwork::NoteError(const Line& line, RdmaStatus status)
{
    const Pair& pair = line.connection->pair;
    m_errors.push_back("rank " + std::to_string(pair.source) + " to rank " +
                       std::to_string(pair.destination) + ": " + ToString(status) + "; " +
                       FlowDiagnosis(m_fabric).GetReason(m_options.verb, line.ends));
}

std::vector<std::string>
QueuePairNetwork::GetErrors() const
{
    return m_errors;
}

} // namespace ns3
