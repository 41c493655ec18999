// SPDX-License-Identifier: GPL-2.0-only
#include "egress-scheduler.h"

#include "qbb-net-device.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EgressScheduler);

TypeId
EgressScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EgressScheduler").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

bool
EgressScheduler::IsStateless() const
{
    return false;
}

bool
EgressScheduler::LimitsRates() const
{
    return false;
}

uint8_t
EgressScheduler::Conforming(uint8_t eligible,
                            const EgressMoment& /* moment */,
                            int64_t& /* retryAt */)
{
    return eligible;
}

void
EgressScheduler::ClassEmptied(uint32_t /* cls */)
{
}

void
EgressScheduler::SetPort(QbbNetDevice* port)
{
    m_port = port;
}

void
EgressScheduler::ChoiceChanged()
{
    if (m_port)
    {
        m_port->ChoiceChanged();
    }
}

} // namespace ns3
