// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOST_DATA_H
#define LOSSLESS_LOST_DATA_H

#include "ns3/fabric.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Names, at the end of a run, frames of RDMA data for which switches or NICs had no room, though
 * their senders have them in lossless classes, or had when the flows were added. Frames carry the
 * class of their sender, whatever class maps, border policies and tunnels make of their marks. It
 * is the last resort, and no earlier warning silences it: that something may lose frames is no
 * leave to lose them.
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

    /// @param which a switch @return its frames so far
    Frames CountAt(SwitchId which) const;
    /// @param which a switch @param cls a class @return whether the switch has lost frames of the
    /// class in this run
    bool HasLost(SwitchId which, uint8_t cls) const;
    /// @return frames that links or faults have destroyed so far, such as an XOFF
    uint64_t CountDestroyed() const;
    /// @param classes mask of classes @return the reason and the place of a frame of them that some
    /// switch has lost
    std::string DescribeOne(uint8_t classes) const;
    /// @param classes mask of classes @return where to look for the cause
    std::string FindHint(uint8_t classes) const;
    /// Name frames for which the receive buffers of NICs had no room. @param classes mask of those
    /// that should lose none
    void WarnOfReceivers(uint8_t classes) const;
    /// @return by port of all hosts in turn, frames for which its receive buffer had no room so far
    std::vector<uint64_t> CountReceivers() const;

    Fabric m_fabric;
    uint8_t m_lossless;                //!< classes that were lossless at hosts when it began
    std::vector<Frames> m_before;      //!< CountAt() then, by switch
    std::vector<uint64_t> m_receivers; //!< CountReceivers() then
    uint64_t m_destroyed;              //!< CountDestroyed() then
};

} // namespace ns3

#endif // LOSSLESS_LOST_DATA_H
