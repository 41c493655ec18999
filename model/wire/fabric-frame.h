// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_FRAME_H
#define LOSSLESS_FABRIC_FRAME_H

#include "drop-reason.h"
#include "frame-telemetry.h"
#include "roce-opcode.h"

#include "ns3/look-ahead-event.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{

class Frame;

/// Number of traffic classes of a port (IEEE 802.1Q priorities).
constexpr uint32_t TRAFFIC_CLASSES = 8;

/// Preamble, start delimiter and inter-frame gap: wire bytes = frame bytes + this.
constexpr uint32_t ETHERNET_GAP_BYTES = 20;

/// Shortest Ethernet frame, FCS included.
constexpr uint32_t ETHERNET_MIN_FRAME_BYTES = 64;

/// Ethernet header and FCS, without a VLAN tag.
constexpr uint32_t ETHERNET_OVERHEAD_BYTES = 18;

/// UDP destination port of RoCEv2.
constexpr uint16_t ROCE_UDP_PORT = 4791;

/// What a SACK adds to a NAK (doc/wire.rst).
constexpr uint32_t SACK_BYTES = 8;

/// @ingroup lossless
/// Where a frame arrives: the far port of a link.
class FrameReceiver
{
  public:
    virtual ~FrameReceiver() = default;

    /**
     * The last bit of a frame has arrived. Called in the simulation context of the receiving
     * node.
     * @param frame the frame; the receiver owns it now and must pass it on or Release() it
     */
    virtual void ReceiveFrame(Frame* frame) = 0;

    /// What an arrival touches of a port lies within so many bytes from its FrameReceiver on. A
    /// hint to the cache, no promise.
    static constexpr std::size_t HOT_BYTES = 640;
};

/// What a frame carries.
enum class FrameKind : uint8_t
{
    ROCE, //!< a RoCEv2 packet, all of it in parsed fields
    IP,   //!< a packet of the stock IP stack, bytes in Frame::packet, fields copied from it
    PFC   //!< an 802.1Qbb MAC control frame
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
 * A packet on its way through the fabric: a pooled object with parsed fields, never bytes
 * (FrameCodec alone knows those). A frame has one owner at a time and is handed on, not copied.
 *
 * A frame *is* its own arrival event: Launch() posts it to the simulator, and when its time comes
 * it hands itself to the receiving port. Thus a hop costs one event and no allocation.
 *
 * Memory comes from a free list behind operator new, so that a steady state allocates nothing and
 * frames still pending when the simulator is destroyed are freed by the simulator itself.
 */
class alignas(64) Frame final : public LookAheadEvent
{
  public:
    /// TTL or hop limit of a frame that has not met a switch.
    static constexpr uint8_t INITIAL_TTL = 64;

    // First cache line: what a switch looks at (EventImpl holds the first 16 bytes).

    Frame* next{nullptr};             //!< next in the queue that holds the frame
    FrameReceiver* receiver{nullptr}; //!< where it arrives
    uint32_t bytes{0};                //!< Ethernet frame with FCS and tag, without preamble
    uint32_t src{0};                  //!< source IPv4 address, or last 32 bits of the IPv6 address
    uint32_t dst{0};                  //!< destination address, likewise
    uint16_t srcPort{0};              //!< UDP or TCP source port (0: neither)
    uint16_t dstPort{0};              //!< UDP or TCP destination port
    FrameKind kind{FrameKind::ROCE};  //!< what it carries
    uint8_t trafficClass{0};          //!< class (queue) at the port that holds it
    Ecn ecn{Ecn::NOT_ECT};            //!< ECN field of the IP header
    uint8_t ttl{INITIAL_TTL};         //!< TTL or hop limit
    uint16_t inPort{0};               //!< MMU booking: ingress port index
    uint8_t inClass{0};               //!< MMU booking: ingress class (priority group)
    uint8_t ipVersion{4};             //!< 4 or 6
    uint16_t cells{0};                //!< MMU booking: cells held (0: not booked)
    uint8_t dscp{0};                  //!< DSCP of the IP header
    bool tagged{false};               //!< carries an 802.1Q tag
    RoceOpcode opcode{RoceOpcode::SEND_FIRST};        //!< BTH opcode
    TelemetryKind telemetryKind{TelemetryKind::NONE}; //!< which member of `telemetry` is valid
    bool flooded{false}; //!< a copy for a MAC address of unknown place: no router takes it

    // Second cache line: what the ends look at.

    uint64_t psn{0};           //!< BTH sequence number, 64 bit inside
    uint32_t destQp{0};        //!< BTH destination queue pair, 24 bit
    uint32_t payloadBytes{0};  //!< RoCE payload without pad and ICRC
    bool ackRequest{false};    //!< BTH AckReq
    bool becn{false};          //!< BTH BECN (set on a CNP)
    uint8_t protocol{17};      //!< IP protocol or next header
    uint8_t syndrome{0};       //!< AETH syndrome
    uint8_t pcp{0};            //!< its priority code point
    uint32_t msn{0};           //!< AETH message sequence number, 24 bit
    uint32_t immediate{0};     //!< ImmDt
    uint64_t remoteAddress{0}; //!< RETH virtual address
    uint64_t dmaBytes{0};      //!< RETH length (32 bit on the wire)
    uint32_t remoteKey{0};     //!< RETH R_Key
    uint16_t vlan{0};          //!< VLAN identifier of the tag
    uint16_t ipId{0};          //!< IPv4 identification
    uint32_t sackFirst{0};     //!< NAK: first sequence number SACKed, 24 bit
    uint32_t sackPackets{0};   //!< NAK: how many are SACKed; 0: the frame has no SACK

    // Third cache line: rare.

    Ptr<Packet> packet;                //!< stock packet (IP header included), or null
    std::array<uint32_t, 3> srcHigh{}; //!< first 96 bits of the IPv6 source
    std::array<uint32_t, 3> dstHigh{}; //!< first 96 bits of the IPv6 destination
    uint8_t pfcEnable{0};              //!< PFC class-enable vector
    std::array<uint16_t, TRAFFIC_CLASSES> pfcQuanta{}; //!< PFC pause times, in quanta

    // Fourth cache line: touched only by frames that carry some.

    alignas(64) FrameTelemetry telemetry; //!< valid as telemetryKind says; not initialised

    Frame() = default;
    Frame& operator=(const Frame&) = delete;

    /// @return bytes on the wire: frame, preamble and gap
    uint32_t WireBytes() const
    {
        return bytes + ETHERNET_GAP_BYTES;
    }

    /// @return whether no switch forwards to its destination: link-local, multicast or broadcast
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

    /// @return bytes of `bytes` that are telemetry
    uint32_t GetTelemetryBytes() const
    {
        const bool growing = telemetryKind == TelemetryKind::INT_GROWING;
        return TelemetryBytes(telemetryKind, growing ? telemetry.hops.hops : 0);
    }

    /// @return a copy of all that the frame carries, telemetry and packet included; it is booked
    /// and queued nowhere
    Frame* Copy() const;

    /// Give the frame up. Its memory returns to the free list.
    void Release()
    {
        Unref();
    }

    void Prefetch() const override
    {
        PrefetchLines(receiver, FrameReceiver::HOT_BYTES);
    }

    /// @param size bytes to allocate @return memory from the free list
    static void* operator new(std::size_t size);
    /// @param memory what operator new returned
    static void operator delete(void* memory);

  protected:
    /// The arrival: hands the frame to its receiver.
    void Notify() override
    {
        // The simulator drops its reference when this returns; the receiver gets one of its own.
        Ref();
        receiver->ReceiveFrame(this);
    }

  private:
    Frame(const Frame&) = default; // for Copy(): a frame is handed on, not copied
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
    uint32_t bytes = ETHERNET_OVERHEAD_BYTES + (tagged ? 4 : 0) + (ipVersion == 4 ? 20 : 40) + 8 +
                     12 + (HasReth(op) ? 16 : 0) + (HasAeth(op) ? 4 : 0) +
                     (HasImmediate(op) ? 4 : 0) + (op == RoceOpcode::CNP ? 16 : 0) +
                     ((payloadBytes + 3) & ~3U) + telemetryBytes + 4;
    return bytes < ETHERNET_MIN_FRAME_BYTES ? ETHERNET_MIN_FRAME_BYTES : bytes;
}

} // namespace ns3

#endif // LOSSLESS_FABRIC_FRAME_H
