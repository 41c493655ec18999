// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CLASS_REWRITER_H
#define LOSSLESS_CLASS_REWRITER_H

#include "ns3/switch-extension.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class TrafficClassMap;

/**
 * @ingroup lossless
 *
 * Policy: a switch rewrites the DSCP of frames, and so their class, depending on ingress and egress
 * port. The egress queue and the next hops use the new class. The ingress accounting, and the
 * pauses that the ingress port issues, use the old class, in which the frame was admitted.
 *
 * The rule is a pure function, so that BufferDependencyGraph can evaluate it, too.
 */
class ClassRewriter : public SwitchExtension
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;

    /**
     * The rule. Throws nothing.
     * @param dscp DSCP of an arriving frame
     * @param inPort ingress port
     * @param outPort egress port
     * @return DSCP of the departing frame
     */
    virtual uint8_t Rewrite(uint8_t dscp, uint32_t inPort, uint32_t outPort) const = 0;

    /// @return number of frames whose DSCP was rewritten
    uint64_t GetRewritten() const
    {
        return m_rewritten;
    }

    /**
     * @param text pairs of numbers, such as "26:34, 34:42"
     * @param what name of the attribute, for error messages
     * @param maxFirst largest first number @param maxSecond largest second number
     * @return the pairs; throws std::invalid_argument when the text is no list of pairs, or names a
     * first number twice
     */
    static std::vector<std::pair<uint32_t, uint32_t>> ParsePairs(const std::string& text,
                                                                 const std::string& what,
                                                                 uint32_t maxFirst,
                                                                 uint32_t maxSecond);

  protected:
    static constexpr uint32_t DSCPS = 64; //!< number of DSCPs

    /// Check the rule against the switch, in Start(). @param owner the switch
    virtual void Prepare(FabricSwitch& owner) = 0;

  private:
    std::vector<const TrafficClassMap*> m_maps; //!< map of each port
    uint64_t m_rewritten{0};
};

} // namespace ns3

#endif // LOSSLESS_CLASS_REWRITER_H
