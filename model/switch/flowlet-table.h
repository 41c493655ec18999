// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOWLET_TABLE_H
#define LOSSLESS_FLOWLET_TABLE_H

#include "next-hop-group.h"
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
 * Mechanism: the flowlets of a switch, that is, frames of a flow that follow each other within a
 * timeout (Kandula et al., 2007). A flow is, of RoCE, (source, destination, destination queue pair,
 * class), so that it stays one whatever UDP source ports its packets have; otherwise the five-tuple
 * and the class.
 *
 * The table has no clock and no timers: a flow that has been silent for longer than the timeout is
 * as good as forgotten, and is removed when the table would grow.
 */
class FlowletTable
{
  public:
    /// A flowlet.
    struct Flowlet
    {
        uint16_t port{NextHopGroup::NONE}; //!< of its last frame; NONE: the flow is new
        int64_t last{0};                   //!< when its last frame came, ticks
    };

    /// @param frame a frame that has come @param now ticks @param timeout longest gap within a
    /// flowlet, ticks @param isNew gets whether the frame begins a flowlet: its flow is new, or the
    /// gap was longer @return the flowlet of its flow, whose last frame it is; valid until the next
    /// call
    Flowlet& Arrived(const Frame& frame, int64_t now, int64_t timeout, bool& isNew)
    {
        if (m_flows.Size() >= m_limit)
        {
            m_flows.Forget([=](const Flowlet& flow) { return now - flow.last > timeout; });
            m_limit = std::max(MIN_FLOWS, 2 * m_flows.Size());
        }
        Flowlet& flow = m_flows[KeyOf(frame)];
        isNew = flow.port == NextHopGroup::NONE || now - flow.last > timeout;
        flow.last = now;
        return flow;
    }

    /// @return number of flows in the table
    std::size_t GetNFlows() const
    {
        return m_flows.Size();
    }

  private:
    using Table = RoceFlowTable<Flowlet>;

    static constexpr std::size_t MIN_FLOWS = 256; //!< below that, nothing is forgotten

    /// @param frame a frame @return key of its flow
    static Table::Key KeyOf(const Frame& frame)
    {
        constexpr uint32_t CLASS_SHIFT = 8;
        constexpr uint32_t PORT_SHIFT = 16;
        const bool isRoce = frame.kind == FrameKind::ROCE;
        const uint32_t ports = uint32_t{frame.srcPort} << PORT_SHIFT | frame.dstPort;
        return {frame.SourceKey(),
                frame.DestinationKey(),
                isRoce ? frame.destQp : ports,
                (isRoce ? 0U : frame.protocol) | uint32_t{frame.trafficClass} << CLASS_SHIFT};
    }

    Table m_flows;
    std::size_t m_limit{MIN_FLOWS}; //!< number of flows from which old ones are forgotten
};

} // namespace ns3

#endif // LOSSLESS_FLOWLET_TABLE_H
