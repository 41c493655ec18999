// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNREACHED_DATA_H
#define LOSSLESS_UNREACHED_DATA_H

#include "fabric-ports.h"

#include "ns3/drop-reason.h"
#include "ns3/fabric.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

struct Frame;

/**
 * @ingroup lossless
 *
 * Names, at the end of a run, RDMA data that had no way to its host: links were down, switches had
 * no route, or the time to live ended on the way. All are losses whatever the class is and whatever
 * loss is allowed: what LostData names is the buffer's alone.
 */
class UnreachedData
{
  public:
    /// @param fabric that begins to run
    explicit UnreachedData(const Fabric& fabric);
    ~UnreachedData();
    UnreachedData(const UnreachedData&) = delete;
    UnreachedData& operator=(const UnreachedData&) = delete;

    /// The run has ended: name what was lost.
    void Warn() const;

  private:
    /// Frames of RDMA data that ports have dropped in the run for a reason.
    struct Losses
    {
        DropReason reason;            //!< why
        std::vector<uint64_t> frames; //!< by port of all nodes
    };

    /// A port drops a frame. @param index of the port @param port it @param frame the frame
    /// @param reason why
    void Dropped(std::size_t index,
                 const QbbNetDevice& port,
                 const Frame& frame,
                 DropReason reason);
    /// @param losses some @return how many, and where most of them were; empty: none
    std::string Describe(const Losses& losses) const;
    /// @return frames whose time to live each TtlLimiter has lowered so far, by switch
    std::vector<uint64_t> CountLowered() const;
    /// @return why the time to live was too short, for people
    std::string FindLimiter() const;

    Fabric m_fabric;
    std::vector<FabricPort> m_ports; //!< of all nodes
    Losses m_down;
    Losses m_unrouted;
    Losses m_expired;
    std::vector<uint64_t> m_lowered; //!< CountLowered() when the run began
};

} // namespace ns3

#endif // LOSSLESS_UNREACHED_DATA_H
