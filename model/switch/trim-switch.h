// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRIM_SWITCH_H
#define LOSSLESS_TRIM_SWITCH_H

#include "switch-extension.h"

#include "ns3/counter-fields.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: packet trimming (SAI proposal of 2024; Ultra Ethernet 1.0; Handley et al., NDP, SIGCOMM
 * 2017). A RoCE data packet of a lossy class that finds its egress queue, or the buffer, full loses
 * its payload, not its headers: these go on in a class of their own, with a DSCP that says so, and
 * the receiver has the sender repeat the packet at once (doc/paths.rst).
 *
 * The packet that arrives is the one that is cut. ACKs, NAKs, CNPs and stock traffic never are, nor
 * is what WRED or another rule drops.
 */
class TrimSwitch : public SwitchExtension
{
  public:
    /// Counters of an egress port, as SAI has them.
    struct Counters
    {
        uint64_t trims{0};        //!< packets that this switch has trimmed
        uint64_t trimmedBytes{0}; //!< frame bytes that it has cut off
        uint64_t sent{0};         //!< trimmed packets sent, those that other switches have cut, too
        uint64_t dropped{0};      //!< trimmed packets for which there was no room

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::trims, {"trims", "frames", "data packets whose payload switches have cut"});
            visit(&C::trimmedBytes,
                  {"trimmed_bytes", "bytes", "frame bytes that trimming has cut off"});
            visit(
                &C::sent,
                {"trims_sent", "frames", "trimmed packets that switches sent, once for each hop"});
            visit(&C::dropped,
                  {"trims_dropped", "frames", "trimmed packets for which there was no room"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    bool ReadsRoce() const override
    {
        return true;
    }

    bool HasActed() const override
    {
        return HasCounted(GetCounters());
    }

    uint32_t GetHooks() const override;
    void Check(FabricSwitch& owner) override;
    void Start(FabricSwitch& owner) override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;
    bool Refused(Frame& frame, uint32_t outPort) override;
    void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;

    /// @param port egress port @return its counters, which outlive a restart of the switch
    Counters GetCounters(uint32_t port) const
    {
        return port < m_counters.size() ? m_counters[port] : Counters();
    }

    /// @return the counters of all ports, added
    Counters GetCounters() const;

    /// @param port egress port @return bytes of a queue, with the frame that comes, beyond which it
    /// is trimmed; valid after Start()
    uint64_t GetThresholdBytes(uint32_t port) const
    {
        return m_ports.at(port).threshold;
    }

  private:
    /// What is known of an egress port.
    struct Port
    {
        uint64_t threshold{0}; //!< most bytes of a queue of data, with the new frame
        uint64_t limit{0};     //!< most bytes of the queue of trimmed packets, likewise
        uint8_t queue{0};      //!< queue of trimmed packets
        bool isLastHop{false}; //!< the peer is a host
    };

    /// Refuse a port at which trimming would not work. @param owner the switch @param port the port
    void RequirePort(const FabricSwitch& owner, uint32_t port) const;
    /// @param owner the switch @param port one of its ports @return what is known of it
    Port MakePort(const FabricSwitch& owner, uint32_t port) const;
    /// @param frame a frame @return whether it is data that may be trimmed
    bool MayTrim(const Frame& frame) const;
    /// Cut a packet. @param frame a packet that MayTrim() @param outPort its egress port
    /// @return whether that shortens it
    bool Cut(Frame& frame, uint32_t outPort);
    /// @param frame a trimmed packet @param outPort its egress port @return whether its queue is
    /// below the limit; else it is counted as dropped
    bool HasRoom(const Frame& frame, uint32_t outPort);

    uint8_t m_classes{0};         //!< attribute Classes
    uint8_t m_trimClass{0};       //!< attribute TrimClass
    uint8_t m_dscp{0};            //!< attribute TrimDscp
    uint8_t m_dscpLastHop{0};     //!< attribute TrimDscpLastHop
    uint32_t m_trimBytes{0};      //!< attribute TrimBytes
    Time m_baseRtt;               //!< attribute BaseRtt
    double m_threshold{0};        //!< attribute Threshold
    double m_thresholdLastHop{0}; //!< attribute ThresholdLastHop
    double m_trimLimit{0};        //!< attribute TrimLimit

    FabricSwitch* m_owner{nullptr};
    std::vector<Port> m_ports;
    std::vector<Counters> m_counters; //!< by egress port
};

static_assert(AreAllCountersVisited<TrimSwitch::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_TRIM_SWITCH_H
