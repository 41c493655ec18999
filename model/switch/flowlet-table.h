// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOWLET_TABLE_H
#define LOSSLESS_FLOWLET_TABLE_H

#include "aged-flow-table.h"
#include "next-hop-group.h"

#include "ns3/fabric-frame.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Mechanism: the flowlets of a switch, that is, frames of a flow that follow each other within a
 * timeout (Kandula et al., 2007). A flow that has been silent for longer than the timeout is as
 * good as forgotten.
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
        const auto isOld = [=](const Flowlet& flow) { return now - flow.last > timeout; };
        Flowlet& flow = m_flows.Of(m_flows.KeyOf(frame, frame.trafficClass), isOld);
        isNew = flow.port == NextHopGroup::NONE || isOld(flow);
        flow.last = now;
        return flow;
    }

    /// @return number of flows in the table
    std::size_t GetNFlows() const
    {
        return m_flows.Size();
    }

  private:
    AgedFlowTable<Flowlet> m_flows;
};

} // namespace ns3

#endif // LOSSLESS_FLOWLET_TABLE_H
