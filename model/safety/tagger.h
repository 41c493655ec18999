// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TAGGER_H
#define LOSSLESS_TAGGER_H

#include "class-rewriter.h"

#include <array>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Tagger (Hu et al., CoNEXT 2017): frames carry a tag, here as DSCP, and a switch gives them a new
 * one by (tag, ingress port, egress port). Tags only grow along a path, and within one tag the
 * expected paths have no circle of buffers, so there is no deadlock. What matches no rule is no
 * expected path and becomes lossy.
 *
 * Each tag is a lossless class: k bounces need k + 1 of them. A frame waits at the egress in the
 * class of its new tag, and is booked at the ingress, and paused there, in that of its old tag.
 *
 * SetUpDown() makes the rules of topologies with tiers: up and down paths keep their tag, and each
 * bounce, from down to up again, takes the next one.
 */
class Tagger : public ClassRewriter
{
  public:
    static constexpr uint8_t LOSSY = 0xff; //!< the new tag of what matches no rule

    /// Where the link of a port leads.
    enum Direction : uint8_t
    {
        DOWN, //!< to a host, or to a switch of a lower tier
        UP,   //!< to a switch of a higher tier
        LEVEL //!< to a switch of the same tier
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    uint8_t Rewrite(uint8_t dscp, uint32_t inPort, uint32_t outPort) const override;

    /**
     * Rules of an up-down topology: coming from above and going up again is a bounce. So is
     * whatever takes a link within a tier.
     * @param directions by port
     */
    void SetUpDown(const std::vector<Direction>& directions);

    /**
     * A rule, after SetUpDown() in place of its own. std::invalid_argument when a number is out of
     * range, or the tag would shrink.
     * @param tag of a frame @param inPort where it comes in @param outPort where it goes out
     * @param newTag the same or a higher one, or LOSSY
     */
    void SetRule(uint32_t tag, uint32_t inPort, uint32_t outPort, uint8_t newTag);

    /// @return number of tags
    uint32_t GetNTags() const
    {
        return static_cast<uint32_t>(m_dscps.size());
    }

  protected:
    void Prepare(FabricSwitch& owner) override;
    void NotifyConstructionCompleted() override;

  private:
    /// @return place of a rule in m_rules
    std::size_t Place(uint32_t tag, uint32_t inPort, uint32_t outPort) const
    {
        return (static_cast<std::size_t>(tag) * m_ports + inPort) * m_ports + outPort;
    }

    std::string m_tags;                   //!< attribute TagDscps
    uint8_t m_lossyDscp;                  //!< attribute LossyDscp
    uint32_t m_ports{0};                  //!< of the switch
    std::vector<uint8_t> m_dscps;         //!< by tag
    std::array<uint8_t, DSCPS> m_tagOf{}; //!< by DSCP; LOSSY: no tag
    std::vector<uint8_t> m_rules;         //!< new tag, see Place()
};

} // namespace ns3

#endif // LOSSLESS_TAGGER_H
