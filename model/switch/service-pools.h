// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SERVICE_POOLS_H
#define LOSSLESS_SERVICE_POOLS_H

#include "mmu-config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A service pool: a part of the shared space of a switch, from which some classes draw.
struct ServicePool
{
    /// A size: bytes, or a share of something.
    struct Size
    {
        uint64_t bytes{0};           //!< where it is no share
        std::optional<double> share; //!< 0 to 1

        /// @param whole cells that it may be a share of @param cell the cell size @return cells
        uint64_t Cells(uint64_t whole, const CellSize& cell) const;
    };

    /// Which classes may draw from it.
    enum Kind : uint8_t
    {
        LOSSLESS, //!< lossless ones alone
        LOSSY,    //!< lossy ones alone
        ANY       //!< both
    };

    std::string name;        //!< by which classes choose it
    Kind kind{ANY};          //!< who may draw from it
    Size size;               //!< its size, or share of the shared space
    std::optional<Size> cap; //!< what lossy classes may hold of it; none: LossyShare, if it is ANY

    static constexpr std::size_t MOST = 8; //!< pools of a switch

    /// @param lossless a kind of class @return whether such classes may draw from the pool
    bool Takes(bool lossless) const
    {
        return kind == ANY || (kind == LOSSLESS) == lossless;
    }

    /**
     * Read pools from text: name, kind and size of each, and perhaps the cap of lossy classes, with
     * ";" or "," between pools, as in "roce lossless 60%; bulk lossy 4MiB; rest any 20% 10%".
     * @param text the text; empty: none
     * @return the pools; std::invalid_argument with one line for what is wrong
     */
    static std::vector<ServicePool> Parse(const std::string& text);
};

/// @ingroup lossless
/// A service pool in force. All sizes in cells.
struct alignas(32) MmuPool
{
    uint32_t size{0};            //!< cells that it has
    uint32_t used{0};            //!< of these, in use
    uint32_t peak{0};            //!< highest value of used
    uint32_t lossyUsed{0};       //!< of `used`, by lossy classes
    uint32_t lossyLimit{0};      //!< limit of lossyUsed
    uint64_t resumeFree{NOBODY}; //!< no class can resume while less of the pool is free

    /// Value of resumeFree when no amount of free space lets a class resume.
    static constexpr uint64_t NOBODY = ~uint64_t{0};

    /// @return free cells; none while more is stored than a smaller division has room for
    uint64_t Free() const
    {
        return used < size ? size - used : 0;
    }
};

static_assert(sizeof(MmuPool) == 32, "two pools a cache line");

} // namespace ns3

#endif // LOSSLESS_SERVICE_POOLS_H
