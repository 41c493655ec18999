// SPDX-License-Identifier: GPL-2.0-only

// What became of TCP and UDP flows: for people, and as a file.

#include "result-file.h"

#include "ns3/socket-flow-helper.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <utility>

namespace ns3
{
namespace
{

/// @param cell of a table @return it as a field of a file; not a number: empty
std::string
ToText(const SocketFlowHelper::Cell& cell)
{
    if (const auto* const text = std::get_if<std::string>(&cell))
    {
        return *text;
    }
    if (const auto* const number = std::get_if<uint64_t>(&cell))
    {
        return std::to_string(*number);
    }
    const double number = std::get<double>(cell);
    return std::isnan(number) ? "" : std::to_string(static_cast<int64_t>(number));
}

/// @param time not negative @return nanoseconds, rounded as in fct.csv
uint64_t
RoundedNs(const Time& time)
{
    return static_cast<uint64_t>((time.GetPicoSeconds() + 500) / 1000);
}

/// @return nanoseconds from the start to the last byte; not a number: it has not arrived
double
FctNs(const SocketFlow& flow)
{
    return flow.GetState() == SocketFlow::COMPLETED
               ? static_cast<double>(RoundedNs(flow.GetCompleted() - flow.GetPlan().start))
               : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

const std::vector<SocketFlowHelper::Column>&
SocketFlowHelper::GetColumns()
{
    using Helper = SocketFlowHelper;
    const auto plan = [](const Helper& h, std::size_t row) { return h.m_flows[row]->GetPlan(); };
    const auto node = [](const Helper& h, uint32_t host) {
        return uint64_t{h.m_fabric.GetTopology().GetHosts()[host]};
    };
    static const std::vector<Column> columns = {
        {"flow", [](const Helper&, std::size_t row) -> Cell { return uint64_t{row}; }},
        {"protocol",
         [plan](const Helper& h, std::size_t row) -> Cell {
             return std::string(plan(h, row).isTcp ? "tcp" : "udp");
         }},
        {"src",
         [=](const Helper& h, std::size_t row) -> Cell { return node(h, plan(h, row).source); }},
        {"dst",
         [=](const Helper& h, std::size_t row) -> Cell {
             return node(h, plan(h, row).destination);
         }},
        {"class",
         [plan](const Helper& h, std::size_t row) -> Cell {
             return uint64_t{plan(h, row).trafficClass};
         }},
        {"bytes", [plan](const Helper& h, std::size_t row) -> Cell { return plan(h, row).bytes; }},
        {"start_ns",
         [plan](const Helper& h, std::size_t row) -> Cell {
             return RoundedNs(plan(h, row).start);
         }},
        {"fct_ns", [](const Helper& h, std::size_t row) -> Cell { return FctNs(*h.m_flows[row]); }},
        {"bytes_sent",
         [](const Helper& h, std::size_t row) -> Cell { return h.m_flows[row]->GetBytesSent(); }},
        {"bytes_received",
         [](const Helper& h, std::size_t row) -> Cell {
             return h.m_flows[row]->GetBytesReceived();
         }},
        {"throughput_bps",
         [](const Helper& h, std::size_t row) -> Cell {
             return static_cast<uint64_t>(h.m_flows[row]->GetThroughput());
         }},
        {"state",
         [](const Helper& h, std::size_t row) -> Cell {
             return std::string(SocketFlow::NameOf(h.m_flows[row]->GetState()));
         }},
    };
    return columns;
}

void
SocketFlowHelper::Print(std::ostream& os) const
{
    for (const bool isTcp : {true, false})
    {
        uint32_t flows = 0;
        uint32_t finite = 0;
        uint32_t completed = 0;
        uint64_t sent = 0;
        uint64_t received = 0;
        double rate = 0;
        for (const auto& flow : m_flows)
        {
            if (flow->GetPlan().isTcp == isTcp)
            {
                ++flows;
                finite += flow->GetPlan().bytes > 0;
                completed += flow->GetState() == SocketFlow::COMPLETED;
                sent += flow->GetBytesSent();
                received += flow->GetBytesReceived();
                rate += flow->GetThroughput();
            }
        }
        if (flows == 0)
        {
            continue;
        }
        char line[256];
        std::snprintf(line,
                      sizeof(line),
                      "%s: %u flow%s, %u of %u of finite size completed; %.3f MB sent, %.3f MB "
                      "arrived, %.3f Gb/s in all\n",
                      isTcp ? "TCP" : "UDP",
                      flows,
                      flows == 1 ? "" : "s",
                      completed,
                      finite,
                      static_cast<double>(sent) * 1e-6,
                      static_cast<double>(received) * 1e-6,
                      rate * 1e-9);
        os << line;
    }
}

void
SocketFlowHelper::Write(const std::string& folder) const
{
    if (m_flows.empty())
    {
        return;
    }
    ResultFile file(std::filesystem::path(folder) / "application.csv");
    const char* comma = "";
    for (const Column& column : GetColumns())
    {
        file.Stream() << std::exchange(comma, ",") << column.name;
    }
    file.Stream() << '\n';
    for (std::size_t row = 0; row < m_flows.size(); ++row)
    {
        comma = "";
        for (const Column& column : GetColumns())
        {
            file.Stream() << std::exchange(comma, ",") << ToText(column.cell(*this, row));
        }
        file.Stream() << '\n';
    }
    file.Commit();
}

} // namespace ns3
