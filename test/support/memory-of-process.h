// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TEST_MEMORY_OF_PROCESS_H
#define LOSSLESS_TEST_MEMORY_OF_PROCESS_H

#include <cstdint>
#include <fstream>
#include <malloc.h>
#include <unistd.h>

namespace ns3
{

/// @return memory of this process, bytes, without what it has freed
inline uint64_t
MemoryOfProcess()
{
    malloc_trim(0);
    std::ifstream file("/proc/self/statm");
    uint64_t all = 0;
    uint64_t resident = 0;
    file >> all >> resident;
    return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace ns3

#endif // LOSSLESS_TEST_MEMORY_OF_PROCESS_H
