// SPDX-License-Identifier: GPL-2.0-only
#include "result-report.h"

#include "run-totals.h"

#include "ns3/fabric-error.h"
#include "ns3/simulator.h"

#include <filesystem>

namespace ns3
{

ResultFolder::ResultFolder(const std::string& path)
    : m_path(path),
      m_lock(std::make_unique<FolderLock>(path))
{
}

void
ResultFolder::Add(Report& report)
{
    std::vector<RowSink*> rows;
    for (const TableSpec& table : report.GetTables())
    {
        const auto path = std::filesystem::path(m_path) / (std::string(table.name) + ".csv");
        m_sinks.push_back(std::make_unique<RowSink>(table, path.string()));
        rows.push_back(m_sinks.back().get());
    }
    report.Open(rows);
}

void
ResultFolder::Commit(const RunTotals& totals)
{
    ResultFile summary((std::filesystem::path(m_path) / "summary.json").string());
    totals.PrintJson(summary.Stream());
    for (const auto& sink : m_sinks)
    {
        sink->Flush();
    }
    summary.Flush();
    for (const auto& sink : m_sinks)
    {
        sink->Commit();
    }
    summary.Commit();
    m_lock.reset();
}

void
ResultFolder::Discard()
{
    for (const auto& sink : m_sinks)
    {
        sink->Discard();
    }
    m_lock.reset();
}

ReportFiles::ReportFiles(Report& report, const std::vector<std::string>& paths)
    : m_report(report)
{
    const auto tables = report.GetTables();
    std::vector<RowSink*> rows;
    for (std::size_t i = 0; i < tables.size() && i < paths.size(); ++i)
    {
        m_sinks.push_back(std::make_unique<RowSink>(tables[i], paths[i]));
        rows.push_back(m_sinks.back().get());
    }
    report.Open(rows);
}

void
ReportFiles::Commit()
{
    m_report.Close(Simulator::Now());
    for (const auto& sink : m_sinks)
    {
        sink->Flush();
    }
    for (const auto& sink : m_sinks)
    {
        sink->Commit();
    }
}

} // namespace ns3
