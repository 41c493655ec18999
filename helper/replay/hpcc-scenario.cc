// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-scenario.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"

#include <cstdint>
#include <set>

namespace ns3
{
namespace
{

/// Refuse an option that the files leave no room for.
void
RefuseOption(const FabricOptions& options, const std::string& type, const std::string& attribute)
{
    if (options.Has(TypeId::LookupByName(type), attribute))
    {
        throw FabricError("--" + type + "::" + attribute + " has no effect",
                          "the topology file says it for each link");
    }
}

} // namespace

HpccScenario::HpccScenario(const std::string& path, const FabricOptions& options)
    : m_config(path, options),
      m_topology(HpccFiles::ReadTopology(m_config.GetInput("TOPOLOGY_FILE"),
                                         m_config.GetNumber("ERROR_RATE_PER_LINK", 0))),
      m_flowPath(m_config.GetInput("FLOW_FILE")),
      m_flows(HpccFiles::ReadFlows(m_flowPath, m_topology))
{
    if (!m_config.GetLinkDownTime().IsZero())
    {
        m_config.GetLinkDown(m_topology);
    }
}

Fabric
HpccScenario::Build(bool allowLossy) const
{
    std::set<uint32_t> classes;
    for (const auto& entry : m_flows)
    {
        classes.insert(entry.flow.trafficClass);
    }
    uint32_t mask = 0;
    for (const uint32_t cls : classes)
    {
        mask |= 1U << cls;
    }
    if (mask)
    {
        m_config.GetOptions().SetDefault("ns3::QbbNetDevice::PfcClasses", std::to_string(mask));
    }
    m_config.SetDefaults();
    m_config.SetRoundTrip(m_topology);
    // The topology has the rates and delays of all links.
    RefuseOption(m_config.GetOptions(), "ns3::QbbNetDevice", "DataRate");
    RefuseOption(m_config.GetOptions(), "ns3::QbbChannel", "Delay");
    FabricHelper helper(m_config.GetOptions());
    helper.AllowLossy(allowLossy);
    m_config.Configure(helper, m_topology);
    try
    {
        return helper.FromTopology(m_topology);
    }
    catch (const FabricError& error)
    {
        // HPCC knows some speeds of links only, and graphs may be too large or not joined; all else
        // is a matter of space in buffers.
        const std::string what = error.what();
        const auto says = [&what](const char* text) {
            return what.find(text) != std::string::npos;
        };
        const char* key = says("IntStamper")                                     ? "CC_MODE"
                          : says("has no link") || says("of memory, and the ma") ? "TOPOLOGY_FILE"
                                                                                 : "BUFFER_SIZE";
        throw FabricError(m_config.GetPath(), m_config.GetLine(key), what);
    }
}

void
HpccScenario::AddFlows(RdmaFlowHelper& flows) const
{
    const bool hasWindow = m_config.GetNumber("HAS_WIN", 1) > 0 && !m_config.HasOwnWindow();
    const bool isGlobal = m_config.GetNumber("GLOBAL_T", 1) > 0;
    const uint64_t global = hasWindow && isGlobal ? m_config.GetGlobalWindow(flows.GetFabric()) : 0;
    for (const auto& entry : m_flows)
    {
        RdmaFlow flow = entry.flow;
        try
        {
            if (hasWindow)
            {
                flow.window =
                    isGlobal ? global
                             : m_config.GetWindow(flows.GetFabric(), flow.source, flow.destination);
            }
            flows.Add(flow);
        }
        catch (const FabricError& error)
        {
            throw FabricError(m_flowPath, entry.line, error.what());
        }
    }
}

void
HpccScenario::AddFaults(FaultHelper& faults) const
{
    const Time when = m_config.GetLinkDownTime();
    if (!when.IsZero())
    {
        faults.CutLink(m_config.GetLinkDown(m_topology), when);
    }
}

} // namespace ns3
