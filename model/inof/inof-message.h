// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_MESSAGE_H
#define LOSSLESS_INOF_MESSAGE_H

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// UDP port of iNOF datagrams. The protocol's own is not published: this one is of the dynamic
/// range (RFC 6335).
constexpr uint16_t INOF_UDP_PORT = 61440;

/// @ingroup lossless
/// Why a host is gone (H3C intelligent lossless network white paper, iNOF).
enum class InofReason : uint8_t
{
    NONE,        //!< it is not gone
    REMOVED,     //!< it signed off, or zones changed
    LINK_DOWN,   //!< its link went down
    TIMEOUT,     //!< it, or the session over which it was known, was silent for too long
    PORT_FAULT,  //!< its switch has found its port at fault
    PFC_DISABLED //!< PFC is off at its port, so that nothing there is lossless
};

/// @param reason a reason @return its name, such as "linkDown"
const char* ToString(InofReason reason);

/// Prints ToString(reason). @param os where to @param reason a reason @return os
inline std::ostream&
operator<<(std::ostream& os, InofReason reason)
{
    return os << ToString(reason);
}

/// @ingroup lossless
/// What a host is in a storage network.
enum class InofRole : uint8_t
{
    SERVER, //!< uses storage (initiator)
    DISK    //!< offers storage (target)
};

/// @ingroup lossless
/// A host as iNOF knows it: one port with one address. A host with two ports is two of these.
struct InofHostInfo
{
    uint32_t id{0};                  //!< identifier, unique in the fabric
    uint32_t address{0};             //!< IPv4 address of the port
    InofRole role{InofRole::SERVER}; //!< what it is
    uint8_t pfcClasses{0};           //!< mask of the classes with PFC at its port

    /// @param other another host @return whether all is the same
    bool operator==(const InofHostInfo& other) const
    {
        return id == other.id && address == other.address && role == other.role &&
               pfcClasses == other.pfcClasses;
    }
};

/**
 * @ingroup lossless
 *
 * A message of the control plane. Switches send HOST_EVENT and SYNC_END to hosts, the others, and
 * SYNC_END, to each other. Fields that the type does not name are not carried.
 */
struct InofMessage
{
    /// What it says.
    enum Type : uint8_t
    {
        HOST_EVENT = 1, //!< to a host: `host` has come or, for `reason`, gone
        SYNC_END = 2,   //!< all that the sender knew when the session came up has been sent
        ROUTE = 3,      //!< `host` is up or, for `reason`, down at the switch `originator`
        WITHDRAW = 4,   //!< the sender no longer knows `host.id` of `originator`
        ZONE_BEGIN = 5, //!< a zone table follows: `version`, `autoJoin`
        ZONE = 6,       //!< some members of a zone: `zone`, `name`, `members`
        ZONE_END = 7    //!< the zone table is complete: `version`
    };

    Type type{SYNC_END};                 //!< what it says
    bool up{false};                      //!< HOST_EVENT, ROUTE: come or gone
    InofReason reason{InofReason::NONE}; //!< HOST_EVENT, ROUTE: why gone
    InofHostInfo host;                   //!< HOST_EVENT, ROUTE; WITHDRAW: id only
    uint32_t originator{0};              //!< ROUTE, WITHDRAW: switch that has the host
    uint64_t serial{0};                  //!< ROUTE: grows with each change at the originator
    std::vector<uint32_t> clusterList;   //!< ROUTE: clusters that have reflected it, last first
    uint32_t version{0};                 //!< ZONE_BEGIN, ZONE_END: of the table
    bool autoJoin{true};                 //!< ZONE_BEGIN
    uint16_t zone{0};                    //!< ZONE: number of the zone; 0 is the default zone
    std::string name;                    //!< ZONE: name of the zone
    std::vector<uint32_t> members;       //!< ZONE: identifiers of hosts
};

/**
 * @ingroup lossless
 *
 * What travels: the payload of a UDP datagram. Epochs tell one incarnation of a partner from the
 * next; sequence numbers and acknowledgements make the messages of an incarnation a reliable,
 * ordered stream (InofStream). Every datagram is a sign of life and acknowledges.
 */
struct InofDatagram
{
    /// Protocol version of Serialise(); Parse() refuses others.
    static constexpr uint8_t VERSION = 1;
    /// Most members of a ZONE message, and most clusters in a ROUTE: keeps a datagram below 576
    /// bytes, which any link carries.
    static constexpr std::size_t MAX_LIST = 100;
    /// Longest name of a zone, octets.
    static constexpr std::size_t MAX_NAME = 31;

    /// Who sends it to whom, and why.
    enum Kind : uint8_t
    {
        HELLO = 1,   //!< host to its switch: `hello`; discovery and keep-alive
        GOODBYE = 2, //!< host to its switch: it signs off
        NOTICE = 3,  //!< switch to a host; with receiverEpoch 0: say HELLO
        SESSION = 4, //!< switch to switch
        ACK = 5      //!< host to its switch: acknowledges
    };

    Kind kind{HELLO};                   //!< who sends it
    uint32_t sender{0};                 //!< host identifier, or number of the switch
    uint32_t senderEpoch{0};            //!< incarnation of the sender, from 1
    uint32_t receiverEpoch{0};          //!< incarnation of the receiver that is meant; 0: unknown
    uint32_t sequence{0};               //!< of the message, from 1; 0: there is none
    uint32_t acknowledge{0};            //!< last message received in order
    InofHostInfo hello;                 //!< HELLO: the host
    std::optional<InofMessage> message; //!< NOTICE, SESSION: there may be one

    /// @return the octets, see doc/inof.rst
    std::vector<uint8_t> Serialise() const;

    /**
     * Any octets may be given.
     * @param data octets @param size how many
     * @return the datagram; nothing when it is not one
     */
    static std::optional<InofDatagram> Parse(const uint8_t* data, std::size_t size);
};

} // namespace ns3

#endif // LOSSLESS_INOF_MESSAGE_H
