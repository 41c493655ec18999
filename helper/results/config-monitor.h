// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONFIG_MONITOR_H
#define LOSSLESS_CONFIG_MONITOR_H

#include "result-report.h"

#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/object-base.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Compares the running configuration of every switch and NIC with the intended one and reports the
 * drift (C. Guo et al., RDMA over commodity Ethernet at scale, SIGCOMM 2016, where a switch of
 * another default alpha, 1/64 for 1/16, made pauses spread).
 *
 * Running are: the attributes of switch, buffer, ECN marker, load balancer, ports, class maps and
 * schedulers; of each (port, class) of a switch what is in force: kind, alpha or static threshold,
 * headroom, guaranteed space, ECN curve; of each port the classes with PFC and the class of each
 * DSCP and PCP; of each NIC the attributes of its queue pairs. Intended is what was running when
 * Take() was called, but for what Intend() says.
 */
class ConfigMonitor : public TableReport
{
  public:
    /// A difference.
    struct Finding
    {
        Time when;            //!< when it was seen first
        std::string where;    //!< in files: "switch 5 port 2 class 3", by number of the node
        std::string what;     //!< such as "Alpha"
        std::string intended; //!< value; "absent": it should not be there
        std::string actual;   //!< value; "absent": it is not there
        std::string name{};   //!< where, for people: "leaf 1 port 2 class 3"
    };

    /// @param fabric whose switches and NICs; what they run now is intended
    explicit ConfigMonitor(const Fabric& fabric);
    /// It checks no more.
    ~ConfigMonitor() override;
    ConfigMonitor(const ConfigMonitor&) = delete;
    ConfigMonitor& operator=(const ConfigMonitor&) = delete;

    /// What is running now is intended from now on.
    void Take();

    /**
     * A value that is intended wherever there is one of this name.
     * @param what name as findings have it, such as "Alpha" or "ns3::SwitchMmu::BufferSize";
     * FabricError if there is none in the fabric
     * @param value as findings have it, or as attributes are set: "32MiB", "100Gbps", "10us";
     * FabricError if it is no value of that
     */
    void Intend(const std::string& what, const std::string& value);

    /// @return all differences now, in the order of nodes, ports, classes and names
    std::vector<Finding> Check() const;

    /// Check at an interval, once. @param interval between checks @param end no check after that
    void CheckEvery(Time interval, Time end);

    bool IsDividable() const override
    {
        return true; // its events are of no node
    }

    /// @return what CheckEvery() has found, each difference once, when it was seen first
    const std::vector<Finding>& GetFindings() const
    {
        return m_findings;
    }

    /// @return drift.csv
    static TableSpec GetTable();

    void Close(Time end) override;

    /// @param path of a CSV file of findings @param findings what goes there
    static void Write(const std::string& path, const std::vector<Finding>& findings);

    /// @param finding a finding @return one line
    static std::string ToLine(const Finding& finding);

    /// @return the fabric that it belongs to
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

  private:
    static constexpr uint32_t NONE = 0xffffffff; //!< no port, or no class

    /// An item: node, port, class, name.
    using Key = std::tuple<NodeId, uint32_t, uint32_t, std::string>;
    using Items = std::map<Key, std::string>;

    /// @return the running configuration
    Items Read() const;
    void ReadSwitch(Items& items, SwitchId which) const;
    void ReadQueues(Items& items, NodeId node, const FabricSwitch& fabricSwitch) const;
    void ReadPort(Items& items, NodeId node, uint32_t port) const;
    /// The attributes of an object. @param prefix before their names
    static void ReadAttributes(Items& items,
                               NodeId node,
                               uint32_t port,
                               const ObjectBase& object,
                               const std::string& prefix);
    /// @param key an item @param node name of its node @return "leaf 1 port 2 class 3"
    static std::string Where(const Key& key, const std::string& node);
    void Poll(Time interval, Time end);
    /// @param rows get a row for each finding @param findings the findings
    static void AddRows(RowSink& rows, const std::vector<Finding>& findings);

    Fabric m_fabric;
    EventId m_next; //!< check of CheckEvery()
    Items m_intended;
    std::map<std::string, std::string> m_overrides; //!< of Intend(), by name
    std::vector<Finding> m_findings;
    std::map<std::string, std::string> m_seen; //!< actual values at the last check, by place
};

} // namespace ns3

#endif // LOSSLESS_CONFIG_MONITOR_H
