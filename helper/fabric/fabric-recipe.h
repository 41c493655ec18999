// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_RECIPE_H
#define LOSSLESS_FABRIC_RECIPE_H

#include "ns3/attribute.h"
#include "ns3/fabric-options.h"
#include "ns3/fabric-settings.h"
#include "ns3/fabric-topology.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What FabricHelper has been told about the parts of a fabric.
struct FabricRecipe
{
    /// ECN thresholds of the ports of one speed.
    struct EcnThresholds
    {
        uint64_t bitsPerSecond; //!< speed
        uint64_t kmin;          //!< bytes
        uint64_t kmax;          //!< bytes
        double pmax;            //!< probability at kmax
    };

    /// Values of attributes by name; of equal names the last holds.
    using Values = std::vector<std::pair<std::string, Ptr<AttributeValue>>>;

    FabricOptions options;                           //!< of the program; they win
    FabricLinkSpec link;                             //!< links that the topology does not specify
    ObjectFactory device{"ns3::QbbNetDevice"};       //!< ports
    ObjectFactory fabricSwitch{"ns3::FabricSwitch"}; //!< switches
    ObjectFactory ecn;                               //!< ECN markers; no type: the switch's own
    ObjectFactory balancer;                          //!< load balancers; no type: the switch's own
    ObjectFactory scheduler;                         //!< egress schedulers; no type: the port's own
    ObjectFactory host{"ns3::RdmaHw"};               //!< RDMA sides of hosts
    ObjectFactory congestion{"ns3::RdmaDcqcn"};      //!< congestion control of queue pairs
    std::vector<ObjectFactory> extensions;           //!< of all switches
    Values mmu;                                      //!< of SwitchMmu
    Values queuePair;                                //!< of RdmaQueuePair
    std::vector<EcnThresholds> thresholds;           //!< by speed
    std::vector<FabricSettings> settings;            //!< of places, in the order of the calls
    bool mtuIsSet{false};                            //!< MTU of links
    bool formatIsSet{false};                         //!< FrameFormat of links
    bool alphaBySpeed{true};                         //!< FabricHelper::SetAlphaBySpeed()
    uint8_t ipVersion{4};                            //!< of the frames of queue pairs
    bool allowLossy{false};                          //!< build what cannot be lossless
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_RECIPE_H
