// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-windows.h"

#include <algorithm>
#include <thread>

namespace ns3
{

FabricWindows::FabricWindows(const PartitionMap& map,
                             const std::vector<EventPartition*>& partitions,
                             uint32_t threads)
    : m_map(map),
      m_threads(std::clamp<std::size_t>(threads, 1, partitions.size())),
      m_partitions(m_threads.size()),
      m_barrier(m_threads.size())
{
    for (std::size_t i = 0; i < partitions.size(); ++i)
    {
        const std::size_t thread = i * m_threads.size() / partitions.size();
        m_partitions[thread].push_back(partitions[i]);
        partitions[i]->SetThread(&m_threads[thread]);
    }
    for (uint32_t index = 0; index < m_threads.size(); ++index)
    {
        m_threads[index].index = index;
        m_threads[index].parcels.resize(m_threads.size());
    }
}

FabricWindows::~FabricWindows()
{
    for (const auto& ofThread : m_partitions)
    {
        for (EventPartition* partition : ofThread)
        {
            partition->SetThread(nullptr);
        }
    }
}

void
FabricWindows::Barrier::Wait()
{
    const uint32_t turn = m_turn.load(std::memory_order_acquire);
    if (m_waiting.fetch_add(1, std::memory_order_acq_rel) + 1 == m_threads)
    {
        m_waiting.store(0, std::memory_order_relaxed);
        {
            const std::lock_guard lock(m_mutex);
            m_turn.store(turn + 1, std::memory_order_release);
        }
        m_isTurn.notify_all();
        return;
    }
    // A window is short: the others are about to come, unless the machine has other work.
    constexpr int SPINS = 20000;
    for (int spin = 0; spin < SPINS; ++spin)
    {
        if (m_turn.load(std::memory_order_acquire) != turn)
        {
            return;
        }
    }
    std::unique_lock lock(m_mutex);
    m_isTurn.wait(lock, [&] { return m_turn.load(std::memory_order_acquire) != turn; });
}

void
FabricWindows::Run(const std::atomic<bool>& stop, const std::function<void()>& between)
{
    std::vector<std::thread> threads;
    for (uint32_t index = 1; index < m_threads.size(); ++index)
    {
        threads.emplace_back([this, index] { Work(index); });
    }
    EventPartition& global = *m_map.global;
    try
    {
        between();
        while (!m_thrown && !(stop && (!m_isOpen || m_stopsNow)))
        {
            const uint64_t ofNodes = GetNextTime();
            const uint64_t ofNone = global.GetNextTime();
            const uint64_t next = std::min(ofNodes, ofNone);
            if (m_isOpen && next >= m_end)
            {
                EndWindow();
            }
            else if (next == EventPartition::NEVER)
            {
                break;
            }
            else if (ofNone <= ofNodes)
            {
                RunGlobal(ofNone, stop);
            }
            else
            {
                m_end = m_isOpen ? m_end : EndOfWindow(ofNodes);
                m_isOpen = true;
                RunNodes(std::min(m_end, ofNone));
            }
            between();
        }
        if (m_isOpen && !m_thrown)
        {
            EndWindow();
        }
    }
    catch (...)
    {
        m_thrown = std::current_exception();
    }
    m_done = true;
    if (!threads.empty())
    {
        m_barrier.Wait();
    }
    for (auto& thread : threads)
    {
        thread.join();
    }
    EventPartition::Enter(&global);
    for (const auto& ofThread : m_partitions)
    {
        for (const EventPartition* partition : ofThread)
        {
            global.AdvanceTo(partition->GetTick());
        }
    }
    if (m_thrown)
    {
        std::rethrow_exception(m_thrown);
    }
}

uint64_t
FabricWindows::GetNextTime() const
{
    uint64_t next = EventPartition::NEVER;
    for (const auto& ofThread : m_partitions)
    {
        for (const EventPartition* partition : ofThread)
        {
            next = std::min(next, partition->GetNextTime());
        }
    }
    return next;
}

uint64_t
FabricWindows::EndOfWindow(uint64_t time) const
{
    const uint64_t begin = time - time % m_map.lookahead;
    return EventPartition::NEVER - begin > m_map.lookahead ? begin + m_map.lookahead
                                                           : EventPartition::NEVER;
}

void
FabricWindows::RunNodes(uint64_t until)
{
    m_until = until;
    if (m_threads.size() == 1)
    {
        RunPartitions(0);
    }
    else
    {
        m_barrier.Wait(); // the others see m_until
        RunPartitions(0);
        m_barrier.Wait();
        TakeParcels(0);
        m_barrier.Wait();
    }
    uint64_t longest = 0;
    for (const PartitionThread& thread : m_threads)
    {
        longest = std::max(longest, thread.longest);
    }
    m_critical += longest;
}

void
FabricWindows::Work(uint32_t index)
{
    for (;;)
    {
        m_barrier.Wait();
        if (m_done)
        {
            return;
        }
        RunPartitions(index);
        m_barrier.Wait();
        TakeParcels(index);
        m_barrier.Wait();
    }
}

void
FabricWindows::RunPartitions(uint32_t index)
{
    uint64_t longest = 0;
    try
    {
        for (EventPartition* partition : m_partitions[index])
        {
            if (partition->GetNextTime() < m_until)
            {
                const uint64_t before = partition->GetCount();
                EventPartition::Enter(partition);
                partition->RunBefore(m_until);
                longest = std::max(longest, partition->GetCount() - before);
            }
        }
    }
    catch (...)
    {
        const std::lock_guard lock(m_mutex);
        m_thrown = std::current_exception();
    }
    m_threads[index].longest = longest;
}

void
FabricWindows::TakeParcels(uint32_t index)
{
    for (PartitionThread& from : m_threads)
    {
        for (const auto& parcel : from.parcels[index])
        {
            parcel.to->Take(parcel.event);
        }
        from.parcels[index].clear();
    }
}

void
FabricWindows::EndWindow()
{
    m_isOpen = false;
    EventPartition& global = *m_map.global;
    EventPartition::Enter(&global);
    std::vector<PartitionThread::Deferred> deferred;
    for (PartitionThread& thread : m_threads)
    {
        std::move(thread.deferred.begin(), thread.deferred.end(), std::back_inserter(deferred));
        thread.deferred.clear();
        for (FabricEvent event : thread.toGlobal)
        {
            event.DelayTo(m_end);
            global.Take(event);
        }
        thread.toGlobal.clear();
    }
    if (deferred.empty())
    {
        return;
    }
    // An event may have asked for several calls: they stay in their order.
    std::stable_sort(deferred.begin(), deferred.end(), [](const auto& a, const auto& b) {
        return a.event.IsBefore(b.event);
    });
    const int64_t now = global.GetTick();
    for (const auto& one : deferred)
    {
        global.BeginDeferred(one.event.GetTime(), m_end);
        one.call();
    }
    global.EndDeferred();
    global.AdvanceTo(now); // an event of no node may have been later than those that asked
}

void
FabricWindows::RunGlobal(uint64_t time, const std::atomic<bool>& stop)
{
    EventPartition& global = *m_map.global;
    EventPartition::Enter(&global);
    const bool isStopping = stop; // a node has said so: at the end of the window
    while (!m_stopsNow && global.GetNextTime() == time)
    {
        global.RunNext();
        m_stopsNow = stop && !isStopping;
    }
}

} // namespace ns3
