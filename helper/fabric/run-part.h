// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_PART_H
#define LOSSLESS_RUN_PART_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What belongs to a run: traffic, faults, reports. FabricRun asks all of them the same few things,
 * and a part never needs to know which other parts there are.
 */
class RunPart
{
  public:
    virtual ~RunPart() = default;

    /// @return what messages and summary.json call it, such as "rdma", "faults" or "pfc"
    virtual std::string GetName() const = 0;

    /**
     * Fix its random streams.
     * @param first first stream to use
     * @return number of streams set aside; 0: it draws nothing
     */
    virtual int64_t AssignStreams([[maybe_unused]] int64_t first)
    {
        return 0;
    }
};

} // namespace ns3

#endif // LOSSLESS_RUN_PART_H
