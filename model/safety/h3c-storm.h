// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_H3C_STORM_H
#define LOSSLESS_H3C_STORM_H

#include "pfc-storm-rule.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The PFC deadlock detection of H3C's switches (H3C, Intelligent Lossless Network Technology White
 * Paper). The detection uses timers instead of polls. A queue that stays paused for the detection
 * time is stormed for the time of automatic clearing, during which PFC and detection are off on the
 * port; then both are on again. The storm that reaches the limit disables PFC of the queue until an
 * administrator restores it. The rule need not count PAUSE frames: without them the pause expires.
 */
class H3cStorm : public PfcStormRule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Defaults GetDefaults() const override;
    std::unique_ptr<PfcStormMachine> MakeMachine(const PfcStormTimes& times) const override;
    bool ActsOnPort() const override;
};

/// @ingroup lossless
/// The state machine of a queue in the dialect of H3C.
class H3cStormMachine final : public PfcStormMachine
{
  public:
    /// @param times of the watchdog
    explicit H3cStormMachine(const PfcStormTimes& times);

    void Reset(const PfcQueueSample& sample) override;
    void PauseChanged(const PfcQueueSample& sample) override;
    void Sampled(const PfcQueueSample& sample) override;

    /// @return storms since the last Reset() or quiet period
    uint32_t GetStormCount() const
    {
        return m_storms;
    }

  private:
    /// The detection timer has run out. @param sample now
    void Detect(const PfcQueueSample& sample);

    PfcStormTimes m_times;
    uint32_t m_storms{0};
    int64_t m_quietSince{0}; //!< end of the last storm, ticks
};

} // namespace ns3

#endif // LOSSLESS_H3C_STORM_H
