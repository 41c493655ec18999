// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_NEEDS_H
#define LOSSLESS_SWITCH_NEEDS_H

#include "ns3/fabric-index.h"
#include "ns3/fabric-options.h"
#include "ns3/fabric-switch.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class FabricObjects;

/**
 * @ingroup lossless
 *
 * An extension that a congestion control needs in switches, as
 * RdmaCongestionOps::GetSwitchExtensions() names it: "Type" or "Type[Attribute=value|...]".
 */
class SwitchNeed
{
  public:
    /**
     * @param congestion type of the congestion control
     * @param text what it names; FabricError if that cannot be read
     */
    SwitchNeed(TypeId congestion, const std::string& text);

    /// @param type a type of extensions @return whether it is the one that is needed, or derived
    bool IsMetBy(TypeId type) const;

    /// @return what makes the extension, with all defaults
    ObjectFactory GetFactory() const;

    /**
     * Set the attributes that are needed. FabricError when the factory, an option of the program or
     * a changed default says otherwise.
     * @param factory makes extensions of a type that IsMetBy() accepts
     * @param options of the program
     */
    void Complete(ObjectFactory& factory, const FabricOptions& options) const;

    /**
     * Check a switch; FabricError says what is missing and the line that adds it.
     * @param fabricSwitch a switch @param name its name
     */
    void Require(const Ptr<FabricSwitch>& fabricSwitch, const std::string& name) const;

  private:
    /// Throw when an attribute of an extension is not what is needed.
    void RequireValue(const Ptr<const Object>& extension,
                      const std::string& name,
                      const std::string& value) const;
    /// @return the extension as users write it, "ns3::Type[Attribute=value|Attribute=value]"
    std::string GetText() const;

    TypeId m_congestion;
    TypeId m_type;                                             //!< of the extension
    std::vector<std::pair<std::string, std::string>> m_values; //!< by attribute
};

/// @ingroup lossless
/// FabricError if an extension of a switch has an attribute other than the congestion controls of
/// queue pairs that are connected need. @param fabric with the queue pairs @param which the switch
void RequireAgreement(const FabricObjects& fabric, SwitchId which);

} // namespace ns3

#endif // LOSSLESS_SWITCH_NEEDS_H
