// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_HEADROOM_H
#define LOSSLESS_SWITCH_HEADROOM_H

#include "switch-mmu.h"

#include "ns3/headroom.h"
#include "ns3/lossless-mistake.h"
#include "ns3/ptr.h"

#include <array>
#include <optional>
#include <vector>

namespace ns3
{

class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * Configures the buffer of a switch from its links: a class with PFC is lossless and gets the
 * headroom that its link needs. What a script has set in the MMU stays.
 */
class SwitchHeadroom
{
  public:
    /**
     * Configure each (port, class) of the MMU that the script has not configured, and finalize the
     * MMU. Throws std::invalid_argument with a one-line message when the buffer cannot hold the
     * configuration; all is then as before.
     * @param mmu the buffer @param ports the ports of the switch, by index
     * @param addedBytes bytes that the switch adds to a frame at most before it books the frame
     * @param isRunning whether frames may be on their way, sent when a link needed more headroom
     * than now: the headroom of a lossless class then grows, and does not shrink
     */
    void Configure(SwitchMmu& mmu,
                   const std::vector<Ptr<QbbNetDevice>>& ports,
                   uint32_t addedBytes,
                   bool isRunning);

    /// @param port a port of a switch @param addedBytes as for Configure() @return the link behind
    /// it, as headroom is computed from it
    static HeadroomLink LinkOf(const QbbNetDevice& port, uint32_t addedBytes);

    /**
     * Find what could make a lossless class drop frames, see FabricSwitch::CheckLossless().
     * @param mmu the buffer @param ports the ports of the switch, by index
     * @param addedBytes as for Configure()
     * @return the findings; empty: none
     */
    static std::vector<LosslessMistake> Check(const SwitchMmu& mmu,
                                              const std::vector<Ptr<QbbNetDevice>>& ports,
                                              uint32_t addedBytes);

  private:
    /// What a (port, class) needs.
    struct Need
    {
        uint64_t headroomBytes{0};               //!< headroom
        std::optional<uint64_t> guaranteedBytes; //!< guaranteed space of a class with credits
    };

    /// @param port the port @param cls the class @param addedBytes as for Configure()
    /// @param cellBytes bytes of a cell @return what the class needs there
    static Need NeedOf(const QbbNetDevice& port,
                       uint32_t cls,
                       uint32_t addedBytes,
                       uint32_t cellBytes);
    /// Choose kind and headroom of a (port, class), unless a script has.
    /// @param mmu the buffer @param device the port @param port its index @param cls the class
    /// @param need of the class @param isRunning as for Configure()
    void Choose(SwitchMmu& mmu,
                const QbbNetDevice& device,
                uint32_t port,
                uint32_t cls,
                const Need& need,
                bool isRunning);
    /// Find what is wrong with the headroom of one (port, class). @param mmu the buffer @param
    /// device the port @param port its index @param cls the class @param needed bytes of headroom
    /// @return the finding, if any
    static std::optional<LosslessMistake> CheckClass(const SwitchMmu& mmu,
                                                     const QbbNetDevice& device,
                                                     uint32_t port,
                                                     uint32_t cls,
                                                     uint64_t needed);
    /// Find what the limit of a queue may drop of lossless frames. @param mmu the buffer @param
    /// ports the ports of the switch, by index @param addedBytes as for Configure() @param port of
    /// the queue @param queue the queue @return the finding, if any
    static std::optional<LosslessMistake> CheckQueue(const SwitchMmu& mmu,
                                                     const std::vector<Ptr<QbbNetDevice>>& ports,
                                                     uint32_t addedBytes,
                                                     uint32_t port,
                                                     uint32_t queue);

    /// Kind and headroom that Configure() has chosen, by port and class.
    std::vector<std::array<MmuClassConfig, TRAFFIC_CLASSES>> m_chosen;
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_HEADROOM_H
