// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_WINDOWS_H
#define LOSSLESS_FABRIC_WINDOWS_H

#include "event-partition.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Runs the partitions of a simulator, window by window, on one thread or on several.
 *
 * Time is cut into windows as long as the lookahead, the delay of the shortest link: what a node
 * does within a window reaches another only after it, so the partitions need not know of each other
 * until its end. Windows do not depend on how nodes are divided, and the order of events (time,
 * time of posting, node that posted, order of posting) does not either: any number of partitions
 * and of threads gives the same run. Partitions of one node each are fastest: what a node touches
 * stays in the cache until its part of the window is done.
 *
 * On the thread that called Run(), while no node is about anything, come the calls that were
 * deferred, at the end of a window and in the order of the events that asked for them; and the
 * events of no node, which may touch all nodes, when they are due: the nodes run up to there first.
 */
class FabricWindows
{
  public:
    /**
     * @param map who has which nodes
     * @param partitions all of them but the global one, by number; a thread runs neighbours
     * @param threads how many run them, at least 1
     */
    FabricWindows(PartitionMap& map, std::vector<EventPartition*> partitions, uint32_t threads);
    ~FabricWindows();
    FabricWindows(const FabricWindows&) = delete;
    FabricWindows& operator=(const FabricWindows&) = delete;

    /**
     * Run until no event is left, or until it is to stop: at the end of the window, or of the event
     * of no node, in which that is said. Throws what an event throws.
     * @param stop whether to stop; set by any thread
     * @param between called while no node is about anything
     */
    void Run(const std::atomic<bool>& stop, const std::function<void()>& between);

    /// @return events of the partitions that had most to do, window by window: with a core for each
    /// partition, no fewer run one after another
    uint64_t GetCriticalCount() const
    {
        return m_critical;
    }

  private:
    /// All threads wait here for each other.
    class Barrier
    {
      public:
        /// @param threads how many
        explicit Barrier(uint32_t threads)
            : m_threads(threads)
        {
        }

        /// Wait for the others.
        void Wait();

      private:
        uint32_t m_threads;
        std::atomic<uint32_t> m_waiting{0};
        std::atomic<uint32_t> m_turn{0};
        std::mutex m_mutex;               //!< for those that sleep
        std::condition_variable m_isTurn; //!< m_turn has changed
    };

    /// Divide the partitions among the threads, by the events that they have had.
    void Balance();
    /// What thread number @p index does.
    void Work(uint32_t index);
    /// Run the partitions of a thread up to m_until, and keep what is thrown. @param index of it
    void RunPartitions(uint32_t index);
    /// Run PartitionMap::BLOCK partitions up to m_until. @param block number of the block
    /// @param longest raised to the events of the partition that had most to do
    /// @param events counts those of all of them
    void RunBlock(std::size_t block, uint64_t& longest, uint64_t& events);
    /// Take the events that other threads have posted for the partitions of a thread, and note when
    /// its next event is due. @param index of it
    void TakeParcels(uint32_t index);
    /// @param time when the first event of a window is due, ticks
    void OpenWindow(uint64_t time);
    /// Run all nodes. @param until the first tick at which nothing happens yet
    void RunNodes(uint64_t until);
    /// What waits for the end of a window.
    void EndWindow();
    /// The events of no node that are due. @param time when @param stop whether to stop
    void RunGlobal(uint64_t time, const std::atomic<bool>& stop);
    /// @return when the next event of a node is due, ticks
    uint64_t GetNextTime() const;

    static constexpr uint32_t BALANCED_WINDOWS = 64; //!< from one Balance() to the next

    PartitionMap& m_map;
    std::vector<PartitionThread> m_threads;
    std::vector<EventPartition*> m_partitions; //!< by number
    std::vector<std::size_t> m_begins;         //!< by thread: its first block; then the end
    std::vector<uint64_t> m_events;            //!< by thread: events of the last RunPartitions()
    Barrier m_barrier;
    uint64_t m_slice;            //!< ticks for which partitions sort events: whole windows
    uint64_t m_end{0};           //!< of the window that runs, ticks
    uint32_t m_windows{0};       //!< since the last Balance()
    uint64_t m_critical{0};      //!< GetCriticalCount()
    uint64_t m_until{0};         //!< RunNodes()
    bool m_isSmall{true};        //!< the last window had few events: one thread runs the next
    bool m_isOpen{false};        //!< a window has begun
    bool m_stopsNow{false};      //!< an event of no node has stopped the run
    bool m_done{false};          //!< the threads are to end
    std::mutex m_mutex;          //!< guards m_thrown
    std::exception_ptr m_thrown; //!< by an event
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_WINDOWS_H
