// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONGA_SWITCH_H
#define LOSSLESS_CONGA_SWITCH_H

#include "discounted-rate.h"
#include "host-sites.h"
#include "switch-extension.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * CONGA (Alizadeh et al., SIGCOMM 2014) in the switches of two tiers, leaves and spines: measures
 * the links, and tells the leaves how congested the paths between them are. Each frame from one
 * leaf to another has a PathShim: its path, the highest level of a link there, and the same of one
 * path the other way, in turn. CongaLoadBalancer of the leaves asks for both.
 *
 * A path is a port of the leaf where it begins, as there is one link from a spine to a leaf in its
 * place. Paths of which nothing was heard for AgingTime count as free.
 */
class CongaSwitch : public SwitchExtension
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t GetHooks() const override;
    void Check(FabricSwitch& owner) override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    uint32_t GetAddedBytes() const override;
    bool HasActed() const override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;
    void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;

    /// @param frame from a host here to another leaf @param port an uplink @param now ticks
    /// @return the higher of the levels of the uplink and of what the other leaf has told of it
    uint8_t GetCost(const Frame& frame, uint16_t port, int64_t now);

    /// @return number of frames whose shim has told this leaf of a path
    uint64_t GetNFeedbacks() const
    {
        return m_feedbacks;
    }

  private:
    /// A port.
    struct Port
    {
        bool leadsToHost{false};
        DiscountedRate::Terms terms;
        DiscountedRate rate; //!< of what it sends
    };

    /// A level, and when it was heard.
    struct Heard
    {
        int64_t at{-1}; //!< ticks; -1: never
        uint8_t level{0};
    };

    /// What a leaf knows of another one.
    struct Leaf
    {
        std::vector<Heard> to;   //!< by port here: of paths to the other leaf
        std::vector<Heard> from; //!< by port there: of paths from the other leaf
        uint16_t next{0};        //!< place in `from` of the next feedback
    };

    /// @param levels by port @param port a port @param now ticks @return its level; 0: it is old
    uint8_t Recent(const std::vector<Heard>& levels, uint16_t port, int64_t now) const;
    /// A level was heard. @param levels by port @param port the port @param level its level
    /// @param now ticks
    static void Note(std::vector<Heard>& levels, uint16_t port, uint8_t level, int64_t now);
    /// A frame leaves its leaf: it gets a shim. @param frame the frame @param outPort uplink
    /// @param now ticks
    void Begin(Frame& frame, uint16_t outPort, int64_t now);
    /// A frame has come to the leaf of its destination: it loses its shim. @param frame the frame
    /// @param now ticks
    void End(Frame& frame, int64_t now);

    Time m_period;        //!< attribute Period
    double m_decay;       //!< attribute Decay
    uint8_t m_bits;       //!< attribute Bits
    Time m_aging;         //!< attribute AgingTime
    uint32_t m_shimBytes; //!< attribute ShimBytes
    std::vector<Port> m_ports;
    std::vector<Leaf> m_leaves; //!< by site
    std::shared_ptr<const HostSites> m_sites;
    uint64_t m_feedbacks{0};
};

} // namespace ns3

#endif // LOSSLESS_CONGA_SWITCH_H
