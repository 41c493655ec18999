// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_STORM_RULE_H
#define LOSSLESS_PFC_STORM_RULE_H

#include "pfc-storm-machine.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: when a PFC watchdog detects a storm, and when the storm is over. Each vendor of switches
 * has a type of its own, a dialect. A dialect that polls derives from PolledStormRule.
 */
class PfcStormRule : public Object
{
  public:
    /// Default times of the dialect, before TimeScale. The dialect does not use a time that is 0.
    struct Defaults
    {
        Time detection;   //!< how long the storm condition must hold
        Time restoration; //!< how long PAUSE must be absent
        Time poll;        //!< between two samples
        Time clear;       //!< how long automatic clearing lasts; dialects with it count storms
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the default times, for attributes of PfcWatchdog that are 0
    virtual Defaults GetDefaults() const = 0;

    /// @param times times of the watchdog @return the state machine of a queue; the rule must
    /// outlive it
    virtual std::unique_ptr<PfcStormMachine> MakeMachine(const PfcStormTimes& times) const = 0;

    /// @return whether PfcQueueSample::lastTx is needed, which costs a call for each frame sent
    virtual bool NeedsTransmissions() const;

    /// @return whether only ports to hosts are watched
    virtual bool IsForServerPorts() const;

    /// @return whether a storm of one class triggers the action on all watched classes of the port
    virtual bool ActsOnPort() const;
};

/**
 * @ingroup lossless
 *
 * A dialect that samples the queue at each poll. A storm begins when the condition has held at all
 * polls of the detection time, at least two; it is over when no PAUSE has arrived for the
 * restoration time.
 */
class PolledStormRule : public PfcStormRule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::unique_ptr<PfcStormMachine> MakeMachine(const PfcStormTimes& times) const override;

    /// @param last sample of the last poll @param now sample of this poll @return whether the storm
    /// condition held in between
    virtual bool IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const = 0;

    /// @param sample a sample @return the counter of PAUSE frames that must not increase for a
    /// storm to be over
    virtual uint64_t CountPauses(const PfcQueueSample& sample) const;
};

} // namespace ns3

#endif // LOSSLESS_PFC_STORM_RULE_H
