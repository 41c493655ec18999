// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-tables.h"

#include <limits>
#include <optional>

namespace ns3
{

namespace
{

constexpr const char* WHOLE = "%.0f"; // of a column that may be empty

/// @param bytes a number, or none @return the cell of a column that may be empty
double
OrEmpty(const std::optional<uint64_t>& bytes)
{
    return bytes ? static_cast<double>(*bytes) : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

TableSpec
HeadroomTableSpec()
{
    return {"headroom",
            "headroom of a lossless class at a port, by several rules",
            {{"rate_bps", "bit/s", "line rate"},
             {"cable_m", "m", "length of the cable"},
             {"mtu_bytes", "bytes", "longest IP packet"},
             {"reaction_ns", "ns", "reaction delay of the peer", ColumnSpec::REAL},
             {"cell_bytes", "bytes", "size of a cell"},
             {"wire_bytes", "bytes", "exact rule: what arrives on the wire"},
             {"cells", "cells", "exact rule: cells of the headroom"},
             {"bytes", "bytes", "exact rule: bytes of these cells"},
             {"standard_bytes",
              "bytes",
              "worst case of IEEE 802.1Qbb; empty: no constants for the rate",
              ColumnSpec::REAL,
              WHOLE},
             {"sonic_xoff_bytes",
              "bytes",
              "SONiC, behind the XOFF; empty: no constants for the rate",
              ColumnSpec::REAL,
              WHOLE},
             {"sonic_xon_bytes",
              "bytes",
              "SONiC, level of the XON; empty: no constants for the rate",
              ColumnSpec::REAL,
              WHOLE},
             {"deployment_cells", "cells", "a published deployment, cells of 208 bytes"}}};
}

void
AddHeadroomRows(RowSink& sink, const std::vector<HeadroomRow>& rows)
{
    for (const HeadroomRow& row : rows)
    {
        const HeadroomCase& input = row.input;
        std::optional<uint64_t> xoff;
        std::optional<uint64_t> xon;
        if (row.sonic)
        {
            xoff = row.sonic->xoff;
            xon = row.sonic->xon;
        }
        sink.Add(input.rate.GetBitRate(),
                 input.metres,
                 input.mtuBytes,
                 input.reaction.ToDouble(Time::NS),
                 input.cellBytes,
                 row.wireBytes,
                 row.cells,
                 row.bytes,
                 OrEmpty(row.standardBytes),
                 OrEmpty(xoff),
                 OrEmpty(xon),
                 row.deploymentCells);
    }
}

void
WriteHeadroomTable(const std::string& path, const std::vector<HeadroomRow>& rows)
{
    RowSink sink(HeadroomTableSpec(), path);
    AddHeadroomRows(sink, rows);
    sink.Commit();
}

} // namespace ns3
