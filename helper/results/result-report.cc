// SPDX-License-Identifier: GPL-2.0-only
#include "result-report.h"

#include "run-totals.h"
#include "table-list.h"

#include "ns3/fabric-error.h"
#include "ns3/input-files.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace ns3
{
namespace
{

/// @param folder of results @param table of them @return its file
std::string
PathOf(const std::string& folder, const TableSpec& table)
{
    return std::filesystem::path(folder) / (std::string(table.name) + ".csv");
}

} // namespace

// ---- files

ReportFiles::ReportFiles(Report& report, const std::vector<std::string>& paths)
{
    Add(report, paths);
}

void
ReportFiles::Add(Report& report, const std::vector<std::string>& paths)
{
    const auto tables = report.GetTables();
    std::vector<RowSink*> rows;
    for (std::size_t i = 0; i < tables.size() && i < paths.size(); ++i)
    {
        m_sinks.push_back(std::make_unique<RowSink>(tables[i], paths[i]));
        rows.push_back(m_sinks.back().get());
    }
    m_reports.push_back(&report);
    report.Open(rows);
}

void
ReportFiles::Close()
{
    for (Report* report : m_reports)
    {
        report->Close(Simulator::Now());
    }
}

void
ReportFiles::Commit(const std::vector<ResultFile*>& last)
{
    std::vector<ResultFile*> files;
    for (Report* report : m_reports)
    {
        const auto own = report->GetFiles();
        files.insert(files.end(), own.begin(), own.end());
    }
    files.insert(files.end(), last.begin(), last.end());
    for (const auto& sink : m_sinks)
    {
        sink->Flush();
    }
    for (ResultFile* file : files)
    {
        file->Flush();
    }
    const SignalPause pause; // a signal that ends the program comes before or after all of them
    for (const auto& sink : m_sinks)
    {
        sink->Commit();
    }
    for (ResultFile* file : files)
    {
        file->Commit();
    }
}

void
ReportFiles::Discard()
{
    for (const auto& sink : m_sinks)
    {
        sink->Discard();
    }
}

// ---- folder

ResultFolder::ResultFolder(const std::string& path)
    : m_path(path),
      m_begin(std::filesystem::file_time_type::clock::now()),
      m_lock(std::make_unique<FolderLock>(path))
{
    for (const std::string& file : ListFiles(path))
    {
        InputFiles::RequireOther(file);
    }
}

std::vector<std::string>
ResultFolder::ListFiles(const std::string& folder)
{
    if (folder.empty())
    {
        return {};
    }
    const std::filesystem::path parent = folder;
    std::vector<std::string> files{parent / "summary.json", parent / "topology.json"};
    for (const TableSpec& table : ListTables())
    {
        files.push_back(PathOf(folder, table));
    }
    return files;
}

void
ResultFolder::Add(Report& report)
{
    std::vector<std::string> paths;
    for (const TableSpec& table : report.GetTables())
    {
        paths.push_back(PathOf(m_path, table));
    }
    m_files.Add(report, paths);
}

void
ResultFolder::Close()
{
    m_files.Close();
}

void
ResultFolder::Commit(const RunTotals& totals, const std::string& topology)
{
    std::unique_ptr<ResultFile> map;
    std::vector<ResultFile*> last;
    if (!topology.empty())
    {
        map = std::make_unique<ResultFile>(
            (std::filesystem::path(m_path) / "topology.json").string());
        map->Write(topology);
        last.push_back(map.get());
    }
    ResultFile summary((std::filesystem::path(m_path) / "summary.json").string());
    totals.PrintJson(summary.Stream());
    RemoveOld();
    last.push_back(&summary);
    m_files.Commit(last);
    m_lock.reset();
}

void
ResultFolder::RemoveOld() const
{
    for (const TableSpec& table : ListTables())
    {
        const std::string path = PathOf(m_path, table);
        std::error_code failed; // then the file is not there, or stays as it is; and so do links
        const bool isFile =
            std::filesystem::is_regular_file(std::filesystem::symlink_status(path, failed));
        if (isFile && std::filesystem::last_write_time(path, failed) < m_begin)
        {
            std::filesystem::remove(path, failed);
        }
    }
}

void
ResultFolder::Discard()
{
    m_files.Discard();
    m_lock.reset();
}

// ---- memory

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
            throw FabricError("a run has no table \"" + table + "\"",
                              (table == "watermarks"
                                   ? "choose an interval of watermarks; else there are "
                                   : "there are ") +
                                  known);
        }
        if (std::count(m_wanted.begin(), m_wanted.end(), table) > 1)
        {
            throw FabricError("the table \"" + table + "\" is to be kept twice", "name it once");
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
        m_reports.push_back(&report);
        report.Open(rows);
    }
    return isWanted;
}

void
ResultMemory::Close()
{
    for (Report* report : m_reports)
    {
        report->Close(Simulator::Now());
    }
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

// ---- reports of tables

TableReport::TableReport(const char* name, std::vector<TableSpec> tables)
    : m_name(name),
      m_tables(std::move(tables))
{
}

std::string
TableReport::GetName() const
{
    return m_name;
}

std::vector<TableSpec>
TableReport::GetTables() const
{
    return m_tables;
}

void
TableReport::Open(const std::vector<RowSink*>& rows)
{
    m_rows = rows.at(0);
}

void
TableReport::WriteTo(const std::vector<std::string>& paths)
{
    m_files = std::make_unique<ReportFiles>(*this, paths);
}

void
TableReport::WriteTo(const std::string& path)
{
    WriteTo(std::vector<std::string>{path});
}

void
TableReport::Commit()
{
    if (m_files)
    {
        m_files->Close();
        m_files->Commit();
        m_files.reset();
        m_rows = nullptr;
    }
}

} // namespace ns3
