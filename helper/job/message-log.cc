// SPDX-License-Identifier: GPL-2.0-only
#include "message-log.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

constexpr std::size_t MESSAGE_BYTES = 96; //!< of a message: nine numbers, ten bytes each at most
constexpr std::size_t FIRST_BLOCK = 256;  //!< bytes
constexpr std::size_t MOST_BLOCK = 4096;  //!< bytes: reading begins at the begin of a block

/// @param index of a message @return the cause that is its arrival, as a number that grows
int64_t
OwnCause(uint32_t index)
{
    return int64_t{index} << 1 | 1;
}

/// @param at where a number is written, 7 bits in a byte @param number any @return behind it
uint8_t*
Put(uint8_t* at, uint64_t number)
{
    while (number >= 0x80)
    {
        *at++ = static_cast<uint8_t>(number | 0x80);
        number >>= 7;
    }
    *at++ = static_cast<uint8_t>(number);
    return at;
}

/// @param at where a number is written @param number small, if near 0 @return behind it
uint8_t*
PutDifference(uint8_t* at, int64_t number)
{
    return Put(at, static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63));
}

} // namespace

// ---- writing

uint32_t
MessageLog::HeaderOf(const RankMessage& message)
{
    const Header header{message.scope,
                        message.source,
                        message.destination,
                        message.channel,
                        message.position,
                        message.nic,
                        message.isReady,
                        message.tells};
    const uint64_t hash =
        (message.scope ^ message.source << 3 ^ message.channel) * 0x9e3779b97f4aULL;
    uint32_t& recent = m_recent[(hash >> 32) % RECENT];
    if (recent >= m_headers.size() || !(m_headers[recent] == header))
    {
        recent = static_cast<uint32_t>(m_headers.size());
        m_headers.push_back(header);
    }
    return recent;
}

void
MessageLog::Add(const TakenMessage& one)
{
    if (m_blocks.empty() ||
        m_blocks.back().bytes.size() + MESSAGE_BYTES > m_blocks.back().bytes.capacity())
    {
        const std::size_t capacity =
            m_blocks.empty() ? FIRST_BLOCK
                             : std::min(2 * m_blocks.back().bytes.capacity(), MOST_BLOCK);
        m_blocks.push_back({m_size, m_taken, {}});
        m_blocks.back().bytes.reserve(capacity);
    }
    const RankMessage& message = one.message;
    std::array<uint8_t, MESSAGE_BYTES> bytes;
    uint8_t* at = bytes.data();
    at = Put(at, HeaderOf(message));
    at = Put(at, message.tag);
    at = Put(at, message.bytes);
    at = PutDifference(at, one.taken - m_taken);
    at = PutDifference(at, one.taken - message.arrived);
    at = PutDifference(at, message.arrived - message.posted);
    at = PutDifference(at, one.taken - one.posted);
    at = PutDifference(at, OwnCause(m_size) - message.cause);
    at = PutDifference(at, OwnCause(m_size) - one.cause);
    std::vector<uint8_t>& block = m_blocks.back().bytes;
    block.insert(block.end(), bytes.data(), at);
    m_taken = one.taken;
    ++m_size;
}

// ---- reading

MessageLog::Reader::Reader(const MessageLog& log, std::size_t block)
    : m_log(log)
{
    Enter(block);
}

void
MessageLog::Reader::Enter(std::size_t block)
{
    m_block = block;
    if (block < m_log.m_blocks.size())
    {
        const Block& what = m_log.m_blocks[block];
        m_next = what.bytes.data();
        m_end = m_next + what.bytes.size();
        m_index = what.first;
        m_taken = what.taken;
    }
}

uint64_t
MessageLog::Reader::Get()
{
    uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7)
    {
        const uint8_t byte = *m_next++;
        number |= static_cast<uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80)
        {
            return number;
        }
    }
}

int64_t
MessageLog::Reader::GetDifference()
{
    const uint64_t number = Get();
    return static_cast<int64_t>(number >> 1 ^ (~(number & 1) + 1));
}

TakenMessage
MessageLog::Reader::Next()
{
    if (m_next == m_end)
    {
        Enter(m_block + 1);
    }
    const Header& header = m_log.m_headers[Get()];
    TakenMessage one;
    RankMessage& message = one.message;
    message.source = header.source;
    message.destination = header.destination;
    message.scope = header.scope;
    message.channel = header.channel;
    message.position = header.position;
    message.nic = header.nic;
    message.isReady = header.isReady;
    message.tells = header.tells;
    message.tag = Get();
    message.bytes = Get();
    one.taken = m_taken + GetDifference();
    message.arrived = one.taken - GetDifference();
    message.posted = message.arrived - GetDifference();
    one.posted = one.taken - GetDifference();
    message.cause = static_cast<uint32_t>(OwnCause(m_index) - GetDifference());
    one.cause = static_cast<uint32_t>(OwnCause(m_index) - GetDifference());
    m_taken = one.taken;
    ++m_index;
    return one;
}

TakenMessage
MessageLog::At(uint32_t index) const
{
    const auto after =
        std::upper_bound(m_blocks.begin(),
                         m_blocks.end(),
                         index,
                         [](uint32_t wanted, const Block& block) { return wanted < block.first; });
    Reader reader(*this, static_cast<std::size_t>(after - m_blocks.begin()) - 1);
    for (uint32_t before = std::prev(after)->first; before < index; ++before)
    {
        reader.Next();
    }
    return reader.Next();
}

} // namespace ns3
