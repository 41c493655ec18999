// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_STORM_MACHINE_H
#define LOSSLESS_PFC_STORM_MACHINE_H

#include <cstdint>
#include <limits>
#include <ostream>

namespace ns3
{

/// @ingroup lossless
/// State of a queue that a PFC watchdog watches.
enum class PfcQueueState : uint8_t
{
    OPERATIONAL, //!< the switch obeys PFC
    STORMED,     //!< in a pause storm: the action of the watchdog applies
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
/// Sample of an egress queue for a PFC watchdog. Counters run from the start of the simulation;
/// times are ticks.
struct PfcQueueSample
{
    int64_t time{0};         //!< time of the sample
    bool paused{false};      //!< whether the peer pauses the queue
    uint64_t rxPause{0};     //!< PAUSE frames received for its class, obeyed or not
    uint64_t rxPausePort{0}; //!< PAUSE frames received for all watched classes of the port
    uint64_t resumptions{0}; //!< number of pauses that ended, by XON or expiry
    int64_t pausedTicks{0};  //!< total time that the queue was paused
    int64_t lastTx{-1};      //!< when a frame of the queue was last sent; -1: never
    uint64_t queueBytes{0};  //!< frame bytes in the queue
};

/// @ingroup lossless
/// Times of a PFC watchdog in ticks, after TimeScale.
struct PfcStormTimes
{
    int64_t detection{2};   //!< how long the storm condition must hold, at least 2
    int64_t restoration{1}; //!< how long PAUSE must be absent
    int64_t poll{1};        //!< between two samples
    int64_t clear{1};       //!< how long H3C's automatic clearing lasts
    int64_t quiet{0};       //!< H3C: time without a storm that resets the storm count; 0: never
    uint32_t limit{0};      //!< H3C: number of the storm that disables PFC; 0: none
    bool alert{false};      //!< whether storms are only reported

    /// @param other other times @return whether all are equal
    bool operator==(const PfcStormTimes& other) const
    {
        return detection == other.detection && restoration == other.restoration &&
               poll == other.poll && clear == other.clear && quiet == other.quiet &&
               limit == other.limit && alert == other.alert;
    }
};

/**
 * @ingroup lossless
 *
 * State machine of a PFC watchdog for one (port, lossless class): decides from samples whether the
 * queue is in a storm. The class does not use the simulator; PfcWatchdog acts on the state. An idle
 * machine needs no samples until PauseChanged().
 */
class PfcStormMachine
{
  public:
    /// No sample is needed.
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

    /// Make the queue operational, whatever its state; also the first call. @param sample current
    /// sample
    virtual void Reset(const PfcQueueSample& sample) = 0;

    /// The queue was paused or opened. @param sample current sample
    virtual void PauseChanged(const PfcQueueSample& sample) = 0;

    /// The time NextSample() has come. @param sample current sample
    virtual void Sampled(const PfcQueueSample& sample) = 0;

  protected:
    PfcQueueState m_state{PfcQueueState::OPERATIONAL}; //!< the state
    int64_t m_next{NEVER};                             //!< NextSample()
};

} // namespace ns3

#endif // LOSSLESS_PFC_STORM_MACHINE_H
