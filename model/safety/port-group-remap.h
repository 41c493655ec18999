// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PORT_GROUP_REMAP_H
#define LOSSLESS_PORT_GROUP_REMAP_H

#include "class-rewriter.h"

#include <array>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Port groups (H3C's white paper on lossless networks): ports that may issue pauses, such as the
 * uplinks of a leaf, form a group. A flow that comes in and goes out through ports of one group has
 * a high risk to close a circle of buffers: its frames get another DSCP, by DscpMap, and so another
 * lossless class from here on.
 *
 * Each pass through a switch is one level of the map. A frame with a DSCP that is only a result of
 * the map has been moved as often as the map allows; the next time it gets LossyDscp, as in the
 * last class a circle would be possible again. Frames of other DSCPs stay as they are.
 */
class PortGroupRemap : public ClassRewriter
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint8_t Rewrite(uint8_t dscp, uint32_t inPort, uint32_t outPort) const override;

  protected:
    void Prepare(FabricSwitch& owner) override;

  private:
    static constexpr uint8_t UNKNOWN = 0xff; //!< DSCP that the map does not name

    std::string m_groups;                  //!< attribute Groups
    std::string m_map;                     //!< attribute DscpMap
    uint8_t m_lossyDscp;                   //!< attribute LossyDscp
    std::vector<uint8_t> m_groupOf;        //!< by port; 0: none
    std::array<uint8_t, DSCPS> m_result{}; //!< by DSCP
};

} // namespace ns3

#endif // LOSSLESS_PORT_GROUP_REMAP_H
