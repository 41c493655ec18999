// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_STATS_H
#define LOSSLESS_QUEUE_STATS_H

#include "result-file.h"

#include "ns3/fabric.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Egress queues of switches: lengths sampled over time, and the peaks that the buffers record
 * themselves.
 */
class QueueStats
{
  public:
    /// @param fabric whose switches
    explicit QueueStats(const Fabric& fabric);

    /// @param path of the CSV file, one line each queue that is not empty at a sample
    void WriteTo(const std::string& path);

    /// Take a sample of all queues now.
    void Sample();

    /// The file is complete.
    void Commit();

    /// @return longest queue of any (port, class), bytes of its cells
    uint64_t GetPeakBytes() const;

    /// Print the longest queues and the use of buffers. @param os where
    void Print(std::ostream& os) const;

  private:
    Fabric m_fabric;
    std::unique_ptr<ResultFile> m_file;
};

} // namespace ns3

#endif // LOSSLESS_QUEUE_STATS_H
