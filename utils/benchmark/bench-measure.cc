// SPDX-License-Identifier: GPL-2.0-only
#include "bench-measure.h"

#include "ns3/global-value.h"
#include "ns3/simulator-impl.h"
#include "ns3/string.h"

#include <chrono>
#include <iomanip>
#include <malloc.h>
#include <sstream>
#include <sys/resource.h>

void
UseEvents(const std::string& type)
{
    using namespace ns3;
    const bool isSimulator = TypeId::LookupByName(type).IsChildOf(SimulatorImpl::GetTypeId());
    GlobalValue::Bind("SimulatorImplementationType",
                      StringValue(isSimulator ? type : "ns3::DefaultSimulatorImpl"));
    if (!isSimulator)
    {
        GlobalValue::Bind("SchedulerType", StringValue(type));
    }
}

double
CpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    auto seconds = [](const timeval& time) { return time.tv_sec + 1e-6 * time.tv_usec; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double
WallSeconds()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

uint64_t
HeapBytes()
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

std::string
BenchResult::ToJson(double stockHopsPerSecond) const
{
    std::ostringstream os;
    os << std::fixed << std::setprecision(3);
    os << "{\"scenario\": \"" << scenario << "\", \"packet_hops\": " << packetHops
       << ", \"cpu_seconds\": " << cpuSeconds
       << ", \"packet_hops_per_cpu_second\": " << static_cast<uint64_t>(HopsPerCpuSecond())
       << ", \"events_per_packet_hop\": " << (packetHops ? double(events) / packetHops : 0)
       << ", \"times_stock_chain\": "
       << (stockHopsPerSecond > 0 ? HopsPerCpuSecond() / stockHopsPerSecond : 0)
       << ", \"wall_seconds\": " << wallSeconds << ", \"partitions\": " << partitions
       << ", \"critical_path_times_shorter\": "
       << (criticalEvents ? static_cast<double>(events) / criticalEvents : 1)
       << ", \"flow_times\": \"" << std::hex << flowTimes << std::dec << "\""
       << ", \"hosts\": " << hosts << ", \"setup_cpu_seconds\": " << setupSeconds
       << ", \"connect_cpu_seconds\": " << connectSeconds
       << ", \"sim_seconds\": " << std::setprecision(9) << simSeconds
       << ", \"bytes_per_host\": " << bytesPerHost << ", \"bytes_per_qp\": " << bytesPerQp
       << ", \"flows\": " << flows << ", \"flows_completed\": " << flowsCompleted
       << ", \"lossless_drops\": " << losslessDrops << ", \"ecn_marks\": " << ecnMarks
       << ", \"pfc_frames\": " << pfcFrames << "}";
    return os.str();
}
