// SPDX-License-Identifier: GPL-2.0-only
#include "stepped-part.h"

#include <algorithm>
#include <utility>

namespace ns3
{

SteppedPart::SteppedPart(uint64_t steps)
    : SteppedPart(steps, Way())
{
}

SteppedPart::SteppedPart(uint64_t steps, const Way& way)
    : m_steps(steps),
      m_way(way)
{
}

uint64_t
SteppedPart::CountDoublings(uint32_t ranks)
{
    uint64_t steps = 0;
    while ((uint64_t{1} << steps) < ranks)
    {
        ++steps;
    }
    return steps;
}

SteppedPart::Step
SteppedPart::Exchange(uint32_t to, uint64_t sends, uint32_t from, uint64_t receives, bool reduces)
{
    return {sends ? to : NONE, sends, receives ? from : NONE, receives, reduces};
}

void
SteppedPart::Start(CollectivePort& port)
{
    if (m_way.window > 1)
    {
        const uint64_t first = std::min(m_way.window, m_steps);
        m_next = first;
        for (uint64_t step = 0; step < first; ++step)
        {
            Begin(port, step, 0);
        }
        return;
    }
    for (uint32_t slice = 0; slice < m_way.slices; ++slice)
    {
        Begin(port, 0, slice);
    }
}

void
SteppedPart::Begin(CollectivePort& port, uint64_t step, uint32_t slice)
{
    while (step < m_steps)
    {
        const Step what = At(step);
        const uint64_t sends = ShareOf(what.sends, slice, m_way.slices);
        const uint64_t receives = ShareOf(what.receives, slice, m_way.slices);
        const uint64_t label = step * m_way.slices + slice;
        // A message without bytes is one, such as that of a barrier; an empty slice is none.
        if (what.to != NONE && (sends > 0 || what.sends == 0))
        {
            if (m_isSending)
            {
                m_held = step;
                return;
            }
            m_isSending = m_way.sendsInTurn;
            port.Send(what.to, sends, label, m_way.sendsInTurn);
        }
        if (what.from != NONE && (receives > 0 || what.receives == 0))
        {
            port.Receive(what.from, receives, label, what.reduces);
            return;
        }
        step = m_way.window > 1 ? m_next++ : step + 1;
    }
}

void
SteppedPart::Received(CollectivePort& port, [[maybe_unused]] uint32_t from, uint64_t label)
{
    if (m_way.slices == 1)
    {
        Begin(port, m_way.window > 1 ? m_next++ : label + 1, 0);
        return;
    }
    Begin(port, label / m_way.slices + 1, static_cast<uint32_t>(label % m_way.slices));
}

void
SteppedPart::Sent(CollectivePort& port,
                  [[maybe_unused]] uint32_t to,
                  [[maybe_unused]] uint64_t label)
{
    m_isSending = false;
    if (m_held != NO_STEP)
    {
        Begin(port, std::exchange(m_held, NO_STEP), 0);
    }
}

} // namespace ns3
