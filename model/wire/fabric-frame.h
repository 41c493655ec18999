// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_FRAME_H
#define LOSSLESS_FABRIC_FRAME_H

#include "conweave-shim.h"
#include "drop-reason.h"
#include "frame-telemetry.h"
#include "path-shim.h"
#include "roce-opcode.h"

#include "ns3/look-ahead-event.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{

class Frame;

/// Number of traffic classes of a port (IEEE 802.1Q priorities).
constexpr uint32_t TRAFFIC_CLASSES = 8;

/// Preamble, start delimiter and inter-frame gap (IEEE 802.3): wire bytes = frame bytes + 20.
constexpr uint8_t ETHERNET_GAP_BYTES = 20;

/// IEEE 802.1Q tag.
constexpr uint32_t VLAN_TAG_BYTES = 4;

/// Shortest Ethernet frame, FCS included.
constexpr uint32_t ETHERNET_MIN_FRAME_BYTES = 64;

/// Ethernet header and FCS, without a VLAN tag.
constexpr uint32_t ETHERNET_OVERHEAD_BYTES = 18;

/// UDP destination port of RoCEv2.
constexpr uint16_t ROCE_UDP_PORT = 4791;

/// Bytes that a SACK adds to a NAK (doc/wire.rst).
constexpr uint32_t SACK_BYTES = 8;

/// @ingroup lossless
/// Where a frame arrives: the far port of a link. Begins a cache line: what an arrival touches
/// first is to follow.
class alignas(64) FrameReceiver
{
  public:
    virtual ~FrameReceiver() = default;

    /**
     * The last bit of a frame has arrived, or at a switch with CutThrough its first bytes. Called
     * in the simulation context of the receiving node.
     * @param frame the frame; the receiver owns it now and must pass it on or Release() it
     */
    virtual void ReceiveFrame(Frame* frame) = 0;
};

/// Credits that a stored frame holds at the port at which it has arrived (CBFC).
struct FrameCredits
{
    uint16_t count{0}; //!< how many; 0: none
    uint8_t cls{0};    //!< of which class
    uint8_t epoch{0};  //!< number of cuts of the cable before it has arrived, modulo 256
};

/// What an update of CBFC tells.
struct FrameCreditUpdate
{
    std::array<uint32_t, TRAFFIC_CLASSES> counts; //!< of credits, cyclic, by class
    uint8_t classes;                              //!< mask of the classes that it names
    bool consumed; //!< CC_Update: credits consumed; CF_Update: credits freed
};

/// What a frame carries.
enum class FrameKind : uint8_t
{
    ROCE, //!< a RoCEv2 packet, all of it in parsed fields
    IP,   //!< a packet of the stock IP stack, bytes in Frame::packet, fields copied from it
    PFC,  //!< an 802.1Qbb MAC control frame
    VXLAN //!< a frame in a tunnel (RFC 7348): the fields are those of the outer headers
};

/// Where a switch has cut the payload of a data packet, in place of dropping the packet.
enum class Trim : uint8_t
{
    NONE,    //!< the payload is there
    ON_PATH, //!< at a port to another switch
    LAST_HOP //!< at the port to the destination host: no path is to blame
};

/// Which shim a frame has from leaf to leaf.
enum class ShimKind : uint8_t
{
    NONE,    //!< none
    PATH,    //!< PathShim
    CONWEAVE //!< ConWeaveShim
};

/// ECN code points (RFC 3168).
enum class Ecn : uint8_t
{
    NOT_ECT = 0, //!< not ECN-capable
    ECT1 = 1,    //!< ECN-capable, ECT(1)
    ECT0 = 2,    //!< ECN-capable, ECT(0)
    CE = 3       //!< congestion experienced
};

/**
 * @ingroup lossless
 *
 * A packet on its way through the fabric: a pooled object with parsed fields. Only FrameCodec knows
 * the bytes. A frame has one owner at a time and is handed on, not copied.
 *
 * A frame *is* its own arrival event: the sending port posts the frame to the simulator, and at the
 * time of arrival the frame hands itself to the receiving port. Thus a hop costs one event and no
 * allocation.
 *
 * Memory comes from a free list behind operator new. A steady state thus allocates nothing, and the
 * simulator frees the frames that are pending when it is destroyed.
 */
class alignas(64) Frame final : public LookAheadEvent
{
  public:
    /// TTL or hop limit with which a source sends.
    static constexpr uint8_t INITIAL_TTL = 64;

    // First cache line: the fields that a switch reads (EventImpl holds the first 16 bytes).

    Frame* next{nullptr};             //!< next in the queue that holds the frame
    FrameReceiver* receiver{nullptr}; //!< the port at which the frame arrives
    uint32_t bytes{0};   //!< length of the Ethernet frame with FCS and tag, without preamble
    uint32_t src{0};     //!< source IPv4 address, or last 32 bits of the IPv6 address
    uint32_t dst{0};     //!< destination address, likewise
    uint16_t srcPort{0}; //!< UDP or TCP source port (0: neither)
    uint16_t dstPort{0}; //!< UDP or TCP destination port
    FrameKind kind{FrameKind::ROCE};           //!< what the frame carries
    uint8_t trafficClass{0};                   //!< queue at the port that holds the frame
    Ecn ecn{Ecn::NOT_ECT};                     //!< ECN field of the IP header
    uint8_t ttl{INITIAL_TTL};                  //!< TTL or hop limit
    uint16_t inPort{0};                        //!< MMU booking: ingress port index
    uint8_t inClass{0};                        //!< MMU booking: ingress class (priority group)
    uint8_t ipVersion{4};                      //!< 4 or 6
    uint16_t cells{0};                         //!< MMU booking: cells held (0: not booked)
    uint8_t dscp{0};                           //!< DSCP of the IP header
    bool tagged{false};                        //!< carries an 802.1Q tag
    RoceOpcode opcode{RoceOpcode::SEND_FIRST}; //!< BTH opcode
    TelemetryKind telemetryKind{TelemetryKind::NONE}; //!< which member of `telemetry` is valid
    uint8_t gapBytes{ETHERNET_GAP_BYTES};             //!< bytes on the wire beyond `bytes`
    bool flooded{false}; //!< a flooded copy: switches drop it, only the addressed host takes it

    // Second cache line: the fields that the two ends read.

    uint64_t psn{0};          //!< BTH PSN; 64 bit here, 24 bit on the wire
    uint32_t destQp{0};       //!< BTH destination queue pair, 24 bit
    uint32_t payloadBytes{0}; //!< RoCE payload without pad and ICRC
    bool ackRequest{false};   //!< BTH AckReq
    bool becn{false};         //!< BTH BECN (set on a CNP)
    uint8_t protocol{17};     //!< IP protocol or next header
    uint8_t syndrome{0};      //!< AETH syndrome
    uint8_t pcp{0};           //!< PCP of the 802.1Q tag
    uint8_t sentClass{0};     //!< class at the node that sends it, whatever becomes of its marks
    ShimKind shimKind{ShimKind::NONE}; //!< which shim is valid
    Trim trim{Trim::NONE};     //!< data: the payload was cut; NAK: that of the packet it answers
    uint32_t msn{0};           //!< AETH message sequence number, 24 bit
    uint32_t immediate{0};     //!< ImmDt
    uint64_t remoteAddress{0}; //!< RETH virtual address
    uint64_t dmaBytes{0};      //!< RETH DMA length; 32 bit on the wire
    uint32_t remoteKey{0};     //!< RETH R_Key
    uint16_t vlan{0};          //!< VLAN identifier of the tag
    uint16_t ipId{0};          //!< IPv4 identification
    uint32_t sackFirst{0};     //!< NAK: first PSN that the SACK covers, 24 bit
    uint32_t sackPackets{0};   //!< NAK: number of PSNs that the SACK covers; 0: no SACK

    // Third cache line: fields of rare frames.

    Ptr<Packet> packet;    //!< packet of the stock IP stack, IP header included; or null
    Frame* inner{nullptr}; //!< VXLAN: the frame in the tunnel, which this one owns; else null
    std::array<uint32_t, 3> srcHigh{};                 //!< first 96 bits of the IPv6 source
    std::array<uint32_t, 3> dstHigh{};                 //!< first 96 bits of the IPv6 destination
    uint8_t pfcEnable{0};                              //!< PFC class-enable vector
    std::array<uint16_t, TRAFFIC_CLASSES> pfcQuanta{}; //!< PFC pause times, in quanta
    uint32_t vni{0};                                   //!< VXLAN network identifier, 24 bit

    // Further lines: fields of links with retry or credits, of SRv6, and of shims.

    uint16_t flowLabel{0};          //!< low 16 bits of the IPv6 flow label
    uint32_t linkNumber{0};         //!< LLR: sequence number on the link, plus 1; 0: none
    uint8_t linkSet{0};             //!< LLR: type of an ordered set
    FrameCredits credits;           //!< CBFC: those that it holds where it is stored
    FrameCreditUpdate creditUpdate; //!< CBFC: valid in an update; not initialised

    // Frames in SRv6 (EnterSrv6()): the fields above are those of the outer header.

    bool isSrv6{false};                   //!< has an outer IPv6 header
    Ecn innerEcn;                         //!< ECN of the inner one; not initialised, as is the rest
    uint32_t innerDst;                    //!< last 32 bits of the inner destination
    std::array<uint32_t, 3> innerDstHigh; //!< its first 96 bits

    union {
        PathShim pathShim;         //!< PATH
        ConWeaveShim conWeaveShim; //!< CONWEAVE
    }; //!< not initialised

    // Last line: touched only by frames that carry telemetry.

    alignas(64) FrameTelemetry telemetry; //!< valid as telemetryKind says; not initialised

    Frame() = default;

    ~Frame() override
    {
        if (inner)
        {
            inner->Release();
        }
    }

    /// Take an 802.1Q tag; the frame has none. @param tagPcp its PCP @param tagVlan its VLAN
    void AddTag(uint8_t tagPcp, uint16_t tagVlan)
    {
        tagged = true;
        pcp = tagPcp;
        vlan = tagVlan;
        bytes += VLAN_TAG_BYTES;
    }

    /// Lose the 802.1Q tag. The frame has one.
    void RemoveTag()
    {
        tagged = false;
        pcp = 0;
        vlan = 0;
        bytes = std::max(bytes - VLAN_TAG_BYTES, ETHERNET_MIN_FRAME_BYTES);
    }

    /// Become an outer frame: all that this frame carries goes into a new one, `inner`. This frame
    /// keeps its place (receiver, inPort, inClass and trafficClass), and is blank otherwise but of
    /// kind VXLAN. The frame is in no queue and not booked.
    void Wrap();

    /// Undo Wrap(): this frame becomes what `inner` is, but for its place.
    void Unwrap();

    /// @return the frame in the tunnel, or this one outside of tunnels
    const Frame& Content() const
    {
        return inner ? *inner : *this;
    }

    /// @return bytes on the wire: frame, preamble and gap
    uint32_t WireBytes() const
    {
        return bytes + gapBytes;
    }

    /// @return whether the destination is link-local, multicast or broadcast: no switch forwards to
    /// it
    bool IsLinkLocal() const
    {
        if (ipVersion == 4)
        {
            // 169.254.0.0/16, and 224.0.0.0 up to the broadcast address
            return (dst >> 16) == 0xa9fe || dst >= 0xe0000000;
        }
        // fe80::/10 and ff00::/8
        return (dstHigh[0] >> 22) == (0xfe800000 >> 22) || (dstHigh[0] >> 24) == 0xff;
    }

    /// @return a number for the source, by which flows are told apart: an IPv4 address as it is,
    /// a hash of all 128 bits of an IPv6 address. Hosts of several subnets share the last 32 bits.
    uint32_t SourceKey() const
    {
        return ipVersion == 4 ? src : HashAddress(srcHigh, src);
    }

    /// @return the same for the destination
    uint32_t DestinationKey() const
    {
        return ipVersion == 4 ? dst : HashAddress(dstHigh, dst);
    }

    /// @return bytes of telemetry, which `bytes` includes
    uint32_t GetTelemetryBytes() const
    {
        if (telemetryKind == TelemetryKind::MRC)
        {
            return TelemetryBytes(telemetryKind, telemetry.mrc.stamped);
        }
        const bool growing = telemetryKind == TelemetryKind::INT_GROWING;
        return TelemetryBytes(telemetryKind, growing ? telemetry.hops.hops : 0);
    }

    /// @return a copy of the frame with telemetry, packet and inner frame, neither booked in an MMU
    /// nor queued
    Frame* Copy() const;

    /// Return the memory of the frame to the free list.
    void Release()
    {
        Unref();
    }

    void Prefetch() const override
    {
        __builtin_prefetch(receiver);
    }

    /// The arrival: hands the frame, and the simulator's reference, to its receiver.
    void Execute() override
    {
        receiver->ReceiveFrame(this);
    }

    /// @param size bytes to allocate @return memory from the free list
    static void* operator new(std::size_t size);
    /// @param memory what operator new returned
    static void operator delete(void* memory);

  protected:
    /// The arrival: hands the frame to its receiver.
    void Notify() override
    {
        // The simulator drops its reference when Notify() returns; the receiver gets a reference of
        // its own.
        Ref();
        receiver->ReceiveFrame(this);
    }

  private:
    // For Copy(), Wrap() and Unwrap() alone: they see to it that an inner frame has one owner.
    Frame(const Frame&) = default;
    Frame& operator=(const Frame&) = default;

    /// Take over what another frame carries, but for its place. @param other the frame
    void Become(const Frame& other);

    /// @param high first 96 bits of an IPv6 address @param low its last 32 bits @return a hash
    static uint32_t HashAddress(const std::array<uint32_t, 3>& high, uint32_t low)
    {
        constexpr uint64_t ODD = 0x9e3779b97f4a7c15; // 2^64 / 1.618..., as in splitmix64
        constexpr uint32_t HALF = 32;
        uint64_t hash = (uint64_t{high[0]} << HALF | high[1]) * ODD;
        hash = (hash ^ hash >> HALF ^ (uint64_t{high[2]} << HALF | low)) * ODD;
        return static_cast<uint32_t>(hash >> HALF);
    }
};

/// @return frame bytes of a RoCEv2 packet (InfiniBand annex A17): Ethernet header and FCS, IP, UDP,
/// BTH, the extension headers of the opcode, telemetry, payload padded to 4, ICRC; at least 64
/// @param op BTH opcode
/// @param payloadBytes payload length
/// @param ipVersion 4 or 6
/// @param tagged whether an 802.1Q tag is carried (+4)
/// @param telemetryBytes bytes of telemetry
constexpr uint32_t
RoceFrameBytes(RoceOpcode op,
               uint32_t payloadBytes,
               uint8_t ipVersion = 4,
               bool tagged = false,
               uint32_t telemetryBytes = 0)
{
    const uint32_t bytes = ETHERNET_OVERHEAD_BYTES + (tagged ? 4 : 0) + (ipVersion == 4 ? 20 : 40) +
                           8 + 12 + ROCE_TABLES.headers[static_cast<uint8_t>(op)] +
                           ((payloadBytes + 3) & ~3U) + telemetryBytes + 4;
    return bytes < ETHERNET_MIN_FRAME_BYTES ? ETHERNET_MIN_FRAME_BYTES : bytes;
}

} // namespace ns3

#endif // LOSSLESS_FABRIC_FRAME_H
