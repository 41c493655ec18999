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
 * The watchdog of a queue for dialects that poll. Polls are at multiples of the poll interval from
 * time 0. There are no polls while the queue is open and no storm is under way: nothing that a poll
 * looks at changes then except transmissions, and the sample has the time of the last one.
 */
class PolledStormMachine final : public PfcStormMachine
{
  public:
    /// @param rule the dialect, which outlives this @param times of the watchdog
    PolledStormMachine(const PolledStormRule& rule, const PfcStormTimes& times);

    void Reset(const PfcQueueSample& sample) override;
    void PauseChanged(const PfcQueueSample& sample) override;
    void Sampled(const PfcQueueSample& sample) override;

    /// @return ticks for which the storm condition must still hold; of no meaning in a storm
    int64_t GetCountdown() const
    {
        return m_countdown;
    }

  private:
    /// @param now the time @return the first poll after it
    int64_t NextPoll(int64_t now) const;
    /// A poll of an operational queue. @param sample now
    void Detect(const PfcQueueSample& sample);
    /// A poll of a stormed queue. @param sample now
    void AwaitRestoration(const PfcQueueSample& sample);

    const PolledStormRule& m_rule;
    PfcStormTimes m_times;
    PfcQueueSample m_last;
    int64_t m_countdown;   //!< of detection
    int64_t m_restoration; //!< countdown of restoration
};

} // namespace ns3

#endif // LOSSLESS_POLLED_STORM_MACHINE_H
