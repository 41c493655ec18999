// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SETTING_TABLE_H
#define LOSSLESS_SETTING_TABLE_H

#include "result-report.h"

#include "ns3/fabric-differences.h"

#include <optional>

namespace ns3
{

/// @ingroup lossless
/// The settings of a run that are not the defaults, and what became of them: settings.csv.
class SettingTable : public TableReport
{
  public:
    /// @param settings when the run has ended; must outlive this
    explicit SettingTable(const std::optional<SettingReport>& settings);

    /// @return settings.csv
    static TableSpec GetTable();

    void Close(Time end) override;

  private:
    const std::optional<SettingReport>& m_settings;
};

} // namespace ns3

#endif // LOSSLESS_SETTING_TABLE_H
