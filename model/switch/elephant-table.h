// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ELEPHANT_TABLE_H
#define LOSSLESS_ELEPHANT_TABLE_H

#include "roce-flow-table.h"

#include "ns3/fabric-frame.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Mechanism: tells the elephants among the flows of a switch from the mice (sheet 13, section 4).
 * The table counts the bytes of a flow, in all and in windows of time, and a Rule says from which
 * counts on it is an elephant. An elephant stays one until it has sent nothing for a while; then it
 * begins anew, as any flow does.
 *
 * The table has no clock: the time is an argument, in ticks.
 */
class ElephantTable
{
  public:
    /// What makes an elephant.
    enum Condition : uint8_t
    {
        BYTES, //!< many bytes
        RATE,  //!< many bytes in a window
        BOTH,  //!< many bytes, and many bytes in a window
        EITHER //!< one of the two
    };

    /// From when on a flow is an elephant, and until when.
    struct Rule
    {
        Condition condition{BOTH};    //!< which of the two limits count
        uint64_t bytes{1000000};      //!< limit of the bytes since the flow began
        uint64_t windowBytes{125000}; //!< limit of the bytes in a window: rate * window
        int64_t window{1};            //!< length of a window, ticks
        int64_t idle{1};              //!< a longer gap ends an elephant, ticks
    };

    /// What a switch knows of a flow.
    struct Flow
    {
        uint64_t bytes{0};       //!< since the flow began
        uint64_t windowBytes{0}; //!< since the window began
        int64_t windowStart{0};  //!< when the window began, ticks
        int64_t lastSeen{NEVER}; //!< when its last frame came, ticks
        bool isElephant{false};  //!< whether it is an elephant

        // What ElephantSeparator notes.

        bool isSeparated{false}; //!< its frames get the class or the colour of elephants
        uint8_t queue{0};        //!< queue of its last frame
        uint16_t port{0};        //!< egress port of its last frame
        uint64_t place{0};       //!< place of its last frame among all of that queue; 0: none
    };

    /// What a frame has changed.
    struct Sighting
    {
        Flow* flow{nullptr};   //!< its flow, valid until the next call
        int64_t gap{0};        //!< time since the frame before; FIRST for the first frame
        bool isFound{false};   //!< the flow has become an elephant
        bool isDemoted{false}; //!< the flow was an elephant, and was idle for too long
    };

    using Key = RoceFlowTable<Flow>::Key; //!< of a flow of RoCE, TCP or UDP

    static constexpr int64_t NEVER = -1; //!< Flow::lastSeen of a flow without frames
    static constexpr int64_t FIRST = std::numeric_limits<int64_t>::max(); //!< no frame before

    /// @param frame a frame @return whether it is of a flow: of RoCE, TCP or UDP, in no tunnel
    static bool HasFlow(const Frame& frame);

    /// @param frame a frame of a flow @return the flow: source, destination, and the destination
    /// queue pair or protocol and ports. Fragments have no ports, and those of two hosts are one
    /// flow of their protocol
    static Key FlowOf(const Frame& frame);

    /// @param rule holds from the next frame on
    void SetRule(const Rule& rule);

    /// A frame has come. @param key its flow @param bytes its length @param now ticks
    /// @return what it has changed
    Sighting Count(const Key& key, uint32_t bytes, int64_t now);

    /// @return whether it is time for ForgetIdle(): the table holds twice as many flows as the last
    /// call left
    bool IsFull() const
    {
        return m_flows.Size() >= m_full;
    }

    /**
     * Forget the flows that are idle.
     * @param now ticks
     * @param demoted called with the Key of each that was an elephant
     */
    template <typename Demoted>
    void ForgetIdle(int64_t now, Demoted&& demoted)
    {
        for (const auto& entry : m_flows.Entries())
        {
            if (entry.value.isElephant && IsIdle(entry.value, now))
            {
                demoted(entry.key);
            }
        }
        m_flows.Forget([&](const Flow& flow) { return IsIdle(flow, now); });
        m_full = FullAfter(m_flows.Size());
    }

    /// Forget all flows.
    void Clear();

    /// @param key a flow @return what the table knows of it; null: nothing
    const Flow* Find(const Key& key) const
    {
        return m_flows.Find(key);
    }

    /// @return number of flows that the table holds
    std::size_t GetNFlows() const
    {
        return m_flows.Size();
    }

  private:
    static constexpr std::size_t MIN_FULL = 1024; //!< fewer flows are never looked through

    /// @param left flows that are left @return with how many the table is full
    static std::size_t FullAfter(std::size_t left)
    {
        return 2 * left < MIN_FULL ? MIN_FULL : 2 * left;
    }

    /// @param flow a flow with a frame @param now ticks @return whether it has been idle too long
    bool IsIdle(const Flow& flow, int64_t now) const
    {
        return now - flow.lastSeen > m_rule.idle;
    }

    /// @param flow a flow @return whether the rule makes it an elephant
    bool IsElephant(const Flow& flow) const;

    Rule m_rule;
    RoceFlowTable<Flow> m_flows;
    std::size_t m_full{MIN_FULL}; //!< see IsFull()
};

} // namespace ns3

#endif // LOSSLESS_ELEPHANT_TABLE_H
