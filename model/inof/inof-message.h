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

/// UDP port of iNOF datagrams. The real port is not published; this one is in the dynamic range
/// (RFC 6335).
constexpr uint16_t INOF_UDP_PORT = 61440;

/// @ingroup lossless
/// Why a host is gone (H3C intelligent lossless network white paper, iNOF).
enum class InofReason : uint8_t
{
    NONE,        //!< the host is not gone
    REMOVED,     //!< the host signed off, or the zones changed
    LINK_DOWN,   //!< the link of the host went down
    TIMEOUT,     //!< the host, or the session that announced it, was silent for too long
    PORT_FAULT,  //!< the switch has found a fault of the port
    PFC_DISABLED //!< PFC is off at the port, so that no class is lossless
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
/// Role of a host in a storage network.
enum class InofRole : uint8_t
{
    SERVER, //!< uses storage (initiator)
    DISK    //!< offers storage (target)
};

/// @ingroup lossless
/// Description of a host: one port with one address. iNOF treats a host with two ports as two
/// hosts.
struct InofHostInfo
{
    uint32_t id{0};                  //!< identifier, unique in the fabric
    uint32_t address{0};             //!< IPv4 address of the port
    InofRole role{InofRole::SERVER}; //!< its role
    uint8_t pfcClasses{0};           //!< mask of the classes with PFC at the port

    /// @param other another host @return whether the descriptions are equal
    bool operator==(const InofHostInfo& other) const
    {
        return id == other.id && address == other.address && role == other.role &&
               pfcClasses == other.pfcClasses;
    }
};

/**
 * @ingroup lossless
 *
 * A message of the control plane. Switches send HOST_EVENT and SYNC_END to hosts, and all types but
 * HOST_EVENT to each other. Datagrams carry only the fields that the type names.
 */
struct InofMessage
{
    /// Type of the message.
    enum Type : uint8_t
    {
        HOST_EVENT = 1, //!< to a host: `host` has come up or, for `reason`, gone down
        SYNC_END = 2,   //!< the sender has sent all that it knew when the session came up
        ROUTE = 3,      //!< `host` is up or, for `reason`, down at the switch `originator`
        WITHDRAW = 4,   //!< the sender no longer knows `host.id` of `originator`
        ZONE_BEGIN = 5, //!< a zone table follows: `version`, `autoJoin`
        ZONE = 6,       //!< some members of a zone: `zone`, `name`, `members`
        ZONE_END = 7    //!< the zone table is complete: `version`
    };

    Type type{SYNC_END};                 //!< type of the message
    bool up{false};                      //!< HOST_EVENT, ROUTE: whether the host is up
    InofReason reason{InofReason::NONE}; //!< HOST_EVENT, ROUTE: why the host is gone
    InofHostInfo host;                   //!< HOST_EVENT, ROUTE; WITHDRAW: id only
    uint32_t originator{0};              //!< ROUTE, WITHDRAW: switch to which the host is attached
    uint64_t serial{0};                  //!< ROUTE: grows with each change at the originator
    std::vector<uint32_t>
        clusterList;               //!< ROUTE: clusters that have reflected the message, last first
    uint32_t version{0};           //!< ZONE_BEGIN, ZONE_END: version of the table
    bool autoJoin{true};           //!< ZONE_BEGIN: InofZoneTable::GetAutoJoin()
    uint16_t zone{0};              //!< ZONE: number of the zone; 0 is the default zone
    std::string name;              //!< ZONE: name of the zone
    std::vector<uint32_t> members; //!< ZONE: identifiers of hosts
};

/**
 * @ingroup lossless
 *
 * The payload of a UDP datagram of iNOF. Epochs tell successive incarnations of a sender apart;
 * sequence numbers and acknowledgements make the messages of an incarnation a reliable, ordered
 * stream (InofSendStream). Every datagram is a sign of life and carries an acknowledgement.
 */
struct InofDatagram
{
    /// Protocol version of Serialise(); Parse() refuses others.
    static constexpr uint8_t VERSION = 1;
    /// Largest number of members in a ZONE message, and of clusters in a ROUTE: keeps a datagram
    /// below 576 bytes, which every IPv4 link carries.
    static constexpr std::size_t MAX_LIST = 100;
    /// Longest name of a zone, octets.
    static constexpr std::size_t MAX_NAME = 31;

    /// Kind of the datagram.
    enum Kind : uint8_t
    {
        HELLO = 1,   //!< host to its switch: `hello`; discovery and keep-alive
        GOODBYE = 2, //!< host to its switch: the host signs off
        NOTICE = 3,  //!< switch to a host; with receiverEpoch 0 it asks for a HELLO
        SESSION = 4, //!< switch to switch
        ACK = 5      //!< host to its switch: acknowledgement
    };

    Kind kind{HELLO};                   //!< kind of the datagram
    uint32_t sender{0};                 //!< host identifier, or number of the switch
    uint32_t senderEpoch{0};            //!< incarnation of the sender, from 1
    uint32_t receiverEpoch{0};          //!< addressed incarnation of the receiver; 0: unknown
    uint32_t sequence{0};               //!< number of the message, from 1; 0: no message
    uint32_t acknowledge{0};            //!< last message received in order
    InofHostInfo hello;                 //!< HELLO: description of the host
    std::optional<InofMessage> message; //!< message of a NOTICE or SESSION, if any

    /// @return the octets, see doc/inof.rst
    std::vector<uint8_t> Serialise() const;

    /**
     * Read a datagram; any octets are safe.
     * @param data octets @param size number of octets
     * @return the datagram; empty if the octets are none
     */
    static std::optional<InofDatagram> Parse(const uint8_t* data, std::size_t size);
};

} // namespace ns3

#endif // LOSSLESS_INOF_MESSAGE_H
