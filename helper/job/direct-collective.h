// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DIRECT_COLLECTIVE_H
#define LOSSLESS_DIRECT_COLLECTIVE_H

#include "collective.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Each rank exchanges with all others at once, or with Window of them at a time: all-to-all,
 * reduce-scatter, all-gather, and an all-reduce of these two. In the order of their distance, so
 * that not all send to the same rank first.
 */
class DirectCollective : public CollectiveAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Does(CollectiveType type) const override;
    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override;

  private:
    uint32_t m_window{0}; //!< 0: all
};

} // namespace ns3

#endif // LOSSLESS_DIRECT_COLLECTIVE_H
