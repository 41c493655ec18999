// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_MMU_H
#define LOSSLESS_SWITCH_MMU_H

#include "buffer-watermarks.h"
#include "mmu-port-limits.h"
#include "mmu-settings.h"
#include "mmu-state.h"

#include "ns3/abort.h"
#include "ns3/fabric-frame.h"
#include "ns3/object.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The memory management unit (MMU) of a switch: admission to the shared packet buffer, and the
 * pause state of each (port, class) (doc/switch.rst).
 *
 * The buffer is counted in cells and divided into guaranteed space of each (port, class), headroom
 * of the lossless (port, class) pairs, and shared space for which all compete under thresholds. A
 * frame is booked twice, at its ingress (port, class) and at its egress queue. The ingress booking
 * occupies memory; the egress booking only limits queues: lossy frames by EgressAlpha, and all
 * frames by a limit that a queue has of its own.
 *
 * The class only does the accounting: it uses neither simulator nor devices nor frames. The
 * configuration is kept per (port, class) in bytes and becomes effective with Finalize(), which the
 * switch calls at the start, and whenever the configuration changes afterwards. Frames that are
 * stored then stay booked until they leave. What guaranteed space and headroom no longer hold is
 * booked as shared; while that is more than the new shared space, nothing else is admitted there,
 * and guarantees and headroom hold as always.
 */
class SwitchMmu : public MmuSettings
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    SwitchMmu();
    ~SwitchMmu() override;

    // ---- configuration; see also MmuSettings

    /// @param ports number of ports, at least as many as before; what is configured stays
    void SetPortCount(uint32_t ports);

    /**
     * Divide the buffer and make the configuration effective. Throws std::invalid_argument with a
     * one-line message when guaranteed space and headroom exceed the buffer (invariant I5); the
     * message names the (port, class) at which the buffer ran out and the missing bytes. With
     * frames stored, pauses and resumes what the new configuration asks for.
     */
    void Finalize();

    /// @return whether Finalize() has succeeded since the last change that needs it
    bool IsFinal() const
    {
        return m_final;
    }

    /// @param sink receives XOFF and XON; null: none
    void SetPauseSink(MmuPauseSink* sink);

    // ---- the data path

    /// Bring the counts of an ingress (port, class) into the cache.
    /// @param port ingress port @param cls class
    void Prefetch(uint32_t port, uint32_t cls) const
    {
        __builtin_prefetch(&m_in[port * TRAFFIC_CLASSES + cls]);
    }

    /**
     * A frame has arrived: book it, or return the reason for which it must be dropped. May call
     * MmuPauseSink::SetPause(xoff).
     * @param inPort ingress port
     * @param inClass ingress class; lossless or lossy as configured for that (port, class)
     * @param outPort egress port
     * @param outClass egress queue
     * @param frameBytes length of the frame, below 2^20
     * @return the verdict; nothing was booked unless accepted
     */
    MmuVerdict Admit(uint32_t inPort,
                     uint32_t inClass,
                     uint32_t outPort,
                     uint32_t outClass,
                     uint32_t frameBytes);

    /**
     * What Admit() and, at once, Release() do for a frame that waits for nothing, in the usual
     * case: a lossless class without headroom in use that may send on, no limit of a port or of the
     * queue, nothing paused.
     * @param inPort ingress port
     * @param inClass ingress class
     * @param outPort egress port
     * @param outClass egress queue
     * @param frameBytes length of the frame, below 2^20
     * @return whether this was the case; else nothing was done
     */
    bool Pass(uint32_t inPort,
              uint32_t inClass,
              uint32_t outPort,
              uint32_t outClass,
              uint32_t frameBytes);

    /**
     * @param share of the limits of a lossy class, 0 to 1 @param inPort ingress port
     * @param inClass ingress class @param outPort egress port @param outClass egress queue
     * @param frameBytes length of a frame
     * @return whether a frame of a lossy class would fit if its ingress class, its egress queue,
     * and all lossy classes of its pool together had but this share of their limits
     */
    bool IsWithin(double share,
                  uint32_t inPort,
                  uint32_t inClass,
                  uint32_t outPort,
                  uint32_t outClass,
                  uint32_t frameBytes) const;

    /**
     * An admitted frame has left the switch or was dropped. May call MmuPauseSink::SetPause(xon)
     * for any (port, class) that was paused.
     * @param inPort ingress port, as admitted
     * @param inClass ingress class, as admitted
     * @param outPort egress port, as admitted
     * @param outClass egress queue, as admitted
     * @param cells MmuVerdict::cells
     */
    void Release(uint32_t inPort,
                 uint32_t inClass,
                 uint32_t outPort,
                 uint32_t outClass,
                 uint32_t cells);

    // ---- state, in cells unless said otherwise

    /// @param port ingress port @param cls the class @return its counts
    const MmuIngress& GetIngress(uint32_t port, uint32_t cls) const
    {
        return m_in[port * TRAFFIC_CLASSES + cls];
    }

    /// @param port egress port @param cls the queue @return its counts
    const MmuEgress& GetEgress(uint32_t port, uint32_t cls) const
    {
        return m_out[port * TRAFFIC_CLASSES + cls];
    }

    /// @param port ingress port @param cls the class @return its current threshold
    uint64_t GetThreshold(uint32_t port, uint32_t cls) const
    {
        const MmuIngress& in = GetIngress(port, cls);
        return in.threshold.Cells(PoolOf(in).Free());
    }

    /// @param port ingress port @param cls the class @return whether it is lossless
    bool IsLossless(uint32_t port, uint32_t cls) const
    {
        return GetIngress(port, cls).lossless;
    }

    /// @param port ingress port @param cls the class @param reason HEADROOM_FULL, POOL_FULL,
    /// INGRESS_LIMIT or EGRESS_LIMIT @return frames refused for that reason (counted at ingress)
    uint64_t GetDrops(uint32_t port, uint32_t cls, DropReason reason) const;

    /// @param place of a service pool, in the order of ServicePools; without those there is pool 0
    /// alone @return it
    const MmuPool& GetPool(uint32_t place) const
    {
        return m_pools.at(place);
    }

    /// @return number of service pools, 1 or more
    uint32_t GetPoolCount() const
    {
        return m_poolCount;
    }

    /// @param port the port @return its limits, and what counts against them
    const MmuPortLimits& GetPortLimits(uint32_t port) const
    {
        return m_ports.at(port);
    }

    /// @return size of the shared space, all service pools together
    uint32_t GetSharedPool() const;

    /// @return shared space in use
    uint32_t GetSharedUsed() const;

    /// @return highest use of shared space since ClearPeaks(); that of each service pool, added
    uint32_t GetSharedPeak() const;

    /// @return size of the headroom pool that all (port, class) pairs share; 0: they share none
    uint32_t GetHeadroomPool() const
    {
        return m_sharesHeadroom ? m_headroomPool : 0;
    }

    /// @return highest use of headroom by all (port, class) pairs together since ClearPeaks()
    uint32_t GetHeadroomPeak() const
    {
        return static_cast<uint32_t>(GetMarks(WatermarkView::RUN).headroom / m_cell.Bytes());
    }

    /// @param port the port @param cls the class @return highest uses since ClearPeaks(), bytes
    BufferWatermarks::ClassMarks GetPeaks(uint32_t port, uint32_t cls) const
    {
        return GetMarks(WatermarkView::RUN, port, cls);
    }

    /// @return cells of all frames in the switch
    uint32_t GetTotalUsed() const;

    /// @return the cell size and its arithmetic
    const CellSize& GetCellSize() const
    {
        return m_cell;
    }

    /// Frames refused at a (port, class), by the four reasons that the MMU knows.
    using DropCounters = std::array<uint64_t, 4>;

    /// What a (port, class) has counted.
    struct Counts
    {
        uint32_t xoffs{0};    //!< pauses begun
        uint32_t xons{0};     //!< pauses ended
        DropCounters drops{}; //!< frames refused
    };

    /// @param port ingress port @param cls the class @return what it has counted
    Counts GetCounts(uint32_t port, uint32_t cls) const;

    /// The peaks of the view RUN, lowest thresholds and smallest margins begin anew, from what the
    /// switch holds now.
    void ClearPeaks();

    /// @param view one @return its watermarks that are not 0, by statistic, port and class
    std::vector<Watermark> GetWatermarks(WatermarkView view) const;

    /// @param view one @param port the port @param cls the class @return its watermarks
    BufferWatermarks::ClassMarks GetMarks(WatermarkView view, uint32_t port, uint32_t cls) const;
    /// @param view one @return its watermarks of the switch
    BufferWatermarks::SwitchMarks GetMarks(WatermarkView view) const;

    /// The watermarks of a view begin anew, from what the switch holds now.
    /// @param view the view; the others stay
    void ClearWatermarks(WatermarkView view);

    /**
     * Explain why PFC did or did not fire for a class: one line with its threshold, how close the
     * class came to it, its occupancy and its drops.
     * @param port ingress port
     * @param cls the class
     * @param since counts at the begin of the time that is explained, which is that of ClearPeaks()
     * @return the line
     */
    std::string Explain(uint32_t port, uint32_t cls, const Counts& since) const;
    /// The same for all the time. @param port ingress port @param cls the class @return the line
    std::string Explain(uint32_t port, uint32_t cls) const;

    /**
     * Check invariants I1 to I5 of doc/switch.rst by a recount. Builds with LOSSLESS_CHECKS=1
     * assert them after each operation.
     * @return the first violated invariant, in words; empty if none
     */
    std::string CheckInvariants() const;

    /// @return whether no frame is booked and no class is paused (invariant I7)
    bool IsIdle() const;

  private:
    friend class MmuInvariants;

    /// @param in a (port, class) @return the pool from which it draws
    const MmuPool& PoolOf(const MmuIngress& in) const
    {
        return m_pools[in.pool];
    }

    /// @return peaks of the switch counted since KeepPeaks()
    BufferWatermarks::SwitchMarks CountedMarks() const;
    /// Keep the peaks that were counted for all views, and count from what is stored now.
    void KeepPeaks();
    void CheckCellBytes(uint32_t bytes) const override;
    void ConfigChanged() override;
    /// Book what a (port, class) stores in the regions that it has now. @param index port * 8 +
    /// class
    void Rebook(uint32_t index);
    /// @return which (port, class) pairs are lossless and have reached their thresholds
    std::vector<bool> GetReached() const;
    /// Resume what the thresholds ask for now, and pause what they have caught up with.
    /// @param reachedBefore GetReached() before they changed
    void ApplyPauses(const std::vector<bool>& reachedBefore);
    /// Whether a class must be paused, at its own threshold or that of its port.
    bool MustPause(uint32_t index) const;
    /// Begin the pause of a class.
    void Pause(uint32_t index);
    /// Pause the lossless classes of a port that is full.
    void PausePort(uint32_t port);
    /// Choose shared space or headroom for the cells of a frame that exceed guaranteed space.
    /// @return false: neither has room
    bool Place(uint32_t index, uint32_t excess, MmuVerdict& verdict) const;
    /// Whether an egress queue has room for a frame, as far as a pool is free; for a lossless
    /// frame the limit of the port does not count. Not inline: most lossless frames have no limit.
    bool EgressAccepts(uint32_t outPort,
                       const MmuEgress& out,
                       uint32_t cells,
                       uint64_t free,
                       bool lossless) const;
    /// Count a frame against the limits of its ports. @param inPort the ingress port @param shared
    /// cells that the frame holds of shared space @param outPort the egress port @param cells all
    /// cells of the frame @return whether the ingress port is full
    bool CountAtPorts(uint32_t inPort, uint32_t shared, uint32_t outPort, uint32_t cells);
    /// Pause a class that has reached its threshold, and all classes of its port if that is full.
    /// @param index port * 8 + class @return whether the class itself was paused
    bool PauseFull(uint32_t index);
    /// Whether a paused class may resume now.
    bool MayResume(uint32_t index) const;
    /// Some classes are paused, and a frame has left: resume those that may.
    /// @param index port * 8 + class of the frame @param shared cells of shared space that it held
    void ResumeAfter(uint32_t index, uint32_t shared);
    /// Note the free space at which a paused class could resume.
    void WatchForResume(uint32_t index);
    /// End the pause of a class.
    void Resume(uint32_t index);
    /// Resume all paused classes that may resume.
    void ResumePaused();
    /// Count a refusal.
    MmuVerdict Refuse(uint32_t index, DropReason reason);

    /// Fail on a violated invariant, in builds with checks.
    void AssertInvariants() const
    {
#if defined(LOSSLESS_CHECKS) && LOSSLESS_CHECKS
        const std::string violated = CheckInvariants();
        NS_ABORT_MSG_UNLESS(violated.empty(), "SwitchMmu: " << violated);
#endif
    }

    // The data path. What each frame touches is one cache line, but for its (port, class) pairs
    // and for pools after the first; the line after the pools is for headroom and for pauses.
    alignas(64) MmuIngress* m_in{nullptr}; //!< m_ingress
    MmuEgress* m_out{nullptr};             //!< m_egress
    CellSize m_cell;
    std::array<MmuPool, ServicePool::MOST> m_pools;
    uint32_t m_poolCount{1};
    uint32_t m_pausedCount{0}; //!< paused (port, class) pairs
    bool m_limitsPorts{false}; //!< a port has a limit
    bool m_final{false};
    bool m_resuming{false};     //!< in ResumePaused()
    bool m_rescan{false};       //!< space was freed while in ResumePaused()
    uint32_t m_headroomPool{0}; //!< limit of m_headroomUsed
    uint32_t m_headroomUsed{0};
    uint32_t m_headroomPeak{0};
    MmuPauseSink* m_sink{nullptr};
    std::vector<uint8_t> m_pausedMask; //!< by port: mask of its paused classes
    std::vector<MmuIngress> m_ingress; //!< by port * 8 + class
    std::vector<MmuEgress> m_egress;   //!< by port * 8 + class
    std::vector<MmuPortLimits> m_ports;

    // Rarely used.
    std::vector<DropCounters> m_drops;
    BufferWatermarks m_watermarks;
    uint64_t m_bufferCells{0}; //!< size of the buffer at the last Finalize()
    std::array<uint32_t, ServicePool::MOST>
        m_poolMost{};             //!< of each that can be in use since Finalize()
    uint32_t m_headroomMost{0};   //!< headroom that can be in use since Finalize()
    bool m_sharesHeadroom{false}; //!< the headroom is one pool
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_MMU_H
