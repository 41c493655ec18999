// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DISSEMINATION_COLLECTIVE_H
#define LOSSLESS_DISSEMINATION_COLLECTIVE_H

#include "collective.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Barrier: in round j each rank sends an empty message to the one 2^j behind it, and waits for that
 * of the one 2^j before it.
 */
class DisseminationCollective : public CollectiveAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Does(CollectiveType type) const override;
    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override;
};

} // namespace ns3

#endif // LOSSLESS_DISSEMINATION_COLLECTIVE_H
