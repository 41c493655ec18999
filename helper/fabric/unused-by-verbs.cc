// SPDX-License-Identifier: GPL-2.0-only
#include "unused-by-verbs.h"

#include "named-once.h"
#include "unconnected-end.h"

#include "ns3/rdma-hw.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-verbs.h"

#include <cstdint>

namespace ns3
{

namespace
{

/// What the hosts of a fabric have done.
struct Use
{
    uint32_t verbs{0};   //!< a bit for each that was posted
    uint64_t answers{0}; //!< ACKs and NAKs sent
};

/// @return the bit of a verb
constexpr uint32_t
Bit(RdmaVerb verb)
{
    return 1U << static_cast<uint32_t>(verb);
}

/// @return what the hosts of a fabric have done
Use
UseOf(const Fabric& fabric)
{
    Use use;
    for (const HostId host : fabric.Hosts())
    {
        const auto rdma = fabric.GetRdma(host);
        const RdmaCounters& counters = rdma->GetCounters();
        use.verbs |= rdma->GetPostedVerbs();
        use.answers += counters.acksSent + counters.naksSent + counters.rnrNaksSent;
    }
    return use;
}

/// @return whether some message has taken a posted receive
bool
TakesReceives(const Use& use)
{
    return use.verbs & (Bit(RdmaVerb::SEND) | Bit(RdmaVerb::SEND_IMM) | Bit(RdmaVerb::WRITE_IMM));
}

/// @return whether some message was a READ
bool
Reads(const Use& use)
{
    return use.verbs & Bit(RdmaVerb::READ);
}

/// @return whether some packet was answered, or would be: of READs nothing but their responses,
/// which are acknowledged only for some congestion controls, and what is lost
bool
Answers(const Use& use)
{
    return use.answers > 0 || use.verbs != Bit(RdmaVerb::READ);
}

/// An attribute of queue pairs that only some verbs use.
struct VerbReading
{
    const char* name;               //!< of the attribute
    bool (*isUsed)(const Use& use); //!< whether it has been
    const char* right;              //!< why not, for people
};

/// @return whether no message was a READ. Where the responses of READs need acknowledgements, and
/// may have none, READs are refused: ReadAcks has done nothing if some were posted.
bool
DoesNotRead(const Use& use)
{
    return !Reads(use);
}

constexpr const char* NO_RECEIVES =
    "it is for messages that take a posted receive, SEND and WRITE with immediate data";
constexpr const char* NO_READS = "it is for READs";
constexpr const char* NO_ANSWERS = "no ACK and no NAK was sent, as READs are answered by data";

const VerbReading VERB_READINGS[] = {
    {"RnrTimer", TakesReceives, NO_RECEIVES},
    {"RnrRetryLimit", TakesReceives, NO_RECEIVES},
    {"MaxOutstandingReads", Reads, NO_READS},
    {"ReadAcks", Reads, NO_READS},
    {"ReadAcks", DoesNotRead, "the READs of this run need no READ ACKs"},
    {"AckInterval", Answers, NO_ANSWERS},
    {"AckClass", Answers, NO_ANSWERS},
    {"AckQueue", Answers, NO_ANSWERS},
};

} // namespace

void
NoteSetForVerbs(const Fabric& fabric, const Fabric::QueuePairOptions& options)
{
    for (const VerbReading& reading : VERB_READINGS)
    {
        if (IsSaid(options, reading.name) &&
            DiffersFromUsual(*MakeUnconnected(fabric, options), reading.name))
        {
            NoteOnce(fabric, reading.name);
        }
    }
}

bool
HasPosted(const Fabric& fabric)
{
    return UseOf(fabric).verbs != 0;
}

void
WarnOfUnusedByVerbs(const Fabric& fabric)
{
    const Use use = UseOf(fabric);
    const auto usual = MakeUnconnected(fabric, {});
    for (const VerbReading& reading : VERB_READINGS)
    {
        const bool isSaid = IsNoted(fabric, reading.name) || DiffersFromUsual(*usual, reading.name);
        if (isSaid && !reading.isUsed(use))
        {
            WarnOfIdleAttribute(fabric, reading.name, reading.right);
        }
    }
}

} // namespace ns3
