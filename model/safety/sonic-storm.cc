// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-storm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SonicStorm);
NS_OBJECT_ENSURE_REGISTERED(SonicBrcmStorm);
NS_OBJECT_ENSURE_REGISTERED(SonicMlnxOldStorm);
NS_OBJECT_ENSURE_REGISTERED(SonicMlnxNewStorm);

namespace
{

/// @return whether a frame of the queue was sent between two samples
bool
HasSent(const PfcQueueSample& last, const PfcQueueSample& now)
{
    return now.lastTx > last.time;
}

/// @return whether a queue was paused for more than a percentage of the time between two samples
bool
IsPausedFor(const PfcQueueSample& last, const PfcQueueSample& now, int64_t percent)
{
    return (now.pausedTicks - last.pausedTicks) * 100 > (now.time - last.time) * percent;
}

} // namespace

TypeId
SonicStorm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SonicStorm").SetParent<PolledStormRule>().SetGroupName("Lossless");
    return tid;
}

PfcStormRule::Defaults
SonicStorm::GetDefaults() const
{
    return {MilliSeconds(200), MilliSeconds(200), MilliSeconds(200), Time(0)};
}

// ---- Broadcom

TypeId
SonicBrcmStorm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SonicBrcmStorm")
                            .SetParent<SonicStorm>()
                            .SetGroupName("Lossless")
                            .AddConstructor<SonicBrcmStorm>();
    return tid;
}

bool
SonicBrcmStorm::IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const
{
    return now.rxPause > last.rxPause && now.resumptions == last.resumptions && last.paused &&
           now.paused;
}

// ---- Mellanox, older

TypeId
SonicMlnxOldStorm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SonicMlnxOldStorm")
                            .SetParent<SonicStorm>()
                            .SetGroupName("Lossless")
                            .AddConstructor<SonicMlnxOldStorm>();
    return tid;
}

bool
SonicMlnxOldStorm::IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const
{
    constexpr int64_t PERCENT = 80;
    if (HasSent(last, now))
    {
        return false;
    }
    return now.queueBytes > 0 ? now.rxPause > last.rxPause : IsPausedFor(last, now, PERCENT);
}

bool
SonicMlnxOldStorm::NeedsTransmissions() const
{
    return true;
}

// ---- Mellanox, newer

TypeId
SonicMlnxNewStorm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SonicMlnxNewStorm")
                            .SetParent<SonicStorm>()
                            .SetGroupName("Lossless")
                            .AddConstructor<SonicMlnxNewStorm>();
    return tid;
}

bool
SonicMlnxNewStorm::IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const
{
    constexpr int64_t PERCENT = 99;
    return now.queueBytes > 0 && !HasSent(last, now) && now.rxPause > last.rxPause &&
           IsPausedFor(last, now, PERCENT);
}

bool
SonicMlnxNewStorm::NeedsTransmissions() const
{
    return true;
}

} // namespace ns3
