// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BUFFER_WATERMARKS_H
#define LOSSLESS_BUFFER_WATERMARKS_H

#include "mmu-state.h"
#include "service-pools.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Who reads watermarks of a switch buffer: each view is cleared for itself. All but RUN are tables
/// of the telemetry of SONiC.
enum class WatermarkView : uint8_t
{
    USER,       //!< cleared by a user
    PERSISTENT, //!< cleared by a user, who leaves it alone otherwise
    PERIODIC,   //!< cleared at an interval
    RUN,        //!< peaks of a run, cleared at its begin
    COUNT       //!< no view
};

/// @ingroup lossless
/// What a watermark is of.
enum class WatermarkStatistic : uint8_t
{
    INGRESS_SHARED,   //!< shared space in use by an ingress (port, class)
    INGRESS_HEADROOM, //!< headroom in use by an ingress (port, class)
    QUEUE_SHARED,     //!< an egress queue, beyond what is guaranteed to it
    POOL,             //!< a service pool: its shared space in use
    POOL_HEADROOM     //!< headroom in use by all (port, class) pairs together
};

/// @ingroup lossless
/// A watermark that is not 0.
struct Watermark
{
    WatermarkStatistic statistic; //!< what it is of
    int32_t port;                 //!< its port; -1: of the switch
    int32_t cls;                  //!< its class; -1: of the switch
    uint64_t bytes;               //!< most bytes in use, of whole cells
    std::string pool;             //!< name of the pool; empty: it is of none

    /// @param statistic one @return as SAI and SONiC call it
    static const char* NameOf(WatermarkStatistic statistic);

    /// @param view one of SONiC's @return as SONiC calls it, such as "USER_WATERMARKS"
    static const char* NameOf(WatermarkView view);
};

/**
 * @ingroup lossless
 *
 * The watermarks of a switch buffer: the most that was in use since each view was cleared.
 *
 * The data path counts one peak of each thing. Whenever a view is cleared, the peaks are kept for
 * all other views, and begin anew from what is stored; nothing is kept before.
 */
class BufferWatermarks
{
  public:
    /// Highest uses of a (port, class), bytes.
    struct ClassMarks
    {
        uint64_t ingress{0};  //!< of guaranteed and shared space and headroom together
        uint64_t shared{0};   //!< of shared space
        uint64_t headroom{0}; //!< of headroom
        uint64_t queue{0};    //!< of its egress queue
        uint64_t beyond{0};   //!< of its egress queue, beyond what is guaranteed to it

        /// Take over what is higher. @param other marks
        void Raise(const ClassMarks& other);
    };

    /// Highest uses of a switch, bytes.
    struct SwitchMarks
    {
        std::array<uint64_t, ServicePool::MOST> pools{}; //!< of each service pool
        uint64_t headroom{0};                            //!< of headroom

        /// Take over what is higher. @param other marks
        void Raise(const SwitchMarks& other);
    };

    /// @param in ingress side of a (port, class) @param out its egress side @param cellBytes of a
    /// cell @return the peaks counted
    static ClassMarks Counted(const MmuIngress& in, const MmuEgress& out, uint64_t cellBytes);

    /// Keep peaks of one (port, class) for all views. @param index port * 8 + class @param counts
    /// how many pairs there are @param marks the peaks
    void Keep(uint32_t index, std::size_t counts, const ClassMarks& marks);
    /// Keep peaks of the switch for all views. @param marks the peaks
    void Keep(const SwitchMarks& marks);
    /// Forget what is kept for a view. @param view the view
    void Clear(WatermarkView view);

    /// @param view one @param index port * 8 + class @param counted peaks counted since the last
    /// Keep() @return the watermarks
    ClassMarks Get(WatermarkView view, uint32_t index, const ClassMarks& counted) const;
    /// @param view one @param counted peaks counted since the last Keep() @return the watermarks
    SwitchMarks Get(WatermarkView view, const SwitchMarks& counted) const;

  private:
    /// What is kept for a view.
    struct View
    {
        std::vector<ClassMarks> classes; //!< by port * 8 + class; empty: nothing is kept
        SwitchMarks whole;
    };

    std::array<View, static_cast<std::size_t>(WatermarkView::COUNT)> m_views;
};

} // namespace ns3

#endif // LOSSLESS_BUFFER_WATERMARKS_H
