// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHDOG_HELPER_H
#define LOSSLESS_WATCHDOG_HELPER_H

#include "ns3/attribute.h"
#include "ns3/fabric.h"
#include "ns3/nic-watchdog.h"
#include "ns3/object-factory.h"
#include "ns3/pfc-watchdog.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Gives watchdogs to switches and NICs of a fabric, before the run:
 *
 * @code
 * WatchdogHelper watchdogs(fabric);
 * watchdogs.InstallSwitches("Dialect", StringValue("ns3::H3cStorm"), "TimeScale",
 * DoubleValue(0.01)); watchdogs.InstallNics("TimeScale", DoubleValue(0.01));
 * @endcode
 *
 * What is wrong is a FabricError. A run then has their events (watchdog.csv) and totals.
 */
class WatchdogHelper
{
  public:
    /// @param fabric where
    explicit WatchdogHelper(const Fabric& fabric);

    /// Watch all switches. @param args names and values of attributes of PfcWatchdog in turn
    template <typename... Args>
    void InstallSwitches(Args&&... args)
    {
        InstallSwitchesAt(AllSwitches(), std::forward<Args>(args)...);
    }

    /// Watch some switches. @param switches which @param args names and values
    /// of attributes of PfcWatchdog in turn
    template <typename... Args>
    void InstallSwitchesAt(const std::vector<SwitchId>& switches, Args&&... args)
    {
        ObjectFactory factory("ns3::PfcWatchdog");
        SetAll(factory, std::forward<Args>(args)...);
        AddToSwitches(switches, factory);
    }

    /// Watch all ports of all NICs. @param args names and values of attributes of NicWatchdog in
    /// turn
    template <typename... Args>
    void InstallNics(Args&&... args)
    {
        InstallNicsAt(AllHosts(), std::forward<Args>(args)...);
    }

    /// Watch the NICs of some hosts. @param hosts which @param args names and values of attributes
    /// of NicWatchdog in turn
    template <typename... Args>
    void InstallNicsAt(const std::vector<HostId>& hosts, Args&&... args)
    {
        ObjectFactory factory("ns3::NicWatchdog");
        SetAll(factory, std::forward<Args>(args)...);
        AddToHosts(hosts, factory);
    }

    /// The same with a factory. @param switches which @param factory of a
    /// PfcWatchdog
    void AddToSwitches(const std::vector<SwitchId>& switches, const ObjectFactory& factory) const;
    /// The same with a factory. @param hosts which @param factory of a NicWatchdog
    void AddToHosts(const std::vector<HostId>& hosts, const ObjectFactory& factory) const;

    /// @return all switches
    std::vector<SwitchId> AllSwitches() const;
    /// @return all hosts
    std::vector<HostId> AllHosts() const;
    /// @return the switches that have hosts: the ToRs
    std::vector<SwitchId> GetTors() const;

    /// @param fabric a fabric @param which a switch @return its watchdogs
    static std::vector<Ptr<PfcWatchdog>> GetWatchdogs(const Fabric& fabric, SwitchId which);

  private:
    /// No more attributes.
    void SetAll(ObjectFactory& /* factory */)
    {
    }

    /// Set attributes of what a factory makes.
    template <typename... Args>
    void SetAll(ObjectFactory& factory,
                const std::string& name,
                const AttributeValue& value,
                Args&&... args)
    {
        SetOne(factory, name, value);
        SetAll(factory, std::forward<Args>(args)...);
    }

    /// Set one attribute, unless there is an option for it.
    void SetOne(ObjectFactory& factory, const std::string& name, const AttributeValue& value);

    Fabric m_fabric;
};

} // namespace ns3

#endif // LOSSLESS_WATCHDOG_HELPER_H
