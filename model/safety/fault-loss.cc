// SPDX-License-Identifier: GPL-2.0-only
#include "fault-loss.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FaultLoss");

NS_OBJECT_ENSURE_REGISTERED(SilentLoss);
NS_OBJECT_ENSURE_REGISTERED(XonLoss);
NS_OBJECT_ENSURE_REGISTERED(RandomFrameLoss);
NS_OBJECT_ENSURE_REGISTERED(IpIdLoss);

TypeId
SilentLoss::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SilentLoss")
                            .SetParent<FrameLoss>()
                            .SetGroupName("Lossless")
                            .AddConstructor<SilentLoss>();
    return tid;
}

bool
SilentLoss::IsLost(const Frame& /* frame */)
{
    return true;
}

TypeId
XonLoss::GetTypeId()
{
    static TypeId tid = TypeId("ns3::XonLoss")
                            .SetParent<FrameLoss>()
                            .SetGroupName("Lossless")
                            .AddConstructor<XonLoss>()
                            .AddAttribute("Class",
                                          "Traffic class whose XON frames are lost",
                                          UintegerValue(3),
                                          MakeUintegerAccessor(&XonLoss::m_class),
                                          MakeUintegerChecker<uint32_t>(0, TRAFFIC_CLASSES - 1))
                            .AddAttribute("Count",
                                          "Number of XON frames to lose; counts down",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&XonLoss::m_left),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

bool
XonLoss::IsLost(const Frame& frame)
{
    const bool xon = frame.kind == FrameKind::PFC && (frame.pfcEnable & (1U << m_class)) &&
                     frame.pfcQuanta[m_class] == 0;
    if (!xon || m_left == 0)
    {
        return false;
    }
    --m_left;
    NS_LOG_DEBUG("an XON of class " << m_class << " is lost, " << m_left << " to go");
    return true;
}

TypeId
RandomFrameLoss::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RandomFrameLoss")
                            .SetParent<FrameLoss>()
                            .SetGroupName("Lossless")
                            .AddConstructor<RandomFrameLoss>()
                            .AddAttribute("Rate",
                                          "Probability that a frame is lost, 0 to 1",
                                          DoubleValue(0),
                                          MakeDoubleAccessor(&RandomFrameLoss::m_rate),
                                          MakeDoubleChecker<double>(0, 1))
                            .AddAttribute("LosesPfc",
                                          "Whether PFC frames are lost, too",
                                          BooleanValue(true),
                                          MakeBooleanAccessor(&RandomFrameLoss::m_losesPfc),
                                          MakeBooleanChecker());
    return tid;
}

RandomFrameLoss::RandomFrameLoss()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

bool
RandomFrameLoss::IsLost(const Frame& frame)
{
    return (m_losesPfc || frame.kind != FrameKind::PFC) && m_random->GetValue() < m_rate;
}

int64_t
RandomFrameLoss::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

TypeId
IpIdLoss::GetTypeId()
{
    static TypeId tid = TypeId("ns3::IpIdLoss")
                            .SetParent<FrameLoss>()
                            .SetGroupName("Lossless")
                            .AddConstructor<IpIdLoss>()
                            .AddAttribute("Mask",
                                          "Mask of the bits of the IPv4 identification that decide",
                                          UintegerValue(0xff),
                                          MakeUintegerAccessor(&IpIdLoss::m_mask),
                                          MakeUintegerChecker<uint16_t>())
                            .AddAttribute("Value",
                                          "Value of these bits in the frames that are lost",
                                          UintegerValue(0xff),
                                          MakeUintegerAccessor(&IpIdLoss::m_value),
                                          MakeUintegerChecker<uint16_t>());
    return tid;
}

bool
IpIdLoss::IsLost(const Frame& frame)
{
    return frame.kind != FrameKind::PFC && frame.ipVersion == 4 && (frame.ipId & m_mask) == m_value;
}

} // namespace ns3
