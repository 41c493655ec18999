// SPDX-License-Identifier: GPL-2.0-only

// Prints the sections of the chapter "files": each result file with its columns, in
// reStructuredText.

#include "ns3/lossless-module.h"

#include <iostream>
#include <string>

using namespace ns3;

int
main()
{
    for (const TableSpec& table : ListTables())
    {
        const std::string title = std::string(table.name) + ".csv";
        std::cout << title << '\n'
                  << std::string(title.size(), '-') << "\n\nA line: " << table.help
                  << ".\n\n.. list-table::\n   :header-rows: 1\n   :widths: 25 15 60\n\n"
                     "   * - Column\n     - Unit\n     - Meaning\n";
        for (const ColumnSpec& column : table.columns)
        {
            const std::string unit = column.unit;
            std::cout << "   * - ``" << column.name << "``\n     -" << (unit.empty() ? "" : " ")
                      << unit << "\n     - " << column.help << '\n';
        }
        std::cout << '\n';
    }
    return 0;
}
