// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_SCENE_H
#define LOSSLESS_RUN_SCENE_H

#include "ns3/rdma-flow.h"
#include "ns3/socket-flow.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

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

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_RUN_SCENE_H
