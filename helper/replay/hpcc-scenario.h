// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_SCENARIO_H
#define LOSSLESS_HPCC_SCENARIO_H

#include "hpcc-config.h"
#include "hpcc-files.h"

#include "ns3/fabric.h"
#include "ns3/fault-helper.h"
#include "ns3/rdma-flow-helper.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What a configuration of the public HPCC simulator describes, with the topology and the flows that
 * it names: a fabric and what runs on it.
 *
 * @code
 * const HpccScenario scenario("config.txt");
 * const Fabric fabric = scenario.Build();
 * RdmaFlowHelper flows(fabric);
 * scenario.AddFlows(flows);
 * @endcode
 *
 * Mistakes are FabricErrors with file and line.
 */
class HpccScenario
{
  public:
    /// @param path of the configuration; the configuration and the files that it names are read now
    /// @param options of the program; they win over what the files say
    /// @param allowUnknown as of HpccConfig
    explicit HpccScenario(const std::string& path,
                          const FabricOptions& options = FabricOptions(),
                          bool allowUnknown = false);

    /// @return the configuration
    const HpccConfig& GetConfig() const
    {
        return m_config;
    }

    /// @return the graph
    const FabricTopology& GetTopology() const
    {
        return m_topology;
    }

    /**
     * Make the configuration the defaults of attributes, and build the fabric; the classes of the
     * flows are the lossless ones.
     * @param allowLossy build even what cannot be lossless
     * @return the fabric
     */
    Fabric Build(bool allowLossy = false) const;

    /// Let the switches draw marks as the original does, from one source. Nothing where threads may
    /// run the fabric. @param fabric of Build()
    void ShareDraws(const Fabric& fabric) const;

    /// Add the flows of the file, with their windows. @param flows of the fabric of Build()
    void AddFlows(RdmaFlowHelper& flows) const;

    /// Cut the link of LINK_DOWN at its time, if there is one. @param faults of the fabric of
    /// Build()
    void AddFaults(FaultHelper& faults) const;

  private:
    /// Make the classes of the flows lossless.
    void SetPfcClasses() const;
    /// FabricError for options that the files leave no room for.
    void RefuseOptions() const;
    /// @param allowLossy whether a switch may have none
    /// @return HpccConfig::GetSharedSpace() of each switch, bytes
    std::vector<uint64_t> GetSharedSpaces(bool allowLossy) const;

    HpccConfig m_config;
    FabricTopology m_topology;
    std::string m_flowPath;
    std::vector<HpccFiles::Flow> m_flows;
};

} // namespace ns3

#endif // LOSSLESS_HPCC_SCENARIO_H
