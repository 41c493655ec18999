// SPDX-License-Identifier: GPL-2.0-only

// Prints the tables of the chapter "files" as reStructuredText: the columns of each CSV file.

#include "ns3/table-list.h"

#include <iostream>

using namespace ns3;

int
main()
{
    for (const TableSpec& table : ListTables())
    {
        const std::string title = std::string("``") + table.name + ".csv``";
        std::cout << title << '\n'
                  << std::string(title.size(), '-') << "\n\nA line is " << table.help
                  << ".\n\n.. list-table::\n   :header-rows: 1\n\n"
                     "   * - Column\n     - Unit\n     - Meaning\n";
        for (const ColumnSpec& column : table.columns)
        {
            std::cout << "   * - ``" << column.name << "``\n     - " << column.unit << "\n     - "
                      << column.help << '\n';
        }
        std::cout << '\n';
    }
    return 0;
}
