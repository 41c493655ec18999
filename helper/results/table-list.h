// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TABLE_LIST_H
#define LOSSLESS_TABLE_LIST_H

#include "result-table.h"

#include <vector>

namespace ns3
{

/// @ingroup lossless
/// @return the tables of all reports, by name: doc/files.rst and Python's units are made from them
std::vector<TableSpec> ListTables();

} // namespace ns3

#endif // LOSSLESS_TABLE_LIST_H
