// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_PATHS_H
#define LOSSLESS_MRC_PATHS_H

#include "ns3/rdma-connection.h"
#include "ns3/srv6-frame.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Where SRv6 finds a port of a host.
struct Srv6Port
{
    RdmaAddress address; //!< of the port
    uint16_t leaf;       //!< uSID of its switch
    uint16_t host;       //!< uSID of the switch's port to it
};

/// @ingroup lossless
/// The way of SRv6 from a port of a host to another one in the same plane.
struct Srv6Way
{
    Srv6Address address{}; //!< destination of the outer header; by spine 0, if by a spine
    uint32_t spineMask{0}; //!< bits of an EV that number the spine; 0: both have one leaf

    /// @param ev an EV @return destination of the outer header
    Srv6Address By(uint32_t ev) const
    {
        return {address[0], address[1] | (ev & spineMask), address[2], address[3]};
    }

    /// @return number of the plane
    uint32_t GetPlane() const
    {
        return address[1] >> 28;
    }
};

/**
 * @ingroup lossless
 *
 * What the NICs of a fabric know of its paths, so that entropy values (EVs) of MRC can name them.
 *
 * A structured EV (STEV; sheet 16, sections 3.1 and 7) has a field for each tier of switches, from
 * its highest bit on: the number of the way up that the packet takes there. A field has as many
 * bits as its largest number needs.
 *
 * An EV of SRv6 is plane << 16 | number of the spine, and the path is in the uSIDs of the outer
 * header: leaf, spine, leaf of the destination, port there; between hosts of a leaf the first and
 * the last.
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

    /// @param locator first 32 bits of the addresses of SRv6 @param ports of all hosts
    void SetSrv6(uint32_t locator, std::vector<Srv6Port> ports);

    /// @return spines of a plane, by which SRv6 has ways
    uint32_t CountSpines() const
    {
        return m_ways.empty() ? 1 : m_ways.front();
    }

    /// @param from address of a port @param to that of another host's @return the way of SRv6;
    /// nothing: none is known
    std::optional<Srv6Way> FindWay(const RdmaAddress& from, const RdmaAddress& to) const;

  private:
    static constexpr uint32_t EV_BITS{32}; //!< of an entropy value

    /// @param address of a port @return the port; null: unknown
    const Srv6Port* FindPort(const RdmaAddress& address) const;

    std::vector<uint32_t> m_ways;  //!< by tier
    std::vector<Field> m_fields;   //!< by tier
    uint64_t m_count{1};           //!< CountStevs()
    uint32_t m_locator{0};         //!< SetSrv6()
    std::vector<Srv6Port> m_ports; //!< SetSrv6(), sorted by address
};

} // namespace ns3

#endif // LOSSLESS_MRC_PATHS_H
