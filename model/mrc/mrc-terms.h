// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_TERMS_H
#define LOSSLESS_MRC_TERMS_H

#include "ns3/counter-fields.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Parameters of a queue pair of MRC, fixed while it is connected. Times are ticks.
struct MrcTerms
{
    /// Which arrivals show that an earlier packet is lost.
    enum LossRule : uint8_t
    {
        THRESHOLD = 1, //!< so many packets of higher PSN
        PER_EV = 2,    //!< a packet that was sent later with the same EV and in the same class
        BOTH = 3       //!< either
    };

    uint32_t sackBytes{16384};    //!< payload bytes after which the responder sends a SACK
    uint32_t window{8};           //!< receive window, in 128 PSNs (MPR)
    uint32_t maxImmediates{128};  //!< WRITE_IMMs that are not acknowledged, at most (MaxWimm)
    LossRule lossRule{BOTH};      //!< which arrivals show a loss
    uint32_t reorderThreshold{1}; //!< packets of LossRule THRESHOLD
    int64_t timeoutTicks{0};      //!< a packet waits so long for its SACK
    uint32_t linearRetries{7};    //!< timeouts in a row after so long
    uint32_t expRetries{25};      //!< further ones, each after twice the time; 25: for ever
    uint32_t evs{256};            //!< entropy values (EVs) of all planes, backups included
    uint32_t activeEvs{128};      //!< of these, EVs in rotation
    uint32_t leastEvs{32};        //!< EVs that stay in rotation whatever is lost
    uint32_t probeSuccesses{3};   //!< answered probes in a row that bring an EV back
    bool shuffle{true};           //!< each round of a rotation has a new order
    bool timeStamp{true};         //!< data packets carry TSETH
    bool transportAcks{true};     //!< the end of a message is acknowledged at once
    bool trimNack{true};          //!< trimmed packets are answered by a NACK
    int64_t ticksPerSecond{0};    //!< resolution of all times

    /// As expRetries: without an end.
    static constexpr uint32_t FOR_EVER = 25;

    /// PSNs of a unit of `window`.
    static constexpr uint32_t WINDOW_UNIT = 128;

    /// Bytes of a unit of MrcHeader::received.
    static constexpr uint32_t RECEIVED_UNIT = 256;

    /// Packets of MrcHeader::bitmap.
    static constexpr int64_t BITMAP = 64;

    /// Units of a time stamp in a second, 128 ns each.
    static constexpr int64_t STAMPS_PER_SECOND = 7812500;

    /// @param now tick @return the time stamp of now, mod 2^16
    uint16_t StampOf(int64_t now) const
    {
        // No product overflows: ticksPerSecond is a power of ten up to 1e15.
        const int64_t seconds = now / ticksPerSecond;
        const auto rest = static_cast<__int128>(now % ticksPerSecond);
        return static_cast<uint16_t>(
            seconds * STAMPS_PER_SECOND +
            static_cast<int64_t>(rest * STAMPS_PER_SECOND / ticksPerSecond));
    }
};

/// @ingroup lossless
/// Counters of a queue pair of MRC, beside those of its NIC.
struct MrcCounters
{
    uint64_t sacksSent{0};      //!< SACKs sent, answers to probes included
    uint64_t nacksSent{0};      //!< NACKs sent
    uint64_t trims{0};          //!< packets that came back as trimmed
    uint64_t lost{0};           //!< packets taken for lost, trimmed ones not included
    uint64_t spurious{0};       //!< of these, packets that arrived after all, whole or trimmed
    uint64_t marks{0};          //!< SACKs that told of CE
    uint64_t evsLost{0};        //!< times that an EV became ASSUMED_BAD
    uint64_t evsBack{0};        //!< times that probes brought an EV back
    uint64_t evsKept{0};        //!< times that the floor kept an EV that lost a packet
    uint64_t probesSent{0};     //!< reliability probes sent
    uint64_t probesAnswered{0}; //!< of these, answered
    uint64_t planesLost{0};     //!< times that a plane went out of service
    uint64_t outOfWindow{0};    //!< packets beyond the receive window

    /// Call a visitor with each counter. @param visit called with (member, CounterField)
    template <typename Visit>
    static constexpr void ForEach(Visit&& visit)
    {
        using C = MrcCounters;
        visit(&C::sacksSent, {"sacks_sent", "frames", "SACKs sent, answers to probes included"});
        visit(&C::nacksSent, {"nacks_sent", "frames", "NACKs sent"});
        visit(&C::trims, {"trims", "packets", "packets that came back as trimmed"});
        visit(&C::lost, {"lost", "packets", "packets taken for lost, trimmed ones not included"});
        visit(
            &C::spurious,
            {"spurious", "packets", "of these, packets that arrived after all, whole or trimmed"});
        visit(&C::marks, {"marks", "frames", "SACKs that told of CE"});
        visit(&C::evsLost, {"evs_lost", "times", "times that an entropy value became ASSUMED_BAD"});
        visit(&C::evsBack, {"evs_back", "times", "times that probes brought a value back"});
        visit(&C::evsKept,
              {"evs_kept", "times", "times that the floor kept a value that lost a packet"});
        visit(&C::probesSent, {"probes_sent", "frames", "reliability probes sent"});
        visit(&C::probesAnswered, {"probes_answered", "frames", "of these, answered"});
        visit(&C::planesLost, {"planes_lost", "times", "times that a plane went out of service"});
        visit(&C::outOfWindow, {"out_of_window", "frames", "packets beyond the receive window"});
    }
};

static_assert(AreAllCountersVisited<MrcCounters>(), "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_MRC_TERMS_H
