// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_TABLE_H
#define LOSSLESS_HEADROOM_TABLE_H

#include "ns3/data-rate.h"
#include "ns3/frame-format.h"
#include "ns3/headroom-rules.h"
#include "ns3/headroom.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A link, and the switch behind it, for which headroom is wanted. Both ends are alike.
struct HeadroomCase
{
    static constexpr uint32_t MOST_METRES = 100000; //!< of a cable

    DataRate rate{100000000000ULL};      //!< line rate, at most 10 Tb/s
    uint32_t metres{100};                //!< length of the cable, at most 100 km; 5 ns a metre
    uint32_t mtuBytes{1500};             //!< longest IP packet, 68 to 9216; frames have 22 more
    Time reaction;                       //!< reaction delay of the peer to a pause
    uint32_t cellBytes{208};             //!< bytes of a cell of the buffer, 1 to 65536
    FrameFormat format{FRAMES_STANDARD}; //!< of the frames that arrive
};

/// @ingroup lossless
/// The headroom of one lossless class at one port, by several rules.
struct HeadroomRow
{
    HeadroomCase input;                    //!< what it is for
    uint64_t wireBytes{0};                 //!< exact rule: HeadroomWireBytes()
    uint64_t cells{0};                     //!< exact rule: cells of `bytes`
    uint64_t bytes{0};                     //!< exact rule: HeadroomBytes(), which a switch takes
    std::optional<uint64_t> standardBytes; //!< StandardHeadroomBytes(); none: it has no constants
    std::optional<SonicHeadroom> sonic;    //!< SonicHeadroomBytes(); none: it has no constants
    uint64_t deploymentCells{0};           //!< DeploymentHeadroomCells(), of 208 bytes
};

/**
 * @ingroup lossless
 * @param input the link and the switch; FabricError for what is out of range
 * @return its properties for the exact rule (HeadroomBytes()), the same in both directions. The
 * longest frame is LongestFrameBytes() of the MTU
 */
HeadroomLink LinkOf(const HeadroomCase& input);

/**
 * @ingroup lossless
 *
 * Compute the headroom of a class by all rules that the module knows. The exact rule is that of the
 * switches of a simulation; the other rules have the longest frame of the MTU for all their
 * frames, and constants of their own for reaction and interfaces: the reaction delay and the frame
 * format concern the exact rule alone.
 *
 * @param input the link and the switch; FabricError for what is out of range
 * @return the row
 */
HeadroomRow HeadroomOf(const HeadroomCase& input);

/// @ingroup lossless
/// Links and switches for a table: all combinations of these values.
struct HeadroomCases
{
    std::vector<DataRate> rates;     //!< line rates
    std::vector<uint32_t> metres;    //!< lengths of cables
    std::vector<uint32_t> mtus;      //!< longest IP packets, bytes
    std::vector<Time> reactions;     //!< reaction delays of peers
    std::vector<uint32_t> cellBytes; //!< bytes of cells
};

/// @ingroup lossless
/// The same as users write it, with usual values.
struct HeadroomTexts
{
    std::vector<std::string> rates{"10Gbps",
                                   "25Gbps",
                                   "40Gbps",
                                   "50Gbps",
                                   "100Gbps",
                                   "200Gbps",
                                   "400Gbps",
                                   "800Gbps"};                //!< line rates
    std::vector<std::string> metres{"5", "15", "100", "300"}; //!< lengths of cables
    std::vector<std::string> mtus{"1500"};                    //!< longest IP packets, bytes
    std::vector<std::string> reactions{"0"};                  //!< reaction delays of peers
    std::vector<std::string> cellBytes{"208"};                //!< bytes of cells

    /// @return the values; FabricError if a text cannot be read, or a list is empty, with the name
    /// of the option: --rate, --metres, --mtu, --reaction or --cell
    HeadroomCases Read() const;
};

/// @ingroup lossless
/// @param cases links and switches @return their rows, the first list slowest; FabricError for what
/// is out of range
std::vector<HeadroomRow> MakeHeadroomTable(const HeadroomCases& cases);

/// @ingroup lossless
/// Print rows as a table for people; "-" where a rule has no constants for the rate.
/// @param stream where to @param rows the rows
void PrintHeadroomTable(std::ostream& stream, const std::vector<HeadroomRow>& rows);

/// @ingroup lossless
/// @param rate a rate @return it in Gb/s, such as "100" or "2.5"
std::string GigabitsOf(const DataRate& rate);

} // namespace ns3

#endif // LOSSLESS_HEADROOM_TABLE_H
