// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MMU_STATE_H
#define LOSSLESS_MMU_STATE_H

#include "mmu-config.h"

#include "ns3/counter-fields.h"
#include "ns3/drop-reason.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ns3
{

/// @ingroup lossless
/// Ingress side of one (port, class) in the MMU: a priority group. All sizes in cells.
struct alignas(64) MmuIngress
{
    uint32_t guaranteedUsed{0}; //!< G: cells in guaranteed space
    uint32_t sharedUsed{0};     //!< S: cells in shared space
    uint32_t headroomUsed{0};   //!< H: cells in headroom
    uint32_t guaranteed{0};     //!< limit of G
    uint32_t headroom{0};       //!< limit of H
    uint32_t xonOffset{0};      //!< XON is sent so many cells below the threshold
    MmuThreshold threshold;     //!< T: limit of S
    uint32_t peak{0};           //!< highest G + S + H since a view of BufferWatermarks was cleared
    uint32_t headroomPeak{0};   //!< highest H
    uint32_t sharedPeak{0};     //!< highest S
    uint32_t lowestThreshold{std::numeric_limits<uint32_t>::max()}; //!< lowest T at an arrival
    int32_t smallestMargin{std::numeric_limits<int32_t>::max()};    //!< lowest T - S at an arrival
    uint32_t xoffCount{0};                                          //!< pauses begun
    uint32_t xonCount{0};                                           //!< pauses ended
    bool lossless{false}; //!< paused at T instead of dropped
    bool paused{false};   //!< XOFF has been sent
    uint8_t pool{0};      //!< service pool that has its shared space
    bool limited{false};  //!< its port has a limit, and counts

    /// @return G + S + H
    uint32_t Used() const
    {
        return guaranteedUsed + sharedUsed + headroomUsed;
    }

    /// @param t T as it is now @return whether a lossless class has reached it
    bool HasReached(uint64_t t) const
    {
        // A class that holds guaranteed space alone is never paused, even at a threshold of 0: it
        // would have to be resumed in the same moment.
        return headroomUsed > 0 || (sharedUsed > 0 && sharedUsed >= t);
    }

    /// Record how close the class came to its threshold at an arrival.
    /// @param t T as it is then @param s S as it is then
    void NoteMargin(uint64_t t, uint32_t s)
    {
        const auto shown =
            static_cast<uint32_t>(std::min<uint64_t>(t, std::numeric_limits<int32_t>::max()));
        lowestThreshold = std::min(lowestThreshold, shown);
        smallestMargin =
            std::min(smallestMargin, static_cast<int32_t>(shown) - static_cast<int32_t>(s));
    }

    /// Note the margin at an arrival.
    /// @param t T as it is now @return whether the class must be paused
    bool Note(uint64_t t)
    {
        NoteMargin(t, sharedUsed);
        return lossless && !paused && HasReached(t);
    }

    /// Call a visitor with each counter. @param visit called with (member, CounterField)
    template <typename Visit>
    static constexpr void ForEach(Visit&& visit)
    {
        using C = MmuIngress;
        visit(&C::xoffCount, {"xoffs", "pauses", "pauses begun"});
        visit(&C::xonCount, {"xons", "pauses", "pauses ended"});
        visit(&C::peak,
              {"ingress_peak", "cells", "most cells in use, headroom included", CounterField::MAX});
        visit(&C::headroomPeak,
              {"headroom_peak", "cells", "most cells of headroom in use", CounterField::MAX});
    }
};

static_assert(sizeof(MmuIngress) == 64, "one cache line a (port, class)");

/// @ingroup lossless
/// Egress side of one (port, class) in the MMU: an egress queue. All sizes in cells.
struct alignas(32) MmuEgress
{
    uint32_t used{0};          //!< cells of the frames queued
    uint32_t peak{0};          //!< highest value of used
    uint32_t guaranteed{0};    //!< cells that the queue may always hold
    MmuThreshold threshold;    //!< limit of the queue beyond `guaranteed`
    bool limited{false};       //!< its port has a limit, and counts
    bool bindsLossless{false}; //!< the limit is the queue's own: of lossless frames, too

    /// Call a visitor with each counter. @param visit called with (member, CounterField)
    template <typename Visit>
    static constexpr void ForEach(Visit&& visit)
    {
        using C = MmuEgress;
        visit(&C::peak, {"queue_peak", "cells", "most cells in the queue", CounterField::MAX});
    }
};

/// @ingroup lossless
/// Where the MMU booked a frame.
enum class MmuRegion : uint8_t
{
    GUARANTEED, //!< guaranteed space of the (port, class) alone
    SHARED,     //!< shared space, for what exceeded the guaranteed space
    HEADROOM    //!< headroom, for what exceeded the guaranteed space
};

/// @ingroup lossless
/// The answer of SwitchMmu::Admit().
struct MmuVerdict
{
    uint32_t cells{0};                       //!< cells booked, which Release() must return
    bool accepted{false};                    //!< whether the frame was booked
    MmuRegion region{MmuRegion::GUARANTEED}; //!< where the frame was booked, if accepted
    DropReason reason{DropReason::COUNT};    //!< which limit was hit, if not accepted
    bool xoff{false};                        //!< whether this frame triggered an XOFF
};

/// @ingroup lossless
/// Receives the pause decisions of the MMU: the switch, which sends them to its upstream
/// neighbours.
class MmuPauseSink
{
  public:
    virtual ~MmuPauseSink() = default;

    /**
     * A class at an ingress port must be paused (XOFF) or may resume (XON). Called when the counts
     * of the MMU are consistent, so that the callee may call the MMU.
     * @param port ingress port
     * @param cls class
     * @param xoff true: pause
     */
    virtual void SetPause(uint32_t port, uint32_t cls, bool xoff) = 0;

    /// The configuration of the MMU has changed: call SwitchMmu::Finalize() when it is to become
    /// effective. Throws std::invalid_argument to refuse the change.
    virtual void ConfigChanged() = 0;
};

} // namespace ns3

#endif // LOSSLESS_MMU_STATE_H
