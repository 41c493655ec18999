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
 * Port groups (H3C's white paper on lossless networks): ports that may pause each other, such as
 * the uplinks of a leaf, form a group. A flow that enters and leaves through ports of one group may
 * close a cycle of buffers: DscpMap gives its frames another DSCP, and so another lossless class
 * from this switch on.
 *
 * Each remapping is one level of the map. A frame whose DSCP is only a result of the map, never an
 * input, has been remapped as often as the map allows. The next remapping gives it LossyDscp, as
 * the last lossless class could close a cycle again. Frames of other DSCPs are not remapped.
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
    static constexpr uint8_t UNKNOWN = 0xff; //!< a DSCP that the map does not name

    std::string m_groups;                  //!< attribute Groups
    std::string m_map;                     //!< attribute DscpMap
    uint8_t m_lossyDscp{0};                //!< attribute LossyDscp
    std::vector<uint8_t> m_groupOf;        //!< group of each port; 0: none
    std::array<uint8_t, DSCPS> m_result{}; //!< new DSCP, by DSCP
};

} // namespace ns3

#endif // LOSSLESS_PORT_GROUP_REMAP_H
