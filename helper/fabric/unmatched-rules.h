// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNMATCHED_RULES_H
#define LOSSLESS_UNMATCHED_RULES_H

#include "fabric.h"

#include "ns3/border-policy.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The rules of border policies that match no frame in a whole run. Policies with the same rules and
 * ports count as one: a rule that one of them has used is in use. A last rule that matches all
 * frames may stay unused, as it is for what the rules before it leave.
 */
class UnmatchedRules
{
  public:
    /// @param fabric that begins to run
    explicit UnmatchedRules(const Fabric& fabric);

    /// Name the rules on one line each, once for a fabric.
    void Warn() const;

  private:
    /// The rules of a policy, and how many frames each has matched.
    struct Before
    {
        Ptr<const BorderPolicy> policy; //!< it
        std::string rules;              //!< its attribute Rules
        std::vector<uint64_t> matches;  //!< by rule
    };

    /// @param policy of a switch @return how many frames each of its rules has matched in the run
    std::vector<uint64_t> Count(const Ptr<const BorderPolicy>& policy) const;

    /// @return frames that the ports of all switches have received
    uint64_t CountReceived() const;

    Fabric m_fabric;
    std::vector<Before> m_before; //!< policies that were there at the begin
    uint64_t m_received;          //!< CountReceived() at the begin
};

} // namespace ns3

#endif // LOSSLESS_UNMATCHED_RULES_H
