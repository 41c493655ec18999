// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TABLE_LIST_H
#define LOSSLESS_TABLE_LIST_H

#include "result-table.h"
#include "run-totals.h"

#include <vector>

namespace ns3
{

/// @ingroup lossless
/// @return the tables of all reports, by name: doc/files.rst and Python's units are made from them
std::vector<TableSpec> ListTables();

/// @ingroup lossless
/// @return all totals that a run may have: doc/counters.rst and Python's are made from them
std::vector<NamedTotal> ListTotals();

/// @ingroup lossless
/// What the reports of a library on top of this one have.
struct ListedResults
{
    std::vector<TableSpec> (*tables)();  //!< for ListTables()
    std::vector<NamedTotal> (*totals)(); //!< for ListTotals()
};

/// @ingroup lossless
/// @param results of a library that was loaded @return true
bool ListResults(const ListedResults& results);

} // namespace ns3

#endif // LOSSLESS_TABLE_LIST_H
