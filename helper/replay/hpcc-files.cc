// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-files.h"

#include "fabric-ports.h"
#include "text-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace ns3
{
namespace HpccFiles
{
namespace
{

constexpr uint16_t DEFAULT_PORT = 100; //!< of the files that name none

/// One link line.
void
ReadLink(TextFile& file, double errorRate, FabricTopology& topology)
{
    file.RequireFields(5, "node, node, rate, delay, error rate");
    const uint64_t last = topology.GetNNodes() - 1;
    const NodeId a = file.Uint(0, "node", last);
    const NodeId b = file.Uint(1, "node", last);
    FabricLinkSpec spec = ReadLinkSpec(file);
    spec.errorRate = spec.errorRate > 0 ? spec.errorRate : errorRate;
    try
    {
        topology.AddLink(a, b, spec);
    }
    catch (const FabricError& error)
    {
        throw FabricError(file.Path(), file.Line(), error.what());
    }
}

/// A host, from a field that names a node.
HostId
ReadHost(const TextFile& file, std::size_t field, const char* what, const FabricTopology& topology)
{
    const NodeId node = file.Uint(field, what, topology.GetNNodes() - 1);
    if (topology.IsSwitch(node))
    {
        file.Fail(std::string(what) + " " + std::to_string(node.Value()) + " is a switch",
                  "flows go from host to host");
    }
    return topology.HostAt(node);
}

} // namespace

std::vector<NodeId>
ReadNodes(TextFile& file, uint64_t count, uint64_t nodes, const std::string& what)
{
    std::vector<NodeId> numbers;
    while (numbers.size() < count)
    {
        file.Require(std::to_string(count - numbers.size()) + " more of " + std::to_string(count) +
                     " " + what + "s");
        for (std::size_t i = 0; i < file.Fields().size(); ++i)
        {
            if (nodes == 0 || numbers.size() == count)
            {
                file.Fail("more " + what + "s than announced", "expected " + std::to_string(count));
            }
            const NodeId node = file.Uint(i, what, nodes - 1);
            if (std::find(numbers.begin(), numbers.end(), node) != numbers.end())
            {
                file.Fail(what + " " + std::to_string(node.Value()) + " twice", "name each once");
            }
            numbers.push_back(node);
        }
    }
    return numbers;
}

FabricLinkSpec
ReadLinkSpec(const TextFile& file)
{
    constexpr uint64_t slowest = 1000; // bit/s, of a QbbNetDevice
    constexpr uint64_t fastest = 1600000000000;
    FabricLinkSpec spec;
    spec.rate = file.Rate(2, "rate");
    if (spec.rate > DataRate(fastest))
    {
        file.Fail("rate is \"" + file.Fields()[2] + "\"", "it must be at most 1.6Tbps");
    }
    if (spec.rate < DataRate(slowest))
    {
        file.Fail("rate is \"" + file.Fields()[2] + "\"", "it must be at least 1kbps");
    }
    spec.delay = file.Duration(3, "delay");
    spec.errorRate = file.Real(4, "error rate", 0, 1);
    return spec;
}

FabricTopology
ReadTopology(const std::string& path, double errorRate)
{
    constexpr uint64_t most = 10000000; // nodes or links: more is a mistake
    TextFile file(path);
    file.Require("number of nodes, of switches and of links");
    const std::size_t fields = file.Fields().size();
    if (fields > 5 && file.Fields()[5].find_first_not_of("0123456789.") != std::string::npos)
    {
        file.Fail("a topology of SimAI", "lossless-job --topology runs jobs on it");
    }
    // Forks have the number of leaves before that of links (4 fields), some two rates behind it
    // (6).
    const bool hasLeaves = fields == 4 || fields == 6;
    if (!hasLeaves)
    {
        file.RequireFields(3, "number of nodes, of switches and of links");
    }
    const uint64_t nodes = file.Uint(0, "number of nodes", most);
    const uint64_t switches = file.Uint(1, "number of switches", nodes);
    const uint64_t links = file.Uint(hasLeaves ? 3 : 2, "number of links", most);
    if (nodes == switches)
    {
        file.Fail("no node is a host", "there must be more nodes than switches");
    }
    const uint64_t hosts = nodes - switches;
    if (hosts > 2 * links)
    {
        file.Fail(std::to_string(hosts) + " hosts and " + std::to_string(links) + " links: " +
                      std::to_string(hosts - 2 * links) + " hosts or more have no link",
                  "give each host a link");
    }
    std::vector<bool> isSwitch(nodes, false);
    for (const NodeId node : ReadNodes(file, switches, nodes, "switch number"))
    {
        isSwitch[node.Value()] = true;
    }
    FabricTopology topology;
    for (uint64_t node = 0; node < nodes; ++node)
    {
        isSwitch[node] ? topology.AddSwitch() : topology.AddHost();
    }
    for (uint64_t link = 0; link < links; ++link)
    {
        file.Require("link " + std::to_string(link + 1) + " of " + std::to_string(links));
        ReadLink(file, errorRate, topology);
    }
    return topology;
}

std::vector<Flow>
ReadFlows(const std::string& path, const FabricTopology& topology)
{
    TextFile file(path);
    file.Require("number of flows");
    file.RequireFields(1, "number of flows");
    const uint64_t count = file.Uint(0, "number of flows");
    std::vector<Flow> flows;
    for (uint64_t i = 0; i < count; ++i)
    {
        file.Require("flow " + std::to_string(i + 1) + " of " + std::to_string(count));
        const bool hasPort = file.Fields().size() != 5; // conweave's files have none
        if (hasPort)
        {
            file.RequireFields(6, "source, destination, class, port, bytes, start in seconds");
        }
        RdmaFlow flow;
        flow.source = ReadHost(file, 0, "source", topology);
        flow.destination = ReadHost(file, 1, "destination", topology);
        flow.trafficClass = static_cast<uint8_t>(file.Uint(2, "class", TRAFFIC_CLASSES - 1));
        constexpr uint64_t lastPort = std::numeric_limits<uint16_t>::max();
        flow.destinationPort =
            hasPort ? static_cast<uint16_t>(file.Uint(3, "port", lastPort)) : DEFAULT_PORT;
        flow.bytes = file.Uint(hasPort ? 4 : 3, "bytes", uint64_t{1} << 40);
        flow.start = file.Duration(hasPort ? 5 : 4, "start");
        flows.push_back({flow, file.Line()});
    }
    return flows;
}

std::vector<NodeId>
ReadTraceNodes(const std::string& path, const FabricTopology& topology)
{
    TextFile file(path);
    file.Require("number of nodes");
    file.RequireFields(1, "number of nodes");
    const uint64_t count = file.Uint(0, "number of nodes");
    std::vector<NodeId> nodes;
    for (uint64_t read = 0; read < count;)
    {
        file.Require("node " + std::to_string(read + 1) + " of " + std::to_string(count));
        for (std::size_t i = 0; i < file.Fields().size() && read < count; ++i, ++read)
        {
            const uint64_t node = file.Uint(i, "node number");
            if (node < topology.GetNNodes() &&
                std::find(nodes.begin(), nodes.end(), NodeId(node)) == nodes.end())
            {
                nodes.emplace_back(node);
            }
        }
    }
    return nodes;
}

uint32_t
AddressOf(NodeId node)
{
    return 0x0b000001 + node.Value() / 256 * 0x10000 + node.Value() % 256 * 0x100;
}

} // namespace HpccFiles

// ---- outputs

HpccOutput::HpccOutput(const Fabric& fabric, RdmaFlowHelper& flows)
    : m_fabric(fabric),
      m_flows(flows)
{
}

HpccOutput::~HpccOutput()
{
    m_nextSample.Cancel();
}

void
HpccOutput::WriteFct(const std::string& path)
{
    m_fct = std::make_unique<ResultFile>(path);
    m_flows.OnEnd(m_guard.Wrap([this](const RdmaFlowResult& result) {
        if (m_isClosed || result.status != RdmaStatus::SUCCESS)
        {
            return;
        }
        constexpr uint32_t firstPort = 10000;
        char line[160];
        std::snprintf(line,
                      sizeof(line),
                      "%08x %08x %u %u %llu %lld %lld %lld\n",
                      HpccFiles::AddressOf(result.sourceNode),
                      HpccFiles::AddressOf(result.destinationNode),
                      result.flow.sourcePort ? result.flow.sourcePort
                                             : (firstPort + result.ordinal) & 0xffff,
                      result.flow.destinationPort,
                      static_cast<unsigned long long>(result.flow.bytes),
                      static_cast<long long>(result.flow.start.GetNanoSeconds()),
                      static_cast<long long>(result.fct.GetNanoSeconds()),
                      static_cast<long long>(result.ideal.GetNanoSeconds()));
        m_fct->Write(line);
    }));
}

void
HpccOutput::WritePfc(const std::string& path)
{
    m_pfc = std::make_unique<ResultFile>(path);
    for (const FabricPort& at : PortsOf(m_fabric))
    {
        m_pfcPorts.push_back(std::make_unique<PfcPort>());
        PfcPort* const port = m_pfcPorts.back().get();
        port->place = ' ' + std::to_string(at.node.Value()) + (at.isSwitch ? " 1 " : " 0 ") +
                      std::to_string(at.port + 1) + ' ';
        at.device->TraceConnectWithoutContext(
            "PfcRx",
            Callback<void, const QbbNetDevice&, uint32_t, uint16_t>(
                m_guard.Wrap([this, port](const QbbNetDevice&, uint32_t cls, uint16_t quanta) {
                    FabricSimulatorImpl::Serially(m_guard.Wrap(
                        [this, port, cls, quanta] { NotePfc(*port, cls, quanta > 0); }));
                })));
    }
}

void
HpccOutput::NotePfc(PfcPort& port, uint32_t cls, bool paused)
{
    // The original sends a PFC frame when a pause begins or ends, and none in between.
    const uint8_t bit = 1U << cls;
    if (((port.paused & bit) != 0) != paused)
    {
        port.paused ^= bit;
        m_pfc->Stream() << Simulator::Now().GetNanoSeconds() << port.place << paused << '\n';
    }
}

void
HpccOutput::WriteQueues(const std::string& path, Time start, Time end)
{
    if (end < start || start.IsStrictlyNegative())
    {
        throw FabricError("queue lengths are monitored from " +
                              std::to_string(start.GetNanoSeconds()) + " to " +
                              std::to_string(end.GetNanoSeconds()) + " ns",
                          "the start must not be negative, nor the end before the start");
    }
    m_queues = std::make_unique<ResultFile>(path);
    m_queuesEnd = Simulator::Now() + end;
    for (const SwitchId which : m_fabric.Switches())
    {
        m_kilobytes.emplace_back(m_fabric.GetSwitch(which)->GetNPorts());
    }
    m_nextSample = Simulator::Schedule(start, &HpccOutput::SampleQueues, this);
}

void
HpccOutput::SampleQueues()
{
    for (uint32_t i = 0; i < m_kilobytes.size(); ++i)
    {
        const FabricSwitch& fabricSwitch = *m_fabric.GetSwitch(i);
        for (uint32_t port = 0; port < m_kilobytes[i].size(); ++port)
        {
            auto& counts = m_kilobytes[i][port];
            const uint64_t kilobytes = fabricSwitch.GetQueueBytes(port) / 1000;
            if (kilobytes >= counts.size())
            {
                counts.resize(kilobytes + 1, 0);
            }
            ++counts[kilobytes];
        }
    }
    m_dumped = false;
    const Time now = Simulator::Now();
    if (now.GetTimeStep() % MilliSeconds(100).GetTimeStep() == 0)
    {
        DumpQueues();
    }
    if (now < m_queuesEnd && !m_flows.IsDone())
    {
        m_nextSample = Simulator::Schedule(NanoSeconds(100), &HpccOutput::SampleQueues, this);
    }
}

void
HpccOutput::DumpQueues()
{
    m_dumped = true;
    std::ostream& os = m_queues->Stream();
    os << "time: " << Simulator::Now().GetNanoSeconds() << '\n';
    for (uint32_t i = 0; i < m_kilobytes.size(); ++i)
    {
        for (uint32_t port = 0; port < m_kilobytes[i].size(); ++port)
        {
            os << m_fabric.GetTopology().GetSwitches()[i] << ' ' << port + 1;
            for (const uint32_t count : m_kilobytes[i][port])
            {
                os << ' ' << count;
            }
            os << '\n';
        }
    }
}

std::string
HpccOutput::GetName() const
{
    return "hpcc";
}

bool
HpccOutput::IsDividable() const
{
    return true; // samples are taken by events of no node
}

std::vector<ResultFile*>
HpccOutput::GetFiles()
{
    std::vector<ResultFile*> files;
    for (const auto& file : {&m_fct, &m_pfc, &m_queues})
    {
        if (*file)
        {
            files.push_back(file->get());
        }
    }
    return files;
}

void
HpccOutput::Close(Time)
{
    m_isClosed = true;
    m_nextSample.Remove();
    if (m_queues && !m_dumped)
    {
        DumpQueues();
    }
}

void
HpccOutput::Commit()
{
    ReportFiles files(*this, {});
    files.Close();
    files.Commit();
}

} // namespace ns3
