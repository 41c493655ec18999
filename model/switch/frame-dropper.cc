// SPDX-License-Identifier: GPL-2.0-only
#include "frame-dropper.h"

#include "ns3/double.h"
#include "ns3/fabric-frame.h"
#include "ns3/integer.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FrameDropper);

TypeId
FrameDropper::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FrameDropper")
            .SetParent<SwitchExtension>()
            .SetGroupName("Lossless")
            .AddConstructor<FrameDropper>()
            .AddAttribute("IpIdMask",
                          "Drop IPv4 frames whose identification has, in these bits, the value of "
                          "IpIdValue; 0: none",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FrameDropper::m_ipIdMask),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("IpIdValue",
                          "Value of the bits of IpIdMask",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FrameDropper::m_ipIdValue),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("Rate",
                          "Probability with which each frame is dropped, independent of the others",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FrameDropper::m_rate),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("TrafficClasses",
                          "Mask of the classes of which frames are dropped",
                          UintegerValue(0xff),
                          MakeUintegerAccessor(&FrameDropper::m_classes),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("OutPort",
                          "Egress port on the way to which frames are dropped; -1: all",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&FrameDropper::m_outPort),
                          MakeIntegerChecker<int32_t>(-1));
    return tid;
}

FrameDropper::FrameDropper()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
FrameDropper::GetHooks() const
{
    return ON_ROUTE;
}

void
FrameDropper::Start(FabricSwitch& /* owner */)
{
}

bool
FrameDropper::Matches(const Frame& frame) const
{
    return m_ipIdMask && frame.ipVersion == 4 && ((frame.ipId ^ m_ipIdValue) & m_ipIdMask) == 0;
}

SwitchExtension::Verdict
FrameDropper::Routed(Frame& frame, uint32_t outPort)
{
    const bool way = m_outPort < 0 || static_cast<uint32_t>(m_outPort) == outPort;
    if (!way || !(m_classes & (1U << frame.trafficClass)))
    {
        return {};
    }
    if (Matches(frame) || (m_rate > 0 && m_random->GetValue() < m_rate))
    {
        m_dropped++;
        return {Verdict::DROP, DropReason::INJECTED};
    }
    return {};
}

int64_t
FrameDropper::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3
