// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_SCENE_H
#define LOSSLESS_RUN_SCENE_H

#include "ns3/rdma-flow.h"
#include "ns3/socket-flow.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{
namespace tests
{

/// @param bytes of the flow @param start of it @return a flow of host 1 to host 0
inline RdmaFlow
FlowOf(uint64_t bytes, Time start = Time(0))
{
    return {1, 0, bytes, start};
}

/// A TCP flow of host 2 to host 3. @param bytes of it @param start of it @return it
inline SocketFlow::Plan
TcpOf(uint64_t bytes, Time start = Time(0))
{
    SocketFlow::Plan plan;
    plan.source = 2;
    plan.destination = 3;
    plan.bytes = bytes;
    plan.start = start;
    return plan;
}

/// @param path of a file @return all of it
inline std::string
ContentOf(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Cells of the lines of a file, by name of the column.
using Rows = std::vector<std::map<std::string, std::string>>;

/// @param path of a CSV file @return its lines
inline Rows
RowsOf(const std::filesystem::path& path)
{
    std::ifstream text(path);
    std::vector<std::string> header;
    Rows rows;
    for (std::string line; std::getline(text, line);)
    {
        std::istringstream cells(line);
        std::vector<std::string> values;
        for (std::string cell; std::getline(cells, cell, ',');)
        {
            values.push_back(cell);
        }
        if (header.empty())
        {
            header = values;
            continue;
        }
        rows.emplace_back();
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            rows.back()[header.at(i)] = values[i];
        }
    }
    return rows;
}

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_RUN_SCENE_H
