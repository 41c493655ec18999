// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANK_TRANSPORT_H
#define LOSSLESS_RANK_TRANSPORT_H

#include "message-exchange.h"
#include "queue-pair-network.h"
#include "rank-place.h"

#include "ns3/fabric.h"
#include "ns3/traffic-source.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Messages between ranks for another simulator, which decides what is sent: its network. A message
 * and a receive of the same source, destination and tag belong together, in the order of posting;
 * they must have the same length. Queue pairs are made when two ranks first need them and are kept.
 *
 * @code
 * FabricRun run(fabric);
 * auto& transport = run.Add<RankTransport>(places);
 * transport.Recv(1, 0, 7, 65536, [&] { std::cout << transport.Now().As(Time::US) << "\n"; });
 * transport.Send(0, 1, 7, 65536);
 * run.Execute();
 * @endcode
 *
 * What is called back is called in events of the node of its rank, never within Send() or Recv(),
 * and may send, receive and schedule. The run goes on as long as messages are under way or calls of
 * Schedule() are to come; what is to be sent later must come by these. Its items are messages; a
 * message that no receive takes, and a receive without a message, are named at the end of the run.
 * One thread runs the fabric.
 */
class RankTransport : public TrafficSource, private MessageExchange::Owner
{
  public:
    /// Called once something is done.
    using Done = std::function<void()>;

    /// Longest message.
    static constexpr uint64_t MOST_BYTES = uint64_t{1} << 40;

    /// @param fabric where @param places by rank @param options how messages are carried
    RankTransport(const Fabric& fabric,
                  std::vector<RankPlace> places,
                  const QueuePairNetwork::Options& options = {});

    /// Post a message now. @param source rank that sends @param destination rank that receives
    /// @param tag of the message, any but 2^64 - 1 @param bytes its length, 0 is legal
    /// @param onDone called when the sender has its last ACK; may be empty
    void Send(uint32_t source,
              uint32_t destination,
              uint64_t tag,
              uint64_t bytes,
              Done onDone = nullptr);

    /// Post a receive now. @param destination rank that receives @param source rank that sends
    /// @param tag of the message @param bytes its length
    /// @param onDone called when its last byte is there; may be empty
    void Recv(uint32_t destination,
              uint32_t source,
              uint64_t tag,
              uint64_t bytes,
              Done onDone = nullptr);

    /// Call something later, which the run waits for. @param rank whose node @param delay from now
    /// @param call what is called then
    void Schedule(uint32_t rank, Time delay, std::function<void()> call);

    /// @return time of the simulation
    Time Now() const;

    /// @return how many ranks there are
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_network.GetPlaces().size());
    }

    /// @return messages and receives have found each other, all of them, and no more is under way
    bool IsDone() const;

    /// @return one line that says what is wrong; empty: nothing, so far
    std::string GetError() const;

    /// @return what carries its messages
    const QueuePairNetwork& GetCarrier() const
    {
        return m_network;
    }

    /// @return the fabric
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

    // ---- TrafficSource

    std::string GetName() const override;
    void ForEachControl(const Controls& visit) const override;
    Counts GetCounts() const override;
    bool IsAwaited() const override;
    Time GetNextActivity() const override;
    Time GetFirstStart() const override;
    bool MayActByItself() const override;
    void ForEachUnfinished(const Unfinished& tell) const override;
    void SetBegin(Time begin) override;
    void Stop() override;

  private:
    /// A message that has not ended, or a receive without a message.
    struct Open
    {
        TrafficItem item;
        uint32_t source{0};      //!< rank
        uint32_t destination{0}; //!< rank
        uint64_t tag{0};
        bool isCompleted{false}; //!< the sender knows that it is there
        bool isTaken{false};     //!< a receive has taken it
        Done onDone;             //!< called once it is completed, or taken
    };

    /// FabricError for what cannot be. @param rank one of the ranks
    void RequireRank(uint32_t rank) const;
    /// FabricError for what cannot be. @param open a message or a receive
    void RequirePossible(const Open& open) const;
    /// @param source rank @param destination rank @param tag of a message @param bytes its length
    /// @return it, as something that begins now
    Open MakeOpen(uint32_t source, uint32_t destination, uint64_t tag, uint64_t bytes) const;
    // ---- MessageExchange::Owner
    void Matched(const MessageExchange::Wanted& wanted, const RankMessage& message) override;
    void Completed(const RankMessage& message, bool isDelivered) override;

    /// Something that was under way is over. @param id of a message that has ended with it, perhaps
    void Leave(uint32_t id);
    /// Nothing goes on. @param why one line
    void Fail(const std::string& why);
    /// Nothing is under way any more: tell of something that is left, if there is.
    void TellFailed();
    /// @param open of m_messages @return why it has not ended
    static std::string DescribeMessage(const Open& open);
    /// @param open of m_receives @return what it waits for
    static std::string DescribeReceive(const Open& open);

    static constexpr uint32_t NO_MESSAGE = 0xffffffff;

    Fabric m_fabric;
    QueuePairNetwork::Options m_options;
    QueuePairNetwork m_network;
    MessageExchange m_exchange;
    std::map<uint32_t, Open> m_messages; //!< that have not ended, by RankMessage::cause
    std::map<uint64_t, Open> m_receives; //!< without a message, by number
    uint32_t m_nextMessage{0};           //!< goes round
    uint64_t m_nextReceive{0};
    uint64_t m_sent{0};      //!< messages
    uint64_t m_completed{0}; //!< messages
    uint64_t m_active{0};    //!< messages under way, and calls that are to come
    uint64_t m_calls{0};     //!< of these, calls
    bool m_isStopped{false};
    std::string m_error;
    Time m_first; //!< begin of the run
};

} // namespace ns3

#endif // LOSSLESS_RANK_TRANSPORT_H
