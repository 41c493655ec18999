// SPDX-License-Identifier: GPL-2.0-only

// Prints the table of the chapter "counters": all totals of a run, as summary.json and Python have
// them, in reStructuredText.

#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

int
main()
{
    std::cout << ".. list-table::\n   :header-rows: 1\n   :widths: 30 15 55\n\n"
                 "   * - Name\n     - Unit\n     - Meaning\n";
    for (const NamedTotal& total : ListTotals())
    {
        std::cout << "   * - ``" << total.name << "``\n     -" << (total.unit.empty() ? "" : " ")
                  << total.unit << "\n     - " << total.help << '\n';
    }
    return 0;
}
