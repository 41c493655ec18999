// SPDX-License-Identifier: GPL-2.0-only
#include "loss-check.h"

#include "fabric-objects.h"
#include "fabric-places.h"
#include "fabric-ports.h"

#include "ns3/buffer-too-small.h"
#include "ns3/lossless-mistake.h"
#include "ns3/rdma-connection.h"
#include "ns3/rdma-hw.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace ns3
{
namespace
{

/// The fabric of RunOfFabric: a process has one simulation.
const FabricObjects* g_running = nullptr;
const std::function<void()>* g_check = nullptr; ///< what RunOfFabric was told
bool g_isCheckPlanned = false;                  ///< at the time that it is

/// @param end a queue pair @return the longest IP packet that it sends, bytes
uint32_t
LongestPacket(const RdmaQueuePair& end)
{
    uint32_t longest = 0;
    for (const TelemetryKind kind :
         {end.GetConnection().telemetry, end.GetConnection().readTelemetry})
    {
        const uint32_t telemetry = TelemetryBytes(kind, IntTelemetry::MAX_HOPS);
        longest =
            std::max(longest,
                     RoceFrameBytes(RoceOpcode::WRITE_ONLY_IMM, end.GetMtu(), 4, false, telemetry));
    }
    return longest - ETHERNET_OVERHEAD_BYTES;
}

/// @param fabric a fabric @return the longest IP packet of its queue pairs; 0: it has none
uint32_t
LongestPacket(const FabricObjects& fabric)
{
    uint32_t longest = 0;
    ForEachQueuePair(fabric, [&longest](HostId, const RdmaQueuePair& end) {
        longest = std::max(longest, LongestPacket(end));
    });
    return longest;
}

/// Find ports that drop the longest IP packets. @param who sends them @param lengthAt bytes of the
/// longest at a port, by its node and that of its peer; 0: there is none @param findings gets one
/// each
void
FindSmallMtus(const FabricObjects& fabric,
              const std::string& who,
              const std::function<uint32_t(NodeId, NodeId)>& lengthAt,
              std::vector<Finding>& findings)
{
    const uint32_t added = fabric.GetNotes().tunnelBytes;
    const FabricTopology& topology = fabric.GetTopology();
    std::vector<std::string> names;
    for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
    {
        const NodeId peer = topology.GetLink(topology.GetLinksOf(node)[port]).Peer(node);
        const uint32_t sent = lengthAt(node, peer);
        const bool isInside = isSwitch && topology.IsSwitch(peer); // tunnels go there
        const uint32_t needed = sent + (sent && isInside ? added : 0);
        if (device->GetMtu() < needed)
        {
            names = names.empty() ? FabricPlaces::NamesOf(topology) : names;
            findings.push_back({Level::LOSS,
                                "mtu",
                                names[node.Value()] + " port " + std::to_string(port),
                                {},
                                "the MTU is " + std::to_string(device->GetMtu()) + ", and " + who +
                                    " send IP packets of " + std::to_string(needed) + " bytes" +
                                    (needed > sent ? " with the headers of tunnels" : ""),
                                "set Mtu to that at least"});
        }
    }
}

/// As above, for queue pairs and for IP stacks of hosts; the latter at ports of switches.
void
FindSmallMtus(const FabricObjects& fabric, std::vector<Finding>& findings)
{
    const FabricObjects::Notes& notes = fabric.GetNotes();
    if (const uint32_t sent = std::max(notes.longest, LongestPacket(fabric)))
    {
        FindSmallMtus(fabric, "queue pairs", [sent](NodeId, NodeId) { return sent; }, findings);
    }
    uint32_t longest = 0;
    for (const auto& [host, bytes] : notes.longestOfStacks)
    {
        longest = std::max(longest, bytes);
    }
    const FabricTopology& topology = fabric.GetTopology();
    const auto lengthAt = [&](NodeId node, NodeId peer) {
        const auto at = notes.longestOfStacks.find(peer);
        const uint32_t toHost = at == notes.longestOfStacks.end() ? 0 : at->second;
        return !topology.IsSwitch(node) ? 0 : topology.IsSwitch(peer) ? longest : toHost;
    };
    if (longest)
    {
        FindSmallMtus(fabric, "IP stacks of hosts", lengthAt, findings);
    }
}

/// @param mistake of a node @param name of the node @return the finding
Finding
ToFinding(const LosslessMistake& mistake, const std::string& name)
{
    return {Level::LOSS,
            mistake.rule,
            name + (mistake.port ? " port " + std::to_string(*mistake.port) : ""),
            mistake.trafficClass,
            mistake.what,
            mistake.right};
}

/// @param name of a switch that does not start @param error why @return the finding
Finding
FromStart(const std::string& name, const std::exception& error)
{
    const std::string why = error.what();
    const std::size_t half = std::min(why.find("; "), why.size());
    Finding finding{Level::REFUSED,
                    "start",
                    name,
                    {},
                    why.substr(0, half),
                    why.substr(std::min(half + 2, why.size()))};
    if (const auto* const small = dynamic_cast<const BufferTooSmall*>(&error))
    {
        finding.rule = "buffer";
        finding.right = "set BufferSize to " + std::to_string(small->GetNeeded()) + " at least";
    }
    return finding;
}

} // namespace

std::string
FirstOf(const std::vector<std::string>& findings)
{
    const std::size_t more = findings.size() - 1;
    return findings[0] +
           (more ? " (and " + std::to_string(more) + " more finding" + (more > 1 ? "s)" : ")")
                 : "");
}

std::vector<std::string>
FindUnstartable(const FabricObjects& fabric)
{
    std::vector<std::string> findings;
    const FabricTopology& topology = fabric.GetTopology();
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        try
        {
            if (!fabricSwitch->IsInitialized())
            {
                fabricSwitch->Start();
            }
        }
        catch (const std::exception& error)
        {
            const NodeId node = topology.NodeOf(which);
            findings.push_back(FabricPlaces::NameOf(topology, node) + " (" + node.Name() +
                               "): " + error.what());
        }
    }
    return findings;
}

bool
IsLossForbidden(const FabricObjects& fabric)
{
    return !fabric.IsDestroyed() && fabric.GetNotes().isLossForbidden;
}

bool
FindMistakes(const FabricObjects& fabric,
             SwitchId which,
             const std::string& name,
             std::vector<Finding>& findings)
{
    const auto fabricSwitch = fabric.GetSwitch(which);
    try
    {
        fabricSwitch->Start();
    }
    catch (const std::exception& error)
    {
        findings.push_back(FromStart(name, error));
        return false;
    }
    for (const LosslessMistake& mistake : fabricSwitch->FindMistakes())
    {
        findings.push_back(ToFinding(mistake, name));
    }
    return true;
}

void
FindHostMistakes(const FabricObjects& fabric,
                 HostId host,
                 const std::string& name,
                 std::vector<Finding>& findings)
{
    for (const LosslessMistake& mistake : fabric.GetRdma(host)->FindMistakes())
    {
        findings.push_back(ToFinding(mistake, name));
    }
}

void
AddLoss(const FabricObjects& fabric)
{
    if (!IsLossForbidden(fabric))
    {
        return;
    }
    const FabricTopology& topology = fabric.GetTopology();
    const auto names = FabricPlaces::NamesOf(topology);
    std::vector<Finding> found;
    for (const SwitchId which : fabric.Switches())
    {
        FindMistakes(fabric, which, names[topology.NodeOf(which).Value()], found);
    }
    for (const HostId host : fabric.Hosts())
    {
        FindHostMistakes(fabric, host, names[topology.NodeOf(host).Value()], found);
    }
    FindSmallMtus(fabric, found);
    for (const Finding& finding : found)
    {
        fabric.GetFindings().Add(finding);
    }
}

void
NoteQueuePair(const FabricObjects& fabric, const RdmaQueuePair& end)
{
    if (!g_running || !IsLossForbidden(fabric))
    {
        return; // the begin of a run looks at those that are there
    }
    FabricObjects::Notes& notes = fabric.GetNotes();
    const uint32_t sent = LongestPacket(end);
    const bool isLonger = sent > notes.longest;
    notes.longest = std::max(notes.longest, sent);
    const bool isLoose = !notes.hasLooseAcks && end.FindLooseAcks(*end.GetDevice(), false);
    notes.hasLooseAcks = notes.hasLooseAcks || isLoose;
    if (isLoose)
    {
        AddLoss(fabric); // the queue pair may be gone at the end of the run
    }
    else if (isLonger)
    {
        std::vector<Finding> small;
        FindSmallMtus(fabric, small);
        for (const Finding& finding : small)
        {
            fabric.GetFindings().Add(finding);
        }
    }
}

void
NoteIpPackets(const FabricObjects& fabric, HostId source, HostId destination, uint64_t bytes)
{
    const NodeId from = fabric.GetTopology().NodeOf(source);
    const uint64_t sent = std::min<uint64_t>(bytes, fabric.GetDevice(from, 0)->GetMtu());
    // What comes back, such as ACKs of TCP, is short.
    uint32_t& longest = fabric.GetNotes().longestOfStacks[fabric.GetTopology().NodeOf(destination)];
    longest = std::max(longest, static_cast<uint32_t>(sent));
}

RunOfFabric::RunOfFabric(const FabricObjects& fabric, std::function<void()> check)
    : m_before(g_running),
      m_check(std::move(check)),
      m_checkBefore(g_check)
{
    g_running = &fabric;
    g_check = &m_check;
    g_isCheckPlanned = false; // the end of a run may have dropped it
}

RunOfFabric::~RunOfFabric()
{
    g_running = m_before;
    g_check = m_checkBefore;
}

void
RunOfFabric::Changed()
{
    if (g_running && !g_isCheckPlanned)
    {
        g_isCheckPlanned = true;
        Simulator::ScheduleNow(+[] {
            g_isCheckPlanned = false;
            if (g_check)
            {
                (*g_check)();
            }
        });
    }
}

} // namespace ns3
