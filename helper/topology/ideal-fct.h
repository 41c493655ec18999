// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_IDEAL_FCT_H
#define LOSSLESS_IDEAL_FCT_H

#include "ns3/frame-format.h"
#include "ns3/rdma-verbs.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A link of a path, and the switch behind the link.
struct IdealHop
{
    uint64_t bitsPerSecond; //!< line rate
    int64_t delayTicks;     //!< propagation delay, ticks
    int64_t unit{1}; //!< ticks to which CutFrameTime() cuts the time of each frame; 1: it is exact
    uint64_t backBitsPerSecond{0}; //!< line rate the other way; 0: the same
    uint32_t tunnelBytes{0};       //!< by which a tunnel makes each frame longer on this link
    int64_t switchTicks{0};        //!< SwitchDelay of the switch behind, ticks
    uint32_t cutThroughBytes{0};   //!< FabricSwitch::GetCutThroughBytes() of that switch
    uint64_t ways{1};              //!< links like this one among which the packets are dealt
};

/**
 * @ingroup lossless
 *
 * How long a message takes when it has the fabric for itself: what FCTs are compared with. Times
 * are ticks of ns3::Time's resolution.
 *
 * The telemetry that a congestion control adds to packets is not counted: the ideal of a flow is
 * the same under all of them, and what telemetry costs is part of the slowdown.
 *
 * Packets leave back to back at line rate, nobody waits for a window. With s(h, L) = 8 L / C(h) for
 * a frame of L wire bytes on link h of H, and n > 2 packets of lengths F (first), M (middle), L
 * (last), the last bit arrives after
 *
 *     D = sum of delays + max over 1 <= a <= b <= c <= H of
 *         r(1..a, F) + r(a..c, M) + (n - 3) s(b, M) + r(c..H, L)
 *
 * the longest chain of frames, each of which waits for the one before it or for its own arrival.
 * The chain starts with the first packet, stays with the middle ones at the slowest link b, and
 * ends with the last packet. r(i..j, L) is the sum of s over the links from i to j, where switches
 * store and forward; at a switch that cuts through to a link that is not faster, the part of the
 * frame that it waits for takes the place of L, but for the last link j. With one packet D is
 * r(1..H, L) + delays. Delays are those of links, switches and the two hosts (TxDelay, RxDelay).
 * The completion at the requester is D plus the way back of an ACK, which may wait for the ACK
 * before it when the last packet was shorter than an ACK; RxDelay is then that of the requester.
 *
 * Where switches or senders deal packets among several links, a link of w ways stands for all of
 * them: the n - 3 packets become ceil((n - 2) / w) - 1. Behind the first such link packets may
 * overtake each other, so that b alone may lie there: a and c are before, or nothing follows the
 * middle packets. No flow is faster than this D, but the slowest plane is not always as fast.
 *
 * Over n planes packets are dealt in turn, plane i gets packets i, i + n, ...; the path is that of
 * one plane, the others are like it. D is that of the plane that is done last, which has
 * ceil(packets / n) of them; the completion is D plus the way back of one SACK, or of one ACK where
 * another packet than the last one may be the last to arrive.
 *
 * Exact to the tick where a byte takes a whole number of ticks, that is, with picoseconds, at all
 * Ethernet speeds from 10 Gb/s to 1.6 Tb/s; else each link may be off by two ticks.
 */
class IdealFct
{
  public:
    /// What a host and its NIC need.
    struct HostTimes
    {
        int64_t txTicks{0}; //!< RdmaQueuePair::TxDelay, ticks
        int64_t rxTicks{0}; //!< RdmaQueuePair::RxDelay, ticks
    };

    /// How messages become packets.
    struct Framing
    {
        uint32_t mtu{1024};                  //!< payload of a packet, bytes
        uint32_t ackInterval{1};             //!< data packets for each ACK
        uint8_t ipVersion{4};                //!< 4 or 6
        bool tagged{false};                  //!< with an 802.1Q tag
        FrameFormat format{FRAMES_STANDARD}; //!< whose headers give packets their length
        uint32_t planes{0};     //!< of MRC, whose verbs are the WRITEs; 0: a reliable connection
        bool spreads{false};    //!< an end deals packets of a connection among paths
        uint32_t outerBytes{0}; //!< of an outer header of all frames of MRC
        HostTimes requester;    //!< of the end that posts
        HostTimes responder;    //!< of the other end
    };

    /**
     * @param path the links, in order
     * @param framing how messages become packets
     * @param ticksPerSecond resolution of the times
     */
    IdealFct(std::vector<IdealHop> path, const Framing& framing, int64_t ticksPerSecond);

    /**
     * From posting the request to the last byte at the receiver.
     * @param verb what is done; for a READ as Completion()
     * @param bytes length of the message
     * @return ticks
     */
    int64_t Delivery(RdmaVerb verb, uint64_t bytes) const;

    /// Messages of one length.
    struct Alike
    {
        uint64_t count; //!< how many
        uint64_t bytes; //!< length of each
    };

    /**
     * Several messages that are posted at once, the longest first, to one queue pair or to several
     * ones: until the last byte of all of them has arrived. No order of their packets is faster;
     * where all links have one rate, none is slower, but for what planes do not share evenly.
     * @param verb what is done; no READ
     * @param messages by length, the longest first
     * @return ticks
     */
    int64_t Delivery(RdmaVerb verb, const std::vector<Alike>& messages) const;

    /**
     * From posting the request to its completion at the requester.
     * @param verb what is done
     * @param bytes length of the message
     * @return ticks
     */
    int64_t Completion(RdmaVerb verb, uint64_t bytes) const;

    /// @return ticks for a packet of full length and its ACK, without what hosts need: the base RTT
    /// of congestion controls, whose clock is in the NIC
    int64_t BaseRtt() const;

    /// @return what Delivery() has of delays of links and switches, ticks; twice as much for a READ
    int64_t GetDelays() const;

    /// @param verb what is done @param bytes length of the message @return ticks for which its
    /// packets keep the link that needs most for them, of one plane
    int64_t Occupation(RdmaVerb verb, uint64_t bytes) const;

  private:
    /// The packets of a message, by wire length.
    struct Train
    {
        uint64_t packets;
        uint32_t first;
        uint32_t middle;
        uint32_t last;
    };

    /// @param path the links @return how many of them, the first ones, all packets of a message
    /// cross in the order of sending
    static std::size_t CountOrdered(const std::vector<IdealHop>& path);
    /// @param opcode opcode of a packet @param payload its payload, bytes @return its wire bytes
    uint32_t Wire(RoceOpcode opcode, uint64_t payload = 0) const;
    /// @param verb what is done @param bytes length of the message @return its packets
    Train MakeTrain(RdmaVerb verb, uint64_t bytes) const;
    /// @param verb what is done @param bytes length of the message @return those of its packets
    /// that the plane gets that is done last
    Train LastPlane(RdmaVerb verb, uint64_t bytes) const;
    /// @param hop a link @param count frames @param wireBytes their length @return ticks
    int64_t Serialise(const IdealHop& hop, uint64_t count, uint32_t wireBytes) const;
    /// @param path the links @param hop one of them @param wireBytes length of a frame @return
    /// ticks from its first bit on the link to the first bit behind the link, delays aside
    int64_t Relay(const std::vector<IdealHop>& path, std::size_t hop, uint32_t wireBytes) const;
    /// @param path the links @param train the packets @return ticks until the last has arrived
    int64_t Arrival(const std::vector<IdealHop>& path, const Train& train) const;
    /// @param frames of any order: how many, and their wire bytes @param head the shortest that may
    /// be the first @param tail likewise the last @param longest of all
    /// @return ticks until the last has arrived, at least
    int64_t Arrival(const std::vector<std::pair<uint64_t, uint32_t>>& frames,
                    uint32_t head,
                    uint32_t tail,
                    uint32_t longest) const;
    /// @param verb what is done, no READ @param bytes length of the message @return ticks from the
    /// first bit to the arrival of the last ACK
    int64_t Answered(RdmaVerb verb, uint64_t bytes) const;
    /// @param answer opcode of the ACKs @param previous when the ACK before the last one is made;
    /// negative: there is none @param last when the last one is made @return when the last arrives
    int64_t AckArrival(RoceOpcode answer, int64_t previous, int64_t last) const;

    std::vector<IdealHop> m_path;
    std::vector<IdealHop> m_back; //!< the same, reversed
    Framing m_framing;
    int64_t m_ticksPerSecond;
};

} // namespace ns3

#endif // LOSSLESS_IDEAL_FCT_H
