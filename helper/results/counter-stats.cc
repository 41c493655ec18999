// SPDX-License-Identifier: GPL-2.0-only
#include "counter-stats.h"

#include "counters-at-rest.h"
#include "fabric-ports.h"
#include "run-totals.h"

#include "ns3/fabric-switch.h"

#include <numeric>
#include <optional>
#include <ostream>
#include <string>

namespace ns3
{
namespace
{

// ---- drops

/**
 * Frames that were dropped, by class and by reason, and frames that were marked CE. Totals and a
 * line of the summary.
 */
class DropStats : public Report
{
  public:
    /// @param fabric whose switches and hosts
    explicit DropStats(const Fabric& fabric);

    std::string GetName() const override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// Counters of all time.
    struct Counts
    {
        uint64_t lossless{0};           //!< frames of lossless classes dropped by switches
        uint64_t losslessOfLinks{0};    //!< of those, frames whose link was down
        uint64_t lossy{0};              //!< frames of other classes dropped by switches
        FabricSwitch::Counters egress;  //!< of all ports of switches
        QbbNetDevice::Counters devices; //!< of all ports
    };

    /// @return what there is now
    Counts Read() const;

    Fabric m_fabric;
    Counts m_before; //!< when this was made
};

DropStats::DropStats(const Fabric& fabric)
    : m_fabric(fabric),
      m_before(Read())
{
    m_before.devices = {};
    for (const FabricCounters::Port& port : CountersAtRest::Get(fabric).ports)
    {
        AddCounters(m_before.devices, port.device);
    }
}

std::string
DropStats::GetName() const
{
    return "drops";
}

DropStats::Counts
DropStats::Read() const
{
    Counts counts;
    const FabricTopology& topology = m_fabric.GetTopology();
    for (const SwitchId which : m_fabric.Switches())
    {
        const auto fabricSwitch = m_fabric.GetSwitch(which);
        counts.lossless += fabricSwitch->GetLosslessDrops();
        counts.losslessOfLinks += fabricSwitch->GetLosslessDropsOfLinks();
        counts.lossy += fabricSwitch->GetLossyDrops();
        // Simulator::Destroy() takes the ports of a switch, not its counters.
        const NodeId node = topology.NodeOf(which);
        for (uint32_t port = 0; port < topology.GetLinksOf(node).size(); ++port)
        {
            AddCounters(counts.egress, fabricSwitch->GetCounters(port));
        }
    }
    for (const auto& [node, port, isSwitch, device] : PortsOf(m_fabric))
    {
        AddCounters(counts.devices, device->GetCounters());
    }
    return counts;
}

void
DropStats::AddTotals(RunTotals& totals) const
{
    const Counts now = Read();
    const auto egress = CountersSince(now.egress, m_before.egress);
    totals.losslessDrops = now.lossless - m_before.lossless;
    totals.losslessDropsOfLinks = now.losslessOfLinks - m_before.losslessOfLinks;
    totals.lossyDrops = now.lossy - m_before.lossy;
    totals.drops = CountersSince(now.devices, m_before.devices).drops;
    totals.ecnMarks = std::accumulate(egress.ecnMarks.begin(), egress.ecnMarks.end(), uint64_t{0});
}

void
DropStats::Print(std::ostream& os, const RunTotals& totals) const
{
    // A cut link loses frames whatever PFC does: that is no loss of a lossless class.
    os << "Drops: " << totals.losslessDrops - totals.losslessDropsOfLinks
       << " in lossless classes, " << totals.lossyDrops << " in lossy classes";
    if (totals.losslessDropsOfLinks)
    {
        os << ", " << totals.losslessDropsOfLinks << " of lossless classes at links that were down";
    }
    for (std::size_t reason = 0; reason < totals.drops.size(); ++reason)
    {
        if (totals.drops[reason])
        {
            os << "; " << static_cast<DropReason>(reason) << " " << totals.drops[reason];
        }
    }
    os << '\n';
    const auto dropsOf = [&totals](DropReason reason) {
        return totals.drops[static_cast<std::size_t>(reason)];
    };
    if (dropsOf(DropReason::HEADROOM_FULL) && dropsOf(DropReason::CORRUPTED))
    {
        os << "  Links have destroyed frames: where an XOFF was among them, its peer sent on, and "
              "the "
              "headroom overflowed (headroom-full)\n";
    }
}

// ---- RDMA

/**
 * What the NICs of a fabric have counted: totals and a line of the summary.
 */
class RdmaStats : public Report
{
  public:
    /// @param fabric whose hosts
    explicit RdmaStats(const Fabric& fabric);

    std::string GetName() const override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// @return the counters of all NICs, of all time
    RdmaCounters Read() const;

    Fabric m_fabric;
    RdmaCounters m_before; //!< when this was made
};

RdmaStats::RdmaStats(const Fabric& fabric)
    : m_fabric(fabric),
      m_before(CountersAtRest::Get(fabric).rdma)
{
}

std::string
RdmaStats::GetName() const
{
    return "rdma";
}

RdmaCounters
RdmaStats::Read() const
{
    RdmaCounters sum;
    for (const HostId host : m_fabric.Hosts())
    {
        AddCounters(sum, m_fabric.GetRdma(host)->GetCounters());
    }
    return sum;
}

void
RdmaStats::AddTotals(RunTotals& totals) const
{
    totals.rdma = CountersSince(Read(), m_before);
}

void
RdmaStats::Print(std::ostream& os, const RunTotals& totals) const
{
    os << "RDMA: " << totals.rdma.dataPackets << " data packets, " << totals.rdma.retransmitted
       << " of them sent again, " << totals.ecnMarks << " ECN marks, " << totals.rdma.cnpsReceived
       << " CNPs, " << totals.rdma.timeouts << " timeouts\n";
}

// ---- extensions of switches

/// What the extensions of one kind have counted.
/// @tparam Extension a SwitchExtension with Counters and GetCounters()
template <typename Extension>
class ExtensionStats : public Report
{
  public:
    using Counters = typename Extension::Counters;
    /// Prints a line of the summary.
    typedef void (*Line)(std::ostream& os, const Counters& all);

    /// @param fabric whose switches @param name of the report @param member of the totals
    /// @param line of the summary
    ExtensionStats(const Fabric& fabric,
                   const char* name,
                   std::optional<Counters> RunTotals::* member,
                   Line line)
        : m_fabric(fabric),
          m_name(name),
          m_member(member),
          m_line(line)
    {
        Begin();
        m_before = Read();
    }

    std::string GetName() const override
    {
        return m_name;
    }

    /// Find the extensions: switches let go of theirs with Simulator::Destroy(), and those of the
    /// last look count then.
    void Begin() override
    {
        if (!m_fabric.IsDestroyed())
        {
            m_extensions = Find();
        }
    }

    void AddTotals(RunTotals& totals) const override
    {
        m_extensions = m_fabric.IsDestroyed() ? m_extensions : Find();
        if (!m_extensions.empty())
        {
            totals.*m_member = CountersSince(Read(), m_before);
        }
    }

    void Print(std::ostream& os, const RunTotals& totals) const override
    {
        if (totals.*m_member)
        {
            m_line(os, *(totals.*m_member));
        }
    }

  private:
    using Extensions = std::vector<Ptr<Extension>>;

    /// @return those that switches have now
    Extensions Find() const
    {
        Extensions found;
        for (const SwitchId which : m_fabric.Switches())
        {
            const auto fabricSwitch = m_fabric.GetSwitch(which);
            for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
            {
                if (auto extension = DynamicCast<Extension>(fabricSwitch->GetExtension(i)))
                {
                    found.push_back(extension);
                }
            }
        }
        return found;
    }

    /// @return the sums of all time
    Counters Read() const
    {
        Counters sum;
        for (const auto& extension : m_extensions)
        {
            AddCounters(sum, extension->GetCounters());
        }
        return sum;
    }

    Fabric m_fabric;
    const char* m_name;
    std::optional<Counters> RunTotals::* m_member;
    Line m_line;
    mutable Extensions m_extensions; //!< of all switches, at the last look
    Counters m_before;               //!< when this was made
};

void
PrintElephants(std::ostream& os, const ElephantSeparator::Counters& all)
{
    os << "Elephants at switches: " << all.found << " found, " << all.demoted << " demoted, "
       << all.moves << " moved with " << all.movedFrames << " frames, " << all.reorderings
       << " reorderings\n";
}

void
PrintBorders(std::ostream& os, const BorderPolicy::Counters& all)
{
    os << "Border policies: " << all.permitted << " frames permitted, " << all.marked
       << " given a DSCP, " << all.untagged << " untagged, " << all.dropped << " dropped\n";
}

void
PrintTunnels(std::ostream& os, const VxlanEndpoint::Counters& all)
{
    os << "VXLAN tunnels of switches: " << all.encapsulated << " frames in, " << all.decapsulated
       << " out, " << all.copiedMarks << " marks copied, " << all.ecnDrops << " dropped by ECN and "
       << all.vniDrops << " by VNI\n";
}

void
PrintTrims(std::ostream& os, const TrimSwitch::Counters& all)
{
    os << "Trimming: " << all.trims << " packets trimmed by " << all.trimmedBytes << " bytes, "
       << all.dropped << " trimmed packets dropped\n";
}

void
PrintConWeave(std::ostream& os, const ConWeaveSwitch::Counters& all)
{
    os << "ConWeave: " << all.reroutes << " reroutes, " << all.held << " frames held, "
       << all.mostHeld << " at most, flushed by " << all.flushesByTail << " tails and "
       << all.flushesByTimer << " timers, " << all.replies << " replies, " << all.notifies
       << " notifies\n";
}

} // namespace

std::unique_ptr<Report>
MakeDropStats(const Fabric& fabric)
{
    return std::make_unique<DropStats>(fabric);
}

std::unique_ptr<Report>
MakeRdmaStats(const Fabric& fabric)
{
    return std::make_unique<RdmaStats>(fabric);
}

std::vector<std::unique_ptr<Report>>
MakeExtensionStats(const Fabric& fabric)
{
    std::vector<std::unique_ptr<Report>> all;
    all.push_back(std::make_unique<ExtensionStats<ElephantSeparator>>(fabric,
                                                                      "elephants",
                                                                      &RunTotals::elephants,
                                                                      &PrintElephants));
    all.push_back(std::make_unique<ExtensionStats<BorderPolicy>>(fabric,
                                                                 "borders",
                                                                 &RunTotals::borders,
                                                                 &PrintBorders));
    all.push_back(std::make_unique<ExtensionStats<VxlanEndpoint>>(fabric,
                                                                  "tunnels",
                                                                  &RunTotals::tunnels,
                                                                  &PrintTunnels));
    all.push_back(std::make_unique<ExtensionStats<TrimSwitch>>(fabric,
                                                               "trimming",
                                                               &RunTotals::trims,
                                                               &PrintTrims));
    all.push_back(std::make_unique<ExtensionStats<ConWeaveSwitch>>(fabric,
                                                                   "conweave",
                                                                   &RunTotals::conweave,
                                                                   &PrintConWeave));
    return all;
}
} // namespace ns3
