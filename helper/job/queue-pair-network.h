// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_PAIR_NETWORK_H
#define LOSSLESS_QUEUE_PAIR_NETWORK_H

#include "connection-ideal.h"
#include "intra-link.h"
#include "message-line.h"
#include "message-network.h"
#include "rank-place.h"

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-ring.h"
#include "ns3/rdma-verbs.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Carries messages between ranks over the queue pairs of a fabric, and within a host over the links
 * of its GPUs. Each pair of ranks has queue pairs of its own on each channel, which are kept.
 *
 * A host with several GPUs may have several NICs: of N ports and G GPUs, GPU g has the N / G ports
 * from g N / G on, at least one.
 */
class QueuePairNetwork : public MessageNetwork
{
  public:
    static constexpr uint32_t MOST_GPUS = 1024;        //!< of a host
    static constexpr uint32_t MOST_QUEUE_PAIRS = 1024; //!< of a connection

    /// Which port of a host a message leaves from, and at which port it arrives.
    enum class NicChoice : uint8_t
    {
        RAIL,    //!< those of the GPUs of the two ranks
        CHANNEL, //!< at both hosts that of the number of the channel, modulo the ports
        HASH     //!< the same at both hosts, drawn from the two ranks and the channel
    };

    /// How messages are carried.
    struct Options
    {
        RdmaVerb verb{RdmaVerb::WRITE};     //!< WRITE, WRITE_IMM or SEND
        Fabric::QueuePairOptions queuePair; //!< what is special about the queue pairs; not `choice`
        uint32_t queuePairsPerConnection{1}; //!< for each pair of ranks and channel
        bool splitData{false}; //!< a message is split over these; else they take turns
        /// A queue pair carries what two ranks send to each other, as in UCX; else each direction
        /// has one of its own, as in NCCL, which takes more memory.
        bool bothWays{false};
        NicChoice nic{NicChoice::RAIL}; //!< ports of hosts with several
        /// A message to another rail goes first to the GPU of this host that is on that rail, so
        /// that no rail is crossed in the network (NCCL's PXN).
        bool pxn{false};
        uint32_t gpusPerHost{0};              //!< 1 to MOST_GPUS; 0: as many as the places name
        uint64_t pxnBytes{131072};            //!< of which pieces a message goes that way
        DataRate intraRate{3600000000000ULL}; //!< of a GPU within its host, one way
        Time intraLatency{NanoSeconds(936)};  //!< of a message within a host
    };

    /// What was carried.
    struct Carried
    {
        uint64_t messages{0};      //!< over the fabric
        uint64_t bytes{0};         //!< payload over the fabric
        uint64_t intraMessages{0}; //!< within hosts
        uint64_t intraBytes{0};    //!< payload within hosts
    };

    /// @param fabric where @param places by rank @param options how messages are carried
    QueuePairNetwork(const Fabric& fabric, std::vector<RankPlace> places, const Options& options);
    ~QueuePairNetwork() override;

    void Connect(const Pair& pair) override;
    void Send(const RankMessage& message) override;
    void Schedule(uint32_t rank, Time delay, std::function<void()> call) override;
    std::vector<std::string> GetErrors() const override;

    /// @return the last time at which something of a job may happen: a little before Time::Max(),
    /// such that its packets and timeouts have a time, too
    static Time GetLast();

    /// Close all queue pairs; what was under way is lost, and nobody is told.
    void Close();

    /// @param rank which @return what it has sent
    const Carried& GetCarried(uint32_t rank) const
    {
        return m_ranks[rank].carried;
    }

    /// A message where nothing else is under way, ticks.
    struct Ideal
    {
        int64_t delivery{0};    //!< from posting to arrival
        int64_t completion{0};  //!< from posting until its sender knows
        int64_t propagation{0}; //!< delays of links and switches, which are in both
    };

    /// @param pair that is connected @param bytes of a message @return how long it takes alone, at
    /// least: whichever of its queue pairs carry it; within a host, too
    Ideal GetIdeal(const Pair& pair, uint64_t bytes) const;

    /// @param pair of two hosts, that is connected @return how its first queue pair makes packets
    IdealFct::Framing GetFraming(const Pair& pair) const;

    /// @param pair of two hosts, that is connected @return how long its messages take alone, by the
    /// ports of its queue pairs
    ConnectionIdeal GetConnectionIdeal(const Pair& pair) const;

    /// @param pair of two hosts, that is connected @param bytes of messages of one queue pair
    /// @return ticks for which their packets keep the slowest link
    int64_t GetOccupation(const Pair& pair, uint64_t bytes) const;

    /// @param pair of two hosts, that is connected @param bytes of a message
    /// @return in how many pieces it goes over the fabric
    uint64_t CountPieces(const Pair& pair, uint64_t bytes) const;

    /// @return how messages are carried
    const Options& GetOptions() const
    {
        return m_options;
    }

    /// @param pair of ranks on two hosts @param line which of its queue pairs @return the ports of
    /// the hosts that its messages take; FabricError if the pair names one that a host has not
    Fabric::Ports GetPorts(const Pair& pair, uint32_t line) const;

    /// @param pair of ranks on two hosts @return whether another GPU of the source's host sends its
    /// messages, by PXN
    bool GoesByProxy(const Pair& pair) const
    {
        return GpuThatSends(pair) != m_places[pair.source].gpu;
    }

    /// @param visit called with each queue pair, and whose messages it carries
    void ForEachLine(
        const std::function<void(const Pair& pair, const Fabric::Connection& ends)>& visit) const;

    /// @param pair of ranks @param visit called with each of its queue pairs; those within hosts
    /// have none
    void ForEachLineOf(const Pair& pair,
                       const std::function<void(const Fabric::Connection& ends)>& visit) const;

    /// @return the ranks' places
    const std::vector<RankPlace>& GetPlaces() const
    {
        return m_places;
    }

    /// @return queue pairs at sending hosts
    uint64_t GetNQueuePairs() const
    {
        return m_queuePairs;
    }

  private:
    /// A piece of a message, of which all go by one queue pair.
    struct Piece
    {
        RankMessage message;
        uint64_t sequence{0}; //!< of the message in its connection
        uint32_t pieces{1};   //!< of the message
    };

    class Transit;
    struct Connection;

    /// One direction of a queue pair.
    struct Line
    {
        explicit Line(Connection& which)
            : connection(&which)
        {
        }

        Connection* connection; //!< to which it belongs
        Fabric::Connection ends;
        MessageLine<Piece> underWay;   //!< from the sender to the receiver
        RdmaRing<uint64_t> unanswered; //!< sequences of pieces, the sender's
        bool isShared{false};          //!< the queue pair is that of the other direction
    };

    /// A message that its sender has not seen completed.
    struct Unanswered
    {
        RankMessage message;
        uint32_t pieces{0}; //!< that are still to be answered; 0: it is over
    };

    /// A message of which pieces may have arrived.
    struct Incoming
    {
        RankMessage message;
        uint32_t pieces{0};   //!< that are still to come
        bool hasBegun{false}; //!< one has arrived: the rest is known
    };

    /// The queue pairs of a Pair.
    struct Connection
    {
        Pair pair;
        std::vector<std::unique_ptr<Line>> lines;
        uint32_t proxy{0}; //!< GPU of the source's host that sends: by PXN another one
        // The sender's:
        uint32_t nextLine{0};
        uint64_t nextSequence{0};
        RdmaRing<Unanswered> unanswered; //!< the newest one has the sequence before nextSequence
        bool hasFailed{false};
        // The receiver's:
        alignas(64) uint64_t expected{0}; //!< sequence of the next message to tell of
        RdmaRing<Incoming> incoming;      //!< that one and later ones, in the order of sequences
    };

    /// What belongs to a host.
    struct Host
    {
        uint32_t gpus{0};                   //!< how many it has
        uint32_t node{0};                   //!< its number
        std::unique_ptr<IntraLink> intra;   //!< null: it has one rank
        std::vector<Ptr<Transit>> transits; //!< all of them
        std::vector<Transit*> unused;       //!< of these, what is not under way
    };

    /// What belongs to a rank.
    struct Rank
    {
        std::map<Pair, std::unique_ptr<Connection>> connections; //!< to others, by pair
        Carried carried;
    };

    /// FabricError for options that cannot be.
    void RequireOptions() const;
    /// Count the GPUs of hosts. FabricError for places that cannot be.
    void TakePlaces();
    /// @param rank one of a pair @param pair whose messages @param line which of the queue pairs
    /// @param nic how ports are chosen @return the port of the rank's host that they take
    uint32_t PortOf(uint32_t rank, const Pair& pair, uint32_t line, NicChoice nic) const;
    /// @param pair of ranks on two hosts @param line which of the queue pairs @param nic how ports
    /// are chosen @return the ports of the hosts
    Fabric::Ports PortsBy(const Pair& pair, uint32_t line, NicChoice nic) const;
    /// @param pair of ranks on two hosts @return GPU of the source's host that sends
    uint32_t GpuThatSends(const Pair& pair) const;
    /// Make a queue pair, or take that of the other direction. @param connection gets it
    /// @param index which it is
    void AddLine(Connection& connection, uint32_t index);
    /// @param pair of ranks @param index which of its queue pairs @param ports of the two hosts
    /// @return that of the other direction, if it carries both and there is one; else null
    const Line* FindOtherWay(const Pair& pair, uint32_t index, const Fabric::Ports& ports) const;
    /// @param pair of ranks @param wanted ports of the two hosts @return a queue pair between these
    Fabric::Connection MakeQueuePair(const Pair& pair, const Fabric::Ports& wanted) const;
    /// @param connection of two hosts @param bytes of a message @return CountPieces()
    uint64_t CountPieces(const Connection& connection, uint64_t bytes) const;
    /// @param connection of two hosts @param bytes of a message @return what it is cut into
    ConnectionIdeal::Pieces PiecesOf(const Connection& connection, uint64_t bytes) const;
    /// @param message to another host
    void SendByFabric(const RankMessage& message);
    /// @param message to a rank of the same host
    void SendWithinHost(const RankMessage& message);
    /// @param piece that goes over the links within its source's host @param bytes of it
    /// @param gpu that receives @return it on its way, of which nothing is posted
    Transit& MakeTransit(const Piece& piece, uint64_t bytes, uint32_t gpu);
    /// Post the event of something that goes over the links within a host. @param transit it
    /// @param ticks from now
    void Post(Transit& transit, int64_t ticks);
    /// Send to another GPU of the host. @param transit what is sent
    void BeginTransit(Transit& transit);
    /// The first byte comes to the other GPU. @param transit what is sent
    void ReceiveTransit(Transit& transit);
    /// The last byte is there. @param transit what was sent
    void EndTransit(Transit& transit);
    /// FabricError if something of a rank would be too late. @param rank its number
    /// @param ticks from now
    void RequireBeforeLast(uint32_t rank, int64_t ticks) const;
    /// Post a piece at its sender. @param line the queue pair @param piece it
    /// @param bytes of the piece
    void Post(Line& line, const Piece& piece, uint64_t bytes);
    /// A piece is over for its sender. @param completion how; its id is the address of the line
    void Answered(const RdmaCompletion& completion);
    /// A piece has arrived. @param line its
    void Received(Line& line);
    /// A connection has failed: say why. @param line of it @param status of the request
    void NoteError(const Line& line, RdmaStatus status);

    Fabric m_fabric;
    std::vector<RankPlace> m_places; //!< by rank
    Options m_options;
    std::vector<Rank> m_ranks;
    std::vector<Host> m_hosts; //!< by number
    int64_t m_last;            //!< GetLast(), ticks
    std::vector<std::string> m_errors;
    uint64_t m_queuePairs{0};
    RdmaQueuePair::CompletionCallback m_onAnswer; //!< Answered(), the same for all queue pairs
    std::unique_ptr<CallbackGuard> m_guard{std::make_unique<CallbackGuard>()}; //!< until Close()
};

} // namespace ns3

#endif // LOSSLESS_QUEUE_PAIR_NETWORK_H
