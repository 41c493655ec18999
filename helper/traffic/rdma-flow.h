// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_FLOW_H
#define LOSSLESS_RDMA_FLOW_H

#include "ns3/fabric-index.h"
#include "ns3/nstime.h"
#include "ns3/rdma-verbs.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// One message from one host to another, over a connection of its own.
struct RdmaFlow
{
    HostId source{0};               //!< posts the work request
    HostId destination{0};          //!< the other end
    uint64_t bytes{0};              //!< length of the message; 0 is legal
    Time start{0};                  //!< when it is posted
    uint8_t trafficClass{3};        //!< class of its data
    RdmaVerb verb{RdmaVerb::WRITE}; //!< for a READ the data goes from destination to source
    uint64_t window{0};             //!< payload bytes in flight at most; 0: as configured
    uint16_t destinationPort{4791}; //!< a label for reports; RoCE's port is 4791 always
    uint16_t sourcePort{0};         //!< UDP source port, by which ECMP chooses; 0: as configured
    /// Which of the ways between the ports of the hosts, see Fabric::GetPortPairs(); none: each in
    /// turn.
    std::optional<uint32_t> way{};
    /// Of its workload, by which reports tell flows apart; empty: none.
    std::string label{};

    /// @return host that sends its data: of a READ the destination
    HostId DataSource() const
    {
        return verb == RdmaVerb::READ ? destination : source;
    }

    /// @return host that receives its data
    HostId DataDestination() const
    {
        return verb == RdmaVerb::READ ? source : destination;
    }
};

/// @ingroup lossless
/// The end of a flow.
struct RdmaFlowResult
{
    uint64_t index{0};                      //!< number of the flow, in the order of adding, from 0
    RdmaFlow flow;                          //!< what was asked for
    NodeId sourceNode;                      //!< node of its source
    NodeId destinationNode;                 //!< node of its destination
    uint32_t ordinal{0};                    //!< how many flows its source had started before it
    RdmaStatus status{RdmaStatus::SUCCESS}; //!< how it ended
    Time fct;                               //!< from posting to completion at the source
    Time ideal;                             //!< the same with the fabric for itself
};

} // namespace ns3

#endif // LOSSLESS_RDMA_FLOW_H
