// SPDX-License-Identifier: GPL-2.0-only
#include "switch-number.h"

namespace ns3
{

TypeId
SwitchNumber::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SwitchNumber").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

SwitchNumber::SwitchNumber(uint32_t number)
    : m_number(number)
{
}

} // namespace ns3
