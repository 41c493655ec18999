// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_L2_TABLES_H
#define LOSSLESS_L2_TABLES_H

#include "ns3/counter-fields.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/switch-extension.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The layer-2 tables of a switch for its last hop (Guo et al., RDMA over Commodity Ethernet at
 * Scale, SIGCOMM 2016, section 4.2): a route to a host at a port of the switch needs an ARP entry
 * for the host, and a MAC entry that gives the port of its MAC address. ARP entries live for hours,
 * MAC entries for minutes, so that a dead host leaves an "incomplete" ARP entry without a MAC
 * entry. The attribute UnknownMac says what the switch does then. It may flood the frame to all
 * ports but the ingress port, which closes a cycle of pauses in a lossless class.
 *
 * Each frame of a host refreshes both entries, and so does the start of the switch, as hosts
 * announce themselves then. Ages are computed at each look-up; there are no timers.
 *
 * Each flooded copy is booked in the buffer separately. A copy carries the MAC address of the host:
 * other switches, and hosts with another address, drop the copy (DropReason::NOT_FOR_US).
 */
class L2Tables : public SwitchExtension
{
  public:
    /// Treatment of a frame whose destination host has an ARP entry and no MAC entry.
    enum UnknownMac
    {
        FLOOD,         //!< flooded in all classes, as Ethernet switches do
        DROP_LOSSLESS, //!< dropped in lossless classes, flooded in lossy ones
        DROP           //!< dropped in all classes
    };

    /// Treatment of frames to multicast and broadcast addresses.
    enum Groups
    {
        GROUPS_DROPPED, //!< dropped, as by a router that serves no group
        GROUPS_LOSSY,   //!< flooded in lossy classes, dropped in lossless ones
        GROUPS_ALL      //!< flooded in all classes
    };

    /// Counters.
    struct Counters
    {
        uint64_t flooded{0};       //!< frames flooded
        uint64_t copies{0};        //!< copies that flooding made
        uint64_t unknownMac{0};    //!< frames dropped as the MAC entry was missing
        uint64_t unknownArp{0};    //!< frames dropped as the ARP entry was missing
        uint64_t groupsDropped{0}; //!< frames to groups that were not flooded

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::flooded, {"flooded", "frames", "frames flooded"});
            visit(&C::copies, {"copies", "frames", "copies that flooding made"});
            visit(&C::unknownMac,
                  {"unknown_mac", "frames", "frames dropped as the MAC entry was missing"});
            visit(&C::unknownArp,
                  {"unknown_arp", "frames", "frames dropped as the ARP entry was missing"});
            visit(&C::groupsDropped,
                  {"groups_dropped", "frames", "frames to groups that were not flooded"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    bool HasActed() const override
    {
        return HasCounted(m_counters);
    }

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    void Arrived(Frame& frame, uint32_t inPort) override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;
    bool Unrouted(Frame* frame) override;

    /// Delete the MAC entry of a host; its next frame restores the entry.
    /// @param host its address @return whether it is a host at this switch
    bool Forget(Ipv4Address host);

    /// Make the entries of a host older. @param host its address @param by the time to add to their
    /// age
    /// @return whether it is a host at this switch
    bool Age(Ipv4Address host, Time by);

    /// @param host address of a host @return whether it has a valid MAC entry
    bool KnowsMac(Ipv4Address host) const;

    /// @param host address of a host @return whether it has a valid ARP entry
    bool KnowsArp(Ipv4Address host) const;

    /// @return counters
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// A frame is flooded. @param frame the frame @param copies number of copies
    typedef void (*FloodTracedCallback)(const Frame& frame, uint32_t copies);

  protected:
    void DoDispose() override;

  private:
    /// The host behind a port.
    struct Entry
    {
        bool isHost{false};  //!< whether the port leads to a host
        bool noMac{false};   //!< Forget() was called since its last frame
        uint32_t address{0}; //!< last 32 bits of the address of the host
        int64_t heard{0};    //!< when its last frame arrived, ticks
    };

    /// @return the port of a host at this switch, or the number of ports
    uint32_t FindPort(Ipv4Address host) const;
    /// @return whether the MAC entry is valid
    bool HasMac(const Entry& entry) const;
    /// @return whether the ARP entry is valid
    bool HasArp(const Entry& entry) const;
    /// Flood a frame to all ports but its ingress port. @param frame the frame @return whether
    /// there are such ports; the frame is then taken over
    bool Flood(Frame* frame);

    FabricSwitch* m_owner{nullptr};
    std::vector<Entry> m_entries; //!< by port
    Counters m_counters;
    Time m_arpTimeout;         //!< attribute ArpTimeout
    Time m_macTimeout;         //!< attribute MacTimeout
    UnknownMac m_unknownMac{}; //!< attribute UnknownMac
    Groups m_groups{};         //!< attribute Groups
    TracedCallback<const Frame&, uint32_t> m_floodTrace;
};

static_assert(AreAllCountersVisited<L2Tables::Counters>(), "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_L2_TABLES_H
