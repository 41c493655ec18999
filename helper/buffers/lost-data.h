// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOST_DATA_H
#define LOSSLESS_LOST_DATA_H

#include "ns3/fabric.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Names, at the end of a run, frames of RDMA data for which switches had no room, though their
 * senders have them in lossless classes, or had when the flows were added. Frames carry the class
 * of their sender, whatever class maps, border policies and tunnels make of their marks. It is the
 * last resort, and no earlier warning silences it: that something may lose frames is no leave to
 * lose them.
 */
class LostData
{
  public:
    /// @param fabric that begins to run
    explicit LostData(const Fabric& fabric);

    /// The run has ended: name what was lost.
    void Warn() const;

  private:
    /// Numbers of frames, by the class in which hosts send them.
    using Frames = std::array<uint64_t, TRAFFIC_CLASSES>;

    /// @return frames of all switches so far
    Frames Count() const;
    /// @return frames that links or faults have destroyed so far, such as an XOFF
    uint64_t CountDestroyed() const;
    /// @param classes mask of classes @return the reason and the place of the first frame of them
    /// that some switch has lost
    std::string DescribeFirst(uint8_t classes) const;
    /// @param classes mask of classes @return where to look for the cause
    std::string FindHint(uint8_t classes) const;

    Fabric m_fabric;
    uint8_t m_lossless;   //!< classes that were lossless at hosts when it began
    Frames m_before;      //!< Count() then
    uint64_t m_destroyed; //!< CountDestroyed() then
};

} // namespace ns3

#endif // LOSSLESS_LOST_DATA_H
