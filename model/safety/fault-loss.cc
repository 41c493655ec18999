// SPDX-License-Identifier: GPL-2.0-only
#include "fault-loss.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SilentLoss);
NS_OBJECT_ENSURE_REGISTERED(XonLoss);

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
                                          "Class whose XON frames are lost",
                                          UintegerValue(3),
                                          MakeUintegerAccessor(&XonLoss::m_class),
                                          MakeUintegerChecker<uint32_t>(0, TRAFFIC_CLASSES - 1))
                            .AddAttribute("Count",
                                          "XON frames still to be lost",
                                          UintegerValue(1),
                                          MakeUintegerAccessor(&XonLoss::m_left),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

XonLoss::XonLoss(uint32_t cls, uint32_t count)
    : m_class(cls),
      m_left(count)
{
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
    return true;
}

} // namespace ns3
