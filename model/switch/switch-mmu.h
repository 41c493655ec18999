// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_MMU_H
#define LOSSLESS_SWITCH_MMU_H

#include "mmu-config.h"
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
 * The shared packet buffer of a switch: who may use how much of it, and who is paused
 * (doc/switch.rst).
 *
 * The buffer is counted in cells and parted into space guaranteed to a (port, class), headroom of
 * the lossless (port, class) pairs, and shared space that all compete for under thresholds. A frame
 * is booked twice, at its ingress (port, class) and at its egress queue; the first counts as
 * memory, the second only limits lossy queues.
 *
 * Pure accounting: no simulator, no device, no frame. Configuration is kept per (port, class) in
 * bytes and becomes effective with Finalize().
 */
class SwitchMmu : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    SwitchMmu();
    ~SwitchMmu() override;

    // ---- configuration. Sizes in bytes, rounded up to cells. All setters throw
    // std::invalid_argument on a port or class out of range; those that part the buffer throw
    // std::logic_error while frames are stored. Thresholds may change at any time.

    /// @param ports number of ports, at least as many as before; what is configured stays
    void SetPortCount(uint32_t ports);
    /// @return number of ports
    uint32_t GetPortCount() const;

    /// Pause a class at an ingress port instead of dropping. @param port the port @param cls the
    /// class @param headroomBytes space for what arrives after the XOFF (see HeadroomBytes())
    void SetLossless(uint32_t port, uint32_t cls, uint64_t headroomBytes);
    /// Drop a class at an ingress port at its threshold. @param port the port @param cls the class
    void SetLossy(uint32_t port, uint32_t cls);
    /// @param port the port @param cls the class @param bytes guaranteed space, ingress
    void SetGuaranteed(uint32_t port, uint32_t cls, uint64_t bytes);
    /// @param port the port @param cls the class @param alpha dynamic threshold: share of the free
    /// shared space, 0 <= alpha < 128
    void SetAlpha(uint32_t port, uint32_t cls, double alpha);
    /// @param port the port @param cls the class @param bytes static threshold of shared space
    void SetStaticThreshold(uint32_t port, uint32_t cls, uint64_t bytes);
    /// @param port the port @param cls the class @param bytes how far below the threshold XON is
    /// sent
    void SetXonOffset(uint32_t port, uint32_t cls, uint64_t bytes);
    /// @param port egress port @param cls the class @param bytes a lossy queue may always hold this
    void SetEgressGuaranteed(uint32_t port, uint32_t cls, uint64_t bytes);
    /// @param port egress port @param cls the class @param alpha dynamic limit of a lossy queue
    void SetEgressAlpha(uint32_t port, uint32_t cls, double alpha);
    /// @param port egress port @param cls the class @param bytes static limit of a lossy queue
    void SetEgressStaticThreshold(uint32_t port, uint32_t cls, uint64_t bytes);

    /// @param port the port @param cls the class @return what is configured
    const MmuClassConfig& GetConfig(uint32_t port, uint32_t cls) const;

    /**
     * Part the buffer and make the configuration effective. Throws std::invalid_argument with a
     * one-line message when guaranteed space and headroom exceed the buffer (invariant I5): it
     * names the (port, class) at which the buffer ran out and the missing bytes.
     */
    void Finalize();

    /// @return whether Finalize() has succeeded since the last change that needs it
    bool IsFinal() const
    {
        return m_final;
    }

    /// @param sink who is told about XOFF and XON; null: nobody
    void SetPauseSink(MmuPauseSink* sink);

    // ---- the data path

    /// Bring the books of an ingress (port, class) into the cache.
    /// @param port ingress port @param cls class
    void Prefetch(uint32_t port, uint32_t cls) const
    {
        __builtin_prefetch(&m_ingress[port * TRAFFIC_CLASSES + cls]);
    }

    /**
     * A frame has arrived: book it or say why not. May call MmuPauseSink::SetPause(xoff).
     * @param inPort ingress port
     * @param inClass its class there; lossless or lossy as configured for that (port, class)
     * @param outPort egress port
     * @param outClass its queue there
     * @param frameBytes its length, below 2^20
     * @return the verdict; nothing was booked unless accepted
     */
    MmuVerdict Admit(uint32_t inPort,
                     uint32_t inClass,
                     uint32_t outPort,
                     uint32_t outClass,
                     uint32_t frameBytes);

    /**
     * A frame that was admitted has left, or was thrown away. May call
     * MmuPauseSink::SetPause(xon) for any (port, class) that was paused.
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

    /// @param port ingress port @param cls the class @return its books
    const MmuIngress& GetIngress(uint32_t port, uint32_t cls) const
    {
        return m_ingress[port * TRAFFIC_CLASSES + cls];
    }

    /// @param port egress port @param cls the queue @return its books
    const MmuEgress& GetEgress(uint32_t port, uint32_t cls) const
    {
        return m_egress[port * TRAFFIC_CLASSES + cls];
    }

    /// @param port ingress port @param cls the class @return T now
    uint64_t GetThreshold(uint32_t port, uint32_t cls) const
    {
        return GetIngress(port, cls).threshold.Cells(FreeShared());
    }

    /// @param port ingress port @param cls the class @return whether it is lossless
    bool IsLossless(uint32_t port, uint32_t cls) const
    {
        return GetIngress(port, cls).lossless;
    }

    /// @param port ingress port @param cls the class @param reason HEADROOM_FULL, POOL_FULL,
    /// INGRESS_LIMIT or EGRESS_LIMIT @return frames refused for that reason (counted at ingress)
    uint64_t GetDrops(uint32_t port, uint32_t cls, DropReason reason) const;

    /// @return size of the shared space
    uint32_t GetSharedPool() const
    {
        return m_sharedPool;
    }

    /// @return shared space in use
    uint32_t GetSharedUsed() const
    {
        return m_sharedUsed;
    }

    /// @return highest use of shared space
    uint32_t GetSharedPeak() const
    {
        return m_sharedPeak;
    }

    /// @return highest use of headroom, all (port, class) pairs
    uint32_t GetHeadroomPeak() const
    {
        return m_headroomPeak;
    }

    /// @return cells of all frames in the switch
    uint32_t GetTotalUsed() const
    {
        return m_totalUsed;
    }

    /// @return the cell size and its arithmetic
    const CellSize& GetCellSize() const
    {
        return m_cell;
    }

    /// @return size of the buffer in bytes (attribute BufferSize)
    uint64_t GetBufferSize() const;

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

    /// Peaks, lowest thresholds and smallest margins begin anew, from what the switch holds now.
    void ClearPeaks();

    /**
     * Why PFC did, or did not, act on a class: one line with its threshold, how near it came, what
     * it holds and what it dropped.
     * @param port ingress port
     * @param cls the class
     * @param since counts at the begin of the time that is explained; those of ClearPeaks()
     * @return the line
     */
    std::string Explain(uint32_t port, uint32_t cls, const Counts& since) const;
    /// The same for all the time. @param port ingress port @param cls the class @return the line
    std::string Explain(uint32_t port, uint32_t cls) const;

    /**
     * Invariants I1 to I5 of doc/switch.rst, recounted from all books. Asserted after each
     * operation in a build with LOSSLESS_CHECKS=1.
     * @return the first that is violated, in words; empty if none
     */
    std::string CheckInvariants() const;

    /// @return whether nothing is booked and nobody is paused (invariant I7)
    bool IsIdle() const;

  private:
    /// @return free shared space
    uint64_t FreeShared() const
    {
        return m_sharedPool - m_sharedUsed;
    }

    /// @return the configuration, checked for range
    MmuClassConfig& Config(uint32_t port, uint32_t cls);
    /// As Config(), for a change that parts the buffer anew.
    MmuClassConfig& Partition(uint32_t port, uint32_t cls);
    /// Take the thresholds of a (port, class) over from its configuration.
    void ApplyThresholds(uint32_t port, uint32_t cls);
    /// Apply thresholds that changed while running.
    void ThresholdsChanged(uint32_t port, uint32_t cls);
    /// Where the part of a frame that guaranteed space does not hold goes. @return false: nowhere
    bool Place(const MmuIngress& in, uint32_t excess, MmuVerdict& verdict) const;
    /// Whether a lossy egress queue takes a frame.
    bool EgressAccepts(const MmuEgress& out, uint32_t cells) const;
    /// Record how near a class came to its threshold; pause it if it reached it.
    void UpdatePause(uint32_t index, MmuVerdict& verdict);
    /// Whether a paused class may resume now.
    bool MayResume(const MmuIngress& in) const;
    /// Note the free space at which a paused class could resume.
    void WatchForResume(const MmuIngress& in);
    /// End the pause of a class.
    void Resume(uint32_t index);
    /// Resume whoever may, of all paused classes.
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

    /// Value of m_resumeFree when no amount of free space lets anybody resume.
    static constexpr uint64_t NOBODY = std::numeric_limits<uint64_t>::max();

    // The data path.
    std::vector<MmuIngress> m_ingress; //!< by port * 8 + class
    std::vector<MmuEgress> m_egress;   //!< by port * 8 + class
    CellSize m_cell;
    uint32_t m_sharedPool{0};
    uint32_t m_sharedUsed{0};
    uint32_t m_headroomPool{0}; //!< limit of m_headroomUsed
    uint32_t m_headroomUsed{0};
    uint32_t m_totalUsed{0};
    uint32_t m_sharedPeak{0};
    uint32_t m_headroomPeak{0};
    bool m_final{false};
    bool m_resuming{false}; //!< in ResumePaused()
    bool m_rescan{false};   //!< space was freed while in ResumePaused()
    MmuPauseSink* m_sink{nullptr};
    uint64_t m_resumeFree{NOBODY};     //!< nobody can resume while less shared space is free
    uint32_t m_pausedCount{0};         //!< paused (port, class) pairs
    std::vector<uint8_t> m_pausedMask; //!< by port: mask of its paused classes

    // Rare.
    std::vector<DropCounters> m_drops;
    std::vector<MmuClassConfig> m_config;
    uint32_t m_portCount{0};

    // Attributes.
    uint64_t m_bufferBytes;
    uint32_t m_cellBytes;
    double m_alpha;
    double m_lossyAlpha;
    double m_egressAlpha;
    uint64_t m_xonOffsetBytes;
    uint64_t m_guaranteedBytes;
    uint64_t m_egressGuaranteedBytes;
    uint64_t m_headroomPoolBytes;
    uint64_t m_bufferCells{0};    //!< when the buffer was parted; attributes may have changed
    bool m_sharesHeadroom{false}; //!< all classes share one headroom, see HeadroomPoolBytes
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_MMU_H
