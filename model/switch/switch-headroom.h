// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_HEADROOM_H
#define LOSSLESS_SWITCH_HEADROOM_H

#include "headroom.h"
#include "switch-mmu.h"

#include "ns3/ptr.h"

#include <array>
#include <string>
#include <vector>

namespace ns3
{

class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * What the links of a switch ask of its buffer: a class with PFC is lossless and has the headroom
 * that its link needs. What a script has set in the MMU stays as it is.
 */
class SwitchHeadroom
{
  public:
    /// @param device a port @return the link behind it, as headroom is computed from it
    static HeadroomLink LinkOf(const QbbNetDevice& device);

    /**
     * Give each (port, class) of the MMU that nobody configured what its port needs, and finalize
     * the MMU. Does nothing while frames are stored. Throws std::invalid_argument with a one-line
     * message when the configuration is impossible.
     * @param mmu the buffer @param ports the ports of the switch, by index
     */
    void Configure(SwitchMmu& mmu, const std::vector<Ptr<QbbNetDevice>>& ports);

    /**
     * What could make a lossless class drop, see FabricSwitch::CheckLossless().
     * @param mmu the buffer @param ports the ports of the switch, by index
     * @param name of the switch, for the lines
     * @return one line a finding; empty: none
     */
    static std::vector<std::string> Check(const SwitchMmu& mmu,
                                          const std::vector<Ptr<QbbNetDevice>>& ports,
                                          const std::string& name);

  private:
    /// By port and class: kind and headroom that Configure() has chosen.
    std::vector<std::array<MmuClassConfig, TRAFFIC_CLASSES>> m_chosen;
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_HEADROOM_H
