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
 * Names, at the end of a run, frames of RDMA data and of IP stacks for which switches or NICs had
 * no room, though their senders have them in lossless classes, or had when the flows were added.
 * Frames carry the class of their sender, whatever class maps, border policies and tunnels make of
 * their marks. It is the last resort, and no earlier warning silences it: that something may lose
 * frames is no leave to lose them.
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

    /// What frames carry, and what there was of them when the run began.
    struct Kind
    {
        const char* name; //!< of the frames
        /// of a switch
        const FabricSwitch::LostData& (FabricSwitch::*lost)(uint8_t) const;
        std::vector<Frames> before; //!< CountAt() then, by switch
    };

    /// @param kind of frames @param which a switch @return its frames so far
    Frames CountAt(const Kind& kind, SwitchId which) const;
    /// @param kind of frames @param which a switch @param cls a class @return how many frames of
    /// the class the switch has lost in this run
    uint64_t CountLost(const Kind& kind, SwitchId which, uint8_t cls) const;
    /// Name the frames of one kind. @param kind it @param promised mask of the classes that should
    /// lose none
    void WarnOfSwitches(const Kind& kind, uint8_t promised) const;
    /// @return frames that links or faults have destroyed so far, such as an XOFF
    uint64_t CountDestroyed() const;
    /// @param kind of frames @param classes mask of classes @return the reason and the place of a
    /// frame of them that some switch has lost
    std::string DescribeOne(const Kind& kind, uint8_t classes) const;
    /// @param kind of frames @param classes mask of classes @return where to look for the cause
    std::string FindHint(const Kind& kind, uint8_t classes) const;
    /// Name frames for which the receive buffers of NICs had no room. @param classes mask of those
    /// that should lose none
    void WarnOfReceivers(uint8_t classes) const;
    /// @return by port of all hosts in turn, frames for which its receive buffer had no room so far
    std::vector<uint64_t> CountReceivers() const;

    Fabric m_fabric;
    uint8_t m_lossless;                //!< classes that were lossless at hosts when it began
    std::array<Kind, 2> m_kinds;       //!< of frames
    std::vector<uint64_t> m_receivers; //!< CountReceivers() then
    uint64_t m_destroyed;              //!< CountDestroyed() then
};

} // namespace ns3

#endif // LOSSLESS_LOST_DATA_H
