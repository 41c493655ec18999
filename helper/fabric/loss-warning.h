// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOSS_WARNING_H
#define LOSSLESS_LOSS_WARNING_H

#include "fabric-index.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class Fabric;
class RdmaQueuePair;

/// @ingroup lossless
/// @param findings one or more @return the first, and how many more there are
std::string FirstOf(const std::vector<std::string>& findings);

/// @ingroup lossless
/// @param fabric a fabric @return what keeps its switches from starting, by their names, such as a
/// buffer that is too small for the headroom; switches that run have started
std::vector<std::string> FindUnstartable(const Fabric& fabric);

/// @ingroup lossless
/// @param fabric a fabric @return whether ForbidLoss() was called: it is built, and checked
bool IsLossForbidden(const Fabric& fabric);

/// @ingroup lossless
/// Let FindLoss() and WarnOfLoss() check a fabric, as loss is not allowed. @param fabric built
void ForbidLoss(const Fabric& fabric);

/// @ingroup lossless
/// @param fabric a fabric @return what Fabric::CheckLossless() finds, and ports whose MTU is too
/// small for queue pairs that are there, or for NoteIpPackets(); nothing where loss is allowed
std::vector<std::string> FindLoss(const Fabric& fabric);

/// @ingroup lossless
/// Name in one warning what FindLoss() finds, except what an earlier warning has named.
/// @param fabric a fabric @param before findings that are not named
void WarnOfLoss(const Fabric& fabric, const std::vector<std::string>& before = {});

/// @ingroup lossless
/// @param fabric a fabric @return whether WarnOfLoss() has named something of it
bool HasNamedLoss(const Fabric& fabric);

/// @ingroup lossless
/// Name in one warning the ports whose MTU is too small for a queue pair that is made during a run;
/// the begin of a run looks at those that are there. @param fabric that has it @param end of it
void WarnOfSmallMtus(const Fabric& fabric, const RdmaQueuePair& end);

/// @ingroup lossless
/// The IP stack of a host sends to another one: let FindLoss() look for ports of switches that drop
/// its packets. @param fabric that has both @param source host @param destination host
/// @param bytes longest IP packet that is sent, unless the MTU of the source is below
void NoteIpPackets(const Fabric& fabric, HostId source, HostId destination, uint64_t bytes);

/// @ingroup lossless
/// While it lives, a fabric runs: a LossWatch looks at it.
class RunOfFabric
{
  public:
    /// @param fabric begins to run; it outlives this object
    /// @param check called after changes of settings, once all of the same time are made
    RunOfFabric(const Fabric& fabric, std::function<void()> check);
    ~RunOfFabric();

    /// Settings of a fabric have changed: the one that runs, if one does, is checked.
    static void Changed();

    RunOfFabric(const RunOfFabric&) = delete;
    RunOfFabric& operator=(const RunOfFabric&) = delete;

  private:
    const Fabric* m_before;
    std::function<void()> m_check;
    const std::function<void()>* m_checkBefore;
};

/**
 * @ingroup lossless
 *
 * Looks at a change of settings. During a run it makes frames drop at once, and is named once the
 * event is over; before, another change may mend it, and the begin of the run names what is left.
 */
class LossWatch
{
  public:
    /// Before the change: remember what FindLoss() finds in the fabric that runs, if one does.
    LossWatch();
    /// Before the change, also where the fabric does not run. @param fabric that changes
    explicit LossWatch(const Fabric& fabric);
    /// After the change: name in one warning what is new. During a run, what is still there when
    /// the event that makes the change, and others of the same time, have ended.
    void End() const;

  private:
    const Fabric* m_fabric; //!< null: nothing is looked at
    std::vector<std::string> m_before;
};

} // namespace ns3

#endif // LOSSLESS_LOSS_WARNING_H
