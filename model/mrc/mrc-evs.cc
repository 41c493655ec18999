// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-evs.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

void
MrcEvs::Draw(const MrcTerms& terms)
{
    const uint32_t parts = m_names.size();
    for (uint32_t plane = 0; plane < parts; ++plane)
    {
        const auto share = [plane, parts](uint32_t all) {
            return std::max<uint32_t>(1, all / parts + (plane < all % parts));
        };
        const uint32_t active = share(terms.activeEvs);
        planes.emplace_back(
            m_source.GetValues(plane, m_names[plane], std::max(share(terms.evs), active)),
            active,
            terms.leastEvs / parts,
            terms.probeSuccesses,
            terms.shuffle ? Ptr<RandomVariableStream>(m_source.Draws()) : nullptr);
    }
}

void
MrcEvs::Deny(uint32_t plane, uint16_t ev, bool deny)
{
    MrcPlaneEvs& evs = planes[plane];
    if (ev >= evs.GetN())
    {
        throw std::invalid_argument("RdmaMrc: there is no entropy value " + std::to_string(ev) +
                                    " in plane " + std::to_string(plane));
    }
    deny ? evs.Deny(ev) : evs.Allow(ev);
}

void
MrcEvs::Review()
{
    for (uint32_t plane = 0; plane < m_names.size(); ++plane)
    {
        if (m_answers[plane] && m_isDenied(plane, *m_answers[plane]))
        {
            m_answers[plane].reset();
        }
    }
    for (uint32_t plane = 0; plane < planes.size(); ++plane)
    {
        MrcPlaneEvs& evs = planes[plane];
        for (uint16_t ev = 0; ev < evs.GetN(); ++ev)
        {
            Deny(plane, ev, m_isDenied(plane, evs.GetValue(ev)));
        }
    }
}

uint32_t
MrcEvs::ForAnswer(uint32_t plane)
{
    constexpr uint32_t TRIES = 64; // where all are denied, one of them is better than none
    std::optional<uint32_t>& value = m_answers[plane];
    if (!value)
    {
        value = m_source.Draw(m_names[plane]);
        for (uint32_t i = 0; i < TRIES && m_isDenied(plane, *value); ++i)
        {
            value = m_source.Draw(m_names[plane]);
        }
    }
    return *value;
}

} // namespace ns3
