// SPDX-License-Identifier: GPL-2.0-only
#include "llr-link.h"

#include "lossless-link.h"
#include "qbb-channel.h"
#include "qbb-net-device.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{

uint64_t
LlrReplayBytes(double roundTripBytes, uint32_t ackSpacingBytes, uint32_t frameBytes)
{
    // The rounding of doubles must not add a byte to a whole number.
    return static_cast<uint64_t>(std::ceil(roundTripBytes - 1e-6)) + ackSpacingBytes +
           uint64_t{2} * frameBytes;
}

void
RequireLlr(const QbbNetDevice& port)
{
    const auto peer = port.GetPeer();
    if (!peer || !(port.GetLlrEnabled() || peer->GetLlrEnabled()))
    {
        return;
    }
    const auto refuse = [&port](const std::string& problem) {
        throw std::invalid_argument("port " + std::to_string(port.GetPortIndex()) +
                                    ": link-level retry " + problem);
    };
    if (!port.GetLlrEnabled() || !peer->GetLlrEnabled())
    {
        refuse("at one end of the link only; set LlrEnabled alike at both ends");
    }
    if (port.GetTransmitter() == QbbNetDevice::HPCC_TRANSMITTER)
    {
        refuse("with Transmitter Hpcc; set it to Prompt, or LlrEnabled to false");
    }
    if (DynamicCast<QbbChannel>(port.GetChannel())->IsBetweenRanks())
    {
        refuse("on a cable between ranks; let one rank have both ends");
    }
    const uint32_t frame = LongestFrameBytes(port.GetMtu()) + ETHERNET_GAP_BYTES;
    if (port.GetLlrReplayBytes() && port.GetLlrReplayBytes() < frame)
    {
        refuse("with LlrReplayBytes " + std::to_string(port.GetLlrReplayBytes()) +
               ", less than a frame; set it to " + std::to_string(frame) + " or more, or to 0");
    }
}

} // namespace ns3
