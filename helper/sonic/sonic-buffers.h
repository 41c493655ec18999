// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_BUFFERS_H
#define LOSSLESS_SONIC_BUFFERS_H

#include "sonic-place.h"

#include "ns3/mmu-config.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class SwitchMmu;

/// @ingroup lossless
/// Puts the tables BUFFER_POOL, BUFFER_PROFILE, BUFFER_PG and BUFFER_QUEUE, and those of the
/// dynamic buffer model, onto the buffer of a switch.
class SonicBuffers
{
  public:
    /// @param place the switch, which must outlive this
    explicit SonicBuffers(SonicPlace& place);

    /// Set the buffer. FabricError for what cannot be
    void Apply();

  private:
    /// What a priority group of a port gets.
    struct Group
    {
        uint32_t port;                //!< of the switch
        uint32_t group;               //!< its number
        SonicConfig::Profile profile; //!< its profile, with computed headroom
        bool isPlain{false};          //!< the switch computes the headroom
    };

    /// Find the profiles of all priority groups.
    void FindGroups();
    /// @return the profile of a group that BUFFER_PG names, or that has PFC; none: it has none
    std::optional<Group> FindGroup(uint32_t port, uint32_t group);
    /// Compute the headroom of a group, as the dynamic model does.
    void ComputeHeadroom(Group& group);
    /// @return whether all classes share the headroom
    bool SharesHeadroom() const;
    /// @return bytes that are reserved for a group, without its headroom
    uint64_t ReservedOf(const SonicConfig::Profile& profile) const;
    /// @param pool name of one @return whether it has no space
    bool IsEmptyPool(const std::string& pool) const;
    /// @return the cells of the switch
    CellSize GetCellSize() const;
    /// @param pools of ingress @param index of one @param cell for rounding @return bytes that are
    /// reserved for its groups, with their headroom unless classes share it
    uint64_t ReservedIn(const std::vector<SonicConfig::Pool>& pools,
                        std::size_t index,
                        CellSize cell) const;
    /// @param pools of ingress, each with its size @return whether the sizes are without what is
    /// reserved (NVIDIA, doc/sonic.rst)
    bool ExcludesReserved(const std::vector<SonicConfig::Pool>& pools) const;
    /// Size, pools and shared headroom of the buffer.
    void ApplyPools();
    /// Give pools without size what the others and what is reserved leave of the buffer: their
    /// percentage, or each the same. @param pools of ingress
    void DivideRest(std::vector<SonicConfig::Pool>& pools) const;
    /// ServicePools, where there are several. @param pools of ingress
    void ApplyServicePools(const std::vector<SonicConfig::Pool>& pools);
    /// Ingress side of all classes.
    void ApplyGroups();
    /// Egress side of all classes.
    void ApplyQueues();
    /// @param profile of a lossless group @return bytes below the threshold at which it resumes;
    /// none: those of the switch
    std::optional<uint64_t> XonOffsetOf(const SonicConfig::Profile& profile);
    /// Set what a (port, class) has of its own, unless an option says what it is.
    void SetConfig(uint32_t port, uint32_t cls, const MmuClassConfig& config);
    /// Take out of a configuration what options of the program say. @param config gets it
    void LeaveOptions(MmuClassConfig& config, const MmuClassConfig& before) const;
    /// Name sizes of profiles that are too small for what they hold.
    void CheckProfiles();
    /// @param field of DEFAULT_LOSSLESS_BUFFER_PARAMETER @return its text; empty: it is not said
    std::string DefaultOf(const std::string& field) const;

    SonicPlace& m_place;
    Ptr<SwitchMmu> m_mmu;
    std::vector<Group> m_groups;
    bool m_excludesReserved{false}; //!< ExcludesReserved()
};

} // namespace ns3

#endif // LOSSLESS_SONIC_BUFFERS_H
