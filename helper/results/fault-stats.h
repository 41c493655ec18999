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
class FaultStats : public TableReport
{
  public:
    /// @param faults the faults; must outlive this
    explicit FaultStats(const FaultHelper& faults);

    /// @return faults.csv
    static TableSpec GetTable();

    void Close(Time end) override;

  private:
    const FaultHelper& m_faults;
};

} // namespace ns3

#endif // LOSSLESS_FAULT_STATS_H
