// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VLAN_PORTS_H
#define LOSSLESS_VLAN_PORTS_H

#include "port-list.h"
#include "switch-extension.h"

#include "ns3/counter-fields.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: trunk and access ports of a switch (IEEE 802.1Q, doc/extensions.rst). A trunk port
 * carries tagged frames alone: untagged ones are dropped where they arrive, and what leaves has a
 * tag. An access port carries untagged frames of one VLAN: tagged ones are dropped where they
 * arrive, and what leaves has no tag. Ports of neither kind let all frames pass as they are.
 *
 * A tag that is added has PCP 0: nothing says which one a frame had on an access port. A tag of
 * VLAN 0, which has a PCP alone, stands for the VLAN of the extension.
 */
class VlanPorts : public SwitchExtension
{
  public:
    /// Frames, by what becomes of them.
    struct Counters
    {
        uint64_t dropped{0};  //!< frames dropped
        uint64_t tagged{0};   //!< frames that have got a tag
        uint64_t untagged{0}; //!< frames that have lost their tag

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::dropped, {"vlan_dropped", "frames", "frames that no port of a VLAN carries"});
            visit(&C::tagged, {"vlan_tagged", "frames", "frames that got a tag at a trunk port"});
            visit(&C::untagged,
                  {"vlan_untagged", "frames", "frames that lost their tag at an access port"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    bool HasActed() const override
    {
        return HasCounted(m_counters);
    }

    uint32_t GetHooks() const override;
    uint32_t GetAddedBytes() const override;
    void Check(FabricSwitch& owner) override;
    void Start(FabricSwitch& owner) override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;

    /// @return what it has done
    const Counters& GetCounters() const
    {
        return m_counters;
    }

  private:
    /// What a port carries.
    enum Kind : uint8_t
    {
        ANY,   //!< all frames, as they are
        TRUNK, //!< tagged frames
        ACCESS //!< untagged frames
    };

    /// @return whether there are trunk or access ports
    bool HasPorts() const
    {
        return !m_trunk.GetText().empty() || !m_access.GetText().empty();
    }

    /// @param text attribute Trunk; throws std::invalid_argument if it cannot be read
    void SetTrunk(const std::string& text);
    /// @return attribute Trunk
    std::string GetTrunk() const;
    /// @param text attribute Access; throws std::invalid_argument if it cannot be read
    void SetAccess(const std::string& text);
    /// @return attribute Access
    std::string GetAccess() const;

    uint16_t m_vlan{0};                                     //!< attribute Vlan
    PortList m_trunk{"VlanPorts: Trunk", PortList::NONE};   //!< attribute Trunk
    PortList m_access{"VlanPorts: Access", PortList::NONE}; //!< attribute Access
    std::vector<Kind> m_kinds;                              //!< by port
    Counters m_counters;
};

static_assert(AreAllCountersVisited<VlanPorts::Counters>(), "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_VLAN_PORTS_H
