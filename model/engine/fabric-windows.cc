// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-windows.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <numeric>
#include <thread>

namespace ns3
{

FabricWindows::FabricWindows(PartitionMap& map,
                             std::vector<EventPartition*> partitions,
                             uint32_t threads)
    : m_map(map),
      m_threads(std::clamp<std::size_t>(threads, 1, partitions.size())),
      m_partitions(std::move(partitions)),
      m_begins(m_threads.size() + 1),
      m_events(m_threads.size()),
      m_barrier(m_threads.size()),
      m_slice(map.lookahead)
{
    if (m_partitions.size() == 1)
    {
        // Events are sorted for several windows at once, if those are short: nobody else appends.
        const uint64_t enough = MicroSeconds(1).GetTimeStep();
        m_slice *= std::max<uint64_t>(enough / m_slice, 1);
    }
    for (uint32_t index = 0; index < m_threads.size(); ++index)
    {
        m_threads[index].index = index;
        m_threads[index].parcels.resize(m_threads.size());
    }
    Balance();
}

FabricWindows::~FabricWindows()
{
    for (EventPartition* partition : m_partitions)
    {
        partition->SetThread(nullptr);
    }
}

void
FabricWindows::Balance()
{
    m_windows = 0;
    constexpr std::size_t BLOCK = PartitionMap::BLOCK;
    const std::size_t blocks = m_map.blockTimes.size();
    std::vector<uint64_t> loads(blocks);
    for (std::size_t i = 0; i < m_partitions.size(); ++i)
    {
        loads[i / BLOCK] += 1 + m_partitions[i]->GetCount(); // each counts, also without events
    }
    uint64_t left = std::accumulate(loads.begin(), loads.end(), uint64_t{0});
    std::size_t next = 0;
    for (std::size_t thread = 0; thread < m_threads.size(); ++thread)
    {
        const uint64_t share = left / (m_threads.size() - thread);
        m_begins[thread] = next;
        // Up to the share, or beyond if that is nearer.
        for (uint64_t taken = 0; next < blocks && taken + loads[next] / 2 <= share; ++next)
        {
            taken += loads[next];
            left -= loads[next];
        }
    }
    m_begins.back() = blocks;
    for (std::size_t thread = 0; thread < m_threads.size(); ++thread)
    {
        const std::size_t end = std::min(m_begins[thread + 1] * BLOCK, m_partitions.size());
        for (std::size_t i = m_begins[thread] * BLOCK; i < end; ++i)
        {
            m_partitions[i]->SetThread(&m_threads[thread]);
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
                OpenWindow(ofNodes);
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
    for (const EventPartition* partition : m_partitions)
    {
        global.AdvanceTo(partition->GetTick());
    }
    if (m_thrown)
    {
        std::rethrow_exception(m_thrown);
    }
}

uint64_t
FabricWindows::GetNextTime() const
{
    return *std::min_element(m_map.blockTimes.begin(), m_map.blockTimes.end());
}

void
FabricWindows::OpenWindow(uint64_t time)
{
    if (m_isOpen)
    {
        return;
    }
    m_isOpen = true;
    const auto endOf = [time](uint64_t length, uint64_t count) {
        const uint64_t begin = time - time % length;
        const bool isLast = (EventPartition::NEVER - begin) / count <= length;
        return isLast ? EventPartition::NEVER : begin + count * length;
    };
    m_end = endOf(m_map.lookahead, 1);
    constexpr uint64_t NEAR_SLICES = 8;
    m_map.window = {endOf(m_slice, 1),
                    endOf(m_slice, 2),
                    endOf(m_slice, NEAR_SLICES),
                    static_cast<uint32_t>(time / m_slice % 2)};
}

void
FabricWindows::RunNodes(uint64_t until)
{
    m_until = until;
    if (m_isSmall)
    {
        for (uint32_t index = 0; index < m_threads.size(); ++index)
        {
            RunPartitions(index);
        }
        for (uint32_t index = 0; index < m_threads.size(); ++index)
        {
            TakeParcels(index);
        }
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
    const uint64_t events = std::accumulate(m_events.begin(), m_events.end(), uint64_t{0});
    constexpr uint64_t FEW = 256; // take less time than threads need to wait for each other
    m_isSmall = m_threads.size() == 1 || events < FEW;
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
    uint64_t events = 0;
    try
    {
        for (std::size_t block = m_begins[index]; block < m_begins[index + 1]; ++block)
        {
            if (m_map.blockTimes[block] < m_until)
            {
                RunBlock(block, longest, events);
            }
        }
    }
    catch (...)
    {
        const std::lock_guard lock(m_mutex);
        m_thrown = std::current_exception();
    }
    m_threads[index].longest = longest;
    m_events[index] = events;
}

void
FabricWindows::RunBlock(std::size_t block, uint64_t& longest, uint64_t& events)
{
    const std::size_t begin = block * PartitionMap::BLOCK;
    const std::size_t end = std::min(begin + PartitionMap::BLOCK, m_partitions.size());
    for (std::size_t i = begin; i < end; ++i)
    {
        if (m_map.nextTimes[i] < m_until)
        {
            EventPartition* const partition = m_partitions[i];
            const uint64_t before = partition->GetCount();
            EventPartition::Enter(partition);
            partition->RunBefore(m_until);
            const uint64_t more = partition->GetCount() - before;
            longest = std::max(longest, more);
            events += more;
        }
    }
    const auto times = m_map.nextTimes.begin();
    m_map.blockTimes[block] = *std::min_element(times + begin, times + end);
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
    if (++m_windows == BALANCED_WINDOWS && m_threads.size() > 1)
    {
        Balance();
    }
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
