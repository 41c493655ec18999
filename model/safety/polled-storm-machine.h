// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_POLLED_STORM_MACHINE_H
#define LOSSLESS_POLLED_STORM_MACHINE_H

#include "pfc-storm-machine.h"
#include "pfc-storm-rule.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The state machine of a queue for dialects that poll, at multiples of the poll interval from time
 * 0. No polls are needed while the queue is open and not stormed: only transmissions can change a
 * sample then, and a sample has the time of the last one.
 */
class PolledStormMachine final : public PfcStormMachine
{
  public:
    /// @param rule the dialect, which outlives the machine @param times times of the watchdog
    PolledStormMachine(const PolledStormRule& rule, const PfcStormTimes& times);

    void Reset(const PfcQueueSample& sample) override;
    void PauseChanged(const PfcQueueSample& sample) override;
    void Sampled(const PfcQueueSample& sample) override;

    /// @return ticks for which the storm condition must still hold; meaningless during a storm
    int64_t GetCountdown() const
    {
        return m_countdown;
    }

  private:
    /// @param now the time @return the first poll after it
    int64_t NextPoll(int64_t now) const;
    /// Poll an operational queue. @param sample current sample
    void Detect(const PfcQueueSample& sample);
    /// Poll a stormed queue. @param sample current sample
    void AwaitRestoration(const PfcQueueSample& sample);

    const PolledStormRule& m_rule;
    PfcStormTimes m_times;
    PfcQueueSample m_last;
    int64_t m_countdown;   //!< countdown of detection, ticks
    int64_t m_restoration; //!< countdown of restoration, ticks
};

} // namespace ns3

#endif // LOSSLESS_POLLED_STORM_MACHINE_H
