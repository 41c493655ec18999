// SPDX-License-Identifier: GPL-2.0-only
#include "result-report.h"

#include "run-totals.h"

#include "ns3/fabric-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

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

ResultMemory::ResultMemory(std::vector<std::string> tables, const std::vector<Report*>& reports)
    : m_wanted(std::move(tables))
{
    std::set<std::string> names;
    std::string known;
    for (const Report* const report : reports)
    {
        for (const TableSpec& table : report->GetTables())
        {
            names.insert(table.name);
            known += (known.empty() ? "" : ", ") + std::string(table.name);
        }
    }
    for (const std::string& table : m_wanted)
    {
        if (names.count(table) == 0)
        {
            throw FabricError("a run has no table \"" + table + "\"", "there are " + known);
        }
    }
}

bool
ResultMemory::Add(Report& report)
{
    std::vector<RowSink*> rows;
    bool isWanted = false;
    for (const TableSpec& table : report.GetTables())
    {
        rows.push_back(nullptr);
        if (std::find(m_wanted.begin(), m_wanted.end(), table.name) != m_wanted.end())
        {
            m_sinks.push_back(std::make_unique<RowSink>(table));
            rows.back() = m_sinks.back().get();
            isWanted = true;
        }
    }
    if (isWanted)
    {
        report.Open(rows);
    }
    return isWanted;
}

const RowSink*
ResultMemory::Get(const std::string& table) const
{
    for (const auto& sink : m_sinks)
    {
        if (sink->GetTable().name == table)
        {
            return sink.get();
        }
    }
    return nullptr;
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
