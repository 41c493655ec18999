// SPDX-License-Identifier: GPL-2.0-only
#include "receive-losses.h"

#include <algorithm>

namespace ns3
{

void
ReceiveLosses::Add(const Ptr<FrameLoss>& loss)
{
    m_losses.insert(m_errors ? m_losses.end() - 1 : m_losses.end(), loss);
}

void
ReceiveLosses::Remove(const Ptr<FrameLoss>& loss)
{
    const auto one = std::find(m_losses.begin(), m_losses.end(), loss);
    if (one != m_losses.end())
    {
        m_errors = *one == m_errors ? nullptr : m_errors;
        m_losses.erase(one);
    }
}

void
ReceiveLosses::SetErrorModel(const Ptr<ErrorModel>& model)
{
    if (m_errors)
    {
        m_losses.pop_back();
        m_errors = nullptr;
    }
    if (model)
    {
        m_errors = CreateObject<ErrorModelLoss>();
        m_errors->SetModel(model);
        m_losses.push_back(m_errors);
        m_laterStream += m_laterStream < 0 ? 0 : m_errors->AssignStreams(m_laterStream);
    }
}

void
ReceiveLosses::SetLaterStreams(int64_t stream)
{
    m_laterStream = stream;
}

Ptr<ErrorModel>
ReceiveLosses::GetErrorModel() const
{
    return m_errors ? m_errors->GetModel() : nullptr;
}

bool
ReceiveLosses::IsLost(const Frame& frame, DropReason& reason) const
{
    for (const auto& loss : m_losses)
    {
        if (loss->IsLost(frame))
        {
            reason = loss->GetReason();
            return true;
        }
    }
    return false;
}

} // namespace ns3
