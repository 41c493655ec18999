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
 * The last hop of a switch as layer 2 sees it (Guo et al., RDMA over Commodity Ethernet at Scale,
 * SIGCOMM 2016, section 4.2): a route to a host at one of its own ports needs the ARP entry of its
 * address, and the MAC table must say at which port that MAC address is. ARP entries live for
 * hours, MAC entries for minutes, so that a host that has died leaves an ARP entry without a MAC
 * entry: an "incomplete" one. What a switch does then is the attribute UnknownMac: it may flood the
 * frame to all ports but the one it came by, which closes a circle of pauses in a lossless class.
 *
 * A host is heard with each of its frames, which refreshes both entries, and when the switch
 * starts, as it announces itself then. Ages are computed when a frame looks; there are no timers.
 *
 * Each flooded copy is booked in the buffer on its own. It has the MAC address of a host: other
 * switches drop it (DropReason::NOT_FOR_US), and so do hosts with another address.
 */
class L2Tables : public SwitchExtension
{
  public:
    /// What becomes of a frame whose host has an ARP entry and no MAC entry.
    enum UnknownMac
    {
        FLOOD,         //!< it is flooded, whatever its class: what Ethernet switches do
        DROP_LOSSLESS, //!< dropped in lossless classes, flooded in others
        DROP           //!< dropped
    };

    /// Frames to multicast and broadcast addresses.
    enum Groups
    {
        GROUPS_DROPPED, //!< dropped: the switch routes, and serves no group
        GROUPS_LOSSY,   //!< flooded, but dropped in lossless classes
        GROUPS_ALL      //!< flooded in all classes
    };

    /// Counters.
    struct Counters
    {
        uint64_t flooded{0};       //!< frames flooded
        uint64_t copies{0};        //!< copies that this made
        uint64_t unknownMac{0};    //!< frames dropped for want of a MAC entry
        uint64_t unknownArp{0};    //!< frames dropped for want of an ARP entry
        uint64_t groupsDropped{0}; //!< frames to groups that were not flooded

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::flooded, {"flooded", "frames", "frames flooded"});
            visit(&C::copies, {"copies", "frames", "copies that flooding made"});
            visit(&C::unknownMac,
                  {"unknown_mac", "frames", "frames dropped for want of a MAC entry"});
            visit(&C::unknownArp,
                  {"unknown_arp", "frames", "frames dropped for want of an ARP entry"});
            visit(&C::groupsDropped,
                  {"groups_dropped", "frames", "frames to groups that were not flooded"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    void Arrived(Frame& frame, uint32_t inPort) override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;
    bool Unrouted(Frame* frame) override;

    /// Forget at which port the MAC address of a host is; its next frame tells.
    /// @param host its address @return whether it is a host at this switch
    bool Forget(Ipv4Address host);

    /// Let the entries of a host become older. @param host its address @param by how much
    /// @return whether it is a host at this switch
    bool Age(Ipv4Address host, Time by);

    /// @param host address of a host @return whether the MAC table knows it
    bool KnowsMac(Ipv4Address host) const;

    /// @param host address of a host @return whether the ARP table knows it
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
        bool isHost{false};  //!< else the port leads to a switch, or nowhere
        bool noMac{false};   //!< Forget() was called since
        uint32_t address{0}; //!< last 32 bits of its address
        int64_t heard{0};    //!< when it was heard last, tick
    };

    /// @return the port of a host at this switch, or the number of ports
    uint32_t FindPort(Ipv4Address host) const;
    /// @return whether the MAC table has an entry
    bool HasMac(const Entry& entry) const;
    /// @return whether the ARP table has an entry
    bool HasArp(const Entry& entry) const;
    /// Send a frame to all ports but its own. @param frame the frame @return whether there are any;
    /// then it is taken over
    bool Flood(Frame* frame);

    FabricSwitch* m_owner{nullptr};
    std::vector<Entry> m_entries; //!< by port
    Counters m_counters;
    Time m_arpTimeout;       //!< attribute ArpTimeout
    Time m_macTimeout;       //!< attribute MacTimeout
    UnknownMac m_unknownMac; //!< attribute UnknownMac
    Groups m_groups;         //!< attribute Groups
    TracedCallback<const Frame&, uint32_t> m_floodTrace;
};

static_assert(AreAllCountersVisited<L2Tables::Counters>(), "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_L2_TABLES_H
