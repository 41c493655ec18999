// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-link.h"

#include "qbb-channel.h"
#include "qbb-net-device.h"

#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace ns3
{

namespace
{

/// Longest pause that an XOFF can ask for.
constexpr uint16_t MOST_QUANTA = 65535;

/// @param time a time @return the time in picoseconds, for headroom
uint64_t
Picoseconds(Time time)
{
    return time.IsNegative() ? 0 : time.GetPicoSeconds();
}

/// @param device a port @return the longest frame that the port sends, a tag included
uint32_t
LongestFrame(const QbbNetDevice& device)
{
    return LongestFrameBytes(device.GetMtu());
}

/// @param device a port @param bits a number of bits @return their time on its line, rounded up
Time
TimeOfBits(const QbbNetDevice& device, uint64_t bits)
{
    LineClock line;
    line.SetRate(device.GetDataRate().GetBitRate(), SimulationClock::TicksPerSecond());
    return TimeStep(line.TicksOfBits(bits));
}

/// @param time a time @return the time for a finding
std::string
Text(Time time)
{
    std::ostringstream text;
    text << std::setprecision(9) << time.ToDouble(Time::US) << " us";
    return text.str();
}

/// @param peer who obeys @param quanta pause time of an XOFF @return how long the pause lasts
Time
PauseOf(const QbbNetDevice& peer, uint16_t quanta)
{
    return TimeOfBits(peer, uint64_t{512} * quanta);
}

/// @param port who pauses @param peer who obeys @param wait how long an XOFF may wait behind a
/// frame
/// @return which setting keeps the peer paused
std::string
HowToKeepPaused(const QbbNetDevice& port, const QbbNetDevice& peer, Time wait)
{
    if (port.GetPfcDialect() == QbbNetDevice::ENDLESS_XOFF)
    {
        return "set PfcDialect to EndlessXoff at the peer too, or to Standard here";
    }
    if (port.GetPfcDialect() == QbbNetDevice::SHORT_QUANTA)
    {
        return "set PfcDialect to Standard";
    }
    const Time pause = PauseOf(peer, port.GetPauseQuanta());
    if (pause > wait)
    {
        return "set PfcRefreshInterval below " + Text(pause - wait);
    }
    const Time longest = PauseOf(peer, MOST_QUANTA);
    return longest > wait
               ? "set PfcQuanta to 65535 and PfcRefreshInterval below " + Text(longest - wait)
               : "give both ends the same DataRate";
}

} // namespace

LinkMaps::LinkMaps(const QbbNetDevice& receiver, const QbbNetDevice& sender)
    : working(receiver.GetActivePfcClasses() & sender.GetActivePfcClasses()),
      in(receiver.GetTrafficClassMap()->GetTable()),
      out(sender.GetTrafficClassMap()->GetTable())
{
}

uint32_t
LongestFrameBytes(uint32_t mtuBytes)
{
    return mtuBytes + ETHERNET_OVERHEAD_BYTES + VLAN_TAG_BYTES;
}

HeadroomLink
GetHeadroomLink(const QbbNetDevice& port)
{
    HeadroomLink link;
    link.bitsPerSecond = port.GetDataRate().GetBitRate();
    link.reverseBitsPerSecond = link.bitsPerSecond;
    link.maxFrameBytes = LongestFrame(port);
    link.reverseMaxFrameBytes = LongestFrame(port);
    link.format = port.GetFrameFormat();
    if (auto peer = port.GetPeer())
    {
        link.bitsPerSecond = peer->GetDataRate().GetBitRate();
        link.delayPs = Picoseconds(DynamicCast<QbbChannel>(port.GetChannel())->GetDelay());
        link.maxFrameBytes = LongestFrame(*peer);
        link.reactionPs = Picoseconds(peer->GetPfcReactionDelay());
        if (peer->SerialisationTicks() > 1)
        {
            link.unitPs = Picoseconds(peer->GetSerialisationUnit());
        }
    }
    return link;
}

std::vector<LosslessMistake>
FindPauseMistakes(const QbbNetDevice& port)
{
    std::vector<LosslessMistake> findings;
    const auto peer = port.GetPeer();
    if (!peer)
    {
        return findings; // nothing can arrive
    }
    const uint32_t index = port.GetPortIndex();
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (port.IsPfcEnabled(cls) != peer->IsPfcEnabled(cls))
        {
            findings.push_back({"pfc",
                                index,
                                cls,
                                "PFC is on at one end of the link only",
                                "set PfcEnabled and PfcClasses alike at both ends"});
        }
    }
    if (port.GetPfcClasses() && !port.GetTrafficClassMap()->SameAs(*peer->GetTrafficClassMap()))
    {
        findings.push_back({"map",
                            index,
                            {},
                            "the class maps at the two ends of the link differ",
                            "set TrafficClassMap alike at both ends"});
    }
    if (port.GetActivePfcClasses() && port.GetFrameFormat() != peer->GetFrameFormat())
    {
        findings.push_back({"format",
                            index,
                            {},
                            "the headrooms at the two ends of the link are for different frames",
                            "set FrameFormat alike at both ends"});
    }
    if (!port.GetActivePfcClasses() || peer->GetPfcDialect() == QbbNetDevice::ENDLESS_XOFF)
    {
        return findings;
    }
    const Time refresh = port.GetPauseRefresh();
    const Time pause = PauseOf(*peer, port.GetPauseQuanta());
    const Time wait = TimeOfBits(port, 8 * (LongestFrame(port) + ETHERNET_GAP_BYTES));
    if (refresh.IsZero() || refresh + wait >= pause)
    {
        const std::string again =
            refresh.IsZero()
                ? "and the XOFF is never sent again"
                : "and the XOFF is sent again only after up to " + Text(refresh + wait);
        findings.push_back({"refresh",
                            index,
                            {},
                            "the pause of the peer runs out after " + Text(pause) + ", " + again,
                            HowToKeepPaused(port, *peer, wait)});
    }
    return findings;
}

void
RequireTrust(const QbbNetDevice& port)
{
    const auto peer = port.GetPeer();
    for (const QbbNetDevice* const end :
         {&port, static_cast<const QbbNetDevice*>(PeekPointer(peer))})
    {
        const auto map = end ? end->GetTrafficClassMap() : nullptr;
        if (map && map->GetTrust() == TrafficClassMap::UNTRUSTED && end->GetPfcEnabled() &&
            end->GetPfcClasses())
        {
            throw std::invalid_argument(
                (end == &port ? "port " : "the peer of port ") +
                std::to_string(port.GetPortIndex()) +
                ": PFC with Trust Untrusted, by which all frames are of class " +
                std::to_string(map->GetDefaultClass()) +
                "; set Trust to Dscp or Dot1p there, or PfcEnabled to false");
        }
    }
}

} // namespace ns3
