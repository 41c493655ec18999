// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ICC_FLOW_TABLE_H
#define LOSSLESS_ICC_FLOW_TABLE_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// The five-tuple of a RoCEv2 flow, of the direction of its data: protocol and destination port are
/// always the same. Of an IPv6 address the last 32 bits, as EcmpLoadBalancer takes them.
struct IccFlowKey
{
    uint32_t src{0};     //!< source address
    uint32_t dst{0};     //!< destination address
    uint16_t srcPort{0}; //!< UDP source port

    /// @param other another key @return whether they are the same
    bool operator==(const IccFlowKey& other) const
    {
        return src == other.src && dst == other.dst && srcPort == other.srcPort;
    }
};

/// @ingroup lossless
/// What a switch must know of the ACKs of a flow to make one itself.
struct IccAckMemory
{
    uint32_t destQp{0};      //!< queue pair at the source
    uint32_t psn{0};         //!< acknowledged up to here
    uint32_t msn{0};         //!< message sequence number
    uint8_t syndrome{0};     //!< AETH syndrome
    uint8_t trafficClass{0}; //!< class of the ACKs
    uint8_t dscp{0};         //!< their DSCP
    uint8_t pcp{0};          //!< their priority code point
    bool tagged{false};      //!< whether they have a tag
    bool known{false};       //!< whether an ACK has passed, and no NAK since
};

/// @ingroup lossless
/// A flow as a switch knows it. One cache line: a packet touches one.
struct alignas(64) IccFlow
{
    /// The entry is free.
    static constexpr uint32_t NO_QUEUE = std::numeric_limits<uint32_t>::max();

    IccFlowKey key;           //!< whose entry this is
    uint32_t queue{NO_QUEUE}; //!< egress queue, by the owner's number; NO_QUEUE: entry is free
    uint32_t place{0};        //!< place in the owner's list of the active flows of the queue
    bool active{false};       //!< it is in that list
    bool pending{false};      //!< its queue has something to tell it
    int64_t lastSeenPs{0};    //!< last data packet, picoseconds
    IccAckMemory ack;         //!< only where the owner makes ACKs
};

static_assert(sizeof(IccFlow) == 64, "one cache line a flow");

/**
 * @ingroup lossless
 *
 * The flows that pass a switch, by five-tuple: open addressing with linear probing. Entries of
 * flows that are silent for maxAgePs are taken away when room is needed; the table doubles while it
 * is more than half full of others, up to a limit. Flows beyond that are not known. All depends on
 * the keys and their order of arrival alone.
 *
 * RoceFlowTable is the other table of flows: it keeps the order in which flows were first seen, by
 * an index, and knows no limit. A look-up here takes 42 instructions and, among 8000 flows, 1.4
 * misses of a 32 KB cache; there 57 and 2.2. An ICC switch makes one or two for each frame.
 */
class IccFlowTable
{
  public:
    /// @param maxFlows flows at most, above 0 @param maxAgePs silence after which a flow may be
    /// forgotten, picoseconds
    IccFlowTable(uint32_t maxFlows, int64_t maxAgePs);

    /// @param key a flow @return its entry, or null
    IccFlow* Find(const IccFlowKey& key)
    {
        for (uint32_t i = HashOf(key) & m_mask;; i = (i + 1) & m_mask)
        {
            IccFlow& flow = m_flows[i];
            if (flow.queue == IccFlow::NO_QUEUE)
            {
                return nullptr;
            }
            if (flow.key == key)
            {
                return &flow;
            }
        }
    }

    /**
     * Make an entry for a flow that has none. May move all entries: see GetGeneration().
     * @param key the flow
     * @param nowPs time, picoseconds
     * @return the entry, whose queue the caller sets; null: the table is full
     */
    IccFlow* Insert(const IccFlowKey& key, int64_t nowPs);

    /// @return number that changes whenever entries have moved
    uint32_t GetGeneration() const
    {
        return m_generation;
    }

    /// @return all entries, free ones (NO_QUEUE) included
    std::vector<IccFlow>& GetEntries()
    {
        return m_flows;
    }

    /// @return number of flows known
    uint32_t GetNFlows() const
    {
        return m_count;
    }

    /// @return flows that were not taken in as the table was full, counted at each attempt
    uint64_t GetRefused() const
    {
        return m_refused;
    }

  private:
    /// murmur3's last mix of the three words.
    static uint32_t HashOf(const IccFlowKey& key)
    {
        uint32_t hash = key.src * 0xcc9e2d51U ^ key.dst * 0x1b873593U ^ key.srcPort * 0x85ebca6bU;
        hash ^= hash >> 16;
        hash *= 0x85ebca6bU;
        hash ^= hash >> 13;
        hash *= 0xc2b2ae35U;
        return hash ^ hash >> 16;
    }

    /// Forget the silent flows, and make the table larger if that does not help.
    void MakeRoom(int64_t nowPs);
    /// @param key a flow without an entry @return the free entry where it belongs
    IccFlow& FreeEntry(const IccFlowKey& key);

    std::vector<IccFlow> m_flows; //!< a power of two of entries
    uint32_t m_mask;              //!< size of m_flows, less one
    uint32_t m_count{0};          //!< entries in use
    uint32_t m_generation{0};
    uint32_t m_maxFlows;
    int64_t m_maxAgePs;
    int64_t m_roomAt{0}; //!< no use to look for silent flows before
    uint64_t m_refused{0};
};

} // namespace ns3

#endif // LOSSLESS_ICC_FLOW_TABLE_H
