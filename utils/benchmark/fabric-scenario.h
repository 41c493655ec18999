// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_SCENARIO_H
#define LOSSLESS_FABRIC_SCENARIO_H

#include "bench-measure.h"

/// Permutations on a fat-tree: every host writes messages to other hosts, all at once.
struct FatTreeScenario
{
    std::string name;              //!< of the scenario
    uint32_t k;                    //!< ports of a switch: k^3/4 hosts
    uint64_t bytes;                //!< length of each message
    uint32_t writes;               //!< messages of each host, each by a queue pair of its own
    std::string scheduler;         //!< see UseEvents()
    std::string congestionControl; //!< TypeId
    uint32_t partitions; //!< of its nodes, with Order Canonical; 0: as DivideFabric() does
};

/// Everything on: DCQCN or another control, ECN, PFC, an ACK for every packet, all counters.
/// @param scenario what to run @return what it took
BenchResult RunFatTree(const FatTreeScenario& scenario);

/// MRC over planes: every host writes a message to another one over all planes, all at once.
struct PlanesScenario
{
    std::string name;      //!< of the scenario
    uint32_t planes;       //!< ports of a host, of 100 Gb/s each
    uint32_t leaves;       //!< of each plane
    uint32_t spines;       //!< of each plane
    uint32_t hosts;        //!< of a leaf
    uint64_t bytes;        //!< length of each message
    std::string scheduler; //!< see UseEvents()
};

/// @param scenario what to run @return what it took
BenchResult RunPlanes(const PlanesScenario& scenario);

/// Many hosts of a star write to one of them. @param senders how many
/// @param bytes length of each message @param scheduler see UseEvents()
/// @return what it took
BenchResult RunIncast(uint32_t senders, uint64_t bytes, const std::string& scheduler);

/// Memory of queue pairs that are connected and have nothing to do. @param count how many
/// @return bytes of each
BenchResult MeasureIdleQueuePairs(uint32_t count);

#endif // LOSSLESS_FABRIC_SCENARIO_H
