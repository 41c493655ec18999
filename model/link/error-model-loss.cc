// SPDX-License-Identifier: GPL-2.0-only
#include "error-model-loss.h"

#include "ns3/packet.h"
#include "ns3/pointer.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ErrorModelLoss);

TypeId
ErrorModelLoss::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ErrorModelLoss")
            .SetParent<FrameLoss>()
            .SetGroupName("Lossless")
            .AddConstructor<ErrorModelLoss>()
            .AddAttribute(
                "ErrorModel",
                "The ErrorModel that decides on each frame by its length; null: no frame is lost",
                PointerValue(),
                MakePointerAccessor(&ErrorModelLoss::SetModel, &ErrorModelLoss::GetModel),
                MakePointerChecker<ErrorModel>());
    return tid;
}

bool
ErrorModelLoss::IsLost(const Frame& frame)
{
    return m_model && m_model->IsEnabled() && m_model->IsCorrupt(Create<Packet>(frame.bytes));
}

DropReason
ErrorModelLoss::GetReason() const
{
    return DropReason::CORRUPTED;
}

int64_t
ErrorModelLoss::AssignStreams(int64_t stream)
{
    // Not a method of ErrorModel itself in all versions of ns-3.
    if (const auto rate = DynamicCast<RateErrorModel>(m_model))
    {
        return rate->AssignStreams(stream);
    }
    const auto burst = DynamicCast<BurstErrorModel>(m_model);
    return burst ? burst->AssignStreams(stream) : 0;
}

void
ErrorModelLoss::SetModel(Ptr<ErrorModel> model)
{
    m_model = model;
}

Ptr<ErrorModel>
ErrorModelLoss::GetModel() const
{
    return m_model;
}

} // namespace ns3
