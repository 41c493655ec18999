// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-queue-pair-maker.h"

namespace ns3
{

RdmaQueuePairMaker::RdmaQueuePairMaker()
{
    m_factory.SetTypeId(RdmaQueuePair::GetTypeId());
}

void
RdmaQueuePairMaker::Set(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
    m_model = nullptr;
}

Ptr<RdmaQueuePair>
RdmaQueuePairMaker::Make()
{
    if (!KeepsDefaults() || !m_model)
    {
        m_model = m_factory.Create<RdmaQueuePair>();
    }
    return CopyObject(m_model);
}

bool
RdmaQueuePairMaker::KeepsDefaults()
{
    // A default that is set is another object, and those of before live on in m_defaults.
    const TypeId type = RdmaQueuePair::GetTypeId();
    m_defaults.resize(type.GetAttributeN());
    bool keeps = true;
    for (std::size_t i = 0; i < m_defaults.size(); ++i)
    {
        const Ptr<const AttributeValue> now = type.GetAttribute(i).initialValue;
        keeps = keeps && now == m_defaults[i];
        m_defaults[i] = now;
    }
    return keeps;
}

} // namespace ns3
