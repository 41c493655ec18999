// SPDX-License-Identifier: GPL-2.0-only
#include "simai-topology-reader.h"

#include "text-file.h"

#include "ns3/fabric-error.h"
#include "ns3/hpcc-files.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr const char* HEADER =
    "numbers of nodes, GPUs of a server, NVSwitches, switches and links, and the type of the GPU";
constexpr uint32_t NOBODY = 0xffffffff; //!< a server

/// A file that is being read.
class SimAiTopology
{
  public:
    explicit SimAiTopology(const std::string& path)
        : m_file(path)
    {
    }

    GpuCluster Read()
    {
        ReadHeader();
        ReadSwitches();
        for (uint64_t link = 0; link < m_links; ++link)
        {
            m_file.Require("link " + std::to_string(link + 1) + " of " + std::to_string(m_links));
            ReadLink();
        }
        if (m_file.Next())
        {
            m_file.Fail("more links than announced",
                        "the first line says " + std::to_string(m_links));
        }
        return Build();
    }

  private:
    /// What a node is.
    enum class Kind : uint8_t
    {
        GPU,
        NV_SWITCH,
        SWITCH
    };

    struct Node
    {
        Kind kind{Kind::GPU};
        uint32_t index{0};       //!< of its kind
        uint32_t server{NOBODY}; //!< of a GPU, or of the GPUs at an NVSwitch
        uint64_t intraRate{0};   //!< of a GPU, bit/s
        std::vector<std::pair<uint32_t, FabricLinkSpec>> links{}; //!< of a GPU, to which switches
    };

    /// A link between switches.
    struct Uplink
    {
        uint32_t a;
        uint32_t b;
        FabricLinkSpec spec;
    };

    void ReadHeader()
    {
        constexpr uint64_t most = 2000000; // nodes or links: more is a mistake
        m_file.Require(HEADER);
        if (m_file.Fields().size() != 6 && m_file.Fields().size() != 7) // 7: of later versions
        {
            m_file.RequireFields(6, HEADER);
        }
        m_nodes.resize(m_file.Uint(0, "number of nodes", most));
        m_gpusOfServer = static_cast<uint32_t>(m_file.Uint(1, "GPUs of a server", 1024));
        m_nvSwitches = m_file.Uint(2, "number of NVSwitches", m_nodes.size());
        m_switches = m_file.Uint(3, "number of switches", m_nodes.size() - m_nvSwitches);
        m_links = m_file.Uint(4, "number of links", most);
        m_gpus = static_cast<uint32_t>(m_nodes.size() - m_nvSwitches - m_switches);
        if (m_gpusOfServer == 0 || m_gpus == 0 || m_gpus % m_gpusOfServer != 0)
        {
            m_file.Fail(std::to_string(m_nodes.size()) + " nodes without " +
                            std::to_string(m_nvSwitches) + " NVSwitches and " +
                            std::to_string(m_switches) + " switches are " + std::to_string(m_gpus) +
                            " GPUs",
                        "they must fill servers of " + std::to_string(m_gpusOfServer));
        }
    }

    void ReadSwitches()
    {
        uint32_t count = 0;
        for (const NodeId id :
             HpccFiles::ReadNodes(m_file, m_nvSwitches + m_switches, m_nodes.size(), "switch"))
        {
            Node& node = m_nodes[id.Value()];
            node.kind = count < m_nvSwitches ? Kind::NV_SWITCH : Kind::SWITCH;
            node.index = node.kind == Kind::SWITCH ? count - m_nvSwitches : count;
            ++count;
        }
        uint32_t gpu = 0;
        for (Node& node : m_nodes)
        {
            if (node.kind == Kind::GPU)
            {
                node.index = gpu++;
                node.server = node.index / m_gpusOfServer;
            }
        }
    }

    void ReadLink()
    {
        m_file.RequireFields(5, "source, destination, rate, latency, error rate");
        auto a = static_cast<uint32_t>(m_file.Uint(0, "source", m_nodes.size() - 1));
        auto b = static_cast<uint32_t>(m_file.Uint(1, "destination", m_nodes.size() - 1));
        if (m_nodes[a].kind > m_nodes[b].kind)
        {
            std::swap(a, b);
        }
        const Kind first = m_nodes[a].kind;
        const Kind second = m_nodes[b].kind;
        if (first == Kind::GPU && second == Kind::NV_SWITCH)
        {
            ReadIntraLink(a, b);
        }
        else if (first == Kind::GPU && second == Kind::SWITCH)
        {
            m_nodes[a].links.emplace_back(b, HpccFiles::ReadLinkSpec(m_file));
        }
        else if (first == Kind::SWITCH && second == Kind::SWITCH && a != b)
        {
            m_uplinks.push_back({a, b, HpccFiles::ReadLinkSpec(m_file)});
        }
        else
        {
            m_file.Fail("a link between " + NameOf(a) + " and " + NameOf(b),
                        "a GPU has links to NVSwitches of its server and to switches, a switch to "
                        "other switches");
        }
    }

    /// A link between a GPU and an NVSwitch. @param gpu a node @param nvSwitch a node
    void ReadIntraLink(uint32_t gpu, uint32_t nvSwitch)
    {
        const uint32_t server = m_nodes[gpu].server;
        uint32_t& owner = m_nodes[nvSwitch].server;
        owner = owner == NOBODY ? server : owner;
        if (owner != server)
        {
            m_file.Fail(NameOf(nvSwitch) + " joins GPUs of server " + std::to_string(owner) +
                            " and of server " + std::to_string(server),
                        "an NVSwitch belongs to one server of " + std::to_string(m_gpusOfServer) +
                            " GPUs");
        }
        m_nodes[gpu].intraRate += m_file.Rate(2, "rate").GetBitRate();
        const Time latency = m_file.Duration(3, "latency");
        if (m_hasIntra && latency != m_intraLatency)
        {
            m_file.Fail("latency is \"" + m_file.Fields()[3] + "\"",
                        "all links to NVSwitches must have the same");
        }
        m_intraLatency = latency;
        m_hasIntra = true;
        if (m_file.Real(4, "error rate", 0, 1) > 0)
        {
            m_file.Fail("error rate of a link within a server is \"" + m_file.Fields()[4] + "\"",
                        "it must be 0: messages within a host are not lost");
        }
    }

    GpuCluster Build() const
    {
        const Node* const model = FirstGpu();
        GpuCluster cluster;
        cluster.gpus = m_gpusOfServer;
        if (m_hasIntra)
        {
            cluster.intraRate = DataRate(model->intraRate);
            cluster.intraLatency = m_intraLatency + m_intraLatency;
        }
        FabricTopology& topology = cluster.topology;
        std::vector<NodeId> hosts;
        for (uint32_t server = 0; server < m_gpus / m_gpusOfServer; ++server)
        {
            hosts.push_back(topology.AddHost());
        }
        std::vector<NodeId> switches;
        for (uint64_t i = 0; i < m_switches; ++i)
        {
            switches.push_back(topology.AddSwitch());
        }
        for (std::size_t number = 0; number < m_nodes.size(); ++number)
        {
            const Node& node = m_nodes[number];
            if (node.kind != Kind::GPU)
            {
                continue;
            }
            RequireAlike(static_cast<uint32_t>(number), *model);
            for (const auto& [to, spec] : node.links)
            {
                topology.AddLink(hosts[node.server], switches[m_nodes[to].index], spec);
            }
        }
        for (const Uplink& link : m_uplinks)
        {
            topology.AddLink(switches[m_nodes[link.a].index],
                             switches[m_nodes[link.b].index],
                             link.spec);
        }
        return cluster;
    }

    const Node* FirstGpu() const
    {
        return &*std::find_if(m_nodes.begin(), m_nodes.end(), [](const Node& node) {
            return node.kind == Kind::GPU;
        });
    }

    /// All GPUs have the same number of links, at the same rate within their server.
    /// @param number of a GPU @param model the first one
    void RequireAlike(uint32_t number, const Node& model) const
    {
        const Node& node = m_nodes[number];
        if (node.links.empty() || node.links.size() != model.links.size())
        {
            throw FabricError(m_file.Path() + ": " + NameOf(number) + " has " +
                                  std::to_string(node.links.size()) + " links to switches",
                              "all GPUs have the same number, 1 or more");
        }
        if (node.intraRate != model.intraRate)
        {
            throw FabricError(m_file.Path() + ": " + NameOf(number) + " has " +
                                  std::to_string(node.intraRate / 1000000000) +
                                  " Gb/s to its NVSwitches, the first GPU has " +
                                  std::to_string(model.intraRate / 1000000000),
                              "all GPUs have the same");
        }
    }

    std::string NameOf(uint32_t number) const
    {
        const Kind kind = m_nodes[number].kind;
        const char* const name = kind == Kind::GPU         ? "GPU "
                                 : kind == Kind::NV_SWITCH ? "NVSwitch "
                                                           : "switch ";
        return name + std::to_string(number);
    }

    TextFile m_file;
    std::vector<Node> m_nodes; //!< by number in the file
    uint32_t m_gpusOfServer{0};
    uint64_t m_nvSwitches{0};
    uint64_t m_switches{0};
    uint64_t m_links{0};
    uint32_t m_gpus{0};
    std::vector<Uplink> m_uplinks;
    bool m_hasIntra{false};
    Time m_intraLatency{0};
};

} // namespace

bool
SimAiTopologyReader::Knows(const std::string& path)
{
    TextFile file(path);
    return file.Next() && file.Fields().size() > 3;
}

GpuCluster
SimAiTopologyReader::Read(const std::string& path)
{
    return SimAiTopology(path).Read();
}

} // namespace ns3
