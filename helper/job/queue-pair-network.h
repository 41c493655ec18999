// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_PAIR_NETWORK_H
#define LOSSLESS_QUEUE_PAIR_NETWORK_H

#include "intra-link.h"
#include "message-line.h"
#include "message-network.h"
#include "rank-place.h"

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"
#include "ns3/rdma-verbs.h"

#include <cstdint>
#include <functional>
#include <list>
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
        bool splitData{false};          //!< a message is split over these; else they take turns
        NicChoice nic{NicChoice::RAIL}; //!< ports of hosts with several
        /// A message to another rail goes first to the GPU of this host that is on that rail, so
        /// that no rail is crossed in the network (NCCL's PXN).
        bool pxn{false};
        uint32_t gpusPerHost{0};              //!< 0: as many as the places name
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
    void Send(const RankMessage& message, Completed onCompleted) override;
    void Schedule(uint32_t rank, Time delay, std::function<void()> call) override;
    std::vector<std::string> GetErrors() const override;

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
        int64_t propagation{0}; //!< delays of links, which are in both
        int64_t occupation{0};  //!< for which it keeps the slowest of its links
        uint64_t egress{0};     //!< number of the link of the sender, of a host or within it
        uint64_t ingress{0};    //!< number of that of the receiver
    };

    /// @param pair that is connected @param bytes of a message @return how long it takes alone, by
    /// the first of its queue pairs; within a host, too
    Ideal GetIdeal(const Pair& pair, uint64_t bytes) const;

    /// @param visit called with each queue pair, and whose messages it carries
    void ForEachLine(
        const std::function<void(const Pair& pair, const Fabric::Connection& ends)>& visit) const;

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

    /// A queue pair.
    struct Line
    {
        Fabric::Connection ends;
        MessageLine<Piece> underWay;    //!< from the sender to the receiver
        std::list<uint64_t> unanswered; //!< sequences of pieces, the sender's
    };

    /// A message that its sender has not seen completed.
    struct Unanswered
    {
        uint32_t pieces{0}; //!< that are still to be answered
        Completed onCompleted;
    };

    /// A message of which pieces have arrived.
    struct Incoming
    {
        RankMessage message;
        uint32_t pieces{0}; //!< that are still to come
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
        std::map<uint64_t, Unanswered> unanswered; //!< by sequence
        bool hasFailed{false};
        // The receiver's:
        alignas(64) uint64_t expected{0};      //!< sequence of the next message to tell of
        std::map<uint64_t, Incoming> incoming; //!< by sequence
    };

    /// What belongs to a rank.
    struct Rank
    {
        std::map<Pair, std::unique_ptr<Connection>> connections; //!< to others, by pair
        Carried carried;
    };

    /// @param rank one of a pair @param pair whose messages @param line which of the queue pairs
    /// @return the port of the rank's host that they take by the options
    uint32_t PortOf(uint32_t rank, const Pair& pair, uint32_t line) const;
    /// Make a queue pair. @param pair whose @param connection gets it @param index which it is
    void AddLine(const Pair& pair, Connection& connection, uint32_t index);
    /// @param message to another host @param onCompleted likewise
    void SendByFabric(const RankMessage& message, Completed onCompleted);
    /// @param message to a rank of the same host @param onCompleted likewise
    void SendWithinHost(const RankMessage& message, const Completed& onCompleted);
    /// Post a piece at its sender. @param line the queue pair @param piece it
    /// @param bytes of the piece
    void Post(Line& line, Piece piece, uint64_t bytes);
    /// A piece is over for its sender. @param connection its @param line its
    /// @param completion how
    void Answered(Connection* connection, Line* line, const RdmaCompletion& completion);
    /// A piece has arrived. @param connection its @param line its @param completion unused
    void Received(Connection* connection, Line* line, const RdmaCompletion& completion);
    /// A connection has failed: say why. @param connection it @param line of it
    /// @param status of the request
    void NoteError(const Connection& connection, const Line& line, RdmaStatus status);

    Fabric m_fabric;
    std::vector<RankPlace> m_places; //!< by rank
    Options m_options;
    std::vector<Rank> m_ranks;
    std::vector<uint32_t> m_gpus;                    //!< by host: how many GPUs it has
    std::vector<std::unique_ptr<IntraLink>> m_intra; //!< by host; null: one rank
    std::vector<std::string> m_errors;
    uint64_t m_queuePairs{0};
    CallbackGuard m_guard;
};

} // namespace ns3

#endif // LOSSLESS_QUEUE_PAIR_NETWORK_H
