// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MESSAGE_NETWORK_H
#define LOSSLESS_MESSAGE_NETWORK_H

#include "rank-message.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Who hears what becomes of messages, in events of the node of the rank that is concerned.
 */
class MessageListener
{
  public:
    virtual ~MessageListener() = default;

    /// @param message whose last byte is at its destination
    virtual void Arrived(const RankMessage& message) = 0;

    /// A message is over for its source. @param message as it was posted
    /// @param isDelivered else its connection has failed
    virtual void Completed(const RankMessage& message, bool isDelivered) = 0;
};

/**
 * @ingroup lossless
 *
 * Carries messages between ranks. Messages of one Pair arrive in the order of their
 * posting.
 *
 * What concerns a rank is called in events of the node of that rank, and touches nothing of other
 * nodes: several threads may run the fabric.
 */
class MessageNetwork
{
  public:
    /// Two ranks, of which the first sends to the second on a channel and from a NIC.
    struct Pair
    {
        uint32_t source{0};                 //!< rank that sends
        uint32_t destination{0};            //!< rank that receives
        uint32_t channel{0};                //!< of its messages
        uint16_t nic{RankMessage::ANY_NIC}; //!< likewise

        /// @param other another pair @return whether this one is before it
        bool operator<(const Pair& other) const
        {
            return std::tie(source, destination, channel, nic) <
                   std::tie(other.source, other.destination, other.channel, other.nic);
        }
    };

    virtual ~MessageNetwork() = default;

    /// Make what messages of a pair need; in no event of a node. Again: nothing.
    /// @param pair who sends to whom
    virtual void Connect(const Pair& pair) = 0;

    /// @param message posted now, of a pair that is connected
    virtual void Send(const RankMessage& message) = 0;

    /// @param rank whose node @param delay from now @param call what is called then
    virtual void Schedule(uint32_t rank, Time delay, std::function<void()> call) = 0;

    /// @param listener hears of all messages; must outlive those that are under way
    void SetListener(MessageListener& listener)
    {
        m_listener = &listener;
    }

    /// @return what has gone wrong for good, one line for each connection; none: nothing
    virtual std::vector<std::string> GetErrors() const
    {
        return {};
    }

  protected:
    /// @return who hears of messages
    MessageListener& GetListener() const
    {
        return *m_listener;
    }

  private:
    MessageListener* m_listener{nullptr};
};

} // namespace ns3

#endif // LOSSLESS_MESSAGE_NETWORK_H
