// SPDX-License-Identifier: GPL-2.0-only
#include "sonic-show.h"

#include "ns3/pfc-watchdog.h"
#include "ns3/switch-mmu.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/// @return name of a port
std::string
NameOf(uint32_t port)
{
    return "Ethernet" + std::to_string(4 * port);
}

} // namespace

SonicShow::SonicShow(const Ptr<FabricSwitch>& fabricSwitch, WatermarkView view)
    : m_switch(fabricSwitch),
      m_view(view)
{
}

std::string
SonicShow::Print(const std::vector<std::vector<std::string>>& lines)
{
    std::vector<std::size_t> widths(lines.front().size());
    for (const auto& line : lines)
    {
        for (std::size_t i = 0; i < line.size(); ++i)
        {
            widths[i] = std::max(widths[i], line[i].size());
        }
    }
    std::ostringstream text;
    const auto print = [&](const std::vector<std::string>& line) {
        for (std::size_t i = 0; i < line.size(); ++i)
        {
            text << (i ? "  " : "") << std::string(widths[i] - line[i].size(), ' ') << line[i];
        }
        text << "\n";
    };
    print(lines.front());
    std::vector<std::string> rule;
    for (const std::size_t width : widths)
    {
        rule.emplace_back(width, '-');
    }
    print(rule);
    std::for_each(lines.begin() + 1, lines.end(), print);
    return text.str();
}

std::string
SonicShow::Table(const std::string& corner, const std::string& head, const Value& value) const
{
    std::vector<std::vector<std::string>> lines(1, {corner});
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        lines.front().push_back(head + std::to_string(cls));
    }
    for (uint32_t port = 0; port < m_switch->GetNPorts(); ++port)
    {
        lines.push_back({NameOf(port)});
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            lines.back().push_back(std::to_string(value(port, cls)));
        }
    }
    return Print(lines);
}

std::string
SonicShow::PriorityGroupShared() const
{
    return Table("Port", "PG", [this](uint32_t port, uint32_t cls) {
        return m_switch->GetMmu()->GetMarks(m_view, port, cls).shared;
    });
}

std::string
SonicShow::PriorityGroupHeadroom() const
{
    return Table("Port", "PG", [this](uint32_t port, uint32_t cls) {
        return m_switch->GetMmu()->GetMarks(m_view, port, cls).headroom;
    });
}

std::string
SonicShow::QueueWatermark() const
{
    return Table("Port", "UC", [this](uint32_t port, uint32_t cls) {
        return m_switch->GetMmu()->GetMarks(m_view, port, cls).queue;
    });
}

std::string
SonicShow::PfcCounters() const
{
    const std::string received = Table("Port Rx", "PFC", [this](uint32_t port, uint32_t cls) {
        const auto& counters = m_switch->GetPort(port)->GetObeyer().Get(cls);
        return counters.rxXoff + counters.rxXon;
    });
    return received + "\n" + Table("Port Tx", "PFC", [this](uint32_t port, uint32_t cls) {
               const auto& counters = m_switch->GetPort(port)->GetIssuer().Get(cls);
               return counters.txXoff + counters.txXon;
           });
}

std::string
SonicShow::PfcWatchdogStats() const
{
    std::vector<std::vector<std::string>> lines = {
        {"QUEUE", "STATUS", "STORM DETECTED/RESTORED", "TX DROP", "RX DROP"}};
    for (uint32_t i = 0; i < m_switch->GetNExtensions(); ++i)
    {
        const auto watchdog = DynamicCast<PfcWatchdog>(m_switch->GetExtension(i));
        for (uint32_t port = 0; watchdog && port < watchdog->GetNPorts(); ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                if (!(watchdog->GetWatchedClasses(port) & (1U << cls)))
                {
                    continue;
                }
                const auto& counters = watchdog->GetCounters(port, cls);
                lines.push_back(
                    {NameOf(port) + ":" + std::to_string(cls),
                     ToString(watchdog->GetState(port, cls)),
                     std::to_string(counters.storms) + "/" + std::to_string(counters.restored),
                     std::to_string(counters.queueDrops),
                     std::to_string(counters.ingressDrops)});
            }
        }
    }
    return lines.size() > 1 ? Print(lines) : "";
}

std::string
SonicShow::All() const
{
    const std::string watchdog = PfcWatchdogStats();
    return "show priority-group watermark shared\n" + PriorityGroupShared() +
           "\nshow priority-group watermark headroom\n" + PriorityGroupHeadroom() +
           "\nshow queue watermark unicast\n" + QueueWatermark() + "\nshow pfc counters\n" +
           PfcCounters() + (watchdog.empty() ? "" : "\nshow pfcwd stats\n" + watchdog);
}

} // namespace ns3
