// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NIC_RECEIVE_BUFFER_H
#define LOSSLESS_NIC_RECEIVE_BUFFER_H

#include "mtt-cache.h"

#include "ns3/counter-fields.h"
#include "ns3/data-rate.h"
#include "ns3/egress-queues.h"
#include "ns3/fixed-accessor.h"
#include "ns3/lossless-mistake.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/qbb-net-device.h"
#include "ns3/random-variable-stream.h"
#include "ns3/wake-event.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The receive pipeline of a NIC (Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016,
 * section 6.4, "slow-receiver symptom"): frames wait in a buffer while the NIC writes an earlier
 * frame to host memory. To write, the NIC must translate the addresses of the pages that the frame
 * touches.
 *
 *     time of a frame = payload / PcieRate + misses * MissTime
 *
 * The NIC caches the translations of TranslationEntries pages (MttCache) and fetches others from
 * host memory. When the waiting frames exceed the XOFF threshold, the NIC pauses all its classes
 * with PFC; at the XON threshold it resumes them. The thresholds are XoffShare and XonShare of the
 * buffer, or less where the link needs more headroom behind the XOFF threshold. Frames that do not
 * fit are dropped (DropReason::RECEIVE_FULL); classes without PFC have no part of the headroom. On
 * a port with credits (CBFC) a frame holds its credits until it is written.
 *
 * Each frame is written to a page drawn uniformly from a region of RegionBytes. On a port without a
 * NicReceiveBuffer, frames cost no time (RdmaHw::SetReceiveBuffer()).
 */
class NicReceiveBuffer : public Object, public FixedWhenUsed
{
  public:
    /// Takes the frames that the pipeline has processed. @param port the port @param frame taken
    /// over
    typedef Callback<void, QbbNetDevice&, Frame*> Sink;

    /// Counters.
    struct Counters
    {
        uint64_t arrived{0};   //!< frames received
        uint64_t processed{0}; //!< frames that have left the pipeline
        uint64_t dropped{0};   //!< frames that did not fit
        uint64_t touched{0};   //!< pages touched
        uint64_t misses{0};    //!< pages touched without a translation in the cache
        uint64_t xoffs{0};     //!< times that the NIC began to pause its peer
        uint64_t peakBytes{0}; //!< most frame bytes that waited in the buffer

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::arrived, {"arrived", "frames", "frames received"});
            visit(&C::processed, {"processed", "frames", "frames that have left the pipeline"});
            visit(&C::dropped, {"dropped", "frames", "frames that did not fit"});
            visit(&C::touched, {"touched", "pages", "pages touched"});
            visit(&C::misses,
                  {"misses", "pages", "pages touched without a translation in the cache"});
            visit(&C::xoffs, {"xoffs", "times", "times that the NIC began to pause its peer"});
            visit(&C::peakBytes,
                  {"peak_bytes",
                   "bytes",
                   "most frame bytes that waited in the buffer",
                   CounterField::MAX});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    const char* FixedSince() const override
    {
        return m_port ? "it serves a port" : nullptr;
    }

    NicReceiveBuffer();
    ~NicReceiveBuffer() override;

    /// Throws std::invalid_argument when the attributes do not fit together.
    void CheckAttributes() const;

    // ---- for RdmaHw

    /**
     * Begin to serve a port. Throws std::invalid_argument when the attributes do not fit together,
     * or when the buffer serves another port.
     * @param port the port
     * @param sink takes the frames
     */
    void Attach(QbbNetDevice& port, Sink sink);

    /// A frame has arrived. @param frame the frame, taken over
    void Arrived(Frame* frame);

    /// The link of the port went down or up: the peer has forgotten all pauses. @param up whether
    /// the link is up
    void LinkChanged(bool up);

    /// The link of the port needs another headroom, or the thresholds were set: they follow with
    /// the next frame. Throws what CheckAttributes() throws.
    void SettingChanged();

    /// Hand all waiting frames to the sink at once, and stop serving the port.
    void Detach();

    /**
     * Find what could make a lossless class drop in the worst case: a buffer below the headroom of
     * the link, and what FindPauseMistakes() finds.
     * @return the findings; empty: none
     */
    std::vector<LosslessMistake> FindMistakes() const;

    // ---- faults

    /**
     * Stop the pipeline, as a bug in a NIC does: the NIC processes no frames, the buffer fills, and
     * the NIC pauses for ever.
     * @param dead whether the pipeline stops; false starts it again
     */
    void SetDead(bool dead);

    /// @return whether the pipeline is stopped
    bool IsDead() const
    {
        return m_dead;
    }

    // ---- state

    /// @return the counters; a NicWatchdog watches `processed`
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// @return frame bytes that wait, the frame in the pipeline included
    uint64_t GetBytes() const
    {
        return m_fifo.Bytes();
    }

    /// @return bytes above which the NIC pauses its classes, by the link that the port has now
    uint64_t GetXoffBytes() const;

    /// @return whether the NIC pauses its classes
    bool IsPausing() const
    {
        return m_pausing;
    }

    /**
     * @param stream first random stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /// The frame in the pipeline is done.
    void Done();
    /// Begin to process the oldest frame; hand on frames that take no time.
    void Process();
    /// @param frame a frame @return processing time in ticks; draws the page of the frame
    int64_t ProcessingTicks(const Frame& frame);
    /// Hand the oldest frame on.
    void HandOn();
    /// Compute the thresholds from the attributes and the link, before the first frame.
    void Prepare();
    /// @return bytes that a frame may fill the buffer to @param frame the frame
    uint64_t LimitOf(const Frame& frame) const;
    /// @return bytes of the frames that the credits of the port allow
    uint64_t GrantedBytes() const;
    /// Send XOFF or XON if a threshold has been crossed.
    void UpdatePause();
    /// Pause or resume all classes with PFC. @param xoff whether to pause
    void Tell(bool xoff);

    /// Wakes when the frame in the pipeline is done.
    using DoneEvent = WakeEvent<NicReceiveBuffer, &NicReceiveBuffer::Done>;

    QbbNetDevice* m_port{nullptr};
    Sink m_sink;
    FrameFifo m_fifo;
    MttCache m_cache;
    Ptr<DoneEvent> m_done;
    int64_t m_doneAt{-1}; //!< when the frame in the pipeline is done, ticks; -1: no frame
    bool m_dead{false};
    bool m_pausing{false};
    bool m_processing{false}; //!< in Process()
    uint32_t m_pages{1};      //!< pages of the region
    int64_t m_missTicks{0};   //!< attribute MissTime
    Counters m_counters;
    Ptr<UniformRandomVariable> m_random;

    DataRate m_pcieRate;     //!< attribute PcieRate
    Time m_missTime;         //!< attribute MissTime
    uint32_t m_entries;      //!< attribute TranslationEntries
    uint64_t m_pageBytes;    //!< attribute PageBytes
    uint64_t m_regionBytes;  //!< attribute RegionBytes
    uint64_t m_bufferBytes;  //!< attribute BufferBytes
    double m_xoffShare;      //!< attribute XoffShare
    double m_xonShare;       //!< attribute XonShare
    bool m_unaligned;        //!< attribute Unaligned
    bool m_prepared{false};  //!< whether the thresholds are computed
    uint64_t m_xoffBytes{0}; //!< GetXoffBytes() at the first frame
    uint64_t m_xonBytes{0};  //!< XON at it
};

static_assert(AreAllCountersVisited<NicReceiveBuffer::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_NIC_RECEIVE_BUFFER_H
