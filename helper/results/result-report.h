// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RESULT_REPORT_H
#define LOSSLESS_RESULT_REPORT_H

#include "result-table.h"

#include "ns3/nstime.h"
#include "ns3/run-part.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

struct RunTotals;

/**
 * @ingroup lossless
 *
 * Tells what came of a run: tables of rows, totals, lines of the summary. What runs the simulation
 * calls Open() before it, Sample() at an interval, Close() when it has ended.
 */
class Report : public RunPart
{
  public:
    /// @return its tables; none: it has totals and a line of the summary alone
    virtual std::vector<TableSpec> GetTables() const
    {
        return {};
    }

    /**
     * Rows are wanted. Before the simulation.
     * @param rows a sink for each table, which lives until Close() has returned; null: the table is
     * not wanted
     */
    virtual void Open([[maybe_unused]] const std::vector<RowSink*>& rows)
    {
    }

    /// The simulation begins: what was added since Open() is there.
    virtual void Begin()
    {
    }

    /// Nothing worth a sample happens before a time: the interval of the next sample begins then.
    /// @param time the time
    virtual void SampleFrom([[maybe_unused]] Time time)
    {
    }

    /// @return whether it takes samples at the interval of the run
    virtual bool IsSampled() const
    {
        return true;
    }

    /// @return events that it has posted and that were executed: they are not the run's
    virtual uint64_t GetEvents() const
    {
        return 0;
    }

    /// Take a sample of what the report is about. @param now the time
    virtual void Sample([[maybe_unused]] Time now)
    {
    }

    /// @return files of its own, besides those of its tables; the run completes all together
    virtual std::vector<ResultFile*> GetFiles()
    {
        return {};
    }

    /// The simulation has ended: rows of what lasts still, such as a pause in force.
    /// @param end the time
    virtual void Close([[maybe_unused]] Time end)
    {
    }

    /// @param totals get its share
    virtual void AddTotals([[maybe_unused]] RunTotals& totals) const
    {
    }

    /// Print its lines of the summary. @param os where @param totals of the run
    virtual void Print([[maybe_unused]] std::ostream& os,
                       [[maybe_unused]] const RunTotals& totals) const
    {
    }
};

/**
 * @ingroup lossless
 *
 * Files of reports, which get their names together or not at all.
 */
class ReportFiles
{
  public:
    ReportFiles() = default;

    /// The files of one report. @param report it @param paths a file for each of its tables
    ReportFiles(Report& report, const std::vector<std::string>& paths);

    /// Open a report: its tables become files, and its own files are completed with those.
    /// @param report it @param paths a file for each of its tables
    void Add(Report& report, const std::vector<std::string>& paths);

    /// The simulation has ended: close the reports.
    void Close();

    /**
     * The reports are closed: give the files their names. FabricError, and no file has a new name,
     * when one of them cannot be written to its end.
     * @param last files that get their names after the others
     */
    void Commit(const std::vector<ResultFile*>& last = {});

    /// The run has failed: remove the files of tables.
    void Discard();

  private:
    std::vector<Report*> m_reports;
    std::vector<std::unique_ptr<RowSink>> m_sinks;
};

/**
 * @ingroup lossless
 *
 * The folder of a run: a file for each table of its reports, topology.json and summary.json. It is
 * locked: another run into the same folder is refused. No file has its name before Commit().
 */
class ResultFolder
{
  public:
    /// @param path the folder; it is made. FabricError when another run writes there, or when a
    /// result would replace an input
    explicit ResultFolder(const std::string& path);

    /// @param folder a folder; empty: there is none @return the files that a run may write there
    static std::vector<std::string> ListFiles(const std::string& folder);

    /// Open a report: its tables become files. @param report it
    void Add(Report& report);

    /// The simulation has ended: close the reports.
    void Close();

    /// The reports are closed: remove the tables that an earlier run has left in the folder, and
    /// give the files of this run their names, summary.json last. @param totals of summary.json
    /// @param topology content of topology.json; empty: there is none
    void Commit(const RunTotals& totals, const std::string& topology = "");

    /// The run has failed: remove its files, and unlock the folder.
    void Discard();

    /// @return the folder
    const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    /// Remove tables of an earlier run: they would pass for results of this one.
    void RemoveOld() const;

    std::string m_path;
    std::filesystem::file_time_type m_begin; //!< what is older, another run has written
    std::unique_ptr<FolderLock> m_lock;
    ReportFiles m_files;
};

/**
 * @ingroup lossless
 *
 * Tables of a run in memory, where there is no ResultFolder.
 */
class ResultMemory
{
  public:
    /// @param tables names of those that are wanted @param reports those that will be added;
    /// FabricError if none of them has one of the tables
    ResultMemory(std::vector<std::string> tables, const std::vector<Report*>& reports);

    /// Open a report for its tables that are wanted. @param report it @return whether one is
    bool Add(Report& report);

    /// The simulation has ended: close the reports.
    void Close();

    /// @param table a name @return its rows so far; null: it is not one of the tables
    const RowSink* Get(const std::string& table) const;

  private:
    std::vector<std::string> m_wanted;
    std::vector<Report*> m_reports;
    std::vector<std::unique_ptr<RowSink>> m_sinks;
};

/**
 * @ingroup lossless
 *
 * A report whose name and tables are known when it is made; it holds the rows of its first table.
 */
class TableReport : public Report
{
  public:
    /// @param name of the report @param tables its tables, one or more
    TableReport(const char* name, std::vector<TableSpec> tables);

    std::string GetName() const override;
    std::vector<TableSpec> GetTables() const override;
    void Open(const std::vector<RowSink*>& rows) override;

    /// Without a folder of a run. @param paths a file for each table
    void WriteTo(const std::vector<std::string>& paths);
    /// Without a folder of a run. @param path the file of the only table
    void WriteTo(const std::string& path);

    /// Close the report, and give the files of WriteTo() their names; nothing without such.
    void Commit();

  protected:
    RowSink* m_rows{nullptr}; //!< of the first table; null: none are wanted

  private:
    std::string m_name;
    std::vector<TableSpec> m_tables;
    std::unique_ptr<ReportFiles> m_files; //!< of WriteTo()
};

/**
 * @ingroup lossless
 *
 * A table of samples without holes: what was ever active has a row at every sample, zeros included.
 * The rows of the samples before come with its first activity, for few are ever active in a large
 * fabric; so rows are in order of time for each port, not for the file.
 */
class SampledTable : public TableReport
{
  public:
    using TableReport::TableReport;

    /// Samples that the run leaves out, as nothing happens, have rows too. @param time of one
    void SampleFrom(Time time) override
    {
        if (!m_times.empty())
        {
            Sample(time);
        }
    }

  protected:
    /// @param listed whether it had rows; it is changed @param active whether it is at this sample
    /// @param zero adds a row of a time, in ns, with zeros @return whether it has a row
    template <typename Zero>
    bool HasRow(uint8_t& listed, bool active, const Zero& zero) const
    {
        if (active && !listed)
        {
            std::for_each(m_times.begin(), m_times.end(), zero);
            listed = 1;
        }
        return listed;
    }

    std::vector<int64_t> m_times; //!< of the samples so far, ns
};

} // namespace ns3

#endif // LOSSLESS_RESULT_REPORT_H
