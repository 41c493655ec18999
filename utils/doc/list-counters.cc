// SPDX-License-Identifier: GPL-2.0-only

// Prints the tables of the chapter "counters" as reStructuredText: totals of a run, and the
// counters of each class.

#include "ns3/fabric-switch.h"
#include "ns3/icc-switch.h"
#include "ns3/inof-switch.h"
#include "ns3/l2-tables.h"
#include "ns3/nic-receive-buffer.h"
#include "ns3/qbb-net-device.h"
#include "ns3/run-totals.h"

#include <iostream>
#include <string>

using namespace ns3;

namespace
{

/// Print the head of a table. @param title of its section
void
PrintHead(const std::string& title)
{
    std::cout << title << '\n'
              << std::string(title.size(), '-')
              << "\n\n.. list-table::\n   :header-rows: 1\n\n"
                 "   * - Name\n     - Unit\n     - Meaning\n";
}

/// Print a line of a table.
void
PrintRow(const std::string& name, const std::string& unit, const std::string& help)
{
    std::cout << "   * - ``" << name << "``\n     - " << unit << "\n     - " << help << '\n';
}

/// Print the counters of a struct. @tparam C it @param title of its section
template <typename C>
void
PrintCounters(const std::string& title)
{
    PrintHead(title);
    for (const CounterField& field : ListCounters<C>())
    {
        PrintRow(field.name, field.unit, field.help);
    }
    std::cout << '\n';
}

} // namespace

int
main()
{
    RunTotals totals;
    totals.hasWatchdogs = true;
    totals.hasDetector = true;
    PrintHead("Totals of a run");
    for (const NamedTotal& total : totals.List())
    {
        PrintRow(total.name, total.unit, total.help);
    }
    std::cout << '\n';
    PrintCounters<QbbNetDevice::Counters>("QbbNetDevice");
    PrintCounters<PfcIssuer::Counters>("PfcIssuer, by class");
    PrintCounters<PfcObeyer::Counters>("PfcObeyer, by class");
    PrintCounters<FabricSwitch::Counters>("FabricSwitch, by port");
    PrintCounters<MmuIngress>("SwitchMmu, ingress by port and class");
    PrintCounters<MmuEgress>("SwitchMmu, egress by port and class");
    PrintCounters<RdmaCounters>("RdmaHw");
    PrintCounters<NicReceiveBuffer::Counters>("NicReceiveBuffer");
    PrintCounters<PfcWatchdog::Counters>("PfcWatchdog, by port and class");
    PrintCounters<IccSwitch::Counters>("IccSwitch");
    PrintCounters<InofSwitch::Counters>("InofSwitch");
    PrintCounters<L2Tables::Counters>("L2Tables");
    return 0;
}
