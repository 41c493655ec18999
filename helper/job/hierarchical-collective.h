// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HIERARCHICAL_COLLECTIVE_H
#define LOSSLESS_HIERARCHICAL_COLLECTIVE_H

#include "collective.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * All-reduce in two tiers: a reduce-scatter among the ranks of each host, an all-reduce of each
 * chunk among the hosts, an all-gather within the hosts. Of G ranks a host and N hosts, a rank
 * sends 2 (N - 1) / (N G) S bytes over the fabric. All hosts must have as many ranks of the group.
 */
class HierarchicalCollective : public CollectiveAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Does(CollectiveType type) const override;
    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override;

  private:
    std::string m_inner;
    std::string m_outer;
};

} // namespace ns3

#endif // LOSSLESS_HIERARCHICAL_COLLECTIVE_H
