// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BUFFER_TABLES_H
#define LOSSLESS_BUFFER_TABLES_H

#include "result-table.h"

#include "ns3/headroom-table.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// @return what a line of WriteHeadroomTable() is
TableSpec HeadroomTableSpec();

/// @ingroup lossless
/// @param sink of HeadroomTableSpec() @param rows the rows, which it gets
void AddHeadroomRows(RowSink& sink, const std::vector<HeadroomRow>& rows);

/// @ingroup lossless
/// Write the headroom of links as a file of comma-separated values.
/// @param path the file; FabricError when it cannot be written @param rows the rows
void WriteHeadroomTable(const std::string& path, const std::vector<HeadroomRow>& rows);

} // namespace ns3

#endif // LOSSLESS_BUFFER_TABLES_H
