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
 * Tagger (Hu et al., "Tagger: Practical PFC Deadlock Prevention in Data Center Networks", CoNEXT
 * 2017): frames carry a tag, here as DSCP, and each switch assigns a new tag by (tag, ingress port,
 * egress port). Tags never decrease along a path, and within one tag the expected paths have no
 * cycle of buffers, so that no deadlock can form. A frame that matches no rule is not on an
 * expected path and becomes lossy.
 *
 * Each tag is a lossless class: k bounces need k + 1 tags. A frame waits at the egress in the class
 * of its new tag; the ingress books and pauses it in the class of its old tag.
 *
 * SetUpDown() makes the rules for topologies with tiers: up-down paths keep their tag, and each
 * bounce, from down to up again, takes the next tag.
 */
class Tagger : public ClassRewriter
{
  public:
    static constexpr uint8_t LOSSY = 0xff; //!< new tag of frames that match no rule

    /// Direction of the link of a port.
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
     * Make the rules of an up-down topology. A frame that comes from above and goes up again
     * bounces; so does a frame that takes a link within a tier.
     * @param directions direction of each port
     */
    void SetUpDown(const std::vector<Direction>& directions);

    /**
     * Set a rule, which replaces that of SetUpDown(). Throws std::invalid_argument when a number is
     * out of range, or the tag would decrease.
     * @param tag tag of a frame @param inPort its ingress port @param outPort its egress port
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
    /// Read the DSCP of each tag from the attributes. Throws std::invalid_argument if they are
    /// wrong.
    void ReadTags();

    /// @return index of a rule in m_rules
    std::size_t Place(uint32_t tag, uint32_t inPort, uint32_t outPort) const
    {
        return (static_cast<std::size_t>(tag) * m_ports + inPort) * m_ports + outPort;
    }

    std::string m_tags;                   //!< attribute TagDscps
    uint8_t m_lossyDscp{0};               //!< attribute LossyDscp
    uint32_t m_ports{0};                  //!< number of ports
    std::vector<uint8_t> m_dscps;         //!< DSCP of each tag
    std::array<uint8_t, DSCPS> m_tagOf{}; //!< tag of each DSCP; LOSSY: no tag
    std::vector<uint8_t> m_rules;         //!< new tags, see Place()
};

} // namespace ns3

#endif // LOSSLESS_TAGGER_H
