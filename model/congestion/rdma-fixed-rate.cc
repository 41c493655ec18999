// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-fixed-rate.h"

#include "ns3/fixed-accessor.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaFixedRate);

TypeId
RdmaFixedRate::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaFixedRate")
            .SetParent<RdmaCongestionOps>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaFixedRate>()
            .AddAttribute("Rate",
                          "Sending rate, counted in wire bytes (frame + 20 B), capped at the line "
                          "rate; 0: the line rate",
                          DataRateValue(DataRate(0)),
                          MakeFixed(MakeDataRateAccessor(&RdmaFixedRate::m_rate)),
                          MakeDataRateChecker());
    return tid;
}

std::string
RdmaFixedRate::GetName() const
{
    return "fixed rate";
}

uint32_t
RdmaFixedRate::GetHooks() const
{
    return 0;
}

bool
RdmaFixedRate::SendsCnps() const
{
    return false;
}

void
RdmaFixedRate::Init(RdmaFlowState& state, int64_t /* nowPs */)
{
    auto rate = static_cast<double>(m_rate.GetBitRate());
    state.rate = rate > 0 ? std::min(rate, state.lineRate) : state.lineRate;
    if (FixedSince())
    {
        m_rate = ToDataRate(state.rate); // reads back as what is in force
    }
}

} // namespace ns3
