// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_BUILDER_H
#define LOSSLESS_FABRIC_BUILDER_H

#include "fabric-recipe.h"
#include "fabric.h"

#include "ns3/fabric-settings.h"
#include "ns3/fabric-topology.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Makes the objects of a fabric, see FabricHelper.
class FabricBuilder
{
  public:
    /// @param recipe what the parts are like; must outlive the builder
    explicit FabricBuilder(const FabricRecipe& recipe)
        : m_recipe(recipe)
    {
    }

    /// @param topology the graph @param late will hold what comes too late for the fabric
    /// @return the fabric; FabricError if it cannot be, or cannot be lossless
    Fabric Build(const FabricTopology& topology,
                 const std::shared_ptr<const std::vector<std::string>>& late = nullptr) const;

  private:
    /// Make all nodes, links, hosts, switches and routes. @param fabric to be @param parts of it
    /// @param settings of places @param neededMtu see NeededMtu()
    void BuildParts(const Fabric& fabric,
                    Fabric::Parts& parts,
                    const std::vector<FabricSettings>& settings,
                    uint32_t neededMtu) const;
    /// Apply what depends on the whole fabric: settings of places, thresholds, alphas, tunnels.
    /// @param fabric whose parts are made @param parts of it @param settings of places
    /// @param neededMtu see NeededMtu()
    void Configure(const Fabric& fabric,
                   Fabric::Parts& parts,
                   const std::vector<FabricSettings>& settings,
                   uint32_t neededMtu) const;
    /// @return settings of places: of the script, and then of the program's file
    std::vector<FabricSettings> GetSettings() const;
    /// @return IP bytes that the longest RoCE packet of the queue pairs needs
    uint32_t NeededMtu() const;
    /// Make the nodes.
    void BuildNodes(Fabric::Parts& parts) const;
    /// @param settings of places @return whether the user has said what Mtu some ports have
    bool IsMtuSet(const std::vector<FabricSettings>& settings) const;
    /// Make the ports and the cable of a link. @param model MakeModel()
    void BuildLink(Fabric::Parts& parts, LinkId link, Ptr<const QbbNetDevice> model) const;
    /// @return whose headers the packets of queue pairs have, unless flows say otherwise
    FrameFormat GetQueuePairFormat() const;
    /// @param neededMtu see NeededMtu() @return the port of which all others are copies: to set
    /// each attribute of each port anew takes most of the time of a large fabric
    Ptr<const QbbNetDevice> MakeModel(uint32_t neededMtu) const;
    /// Make a port. @param model MakeModel() @return the device
    Ptr<QbbNetDevice> BuildDevice(const Ptr<Node>& node,
                                  const FabricLinkSpec& spec,
                                  Ptr<const QbbNetDevice> model) const;
    /// Give ACKs the paths of their data, where an extension needs that and the user has not chosen
    /// a load balancer.
    void MakePathsSymmetric(Fabric::Parts& parts) const;
    /// @param placed extensions of the switch alone
    /// @return the extensions of a switch: these, those of all switches, and those that the
    /// congestion control needs
    std::vector<ObjectFactory> GetExtensions(const std::vector<ObjectFactory>& placed) const;
    /// Make a switch of a node. @param extensions of GetExtensions()
    void BuildSwitch(Fabric::Parts& parts,
                     NodeId node,
                     const std::vector<ObjectFactory>& extensions) const;
    /// FabricError if a port has too small an MTU for the queue pairs.
    /// @param needed see NeededMtu()
    static void RequireMtus(const Fabric::Parts& parts, uint32_t needed);
    /// Say what queue pairs a host makes. @param rdma the host @param first the first of all hosts
    void SetQueuePairs(RdmaHw& rdma, const RdmaHw& first) const;
    /// Make the RDMA side of a host.
    void BuildHost(const Fabric& fabric, HostId host) const;

    const FabricRecipe& m_recipe;
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_BUILDER_H
