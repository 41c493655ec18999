// SPDX-License-Identifier: GPL-2.0-only
#include "credit-link.h"

#include "lossless-link.h"
#include "qbb-channel.h"
#include "qbb-net-device.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{

namespace
{

/// @param port a port @return the credits that it grants, or what it takes for granted of its peer
uint64_t
GrantOf(const QbbNetDevice& port)
{
    const uint64_t granted = port.GetCbfcCredits();
    return granted ? granted : FullRateCredits(GetCreditLink(port));
}

/// @param port a port @param problem what is wrong @param remedy what would be right
[[noreturn]] void
Refuse(const QbbNetDevice& port, const std::string& problem, const std::string& remedy)
{
    throw std::invalid_argument("port " + std::to_string(port.GetPortIndex()) + ": CBFC " +
                                problem + "; " + remedy);
}

/// Refuse classes whose queue or priority group has another number, or serves another class, too.
/// @param port a port @param classes with credits
void
RequireOwnQueues(const QbbNetDevice& port, uint8_t classes)
{
    const auto map = port.GetTrafficClassMap()->GetTable();
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const uint8_t bit = 1U << cls;
        if (classes & bit && (map->ClassesOfQueues(bit) != bit || map->ClassesOfGroups(bit) != bit))
        {
            Refuse(port,
                   "of class " + std::to_string(cls) +
                       " needs a queue and a priority group of that number for this class alone",
                   "set the TrafficClassMap so, or take the class out of CbfcClasses");
        }
    }
}

} // namespace

uint64_t
FullRateWireBytes(const CreditLink& link)
{
    const double rate = static_cast<double>(link.bitsPerSecond);
    const double reverse = static_cast<double>(link.reverseBitsPerSecond);
    const double roundTrip = rate / 8 * 2 * static_cast<double>(link.delayPs) * 1e-12;
    const double spacing = link.spacingBytes * rate / reverse;
    // The rounding of doubles must not add a byte to a whole number.
    return static_cast<uint64_t>(std::ceil(roundTrip + spacing - 1e-6)) +
           uint64_t{2} * (link.maxFrameBytes + ETHERNET_GAP_BYTES) + PortCbfc::CF_UPDATE_BYTES;
}

uint64_t
FullRateCredits(const CreditLink& link)
{
    const uint64_t wire = FullRateWireBytes(link);
    const uint32_t half = link.maxFrameBytes / 2;
    uint64_t most = 0;
    for (uint32_t credits = link.unit.Of(half); credits <= link.unit.Of(link.maxFrameBytes);
         ++credits)
    {
        // The shortest frame that takes so many.
        const int64_t shortest = int64_t{credits - 1} * link.unit.bytes + 1 - link.unit.overhead;
        const uint64_t frame = std::max<int64_t>(shortest, half) + ETHERNET_GAP_BYTES;
        most = std::max(most, (wire + frame - 1) / frame * credits);
    }
    return most;
}

uint64_t
CreditMemoryBytes(uint64_t credits,
                  const CreditUnit& unit,
                  uint32_t cellBytes,
                  uint32_t maxFrameBytes,
                  uint32_t addedBytes)
{
    uint64_t most = 0;
    for (uint32_t each = unit.Of(ETHERNET_MIN_FRAME_BYTES); each <= unit.Of(maxFrameBytes); ++each)
    {
        // The longest frame that takes so many.
        const int64_t longest = int64_t{each} * unit.bytes - unit.overhead;
        const uint64_t frame = std::min<int64_t>(longest, maxFrameBytes) + addedBytes;
        const uint64_t cells = (frame + cellBytes - 1) / cellBytes;
        most = std::max(most, credits * cells / each);
    }
    return most * cellBytes;
}

CreditLink
GetCreditLink(const QbbNetDevice& port)
{
    CreditLink link;
    const HeadroomLink line = GetHeadroomLink(port);
    link.bitsPerSecond = line.bitsPerSecond;
    link.reverseBitsPerSecond = line.reverseBitsPerSecond;
    link.delayPs = line.delayPs;
    link.maxFrameBytes = line.maxFrameBytes;
    link.spacingBytes = port.GetCfMinSpacing();
    link.unit = port.GetCreditUnit();
    return link;
}

uint32_t
GetGrantedCredits(const QbbNetDevice& port)
{
    return static_cast<uint32_t>(std::min<uint64_t>(GrantOf(port), MAX_CREDITS));
}

void
RequireCredits(const QbbNetDevice& port)
{
    const auto peer = port.GetPeer();
    const uint8_t classes = port.GetCbfcClasses();
    if (!peer || !(classes | peer->GetCbfcClasses()))
    {
        return;
    }
    if (classes != peer->GetCbfcClasses())
    {
        Refuse(port,
               "for classes " + std::to_string(classes) + ", and at the peer for classes " +
                   std::to_string(peer->GetCbfcClasses()),
               "set CbfcClasses alike at both ends");
    }
    if (classes & port.GetActivePfcClasses())
    {
        Refuse(port,
               "for classes " + std::to_string(classes) + " and PFC for classes " +
                   std::to_string(port.GetActivePfcClasses()),
               "a class has one of the two: take it out of PfcClasses or of CbfcClasses");
    }
    RequireOwnQueues(port, classes);
    const auto channel = DynamicCast<QbbChannel>(port.GetChannel());
    if (channel->IsBetweenRanks())
    {
        Refuse(port, "on a cable between ranks", "let one rank have both ends");
    }
    const uint64_t granted = GrantOf(port);
    const CreditLink link = GetCreditLink(port);
    const uint32_t least = link.unit.Of(link.maxFrameBytes);
    if (granted < least)
    {
        Refuse(port,
               "grants " + std::to_string(granted) + " credits, and a frame of " +
                   std::to_string(link.maxFrameBytes) + " bytes takes " + std::to_string(least),
               "set CbfcCredits to " + std::to_string(least) + " or more, or to 0");
    }
    if (granted > MAX_CREDITS)
    {
        Refuse(port,
               "needs " + std::to_string(granted) + " credits for the full rate of its link, and " +
                   std::to_string(MAX_CREDITS) + " can be counted",
               "set CreditBytes to " +
                   std::to_string(link.unit.bytes * (granted / MAX_CREDITS + 1)) +
                   " or CbfcCredits to a number");
    }
}

} // namespace ns3
