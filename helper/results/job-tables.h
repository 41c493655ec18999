// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_TABLES_H
#define LOSSLESS_JOB_TABLES_H

#include "result-table.h"

#include <vector>

namespace ns3
{

/// @ingroup lossless
/// @return the tables of JobStats: iterations.csv, collectives.csv, ranks.csv and messages.csv
std::vector<TableSpec> ListJobTables();

} // namespace ns3

#endif // LOSSLESS_JOB_TABLES_H
