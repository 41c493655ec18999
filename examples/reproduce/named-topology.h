// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NAMED_TOPOLOGY_H
#define LOSSLESS_NAMED_TOPOLOGY_H

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <map>
#include <string>

/// A graph whose nodes have the names that a paper gives them. names.csv, which it writes, lets the
/// plots find them again: name,node,port, where "S0" is a node, and "S0->H1" the port of S0 on its
/// link to H1.
class NamedTopology
{
  public:
    /// @param name of a new host
    void AddHost(const std::string& name)
    {
        m_nodes[name] = m_topology.AddHost();
    }

    /// @param name of a new switch
    void AddSwitch(const std::string& name)
    {
        m_nodes[name] = m_topology.AddSwitch();
    }

    /// @param a one end @param b the other @param spec the cable
    void AddLink(const std::string& a, const std::string& b, const ns3::FabricLinkSpec& spec)
    {
        const ns3::LinkId link = m_topology.AddLink(m_nodes.at(a), m_nodes.at(b), spec);
        m_ports[a + "->" + b] = {m_nodes.at(a), m_topology.GetPort(m_nodes.at(a), link)};
        m_ports[b + "->" + a] = {m_nodes.at(b), m_topology.GetPort(m_nodes.at(b), link)};
    }

    /// A host and its link. @param name of it @param at its switch @param spec the cable
    void AddHostAt(const std::string& name, const std::string& at, const ns3::FabricLinkSpec& spec)
    {
        AddHost(name);
        AddLink(name, at, spec);
    }

    /// @param name a host @return which it is
    ns3::HostId GetHost(const std::string& name) const
    {
        return m_topology.HostAt(m_nodes.at(name));
    }

    /**
     * A flow between two hosts.
     * @param flows of the fabric made of this graph
     * @param from host that sends @param to the other @param bytes how much @param start when
     */
    void AddFlow(ns3::RdmaFlowHelper& flows,
                 const std::string& from,
                 const std::string& to,
                 uint64_t bytes,
                 ns3::Time start) const
    {
        ns3::RdmaFlow flow;
        flow.source = GetHost(from);
        flow.destination = GetHost(to);
        flow.bytes = bytes;
        flow.start = start;
        flows.Add(flow);
    }

    /// @return the graph
    const ns3::FabricTopology& Get() const
    {
        return m_topology;
    }

    /// @param folder where names.csv goes; empty: nowhere
    void WriteTo(const std::string& folder) const
    {
        if (folder.empty())
        {
            return;
        }
        ns3::ResultFile file(folder + "/names.csv");
        file.Stream() << "name,node,port\n";
        for (const auto& [name, node] : m_nodes)
        {
            file.Stream() << name << ',' << node << ",\n";
        }
        for (const auto& [name, port] : m_ports)
        {
            file.Stream() << name << ',' << port.first << ',' << port.second << '\n';
        }
        file.Commit();
    }

  private:
    ns3::FabricTopology m_topology;
    std::map<std::string, ns3::NodeId> m_nodes;
    std::map<std::string, std::pair<ns3::NodeId, uint32_t>> m_ports; //!< node and its port
};

#endif // LOSSLESS_NAMED_TOPOLOGY_H
