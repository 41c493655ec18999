// SPDX-License-Identifier: GPL-2.0-only
#include "extension-stats.h"

#include "run-totals.h"

#include "ns3/fabric-switch.h"

#include <optional>

namespace ns3
{
namespace
{

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

} // namespace

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
    return all;
}

} // namespace ns3
