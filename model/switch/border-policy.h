// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BORDER_POLICY_H
#define LOSSLESS_BORDER_POLICY_H

#include "port-list.h"
#include "switch-extension.h"

#include "ns3/counter-fields.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: what a switch lets in at the border of a network, that is at ports to servers and to
 * other networks (doc/extensions.rst). The first of an ordered list of rules that matches a frame
 * decides: the frame passes, passes with another DSCP or without its tag, or is dropped. It acts at
 * the arrival of the frame, before the buffer books it, so that class, priority group and queue are
 * those of the new DSCP. A frame that no rule matches passes as it is.
 *
 * Where a switch has several extensions, this one should be the first.
 */
class BorderPolicy : public SwitchExtension
{
  public:
    /// What becomes of a frame.
    enum Action : uint8_t
    {
        PERMIT, //!< it passes as it is
        SET,    //!< it passes with another DSCP
        UNTAG,  //!< it passes without its 802.1Q tag, as behind a routed hop
        DROP    //!< it is dropped
    };

    /// Frames that rules have matched, by what the rules say. Frames that no rule matches are not
    /// counted.
    struct Counters
    {
        uint64_t permitted{0}; //!< PERMIT
        uint64_t marked{0};    //!< SET
        uint64_t untagged{0};  //!< UNTAG
        uint64_t dropped{0};   //!< DROP

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::permitted,
                  {"border_permitted", "frames", "frames that a rule of a border has let in"});
            visit(&C::marked,
                  {"border_marked", "frames", "frames for which a rule of a border sets the DSCP"});
            visit(&C::untagged,
                  {"border_untagged", "frames", "frames for which a rule of a border says untag"});
            visit(&C::dropped,
                  {"border_dropped", "frames", "frames that a rule of a border has dropped"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    bool HasActed() const override
    {
        return HasCounted(m_counters);
    }

    uint32_t GetHooks() const override;
    void Check(FabricSwitch& owner) override;
    void Start(FabricSwitch& owner) override;
    void Arrived(Frame& frame, uint32_t inPort) override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;
    bool Unrouted(Frame* frame) override;

    /// Give a frame the marks with which it would be let in; counts nothing, and drops nothing.
    /// @param frame a frame that belongs to nobody @param inPort the port at which it would arrive
    void Preview(Frame& frame, uint32_t inPort) const;

    /// @return frames that each rule has matched, in the order of the rules
    const std::vector<uint64_t>& GetMatches() const
    {
        return m_matches;
    }

    /// @return the same by what the rules say; those of rules that were replaced count, too
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// A rule has matched a frame. @param rule counted from 0 @param frame the frame, with its new
    /// DSCP
    typedef void (*MatchTracedCallback)(uint32_t rule, const Frame& frame);

  private:
    /// @return whether there are rules
    bool HasRules() const
    {
        return !m_matches.empty();
    }

    /// A set of addresses that begin alike.
    struct Prefix
    {
        std::array<uint32_t, 4> words{}; //!< IPv4: the last word
        uint8_t bits{0};                 //!< number of leading bits that count
        uint8_t ipVersion{4};

        /// @return whether an address is one of them @param version 4 or 6 @param high first words
        /// of an IPv6 address @param low the last word
        bool Has(uint8_t version, const std::array<uint32_t, 3>& high, uint32_t low) const;

        /// @param other a set @return whether all its addresses are in this one
        bool Has(const Prefix& other) const;
    };

    /// A rule: what it matches, and what becomes of it.
    struct Rule
    {
        std::optional<uint8_t> protocol; //!< IP protocol; none: any
        std::optional<uint16_t> port;    //!< UDP or TCP destination port; none: any
        uint64_t dscps{0};               //!< mask of DSCPs; 0: any
        std::optional<Prefix> from;      //!< source; none: any
        std::optional<Prefix> to;        //!< destination; none: any
        Action action{PERMIT};           //!< what becomes of the frame
        uint8_t dscp{0};                 //!< SET: its new DSCP

        /// @return whether the rule leaves no frame to those after it
        bool IsForAll() const
        {
            return !protocol && !port && (!dscps || !~dscps) && !from && !to;
        }

        /// @param other a rule @return whether this one matches each frame that it matches
        bool Has(const Rule& other) const;

        /// @param frame a frame @return whether it is meant
        bool Matches(const Frame& frame) const;
    };

    class Reader;

    /// Do what a rule says, but for a drop. @param rule the rule @param frame that it matches
    /// @return whether the marks of the frame have changed
    static bool Mark(const Rule& rule, Frame& frame);

    /// @param text attribute Rules; throws std::invalid_argument if it cannot be read
    void SetRules(const std::string& text);
    /// @return attribute Rules
    std::string GetRules() const;
    /// @param text attribute Ports; throws std::invalid_argument if it cannot be read
    void SetPorts(const std::string& text);
    /// @return attribute Ports
    std::string GetPorts() const;

    FabricSwitch* m_owner{nullptr};
    std::string m_rulesText;                 //!< attribute Rules
    std::vector<Rule> m_rules;               //!< in their order
    PortList m_ports{"BorderPolicy: Ports"}; //!< attribute Ports
    std::vector<uint64_t> m_matches;         //!< by rule
    Counters m_counters;                     //!< by action
    bool m_drops{false}; //!< whether the frame that is on its way in is to be dropped
    TracedCallback<uint32_t, const Frame&> m_matchTrace;
};

static_assert(AreAllCountersVisited<BorderPolicy::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_BORDER_POLICY_H
