// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_STORM_MACHINE_H
#define LOSSLESS_PFC_STORM_MACHINE_H

#include <cstdint>
#include <limits>
#include <ostream>

namespace ns3
{

/// @ingroup lossless
/// What a PFC watchdog makes of a queue.
enum class PfcQueueState : uint8_t
{
    OPERATIONAL, //!< PFC is honoured
    STORMED,     //!< PAUSE frames come without end: the action of the watchdog is in force
    DISABLED     //!< PFC and detection are off until an administrator restores the queue
};

/// @param state a state @return its name, such as "operational"
const char* ToString(PfcQueueState state);

/// Prints ToString(state). @param os where to @param state a state @return os
inline std::ostream&
operator<<(std::ostream& os, PfcQueueState state)
{
    return os << ToString(state);
}

/// @ingroup lossless
/// What a PFC watchdog sees of an egress queue at one moment. Counters run from the start of the
/// simulation; times are ticks.
struct PfcQueueSample
{
    int64_t time{0};         //!< when
    bool paused{false};      //!< whether the peer has it paused now
    uint64_t rxPause{0};     //!< PAUSE frames received for its class, obeyed or not
    uint64_t rxPausePort{0}; //!< the same for all watched classes of the port together
    uint64_t resumptions{0}; //!< times that it went from paused to open, by XON or by expiry
    int64_t pausedTicks{0};  //!< time that it was paused
    int64_t lastTx{-1};      //!< when a frame of it was sent last; -1: never
    uint64_t queueBytes{0};  //!< frame bytes in it
};

/// @ingroup lossless
/// Times of a PFC watchdog in ticks, scaled already.
struct PfcStormTimes
{
    int64_t detection{2};   //!< how long the storm condition must hold; 2 at least
    int64_t restoration{1}; //!< how long PAUSE must be absent
    int64_t poll{1};        //!< between two samples
    int64_t clear{1};       //!< how long H3C's automatic clearing lasts
    int64_t quiet{0};       //!< after so long without storm H3C's count begins anew; 0: never
    uint32_t limit{0};      //!< storms from which on H3C disables PFC; 0: never
    bool alert{false};      //!< storms are only reported
};

/**
 * @ingroup lossless
 *
 * The watchdog of one (port, lossless class): decides from samples of the queue whether it is in a
 * storm. Knows no simulator; what follows from its state is PfcWatchdog's business. An idle machine
 * wants no samples: it is woken by PauseChanged().
 */
class PfcStormMachine
{
  public:
    /// No sample is wanted.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    virtual ~PfcStormMachine() = default;

    /// @return the state
    PfcQueueState GetState() const
    {
        return m_state;
    }

    /// @return when Sampled() must be called, in ticks, or NEVER
    int64_t NextSample() const
    {
        return m_next;
    }

    /// Operational from now on, whatever was before. Also the first call of all. @param sample now
    virtual void Reset(const PfcQueueSample& sample) = 0;

    /// The queue was paused or opened. @param sample now
    virtual void PauseChanged(const PfcQueueSample& sample) = 0;

    /// The time NextSample() has come. @param sample now
    virtual void Sampled(const PfcQueueSample& sample) = 0;

  protected:
    PfcQueueState m_state{PfcQueueState::OPERATIONAL}; //!< the state
    int64_t m_next{NEVER};                             //!< when a sample is wanted
};

} // namespace ns3

#endif // LOSSLESS_PFC_STORM_MACHINE_H
