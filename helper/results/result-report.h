// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RESULT_REPORT_H
#define LOSSLESS_RESULT_REPORT_H

#include "result-table.h"

#include "ns3/nstime.h"
#include "ns3/run-part.h"

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

    /// Take a sample. @param now the time
    virtual void Sample([[maybe_unused]] Time now)
    {
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
 * The folder of a run: a file for each table that was added, and summary.json. It is locked:
 * another run into the same folder is refused. No file has its name before Commit().
 */
class ResultFolder
{
  public:
    /// @param path the folder; it is made. FabricError when another run writes there
    explicit ResultFolder(const std::string& path);

    /// Open a report: its tables become files. @param report it
    void Add(Report& report);

    /**
     * The run has ended and all reports are closed: give the files their names, summary.json last.
     * FabricError, and no file has a new name, when one of them cannot be written to its end.
     * @param totals what summary.json has
     */
    void Commit(const RunTotals& totals);

    /// The run has failed: remove its files, and unlock the folder.
    void Discard();

    /// @return the folder
    const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    std::string m_path;
    std::unique_ptr<FolderLock> m_lock;
    std::vector<std::unique_ptr<RowSink>> m_sinks;
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

    /// @param table a name @return its rows so far; null: it is not one of the tables
    const RowSink* Get(const std::string& table) const;

  private:
    std::vector<std::string> m_wanted;
    std::vector<std::unique_ptr<RowSink>> m_sinks;
};

/**
 * @ingroup lossless
 *
 * Files of one report, of any names: where there is no ResultFolder.
 */
class ReportFiles
{
  public:
    /// @param report opened for these files @param paths a file for each of its tables
    ReportFiles(Report& report, const std::vector<std::string>& paths);

    /// The files are complete: close the report and give them their names.
    void Commit();

  private:
    Report& m_report;
    std::vector<std::unique_ptr<RowSink>> m_sinks;
};

} // namespace ns3

#endif // LOSSLESS_RESULT_REPORT_H
