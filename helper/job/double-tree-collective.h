// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DOUBLE_TREE_COLLECTIVE_H
#define LOSSLESS_DOUBLE_TREE_COLLECTIVE_H

#include "collective.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * All-reduce along two binary trees, each for half of the data in Chunks chunks: up to the root to
 * be reduced, and down again. The trees are those of NCCL: with an even number of ranks each rank
 * is a leaf of one of them.
 */
class DoubleTreeCollective : public CollectiveAlgorithm
{
  public:
    static constexpr uint32_t NONE = 0xffffffff; //!< nobody

    /// A rank's place in a tree.
    struct Place
    {
        uint32_t parent{NONE};          //!< its position; NONE: this is the root
        std::vector<uint32_t> children; //!< their positions
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    bool Does(CollectiveType type) const override;
    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override;

    /// @param ranks of the group @param position of one @param tree 0 or 1 @return its place
    static Place PlaceOf(uint32_t ranks, uint32_t position, uint32_t tree);

  private:
    uint32_t m_chunks{16};
};

} // namespace ns3

#endif // LOSSLESS_DOUBLE_TREE_COLLECTIVE_H
