// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ONE_ECN_MARKER_H
#define LOSSLESS_ONE_ECN_MARKER_H

#include "fabric-recipe.h"

#include <map>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Refuses a second ECN marker of a switch, before a fabric is built.
class OneEcnMarker
{
  public:
    /// @param recipe of the fabric @param topology its graph @param settings of places, which
    /// outlive the object
    OneEcnMarker(const FabricRecipe& recipe,
                 const FabricTopology& topology,
                 const std::vector<FabricSettings>& settings);

    /**
     * FabricError where a switch would get two markers: two extensions, or an extension beside what
     * SetEcn() or a setting says. PolledWredMarker takes over what a WredEcnMarker of SetEcn() has.
     * @param node the switch
     * @param extensions of the switch
     */
    void Require(NodeId node, const std::vector<ObjectFactory>& extensions) const;

  private:
    const FabricRecipe& m_recipe;
    const FabricTopology& m_topology;
    std::map<NodeId, const FabricSetting*> m_placed; //!< that give a switch its marker
};

} // namespace ns3

#endif // LOSSLESS_ONE_ECN_MARKER_H
