// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-late-completions.h"

#include "ns3/make-event.h"
#include "ns3/ptr.h"
#include "ns3/simulation-clock.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

RdmaLateCompletions::RdmaLateCompletions(RdmaCompletionSink& host, uint32_t node, int64_t ticks)
    : m_host(&host),
      m_node(node),
      m_ticks(ticks)
{
}

void
RdmaLateCompletions::RequestCompleted(const RdmaCompletion& completion)
{
    Add(completion, true);
}

void
RdmaLateCompletions::MessageReceived(const RdmaCompletion& completion)
{
    Add(completion, false);
}

void
RdmaLateCompletions::Detach()
{
    m_host = nullptr;
}

void
RdmaLateCompletions::Add(const RdmaCompletion& completion, bool isRequest)
{
    if (completion.status != RdmaStatus::SUCCESS)
    {
        TellUntil(Time::Max()); // the queue pair has failed or is closed: no later than that
        Tell({completion, isRequest});
        return;
    }
    m_late.Push({completion, isRequest});
    const Time seen = completion.completed + TimeStep(m_ticks);
    m_late.Back().completion.completed = seen;
    SimulationClock::Schedule(
        m_node,
        m_ticks,
        MakeEvent(&RdmaLateCompletions::TellUntil, Ptr<RdmaLateCompletions>(this), seen));
}

void
RdmaLateCompletions::Tell(const Late& late)
{
    if (m_host)
    {
        late.isRequest ? m_host->RequestCompleted(late.completion)
                       : m_host->MessageReceived(late.completion);
    }
}

void
RdmaLateCompletions::TellUntil(Time until)
{
    while (!m_late.IsEmpty() && m_late.Front().completion.completed <= until)
    {
        Late late = m_late.Front();
        m_late.PopFront(); // first: user code may close the queue pair
        late.completion.completed = std::min(late.completion.completed, Simulator::Now());
        Tell(late);
    }
}

} // namespace ns3
