// SPDX-License-Identifier: GPL-2.0-only
#include "loss-warning.h"

#include "fabric-places.h"
#include "fabric-ports.h"
#include "fabric.h"
#include "vxlan-overlay.h"

#include "ns3/fabric-warning.h"
#include "ns3/rdma-connection.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <utility>

namespace ns3
{
namespace
{

/// Says, at the first host of a fabric, that loss is not allowed there.
class ForbiddenLoss : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ForbiddenLoss").SetParent<Object>().SetGroupName("Lossless");
        return tid;
    }

    std::set<std::string> named;         //!< findings of earlier warnings
    uint32_t longest{0};                 //!< IP packet of the queue pairs of runs, bytes
    std::map<NodeId, uint32_t> ofStacks; //!< longest IP packet to the stack of a host
};

/// @param fabric a fabric @return its mark; null: loss is allowed, or the fabric is destroyed
Ptr<ForbiddenLoss>
ForbiddenLossOf(const Fabric& fabric)
{
    return fabric.IsDestroyed() ? nullptr : fabric.GetHosts().Get(0)->GetObject<ForbiddenLoss>();
}

/// The fabric of RunOfFabric: a process has one simulation.
const Fabric* g_running = nullptr;
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
LongestPacket(const Fabric& fabric)
{
    uint32_t longest = 0;
    ForEachQueuePair(fabric, [&longest](HostId, const RdmaQueuePair& end) {
        longest = std::max(longest, LongestPacket(end));
    });
    return longest;
}

/// Find ports that drop the longest IP packets. @param who sends them @param lengthAt bytes of the
/// longest at a port, by its node and that of its peer; 0: there is none @param findings gets a
/// line each
void
FindSmallMtus(const Fabric& fabric,
              const std::string& who,
              const std::function<uint32_t(NodeId, NodeId)>& lengthAt,
              std::vector<std::string>& findings)
{
    const uint32_t added = VxlanOverlay::GetAddedBytes(fabric);
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
            names = names.empty() ? FabricPlaces::NamesOf(fabric.GetTopology()) : names;
            findings.push_back(names[node.Value()] + " (" + node.Name() + ") port " +
                               std::to_string(port) + ": the MTU is " +
                               std::to_string(device->GetMtu()) + ", and " + who +
                               " send IP packets of " + std::to_string(needed) + " bytes" +
                               (needed > sent ? " with the headers of tunnels" : "") +
                               ", which are dropped; set Mtu to that at least");
        }
    }
}

/// As above, for queue pairs. @param sent bytes of their longest packet, 0: there is none
void
FindSmallMtus(const Fabric& fabric, uint32_t sent, std::vector<std::string>& findings)
{
    if (sent)
    {
        FindSmallMtus(fabric, "queue pairs", [sent](NodeId, NodeId) { return sent; }, findings);
    }
}

/// As above, for IP stacks: at ports of switches, on the way of what NoteIpPackets() has noted.
/// @param ofStacks longest IP packet, by host
void
FindSmallMtus(const Fabric& fabric,
              const std::map<NodeId, uint32_t>& ofStacks,
              std::vector<std::string>& findings)
{
    uint32_t longest = 0;
    for (const auto& [host, bytes] : ofStacks)
    {
        longest = std::max(longest, bytes);
    }
    const FabricTopology& topology = fabric.GetTopology();
    const auto lengthAt = [&](NodeId node, NodeId peer) {
        const auto at = ofStacks.find(peer);
        const uint32_t toHost = at == ofStacks.end() ? 0 : at->second;
        return !topology.IsSwitch(node) ? 0 : topology.IsSwitch(peer) ? longest : toHost;
    };
    if (longest)
    {
        FindSmallMtus(fabric, "IP stacks of hosts", lengthAt, findings);
    }
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
FindUnstartable(const Fabric& fabric)
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
IsLossForbidden(const Fabric& fabric)
{
    return ForbiddenLossOf(fabric) != nullptr;
}

void
ForbidLoss(const Fabric& fabric)
{
    fabric.GetHosts().Get(0)->AggregateObject(CreateObject<ForbiddenLoss>());
}

std::vector<std::string>
FindLoss(const Fabric& fabric)
{
    std::vector<std::string> findings;
    if (ForbiddenLossOf(fabric))
    {
        findings = fabric.CheckLossless();
        FindSmallMtus(fabric, LongestPacket(fabric), findings);
        FindSmallMtus(fabric, ForbiddenLossOf(fabric)->ofStacks, findings);
    }
    return findings;
}

void
WarnOfLoss(const Fabric& fabric, const std::vector<std::string>& before)
{
    const auto mark = ForbiddenLossOf(fabric);
    if (!mark)
    {
        return;
    }
    std::vector<std::string> findings;
    for (const std::string& finding : FindLoss(fabric))
    {
        const bool isOld = std::find(before.begin(), before.end(), finding) != before.end();
        if (!isOld && mark->named.insert(finding).second)
        {
            findings.push_back(finding);
        }
    }
    if (!findings.empty())
    {
        PrintWarning(FirstOf(findings));
    }
}

bool
HasNamedLoss(const Fabric& fabric)
{
    const auto mark = ForbiddenLossOf(fabric);
    return mark && !mark->named.empty();
}

void
WarnOfSmallMtus(const Fabric& fabric, const RdmaQueuePair& end)
{
    const auto mark = g_running ? ForbiddenLossOf(fabric) : nullptr;
    if (mark && end.FindLooseAcks(*end.GetDevice(), false) &&
        mark->named.insert("AckQueue").second) // once: it looks at all of the fabric
    {
        WarnOfLoss(fabric);
    }
    const uint32_t sent = mark ? LongestPacket(end) : 0;
    if (!mark || sent <= mark->longest)
    {
        return;
    }
    mark->longest = sent;
    std::vector<std::string> small;
    FindSmallMtus(fabric, sent, small);
    std::vector<std::string> findings;
    for (const std::string& finding : small)
    {
        if (mark->named.insert(finding).second)
        {
            findings.push_back(finding);
        }
    }
    if (!findings.empty())
    {
        PrintWarning(FirstOf(findings));
    }
}

void
NoteIpPackets(const Fabric& fabric, HostId source, HostId destination, uint64_t bytes)
{
    const auto mark = ForbiddenLossOf(fabric);
    const NodeId from = fabric.GetTopology().NodeOf(source);
    const uint64_t sent = std::min<uint64_t>(bytes, fabric.GetDevice(from, 0)->GetMtu());
    // What comes back, such as ACKs of TCP, is short.
    if (mark)
    {
        uint32_t& longest = mark->ofStacks[fabric.GetTopology().NodeOf(destination)];
        longest = std::max(longest, static_cast<uint32_t>(sent));
    }
}

RunOfFabric::RunOfFabric(const Fabric& fabric, std::function<void()> check)
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

LossWatch::LossWatch()
    : m_fabric(g_running)
{
    if (m_fabric)
    {
        m_before = FindLoss(*m_fabric);
    }
}

LossWatch::LossWatch(const Fabric& fabric)
    : m_fabric(&fabric),
      m_before(FindLoss(fabric))
{
}

void
LossWatch::End() const
{
    if (!m_fabric)
    {
        return;
    }
    if (!g_running)
    {
        WarnOfLoss(*m_fabric, m_before);
        return;
    }
    // A second call of the same moment may mend it, as that for the other end of a link.
    const auto now = FindLoss(*m_fabric);
    const bool isNew = std::any_of(now.begin(), now.end(), [this](const std::string& finding) {
        return std::find(m_before.begin(), m_before.end(), finding) == m_before.end();
    });
    if (isNew)
    {
        Simulator::ScheduleNow(
            +[](Fabric fabric, std::vector<std::string> before) { WarnOfLoss(fabric, before); },
            *m_fabric,
            m_before);
    }
    RunOfFabric::Changed();
}

} // namespace ns3
