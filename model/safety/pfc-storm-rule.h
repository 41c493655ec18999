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
 * Policy: when a PFC watchdog sees a storm, and when the storm is over; one type for each maker of
 * switches. A dialect that polls derives from PolledStormRule.
 */
class PfcStormRule : public Object
{
  public:
    /// Times where PfcWatchdog has no others; not scaled. One that is 0 the dialect does not use.
    struct Defaults
    {
        Time detection;   //!< how long the storm condition must hold
        Time restoration; //!< how long PAUSE must be absent
        Time poll;        //!< between two samples
        Time clear;       //!< how long automatic clearing lasts; with it storms are counted
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return times where PfcWatchdog has no others
    virtual Defaults GetDefaults() const = 0;

    /// @param times of the watchdog @return the machine of one queue; this must outlive it
    virtual std::unique_ptr<PfcStormMachine> MakeMachine(const PfcStormTimes& times) const = 0;

    /// @return whether PfcQueueSample::lastTx is needed, which costs a call for each frame sent
    virtual bool NeedsTransmissions() const;

    /// @return whether only ports to hosts are watched
    virtual bool IsForServerPorts() const;

    /// @return whether a storm of one class is answered on all watched classes of the port
    virtual bool ActsOnPort() const;
};

/**
 * @ingroup lossless
 *
 * A dialect that looks at the queue at each poll. A storm is when its condition has held at all
 * polls of the detection time, two at least; it is over when no PAUSE has come for the restoration
 * time.
 */
class PolledStormRule : public PfcStormRule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::unique_ptr<PfcStormMachine> MakeMachine(const PfcStormTimes& times) const override;

    /// @param last sample of the poll before @param now sample of this poll @return whether the
    /// queue looks stormed in between
    virtual bool IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const = 0;

    /// @param sample a sample @return the counter of PAUSE frames that must stand still for a storm
    /// to be over
    virtual uint64_t CountPauses(const PfcQueueSample& sample) const;
};

} // namespace ns3

#endif // LOSSLESS_PFC_STORM_RULE_H
