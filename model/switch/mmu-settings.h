// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MMU_SETTINGS_H
#define LOSSLESS_MMU_SETTINGS_H

#include "mmu-config.h"
#include "service-pools.h"

#include "ns3/object.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

struct MmuEgress;
struct MmuIngress;
struct MmuPortLimits;

/**
 * @ingroup lossless
 *
 * The settings of a switch buffer: the attributes of SwitchMmu, the configuration of each (port,
 * class), and the division of the buffer that follows from both. Only SwitchMmu derives from this
 * class; SwitchMmu books frames by the division.
 *
 * Sizes are in bytes and rounded up to cells. All setters throw std::invalid_argument on a port or
 * class out of range. In a switch that runs, a change takes effect at once, pauses included; a
 * division that the buffer cannot hold is refused with std::invalid_argument, and the one before
 * stays.
 */
class MmuSettings : public Object
{
  public:
    /// Which paused (port, class) pairs may resume when a frame has left.
    enum ResumeTest
    {
        ALL_PAUSED, //!< all: shared space has become free for each of them
        DEPARTING   //!< that of the frame (HPCC simulator)
    };

    ~MmuSettings() override;

    /// @return number of ports
    uint32_t GetPortCount() const;

    /// Make a class lossless at an ingress port: pause it at its threshold instead of dropping.
    /// @param port the port @param cls the class @param headroomBytes space for what arrives after
    /// the XOFF (see HeadroomBytes())
    void SetLossless(uint32_t port, uint32_t cls, uint64_t headroomBytes);
    /// Make a class lossy at an ingress port: drop at its threshold. @param port the port @param
    /// cls the class
    void SetLossy(uint32_t port, uint32_t cls);
    /// @param port the port @param cls the class @param bytes guaranteed space at ingress
    void SetGuaranteed(uint32_t port, uint32_t cls, uint64_t bytes);
    /// @param port the port @param cls the class @param alpha dynamic threshold: share of the free
    /// shared space, 0 <= alpha < 128
    void SetAlpha(uint32_t port, uint32_t cls, double alpha);
    /// @param port the port @param cls the class @param bytes static threshold of shared space
    void SetStaticThreshold(uint32_t port, uint32_t cls, uint64_t bytes);
    /// @param port the port @param cls the class @param bytes bytes below the threshold at which
    /// XON is sent
    void SetXonOffset(uint32_t port, uint32_t cls, uint64_t bytes);
    /// @param port egress port @param cls the class @param bytes bytes that the queue may always
    /// hold, whatever its limit
    void SetEgressGuaranteed(uint32_t port, uint32_t cls, uint64_t bytes);
    /// Limit a queue. Lossless frames beyond the limit are dropped, too; without a limit of its own
    /// a queue takes all of them. @param port egress port @param cls the class @param alpha dynamic
    /// limit: share of the free shared space, 0 <= alpha < 128
    void SetEgressAlpha(uint32_t port, uint32_t cls, double alpha);
    /// The same with a static limit. @param port egress port @param cls the class @param bytes
    /// the limit, beyond what is guaranteed to the queue
    void SetEgressStaticThreshold(uint32_t port, uint32_t cls, uint64_t bytes);

    /// @param port the port @param cls the class @param pool name of the service pool from which
    /// it draws, one of ServicePools
    void SetServicePool(uint32_t port, uint32_t cls, const std::string& pool);
    /// @param port ingress port @param bytes PortLimit of the port; 0: none
    void SetPortLimit(uint32_t port, uint64_t bytes);
    /// @param port egress port @param bytes EgressPortLimit of the port; 0: none
    void SetEgressPortLimit(uint32_t port, uint64_t bytes);
    /// Replace both. @param port the port @param config as GetPortConfig()
    void SetPortConfig(uint32_t port, const MmuPortConfig& config);
    /// @param port the port @return what is configured
    const MmuPortConfig& GetPortConfig(uint32_t port) const;

    /// What is configured of all ports.
    struct Configs
    {
        std::vector<MmuClassConfig> classes; //!< by port * 8 + class
        std::vector<MmuPortConfig> ports;    //!< by port
    };

    /// Replace all of it at once. @param configs as GetConfigs()
    void SetConfigs(const Configs& configs);

    /// @return what is configured
    const Configs& GetConfigs() const
    {
        return m_configs;
    }

    /// @param pool name of a service pool @return as MmuClassConfig::pool has it
    static const std::string* NameOf(const std::string& pool);

    /// @return attribute ServicePools
    std::string GetServicePools() const;
    /// @param place of a pool @return its name; without ServicePools there is one, "shared"
    std::string GetPoolName(uint32_t place) const;

    /// @return whether LossyShare limits a class: a lossy one draws from the pool of a lossless
    /// one, and ServicePools do not say how much
    bool UsesLossyShare() const;

    /// Replace all of it. @param port the port @param cls the class @param config as GetConfig()
    void SetConfig(uint32_t port, uint32_t cls, const MmuClassConfig& config);
    /// @param port the port @param cls the class @return what is configured
    const MmuClassConfig& GetConfig(uint32_t port, uint32_t cls) const;

    /// @return size of the buffer in bytes (attribute BufferSize)
    uint64_t GetBufferSize() const;

  protected:
    /// How the buffer is divided, in cells.
    struct Division
    {
        uint64_t buffer{0};         //!< all of it
        uint64_t shared{0};         //!< shared space
        std::vector<MmuPool> pools; //!< parts of the shared space; one or more
        uint64_t headroom{0};       //!< all headroom together
        bool sharesHeadroom{false}; //!< whether the headroom is one pool
    };

    MmuSettings();

    /// @return whether a departure may end any pause
    bool ResumesAll() const
    {
        return m_resumeTest == ALL_PAUSED;
    }

    /// @param tid the TypeId @return the TypeId with the attributes of the settings
    static TypeId AddSettings(TypeId tid);

    /// @param ports number of ports; what is configured of them stays
    void ResizePorts(uint32_t ports);
    /// @return attribute CellBytes
    uint32_t GetCellBytes() const;
    /// @param cell the cell size @return the division that the settings ask for; throws where it
    /// cannot be
    Division Divide(const CellSize& cell) const;
    /// Compute kind, limits and thresholds of a (port, class) from the settings. @param index port
    /// * 8 + class @param cell the cell size @param in its ingress side @param out its egress side
    void Apply(uint32_t index, const CellSize& cell, MmuIngress& in, MmuEgress& out) const;
    /// @param port the port @param cell the cell size @return its limits, and nothing counted
    MmuPortLimits LimitsOf(uint32_t port, const CellSize& cell) const;

    /// Refuse a cell size with std::invalid_argument while frames are stored in cells of another.
    /// @param bytes of a cell
    virtual void CheckCellBytes(uint32_t bytes) const = 0;
    /// Make changed settings effective, as far as they already are. Throws to refuse them.
    virtual void ConfigChanged() = 0;

  private:
    // Whether attributes are read, as classes are configured now.

    /// @param isLossless which classes @param reads whether one of them, with what it has of its
    /// own, reads an attribute @return whether some does
    template <typename Reads>
    bool IsReadBy(bool isLossless, const Reads& reads) const;
    /// @return whether some class is lossless
    bool HasLossless() const;
    /// @return whether LossyShare limits lossy classes, or asks for no limit
    bool SharesPools() const;
    /// @return whether a lossless class has this threshold
    bool UsesAlpha() const;
    /// @return whether a lossy class has this threshold
    bool UsesLossyAlpha() const;
    /// @return whether a lossy queue has this limit
    bool UsesEgressAlpha() const;
    /// @return whether a lossless class resumes by it
    bool UsesXonOffset() const;
    /// @return whether a lossy queue is guaranteed it
    bool UsesEgressGuarantee() const;

    /// The attributes of pools and ports. @param tid the TypeId @return the same
    static TypeId AddPartSettings(TypeId tid);
    /// @param headroom cells of all (port, class) pairs together @param cell the cell size @return
    /// cells of the pool that they share; 0: they share none
    uint64_t PoolOf(uint64_t headroom, const CellSize& cell) const;
    /// @param text attribute ServicePools
    void SetServicePools(const std::string& text);
    /// @param index port * 8 + class @return the place of the pool from which it draws;
    /// std::invalid_argument if there is none
    uint8_t PoolOfClass(uint32_t index) const;
    /// Divide the shared space into pools. @param division gets them @param cell the cell size
    void DividePools(Division& division, const CellSize& cell) const;
    /// @param bytes attribute CellBytes
    void SetCellBytes(uint32_t bytes);
    /// Change one limit of a port. @param port the port @param limit of it @param bytes its value
    void ChangePort(uint32_t port, std::optional<uint64_t> MmuPortConfig::* limit, uint64_t bytes);
    /// Change the configuration of a (port, class), unless it cannot be.
    /// @param edit called with the configuration
    template <typename Edit>
    void Change(uint32_t port, uint32_t cls, Edit&& edit);

    Configs m_configs;                //!< of all ports
    std::vector<ServicePool> m_pools; //!< of ServicePools; none: one for all classes

    // Attributes.
    uint64_t m_bufferBytes{0};
    uint32_t m_cellBytes{0};
    double m_alpha{0};
    double m_lossyAlpha{0};
    double m_egressAlpha{0};
    uint64_t m_xonOffsetBytes{0};
    uint64_t m_guaranteedBytes{0};
    uint64_t m_egressGuaranteedBytes{0};
    uint64_t m_headroomPoolBytes{0};
    uint64_t m_portLimitBytes{0};
    uint64_t m_egressPortLimitBytes{0};
    double m_headroomRatio{0};
    double m_lossyShare{0};
    std::string m_poolsText;
    ResumeTest m_resumeTest{ALL_PAUSED};
};

} // namespace ns3

#endif // LOSSLESS_MMU_SETTINGS_H
