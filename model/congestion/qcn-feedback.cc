// SPDX-License-Identifier: GPL-2.0-only
#include "qcn-feedback.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

QcnFeedback::QcnFeedback(int64_t setPointBytes, int64_t weight)
    : m_setPointBytes(setPointBytes),
      m_weight(weight)
{
    if (setPointBytes <= 0 || weight < 0)
    {
        throw std::invalid_argument("QcnFeedback: need a set point above 0 and a weight of 0 or "
                                    "more");
    }
}

int64_t
QcnFeedback::Raw(int64_t queueBytes, int64_t oldBytes) const
{
    return -((queueBytes - m_setPointBytes) + m_weight * (queueBytes - oldBytes));
}

uint32_t
QcnFeedback::Quantise(int64_t raw) const
{
    if (raw >= 0)
    {
        return 0;
    }
    const int64_t range = m_setPointBytes * (1 + 2 * m_weight);
    const int64_t clipped = std::min(-raw, range);
    return static_cast<uint32_t>((clipped * MAX_FEEDBACK + range / 2) / range);
}

uint32_t
QcnFeedback::Sample(int64_t queueBytes)
{
    const uint32_t feedback = Quantise(Raw(queueBytes, m_oldBytes));
    m_oldBytes = queueBytes;
    return feedback;
}

double
QcnFeedback::Cut(double rate, uint32_t feedback, double gain)
{
    return rate * (1 - gain * std::min(feedback, MAX_FEEDBACK));
}

} // namespace ns3
