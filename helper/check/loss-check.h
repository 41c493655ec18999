// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOSS_CHECK_H
#define LOSSLESS_LOSS_CHECK_H

#include "fabric-index.h"

#include "ns3/finding.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class FabricObjects;
class RdmaQueuePair;

/// @ingroup lossless
/// @param findings one or more @return the first, and how many more there are
std::string FirstOf(const std::vector<std::string>& findings);

/// @ingroup lossless
/// @param fabric a fabric @return what keeps its switches from starting, by their names, such as a
/// buffer that is too small for the headroom; switches that run have started
std::vector<std::string> FindUnstartable(const FabricObjects& fabric);

/// @ingroup lossless
/// @param fabric a fabric @return whether it is built, and checked, as lossless classes must not
/// drop
bool IsLossForbidden(const FabricObjects& fabric);

/// @ingroup lossless
/// Find what could make a lossless class drop in the worst case. @param fabric a fabric
/// @param which one of its switches @param name of the switch @param findings get it
/// @return whether the switch can start
bool FindMistakes(const FabricObjects& fabric,
                  SwitchId which,
                  const std::string& name,
                  std::vector<Finding>& findings);

/// @ingroup lossless
/// Find what could make what a host receives drop. @param fabric a fabric @param host one of its
/// hosts @param name of the host
/// @param findings get what is found
void FindHostMistakes(const FabricObjects& fabric,
                      HostId host,
                      const std::string& name,
                      std::vector<Finding>& findings);

/// @ingroup lossless
/// Add to the findings of a fabric what FindMistakes() finds, and ports whose MTU is too small for
/// queue pairs or for NoteIpPackets(); nothing where loss is allowed. @param fabric the fabric
void AddLoss(const FabricObjects& fabric);

/// @ingroup lossless
/// A queue pair is connected: look at ports whose MTU is too small for it, and at its ACKs, if the
/// fabric runs. @param fabric that has it @param end of it
void NoteQueuePair(const FabricObjects& fabric, const RdmaQueuePair& end);

/// @ingroup lossless
/// The IP stack of a host sends to another one: let AddLoss() look for ports of switches that drop
/// its packets. @param fabric that has both @param source host @param destination host
/// @param bytes longest IP packet that is sent, unless the MTU of the source is below
void NoteIpPackets(const FabricObjects& fabric, HostId source, HostId destination, uint64_t bytes);

/// @ingroup lossless
/// While it lives, a fabric runs, and changes of settings are looked at.
class RunOfFabric
{
  public:
    /// @param fabric begins to run; it outlives this object
    /// @param check called after changes of settings, once all of the same time are made
    RunOfFabric(const FabricObjects& fabric, std::function<void()> check);
    ~RunOfFabric();

    /// Settings of a fabric have changed: the one that runs, if one does, is checked.
    static void Changed();

    RunOfFabric(const RunOfFabric&) = delete;
    RunOfFabric& operator=(const RunOfFabric&) = delete;

  private:
    const FabricObjects* m_before;
    std::function<void()> m_check;
    const std::function<void()>* m_checkBefore;
};

} // namespace ns3

#endif // LOSSLESS_LOSS_CHECK_H
