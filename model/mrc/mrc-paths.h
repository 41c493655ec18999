// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_PATHS_H
#define LOSSLESS_MRC_PATHS_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the NICs of a fabric know of its paths, so that entropy values (EVs) of MRC can name them.
 *
 * A structured EV (STEV; sheet 16, sections 3.1 and 7) has a field for each tier of switches, from
 * its highest bit on: the number of the way up that the packet takes there. A field has as many
 * bits as its largest number needs.
 */
class MrcPaths
{
  public:
    /// The place of a field in a structured EV.
    struct Field
    {
        uint32_t first; //!< bits before it, from the highest on
        uint32_t bits;  //!< bits of it
    };

    /// @param ways links from a switch to the next tier, by tier from the hosts on, 1 at least.
    /// std::invalid_argument unless their fields fit into 32 bits
    explicit MrcPaths(std::vector<uint32_t> ways);

    /// @param tier 0: the switches of hosts @return its field
    Field GetField(uint32_t tier) const
    {
        return m_fields[tier];
    }

    /// @return number of structured EVs
    uint64_t CountStevs() const
    {
        return m_count;
    }

    /// @param number modulo CountStevs() @return the structured EV
    uint32_t GetStev(uint64_t number) const;

  private:
    static constexpr uint32_t EV_BITS{32}; //!< of an entropy value

    std::vector<uint32_t> m_ways; //!< by tier
    std::vector<Field> m_fields;  //!< by tier
    uint64_t m_count{1};          //!< CountStevs()
};

} // namespace ns3

#endif // LOSSLESS_MRC_PATHS_H
