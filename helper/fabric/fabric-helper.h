// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_HELPER_H
#define LOSSLESS_FABRIC_HELPER_H

#include "fabric-recipe.h"
#include "fabric.h"

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-options.h"
#include "ns3/fabric-places.h"
#include "ns3/fabric-settings.h"
#include "ns3/fabric-topology.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-mrc.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Builds fabrics: stock nodes, QbbNetDevices and QbbChannels, a FabricSwitch with its SwitchMmu and
 * ECN marker in each switch, an RdmaHw in each host, addresses and routes. Every default is usable:
 * 100 Gb/s links of 1 us, class 3 lossless, headroom by the exact rule, thresholds by link speed,
 * DCQCN.
 *
 * @code
 * FabricHelper helper;
 * helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("1us"));
 * helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("32MiB"));
 * Fabric fabric = helper.LeafSpine(4, 2, 8);
 * @endcode
 *
 * Setters take names and values of attributes in turn, as those of ns-3 do. All is checked at once:
 * what is wrong is a FabricError. An option --ns3::Type::Attribute=value of a FabricProgram wins
 * over what setters say, where the helper is made with FabricProgram::GetOptions(). A fabric that
 * cannot be lossless is refused, see AllowLossy().
 */
class FabricHelper
{
  public:
    /// @param options what the user of the program says about attributes; it wins over the setters
    explicit FabricHelper(const FabricOptions& options = FabricOptions());

    /// @return what the user of the program says about attributes
    const FabricOptions& GetOptions() const
    {
        return m_recipe.options;
    }

    // ---- what the parts are like

    /**
     * The links: `DataRate`, `Delay` and `ErrorRate` (0..1) of links that the topology does not
     * specify, and any attribute of QbbNetDevice, for all.
     * @param args names and values in turn
     */
    template <typename... Args>
    void SetLink(Args&&... args)
    {
        ForEachPair(
            "SetLink",
            [this](const std::string& name, const AttributeValue& value) {
                SetLinkAttribute(name, value);
            },
            std::forward<Args>(args)...);
    }

    /**
     * The switches.
     * @param type "ns3::SwitchMmu" or "ns3::FabricSwitch"
     * @param args names and values in turn
     */
    template <typename... Args>
    void SetSwitch(const std::string& type, Args&&... args)
    {
        ForEachPair(
            "SetSwitch",
            [this, &type](const std::string& name, const AttributeValue& value) {
                SetSwitchAttribute(type, name, value);
            },
            std::forward<Args>(args)...);
    }

    /// The buffer of all switches as that of a published switch: SetSwitch() with its BufferSize
    /// and, where it is published, its CellBytes. @param preset name of a SwitchPreset
    void SetSwitchPreset(const std::string& preset);

    /// The ECN marker of switches. @param type a type @param args names and values in turn
    template <typename... Args>
    void SetEcn(const std::string& type, Args&&... args)
    {
        SetFactory(m_recipe.ecn, "ns3::EcnMarker", type, std::forward<Args>(args)...);
    }

    /// The load balancer of switches. @param type a type @param args names and values in turn
    template <typename... Args>
    void SetLoadBalancer(const std::string& type, Args&&... args)
    {
        SetFactory(m_recipe.balancer, "ns3::LoadBalancer", type, std::forward<Args>(args)...);
    }

    /// The egress scheduler of all ports. @param type a type @param args names and values in turn
    template <typename... Args>
    void SetScheduler(const std::string& type, Args&&... args)
    {
        SetFactory(m_recipe.scheduler, "ns3::EgressScheduler", type, std::forward<Args>(args)...);
    }

    /// The RDMA side of hosts. @param args names and values of attributes of RdmaHw in turn
    template <typename... Args>
    void SetHost(Args&&... args)
    {
        ForEachPair(
            "SetHost",
            [this](const std::string& name, const AttributeValue& value) {
                m_recipe.options.Set(m_recipe.host, name, value);
            },
            std::forward<Args>(args)...);
    }

    /// The queue pairs. @param args names and values of attributes of RdmaQueuePair in turn
    template <typename... Args>
    void SetQueuePair(Args&&... args)
    {
        ForEachPair(
            "SetQueuePair",
            [this](const std::string& name, const AttributeValue& value) {
                SetQueuePairAttribute(name, value);
            },
            std::forward<Args>(args)...);
    }

    /**
     * The congestion control of queue pairs.
     * @param type "ns3::Type" or "ns3::Type[Attribute=value|...]", or "none" for RdmaFixedRate
     * @param args names and values in turn
     */
    template <typename... Args>
    void SetCongestionControl(const std::string& type, Args&&... args)
    {
        SetFactory(m_recipe.congestion,
                   "ns3::RdmaCongestionOps",
                   type == "none" ? "ns3::RdmaFixedRate" : type,
                   std::forward<Args>(args)...);
    }

    /**
     * Give all switches an extension. Those that the congestion control needs
     * (RdmaCongestionOps::GetSwitchExtensions()) come by themselves; a call for the same type sets
     * their attributes.
     * @param type a type, such as "ns3::IntStamper"
     * @param args names and values in turn
     */
    template <typename... Args>
    void AddSwitchExtension(const std::string& type, Args&&... args)
    {
        ObjectFactory extension; // kept only if all is well
        SetFactory(extension, "ns3::SwitchExtension", type, std::forward<Args>(args)...);
        m_recipe.extensions.push_back(extension);
    }

    /**
     * ECN thresholds of the ports of one speed, in place of the marker's own rule; for
     * WredEcnMarker.
     * @param rate speed of the ports
     * @param kmin bytes
     * @param kmax bytes
     * @param pmax probability at kmax
     */
    void SetEcnThresholds(DataRate rate, uint64_t kmin, uint64_t kmax, double pmax);

    /**
     * Whether a port that is faster than the slowest host link gets a larger alpha, Alpha of
     * SwitchMmu doubled with each doubling of the speed up to 1, as in the HPCC simulator: a link
     * that is twice as fast needs twice the queue before PFC acts, as its ECN thresholds are twice
     * as high. Without a call it does.
     * @param enable false: Alpha is the value of all ports
     */
    void SetAlphaBySpeed(bool enable);

    /// Classes with PFC on all links. @param classes class numbers, 0..7; empty: no PFC
    void SetLosslessClasses(const std::vector<uint32_t>& classes);

    /// Credit-based flow control (CBFC) in place of PFC on all links: no class has PFC, unless
    /// SetLosslessClasses() is called behind this. @param classes lossless by credits
    void SetCbfc(const std::vector<uint32_t>& classes);

    /// IP version of the frames of queue pairs. @param version 4 or 6
    void SetIpVersion(uint32_t version);

    /**
     * MRC in place of RoCE with PFC, and what MRC needs: IPv6, packets of 4 KiB, no PFC, NSCC, ECN
     * marks between 0.2 and 0.8 bandwidth-delay products of a port, trimming, and a scheduler that
     * sends SACKs (class 6) and repeats (class 4) before data (class 3), and gives trimmed packets
     * (class 5) a quarter of a port. Calls of the other methods behind this one change parts of it.
     * @param baseRtt longest round trip of the empty fabric
     * @param format how entropy values choose paths; switches get what forwards by them
     */
    void SetMrc(Time baseRtt, RdmaMrc::Format format = RdmaMrc::UDP);

    /// Build even what cannot be lossless. @param allow whether
    void AllowLossy(bool allow = true);

    // ---- some places unlike others

    /**
     * Settings for some places of the fabrics that are built from now on:
     *
     * @code
     * helper.At("leaf").Set("ns3::SwitchMmu::Alpha", DoubleValue(1.0 / 32));
     * helper.At("leaf 2 to spine").Set("ns3::QbbNetDevice::PfcClasses", UintegerValue(0x18));
     * @endcode
     *
     * They win over the setters above, narrower places over wider ones whatever the order, and of
     * equals the later. Fabric::At() is for a fabric that is built.
     * @param places where, see FabricPlaces
     * @return what sets them
     */
    FabricAt At(const FabricPlaces& places);

    /**
     * As At(), from a file in TOML (doc/settings.rst). A file of the program's user, `--settings`,
     * wins over places of the same rank.
     * @param path the file; FabricError with its line if it cannot be used
     */
    void ReadSettings(const std::string& path);

    // ---- building

    /// One switch. @param hosts hosts around it @return the fabric
    Fabric Star(uint32_t hosts) const;

    /// Two switches. @param left hosts of the first @param right hosts of the second
    /// @param bottleneck rate between the switches @return the fabric
    Fabric Dumbbell(uint32_t left, uint32_t right, DataRate bottleneck) const;

    /**
     * Two tiers, every leaf joined to every spine.
     * @param leaves leaf switches
     * @param spines spine switches
     * @param hostsPerLeaf hosts at each leaf
     * @param oversubscription rate of a leaf towards its hosts over that towards the spines
     * @return the fabric
     */
    Fabric LeafSpine(uint32_t leaves,
                     uint32_t spines,
                     uint32_t hostsPerLeaf,
                     double oversubscription = 1) const;

    /**
     * Planes of two tiers that share no switch: port i of each host leads to plane i.
     * @param planes planes, each with links of the rate that SetLink() says
     * @param leaves leaf switches of a plane
     * @param spines spine switches of a plane
     * @param hostsPerLeaf hosts at each leaf
     * @param oversubscription rate of a leaf towards its hosts over that towards the spines
     * @return the fabric
     */
    Fabric MultiPlane(uint32_t planes,
                      uint32_t leaves,
                      uint32_t spines,
                      uint32_t hostsPerLeaf,
                      double oversubscription = 1) const;

    /// Three tiers. @param k ports of each switch; k^3/4 hosts @return the fabric
    Fabric FatTree(uint32_t k) const;

    /// Any graph. @param topology the graph @return the fabric
    Fabric FromTopology(const FabricTopology& topology) const;

  private:
    /// Call a function with a name and a value. @param setter that has them
    void SetPair(const std::string& setter,
                 const std::function<void(const std::string&, const AttributeValue&)>& use,
                 const std::string& name,
                 const AttributeValue& value);

    /// Call a function with each name and value.
    void ForEachPair(
        const char* /* setter */,
        const std::function<void(const std::string&, const AttributeValue&)>& /* use */)
    {
    }

    /// Call a function with each name and value. @param setter that has them
    template <typename... Args>
    void ForEachPair(const char* setter,
                     const std::function<void(const std::string&, const AttributeValue&)>& use,
                     const std::string& name,
                     const AttributeValue& value,
                     Args&&... args)
    {
        SetPair(setter, use, name, value);
        ForEachPair(setter, use, std::forward<Args>(args)...);
    }

    /// Replace a factory by one of a type, which must derive from base.
    template <typename... Args>
    void SetFactory(ObjectFactory& factory,
                    const std::string& base,
                    const std::string& type,
                    Args&&... args)
    {
        ObjectFactory made = MakeFactory(base, type);
        NoteSaid(type);
        ForEachPair(
            type.c_str(),
            [this, &made](const std::string& name, const AttributeValue& value) {
                m_recipe.options.Set(made, name, value);
            },
            std::forward<Args>(args)...);
        if (!HasTypeOption(base))
        {
            factory = made;
        }
    }

    /// Each setter says here what it was told: it is too late for the fabric that was built last.
    void NoteSaid(const std::string& what)
    {
        if (m_late)
        {
            m_late->push_back(what);
        }
    }

    /// @return whether an option of the program says what an attribute is
    bool HasOption(TypeId type, const std::string& attribute) const;
    /// @return whether an option of the program says which type derived from base to take
    bool HasTypeOption(const std::string& base) const;
    ObjectFactory MakeFactory(const std::string& base, const std::string& type) const;
    void SetLinkAttribute(const std::string& name, const AttributeValue& value);
    void SetQueuePairAttribute(const std::string& name, const AttributeValue& value);
    void SetSwitchAttribute(const std::string& type,
                            const std::string& name,
                            const AttributeValue& value);

    FabricRecipe m_recipe;
    /// What was said since the last build; its fabric has it, too. Null: nothing was built.
    mutable std::shared_ptr<std::vector<std::string>> m_late;
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_HELPER_H
