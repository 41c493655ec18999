// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAULT_STATS_H
#define LOSSLESS_FAULT_STATS_H

#include "result-report.h"

#include "ns3/fault-helper.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The log of faults as a file, faults.csv by convention.
 *
 * @code
 * FaultStats log(faults);
 * log.WriteTo("results/faults.csv");
 * Simulator::Run();
 * log.Commit();
 * @endcode
 */
class FaultStats : public Report
{
  public:
    /// @param faults the faults; must outlive this
    explicit FaultStats(const FaultHelper& faults);

    /// @return faults.csv
    static TableSpec GetTable();

    std::string GetName() const override;
    std::vector<TableSpec> GetTables() const override;
    void Open(const std::vector<RowSink*>& rows) override;
    void Close(Time end) override;

    /// Without a folder of a run. @param path the file
    void WriteTo(const std::string& path);

    /// The file of WriteTo() is complete.
    void Commit();

  private:
    const FaultHelper& m_faults;
    RowSink* m_rows{nullptr};             //!< null: none are wanted
    std::unique_ptr<ReportFiles> m_files; //!< of WriteTo()
};

} // namespace ns3

#endif // LOSSLESS_FAULT_STATS_H
