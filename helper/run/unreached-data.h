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
 * Names, at the end of a run, data that had no way to its host: links were down, switches had no
 * route, the time to live ended on the way, or a watchdog or a border policy dropped it. RDMA data
 * is lost then whatever its class is and whatever loss is allowed; of IP stacks the classes count
 * that are lossless at hosts. What LostData names is the buffer's alone.
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
    /// Frames, by port of all nodes.
    using Frames = std::vector<uint64_t>;

    /// What ports have dropped in the run for a reason.
    struct Losses
    {
        DropReason reason;  //!< why
        std::string lostBy; //!< the begin of the line
        std::string hint;   //!< its end; empty: FindLimiter()
        Frames rdma;        //!< RDMA data
        Frames ip;          //!< packets of IP stacks in lossless classes
    };

    /// A port drops a frame. @param index of the port @param port it @param frame the frame
    /// @param reason why
    void Dropped(std::size_t index,
                 const QbbNetDevice& port,
                 const Frame& frame,
                 DropReason reason);
    /// @param frames some @param what they are @return how many, and where most of them were;
    /// empty: none
    std::string Describe(const Frames& frames, const std::string& what) const;
    /// @return frames whose time to live each TtlLimiter has lowered so far, by switch
    std::vector<uint64_t> CountLowered() const;
    /// @return why the time to live was too short, for people
    std::string FindLimiter() const;

    Fabric m_fabric;
    std::vector<FabricPort> m_ports; //!< of all nodes
    std::vector<Losses> m_losses;    //!< in the order of their lines
    uint8_t m_lossless;              //!< mask of the classes that are lossless at hosts
    std::vector<uint64_t> m_lowered; //!< CountLowered() when the run began
};

} // namespace ns3

#endif // LOSSLESS_UNREACHED_DATA_H
