// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LINE_TABLE_H
#define LOSSLESS_LINE_TABLE_H

#include "ns3/lossless-module.h"

#include <algorithm>
#include <iostream>
#include <optional>

/// Print a table. @param lines of the table @param names of those to print @param heading of it
/// @param toRow runs a line, and gives its row @param outDir folder of a file of the table; empty:
/// none @param file its name
template <typename Lines, typename ToRow>
void
PrintLines(const Lines& lines,
           const std::vector<std::string>& names,
           const std::string& heading,
           const ToRow& toRow,
           const std::string& outDir,
           const std::string& file)
{
    std::optional<ns3::FolderLock> folder; // refused before the runs, not after them
    if (!outDir.empty())
    {
        folder.emplace(outDir);
    }
    std::vector<std::string> known;
    for (const auto& line : lines)
    {
        known.emplace_back(line.name);
    }
    std::vector<std::size_t> chosen; // found before the first one runs
    for (const std::string& name : names)
    {
        chosen.push_back(std::find(known.begin(), known.end(), name) - known.begin());
        if (chosen.back() == known.size())
        {
            throw ns3::FabricError("--lines has \"" + name + "\"",
                                   ns3::FabricText::DidYouMean(name, known));
        }
    }
    std::string table = heading;
    std::cout << heading;
    for (const std::size_t i : chosen)
    {
        const std::string row = toRow(lines[i]);
        std::cout << row << std::flush;
        table += row;
    }
    if (!outDir.empty())
    {
        ns3::ResultFile result(outDir + '/' + file);
        result.Stream() << table;
        result.Commit();
    }
}

#endif // LOSSLESS_LINE_TABLE_H
