// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PLACED_SETTINGS_H
#define LOSSLESS_PLACED_SETTINGS_H

#include "fabric-recipe.h"
#include "fabric-settings.h"
#include "sonic-places.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class Fabric;

/**
 * @ingroup lossless
 *
 * The settings of places of a fabric that is built, of scripts and of files, in the order in which
 * they are applied: narrower places after wider ones; at places of one rank files of SONiC before
 * what the script says, and objects before what may be their attributes. Of equals the later one
 * wins.
 */
class PlacedSettings
{
  public:
    /// @param recipe of the fabric; its options may name a file of settings
    explicit PlacedSettings(const FabricRecipe& recipe);

    /// @return the settings of places: wider ones first, later ones last
    const std::vector<FabricSettings>& Get() const
    {
        return m_settings;
    }

    /// Apply them. @param fabric whose parts are made @param ofPorts those of ports, their
    /// schedulers and class maps, or else all others
    void Apply(const Fabric& fabric, bool ofPorts);

    /// Compare the cables of files of SONiC with links. @param fabric whose delays are set
    void CheckCables(const Fabric& fabric);

  private:
    /// Put the files of SONiC of places onto their switches. @param some settings
    void SetSonic(const FabricSettings& some, const Fabric& fabric, SonicSwitch::Part part);
    /// The same for all places of a rank. @param rank of the places
    void SetSonic(uint32_t rank, const Fabric& fabric, SonicSwitch::Part part);

    std::vector<FabricSettings> m_settings;
};

} // namespace ns3

#endif // LOSSLESS_PLACED_SETTINGS_H
