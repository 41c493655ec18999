// SPDX-License-Identifier: GPL-2.0-only
#include "process-memory.h"

#include "fabric-error.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace ns3
{
namespace
{

constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();

/// What an exception has ended first.
struct Failure
{
    std::string what;
    std::string right;
};

Failure g_failure;

/// @return memory that the machine can give to programs, bytes
uint64_t
AvailableInMachine()
{
    std::ifstream file("/proc/meminfo");
    for (std::string name; file >> name;)
    {
        uint64_t kilobytes = 0;
        if (name == "MemAvailable:" && file >> kilobytes)
        {
            return kilobytes * 1024;
        }
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return UNLIMITED;
}

/// @return the limit of the process on its addresses, bytes
uint64_t
AddressLimit()
{
    rlimit limit{};
    const bool isLimited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return isLimited ? limit.rlim_cur : UNLIMITED;
}

/// @return addresses that the process has, bytes
uint64_t
AddressesInUse()
{
    uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

std::string
BytesForPeople(uint64_t bytes)
{
    constexpr double terabyte = 1e12;
    const auto size = static_cast<double>(bytes);
    char text[32];
    std::snprintf(text,
                  sizeof(text),
                  size < terabyte ? "%.3g GB" : "%.3g TB",
                  size < terabyte ? size * 1e-9 : size / terabyte);
    return text;
}

MemoryLimit
GetMemoryLimit()
{
    const uint64_t machine = AvailableInMachine();
    const uint64_t limit = AddressLimit();
    const uint64_t used = AddressesInUse();
    const uint64_t left = limit == UNLIMITED ? UNLIMITED : limit - std::min(used, limit);
    return left < machine ? MemoryLimit{left,
                                        "the limit of the process (ulimit -v), " +
                                            BytesForPeople(limit) + ", leaves"}
                          : MemoryLimit{machine, "the machine has"};
}

MemoryUse::MemoryUse(std::string what, std::string right)
    : m_what(std::move(what)),
      m_right(std::move(right)),
      m_exceptions(std::uncaught_exceptions())
{
    Reset(); // what ended before was no want of memory, or has been described
}

MemoryUse::~MemoryUse()
{
    // Nothing is allocated here: there may be no memory.
    if (std::uncaught_exceptions() > m_exceptions && g_failure.what.empty())
    {
        g_failure.what.swap(m_what);
        g_failure.right.swap(m_right);
    }
}

std::string
MemoryUse::DescribeFailure()
{
    const Failure failure = std::exchange(g_failure, {});
    const uint64_t limit = AddressLimit();
    const std::string held =
        limit == UNLIMITED ? "the machine has no more"
                           : "the limit of the process (ulimit -v) is " + BytesForPeople(limit);
    return FabricError("out of memory" +
                           (failure.what.empty() ? "" : " while making " + failure.what) + ": " +
                           held,
                       failure.right)
        .what();
}

void
MemoryUse::Reset()
{
    g_failure = {};
}

} // namespace ns3
