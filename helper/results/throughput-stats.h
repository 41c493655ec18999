// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_THROUGHPUT_STATS_H
#define LOSSLESS_THROUGHPUT_STATS_H

#include "result-file.h"

#include "ns3/fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * How much the links carry: the ports of hosts over time, all links over the whole run.
 */
class ThroughputStats
{
  public:
    /// @param fabric whose ports
    explicit ThroughputStats(const Fabric& fabric);

    /// @param path of the CSV file, one line each busy port of a host at a sample
    void WriteTo(const std::string& path);

    /// @param time when the interval of the next sample begins; nothing is sent before
    void Begin(Time time);

    /// Take a sample: rates since the last one, or since Begin().
    void Sample();

    /// The file is complete.
    void Commit();

    /// Print utilisation and goodput. @param os where @param duration of the run
    void Print(std::ostream& os, Time duration) const;

  private:
    /// A port of a host.
    struct Port
    {
        uint32_t node;
        uint32_t port;
        uint64_t txBytes; //!< wire bytes at the last sample
        uint64_t rxBytes;
    };

    Fabric m_fabric;
    std::vector<Port> m_ports;
    Time m_last;
    std::unique_ptr<ResultFile> m_file;
};

} // namespace ns3

#endif // LOSSLESS_THROUGHPUT_STATS_H
