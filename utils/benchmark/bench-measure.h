// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BENCH_MEASURE_H
#define LOSSLESS_BENCH_MEASURE_H

#include <cstdint>
#include <string>

/// What one scenario of the benchmark measured.
struct BenchResult
{
    std::string scenario;       //!< name
    uint64_t packetHops{0};     //!< link deliveries, ACKs and PFC frames included
    uint64_t events{0};         //!< events executed
    double cpuSeconds{0};       //!< user and system time of Simulator::Run()
    double wallSeconds{0};      //!< time of Simulator::Run() by the clock on the wall
    double setupSeconds{0};     //!< CPU time of building the network
    double connectSeconds{0};   //!< CPU time of connecting the queue pairs; 0: not measured
    double simSeconds{0};       //!< simulated time
    uint64_t criticalEvents{0}; //!< FabricSimulatorImpl::GetCriticalCount()
    uint64_t hosts{0};          //!< hosts
    uint64_t partitions{1};     //!< partitions of nodes
    uint64_t flowTimes{0};      //!< a hash of when each message was completed
    uint64_t bytesPerHost{0};   //!< heap in use after set-up, a host's share; 0: not measured
    uint64_t bytesPerQp{0};     //!< heap of a connected queue pair before it sends; 0: not measured
    uint64_t flows{0};          //!< messages posted
    uint64_t flowsCompleted{0}; //!< and completed
    uint64_t losslessDrops{0};  //!< drops in lossless classes
    uint64_t ecnMarks{0};       //!< frames marked
    uint64_t pfcFrames{0};      //!< XOFF and XON frames

    /// @return the line that bench-fabric prints, without the ratio to the stock chain
    std::string ToJson(double stockHopsPerSecond) const;

    /// @return packet-hops per CPU second; 0 when none were made
    double HopsPerCpuSecond() const
    {
        return cpuSeconds > 0 ? packetHops / cpuSeconds : 0;
    }
};

/// Choose what keeps the events, before anything else of the simulator.
/// @param type TypeId of a simulator, or of a scheduler for ns-3's DefaultSimulatorImpl
void UseEvents(const std::string& type);

/// @return user and system time of this process, seconds
double CpuSeconds();

/// @return a clock on the wall, seconds
double WallSeconds();

/// @return bytes that the heap has handed out
uint64_t HeapBytes();

#endif // LOSSLESS_BENCH_MEASURE_H
