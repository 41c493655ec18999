// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MESSAGE_EXCHANGE_H
#define LOSSLESS_MESSAGE_EXCHANGE_H

#include "match-table.h"
#include "message-network.h"
#include "rank-message.h"

#include <cstdint>
#include <list>
#include <string>
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
class MessageExchange : private MessageListener
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
        // What the rank wants to know again when the message is there:
        uint32_t position{0}; //!< of the source, in a collective
        uint64_t id{0};       //!< that the rank has chosen
        int64_t posted{0};    //!< when it was posted, ticks
        uint32_t cause{0};    //!< why then
        bool reduces{false};  //!< whether the message is added to what is there
    };

    /// Whose messages and receives these are; called in events of the node of a rank.
    class Owner
    {
      public:
        virtual ~Owner() = default;

        /// @param wanted a receive @param message that it takes
        virtual void Matched(const Wanted& wanted, const RankMessage& message) = 0;

        /// A message is over for its source. @param message as it was posted
        /// @param isDelivered else its connection has failed
        virtual void Completed(const RankMessage& message, bool isDelivered) = 0;

        /// CountUnderWay() has changed by itself: a message was completed, or a receive has become
        /// known. @param rank of which
        virtual void UnderWayChanged([[maybe_unused]] uint32_t rank)
        {
        }
    };

    /// How messages are exchanged.
    struct Options
    {
        bool rendezvous{false};  //!< messages wait for their receives
        uint64_t readyBytes{64}; //!< of the message that says that a receive is posted
    };

    /// @param network that carries messages; must outlive this, and nobody else hears of them
    /// @param owner told of all messages; must outlive this @param ranks how many
    /// @param options how messages are exchanged
    MessageExchange(MessageNetwork& network, Owner& owner, uint32_t ranks, const Options& options);
    MessageExchange(const MessageExchange&) = delete;
    MessageExchange& operator=(const MessageExchange&) = delete;

    /// @param message that its source posts now
    void Send(const RankMessage& message);

    /// A receive is posted now, and matched at once, if its message was unexpected. FabricError for
    /// any source with a rendezvous: nobody can be told. @param wanted what is to come
    void Receive(const Wanted& wanted);

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

  private:
    /// A receive that waits.
    struct Posted
    {
        uint64_t order; //!< of posting
        Wanted wanted;
    };

    /// A message that nobody has wanted yet.
    struct Unexpected
    {
        uint64_t order; //!< of arrival
        RankMessage message;
    };

    /// A receive that a peer has told of, and no message has used yet.
    struct Told
    {
    };

    /// What belongs to one rank.
    struct End
    {
        uint64_t underWay{0};      //!< CountUnderWay()
        uint64_t order{0};         //!< of posting and of arrival
        std::list<Posted> wild;    //!< receives of any source or tag, in the order of posting
        MatchTable<Posted> posted; //!< other receives
        MatchTable<Unexpected> unexpected;
        MatchTable<RankMessage> held; //!< messages that wait at their sender
        MatchTable<Told> ready;       //!< receives that peers have told of
    };

    // ---- MessageListener
    void Arrived(const RankMessage& message) override;
    void Completed(const RankMessage& message, bool isDelivered) override;

    /// Send now. @param message of one of the ranks
    void Launch(const RankMessage& message);
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
    Owner& m_owner;
    Options m_options;
    std::vector<End> m_ends; //!< by rank
};

} // namespace ns3

#endif // LOSSLESS_MESSAGE_EXCHANGE_H
