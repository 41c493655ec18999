// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_SHOW_H
#define LOSSLESS_SONIC_SHOW_H

#include "ns3/buffer-watermarks.h"
#include "ns3/fabric-switch.h"
#include "ns3/ptr.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What a switch has counted, as tables for people like those that the command `show` of SONiC
 * prints: a line a port, a column a class. Port k is called "Ethernet" and 4 k. Read them before
 * Simulator::Destroy().
 */
class SonicShow
{
  public:
    /// @param fabricSwitch the switch @param view whose watermarks
    explicit SonicShow(const Ptr<FabricSwitch>& fabricSwitch,
                       WatermarkView view = WatermarkView::USER);

    /// @return `show priority-group watermark shared`: most bytes of shared space in use
    std::string PriorityGroupShared() const;
    /// @return `show priority-group watermark headroom`: most bytes of headroom in use
    std::string PriorityGroupHeadroom() const;
    /// @return `show queue watermark unicast`: most bytes of queues
    std::string QueueWatermark() const;
    /// @return `show pfc counters`: PFC frames received and sent
    std::string PfcCounters() const;
    /// @return `show pfcwd stats`: storms and drops of queues that are watched; empty: none is
    std::string PfcWatchdogStats() const;
    /// @return all of them, each below its command
    std::string All() const;

  private:
    /// Called with (port, class).
    using Value = std::function<uint64_t(uint32_t port, uint32_t cls)>;

    /// @return a table of ports and classes
    /// @param corner head of the first column @param head of the others, before the class
    std::string Table(const std::string& corner, const std::string& head, const Value& value) const;
    /// @return lines of cells in columns, with a rule below the first
    static std::string Print(const std::vector<std::vector<std::string>>& lines);

    Ptr<FabricSwitch> m_switch;
    WatermarkView m_view;
};

} // namespace ns3

#endif // LOSSLESS_SONIC_SHOW_H
