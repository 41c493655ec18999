// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MESSAGE_EXCHANGE_H
#define LOSSLESS_MESSAGE_EXCHANGE_H

#include "message-network.h"
#include "rank-message.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Brings messages and receives of the same source, scope and tag together, each in the order of
 * posting, as MPI and NCCL do. What arrives before it is wanted waits as unexpected. A receive of
 * any source or any tag takes the message that arrived first of those that fit; of receives that
 * fit a message, the one that was posted first takes it. Lengths are not compared.
 *
 * With a rendezvous a message leaves only when its receiver has told that the receive is posted.
 */
class MessageExchange
{
  public:
    static constexpr uint32_t ANY = 0xffffffff;       //!< source of a receive
    static constexpr uint64_t ANY_TAG = ~uint64_t{0}; //!< tag of a receive

    /// What a rank waits for.
    struct Wanted
    {
        uint32_t rank{0};     //!< that receives
        uint32_t source{ANY}; //!< rank that sends, or ANY
        uint64_t scope{0};    //!< RankMessage::scope
        uint64_t tag{0};      //!< RankMessage::tag, or ANY_TAG
        uint32_t channel{0};  //!< by which a rendezvous tells the sender
    };

    /// Takes the message of a receive.
    using Matched = std::function<void(const RankMessage& message)>;

    /// How messages are exchanged.
    struct Options
    {
        bool rendezvous{false};  //!< messages wait for their receives
        uint64_t readyBytes{64}; //!< of the message that says that a receive is posted
    };

    /// @param network that carries messages; must outlive this, and nobody else hears of arrivals
    /// @param ranks how many @param options how messages are exchanged
    MessageExchange(MessageNetwork& network, uint32_t ranks, const Options& options);
    MessageExchange(const MessageExchange&) = delete;
    MessageExchange& operator=(const MessageExchange&) = delete;

    /// @param message that its source posts now @param onCompleted as of MessageNetwork::Send()
    void Send(const RankMessage& message, MessageNetwork::Completed onCompleted);

    /// A receive is posted now. FabricError for any source with a rendezvous: nobody can be told.
    /// @param wanted what is to come
    /// @param onMatched called once it is there: at once, if it was unexpected
    void Receive(const Wanted& wanted, Matched onMatched);

    /// FabricError for any rank or any tag. @param who begins the message: a place, or a rank
    /// @param source of a receive with a rendezvous, or ANY @param tag of it, or ANY_TAG
    static void RequireNamed(const std::string& who, uint32_t source, uint64_t tag);

    /// @param pair of ranks that will exchange messages: connect them
    void Connect(const MessageNetwork::Pair& pair);

    /// @param rank which @return messages that have arrived and no receive has taken, in the order
    /// of their arrival
    std::vector<RankMessage> GetUnexpected(uint32_t rank) const;

    /// @param rank which @return messages of it that are in the network
    uint64_t CountUnderWay(uint32_t rank) const
    {
        return m_ends[rank].underWay;
    }

    /// @param listener called at a rank when CountUnderWay() of it has changed by itself: a message
    /// was completed, or a receive has become known
    void OnChange(std::function<void(uint32_t rank)> listener)
    {
        m_onChange = std::move(listener);
    }

  private:
    /// What must be the same of a message and its receive.
    struct Key
    {
        uint32_t peer;
        uint64_t scope;
        uint64_t tag;

        bool operator==(const Key& other) const
        {
            return peer == other.peer && scope == other.scope && tag == other.tag;
        }
    };

    /// Of keys.
    struct Hash
    {
        std::size_t operator()(const Key& key) const;
    };

    /// A receive that waits.
    struct Posted
    {
        uint64_t order; //!< of posting
        Wanted wanted;
        Matched onMatched;
    };

    /// A message that nobody has wanted yet.
    struct Unexpected
    {
        uint64_t order; //!< of arrival
        RankMessage message;
    };

    /// A message that waits at its sender.
    struct Held
    {
        RankMessage message;
        MessageNetwork::Completed onCompleted;
    };

    template <typename Item>
    using Queues = std::unordered_map<Key, std::list<Item>, Hash>;

    /// What belongs to one rank.
    struct End
    {
        Queues<Posted> posted;
        std::list<Posted> wild; //!< receives of any source or tag, in the order of posting
        Queues<Unexpected> unexpected;
        Queues<Held> held;
        uint64_t underWay{0};                          //!< CountUnderWay()
        std::unordered_map<Key, uint64_t, Hash> ready; //!< receives that peers have told of
        uint64_t order{0};                             //!< of posting and of arrival
    };

    /// Send now. @param message of one of the ranks @param onCompleted as of Send()
    void Launch(const RankMessage& message, MessageNetwork::Completed onCompleted);
    /// @param message that has arrived
    void Arrived(const RankMessage& message);
    /// @param message that says that a receive is posted
    void BecameReady(const RankMessage& message);
    /// Tell the sender that a receive is posted. @param wanted the receive
    void TellReady(const Wanted& wanted);
    /// @param wanted any source or tag @param message one that was unexpected
    /// @return whether they fit
    static bool Fits(const Wanted& wanted, const RankMessage& message);
    /// Take the message that arrived first of those that fit. @param end whose
    /// @param wanted any source or tag @param taken gets it @return whether there was one
    static bool TakeEarliest(End& end, const Wanted& wanted, RankMessage& taken);

    MessageNetwork& m_network;
    Options m_options;
    std::vector<End> m_ends; //!< by rank
    std::function<void(uint32_t)> m_onChange;
};

} // namespace ns3

#endif // LOSSLESS_MESSAGE_EXCHANGE_H
