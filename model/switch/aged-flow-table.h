// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_AGED_FLOW_TABLE_H
#define LOSSLESS_AGED_FLOW_TABLE_H

#include "roce-flow-table.h"

#include "ns3/fabric-frame.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * State of flows that take paths. A flow is, of RoCE, (source, destination, destination queue pair,
 * class), so that it stays one whatever UDP source ports its packets have; otherwise the five-tuple
 * and the class.
 *
 * The table has no clock and no timers: old flows are removed when it would grow.
 * @tparam State of a flow
 */
template <typename State>
class AgedFlowTable
{
  public:
    using Key = typename RoceFlowTable<State>::Key; //!< of a flow

    /// @param frame a frame @param cls its class @return key of its flow
    static Key KeyOf(const Frame& frame, uint8_t cls)
    {
        const bool isRoce = frame.kind == FrameKind::ROCE;
        const uint32_t ports = uint32_t{frame.srcPort} << PORT_SHIFT | frame.dstPort;
        return {frame.SourceKey(),
                frame.DestinationKey(),
                isRoce ? frame.destQp : ports,
                (isRoce ? 0U : frame.protocol) | uint32_t{cls} << CLASS_SHIFT};
    }

    /// @param frame of RoCE, from the destination of a flow to its source, with the queue pair of
    /// the flow @param cls class of the flow @return key of the flow
    static Key KeyBack(const Frame& frame, uint8_t cls)
    {
        return {frame.DestinationKey(),
                frame.SourceKey(),
                frame.destQp,
                uint32_t{cls} << CLASS_SHIFT};
    }

    /// @param key a flow @param isOld returns for a State whether its flow may be forgotten
    /// @return its state, created if the flow is new; valid until the next call
    template <typename IsOld>
    State& Of(const Key& key, IsOld isOld)
    {
        if (m_flows.Size() >= m_limit)
        {
            m_flows.Forget(isOld);
            m_limit = std::max(MIN_FLOWS, 2 * m_flows.Size());
        }
        return m_flows[key];
    }

    /// @param key a flow @return its state, valid until the next call; null: it is unknown
    State* Find(const Key& key)
    {
        return m_flows.Find(key);
    }

    /// @return number of flows in the table
    std::size_t Size() const
    {
        return m_flows.Size();
    }

  private:
    static constexpr uint32_t CLASS_SHIFT = 8;
    static constexpr uint32_t PORT_SHIFT = 16;
    static constexpr std::size_t MIN_FLOWS = 256; //!< below that, nothing is forgotten

    RoceFlowTable<State> m_flows;
    std::size_t m_limit{MIN_FLOWS}; //!< number of flows from which old ones are forgotten
};

} // namespace ns3

#endif // LOSSLESS_AGED_FLOW_TABLE_H
