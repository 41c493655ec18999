// SPDX-License-Identifier: GPL-2.0-only
#include "coloured-wred-marker.h"

#include "ns3/double.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ColouredWredMarker");

NS_OBJECT_ENSURE_REGISTERED(ColouredWredMarker);

TypeId
ColouredWredMarker::GetTypeId()
{
    using Marker = ColouredWredMarker;
    const auto bytes = [](uint64_t Marker::* member) {
        return MakeLive(MakeUintegerAccessor(member), &Marker::SettingChanged);
    };
    const auto share = [](double Marker::* member) {
        return MakeLive(MakeDoubleAccessor(member), &Marker::SettingChanged);
    };
    static TypeId tid =
        TypeId("ns3::ColouredWredMarker")
            .SetParent<WredEcnMarker>()
            .SetGroupName("Lossless")
            .AddConstructor<ColouredWredMarker>()
            .AddAttribute("YellowKmin",
                          "Queue length in bytes, at ReferenceRate, up to which no yellow frame is "
                          "marked or dropped.",
                          UintegerValue(50000),
                          bytes(&Marker::m_yellowKmin),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("YellowKmax",
                          "Queue length in bytes, at ReferenceRate, beyond which every yellow "
                          "frame is marked or dropped.",
                          UintegerValue(200000),
                          bytes(&Marker::m_yellowKmax),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("YellowPmax",
                          "Probability for a yellow frame at YellowKmax, 0 to 1.",
                          DoubleValue(0.2),
                          share(&Marker::m_yellowPmax),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("YellowShare",
                          "Share, 0 to 1, of the limits of the buffer for a lossy class up to "
                          "which yellow frames are admitted, ECN-capable ones, too.",
                          DoubleValue(0.5),
                          share(&Marker::m_yellowShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("RedKmin",
                          "Queue length in bytes, at ReferenceRate, up to which no red frame is "
                          "marked or dropped.",
                          UintegerValue(25000),
                          bytes(&Marker::m_redKmin),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("RedKmax",
                          "Queue length in bytes, at ReferenceRate, beyond which every red frame "
                          "is marked or dropped.",
                          UintegerValue(100000),
                          bytes(&Marker::m_redKmax),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("RedPmax",
                          "Probability for a red frame at RedKmax, 0 to 1.",
                          DoubleValue(0.2),
                          share(&Marker::m_redPmax),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("RedShare",
                          "Share, 0 to 1, of the limits of the buffer for a lossy class up to "
                          "which red frames are admitted, ECN-capable ones, too.",
                          DoubleValue(0.25),
                          share(&Marker::m_redShare),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

void
ColouredWredMarker::TakeOver(const EcnMarker& before)
{
    if (const auto* wred = dynamic_cast<const WredEcnMarker*>(&before))
    {
        Inherit(*wred);
    }
}

void
ColouredWredMarker::SetPort(uint32_t port, uint64_t bitsPerSecond)
{
    const double scale = GetScale(bitsPerSecond);
    const std::string where = "port " + std::to_string(port);
    PortCurves curves;
    curves.yellow = MakeCurve(where + " yellow",
                              std::llround(m_yellowKmin * scale),
                              std::llround(m_yellowKmax * scale),
                              m_yellowPmax);
    curves.red = MakeCurve(where + " red",
                           std::llround(m_redKmin * scale),
                           std::llround(m_redKmax * scale),
                           m_redPmax);
    m_colours.resize(std::max<std::size_t>(m_colours.size(), port + 1));
    m_colours[port] = curves;
    WredEcnMarker::SetPort(port, bitsPerSecond); // which asks AskAbove()
}

uint64_t
ColouredWredMarker::AskAbove(uint32_t port, uint64_t quiet) const
{
    if (quiet == NEVER || port >= m_colours.size())
    {
        return quiet;
    }
    const PortCurves& curves = m_colours[port];
    return std::min({quiet, QuietOf(curves.yellow), QuietOf(curves.red)});
}

double
ColouredWredMarker::GetColourProbability(DropPrecedence::Colour colour,
                                         uint32_t port,
                                         uint32_t cls,
                                         uint64_t queueBytes) const
{
    if (colour == DropPrecedence::GREEN || !IsMarked(port, cls))
    {
        return GetProbability(port, cls, queueBytes);
    }
    const PortCurves& curves = m_colours.at(port);
    return ProbabilityOf(colour == DropPrecedence::YELLOW ? curves.yellow : curves.red, queueBytes);
}

bool
ColouredWredMarker::ShouldMark(const Frame& frame, uint32_t port, uint64_t queueBytes)
{
    const auto colour = DropPrecedence::Of(frame.dscp);
    return Draw(GetColourProbability(colour, port, frame.trafficClass, queueBytes));
}

double
ColouredWredMarker::GetBufferShare(uint8_t dscp) const
{
    const auto colour = DropPrecedence::Of(dscp);
    return colour == DropPrecedence::GREEN    ? 1
           : colour == DropPrecedence::YELLOW ? m_yellowShare
                                              : m_redShare;
}

} // namespace ns3
