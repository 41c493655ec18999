// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MESSAGE_LOG_H
#define LOSSLESS_MESSAGE_LOG_H

#include "rank-message.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A message that a receive has taken. Causes are those of RankTrace.
struct TakenMessage
{
    RankMessage message;        //!< it
    int64_t taken{0};           //!< when its receive took it, ticks
    int64_t posted{0};          //!< when the receive was posted, ticks
    uint32_t cause{0xffffffff}; //!< why then: of the receiver; an operation means its start
};

/**
 * @ingroup lossless
 *
 * The messages that a rank has taken, in that order. A large job has millions: they are kept as
 * differences to what is near, in numbers of few bytes, some 16 bytes a message.
 */
class MessageLog
{
  public:
    /// @param one taken now
    void Add(const TakenMessage& one);

    /// @return how many there are
    uint32_t Size() const
    {
        return m_size;
    }

    /// @param index of a message @return it; costs as much as a thousand messages in a row
    TakenMessage At(uint32_t index) const;

    /// Call a function with all messages in their order. @param visit called with a TakenMessage
    template <typename Visit>
    void ForEach(const Visit& visit) const
    {
        Reader reader(*this, 0);
        for (uint32_t index = 0; index < m_size; ++index)
        {
            visit(reader.Next());
        }
    }

  private:
    /// What many messages have in common.
    struct Header
    {
        uint64_t scope;
        uint32_t source;
        uint32_t destination;
        uint32_t channel;
        uint32_t position;
        uint16_t nic;
        bool isReady;
        bool tells;

        bool operator==(const Header& other) const
        {
            return scope == other.scope && source == other.source &&
                   destination == other.destination && channel == other.channel &&
                   position == other.position && nic == other.nic && isReady == other.isReady &&
                   tells == other.tells;
        }
    };

    /// Some messages in a row.
    struct Block
    {
        uint32_t first;             //!< index of the first
        int64_t taken;              //!< of the one before it, ticks
        std::vector<uint8_t> bytes; //!< of the numbers, 7 bits in each
    };

    /// Reads messages one after another.
    class Reader
    {
      public:
        /// @param log which @param block its first one
        Reader(const MessageLog& log, std::size_t block);

        /// @return the next message, which must be there
        TakenMessage Next();

      private:
        /// Begin a block. @param block which
        void Enter(std::size_t block);
        /// @return the next number
        uint64_t Get();
        /// @return the next number, which may be negative
        int64_t GetDifference();

        const MessageLog& m_log;
        std::size_t m_block{0};         //!< that it is in
        const uint8_t* m_next{nullptr}; //!< where the next number is
        const uint8_t* m_end{nullptr};  //!< of the block
        uint32_t m_index{0};            //!< of the next message
        int64_t m_taken{0};             //!< of the one before
    };

    /// @param message of a log @return index of its header, made if need be
    uint32_t HeaderOf(const RankMessage& message);

    static constexpr std::size_t RECENT = 32; //!< headers that are found again

    std::vector<Header> m_headers;
    std::array<uint32_t, RECENT> m_recent{}; //!< by a hash of them: indices of headers
    std::vector<Block> m_blocks;
    uint32_t m_size{0};
    int64_t m_taken{0}; //!< of the last one
};

} // namespace ns3

#endif // LOSSLESS_MESSAGE_LOG_H
