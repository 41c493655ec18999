// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MMU_INVARIANTS_H
#define LOSSLESS_MMU_INVARIANTS_H

#include "switch-mmu.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// Recounts the books of a SwitchMmu: invariants I1 to I5 of doc/switch.rst.
class MmuInvariants
{
  public:
    /// @param mmu to be recounted
    explicit MmuInvariants(const SwitchMmu& mmu);

    /// @return the first violated invariant, in words; empty if none
    std::string FindViolated() const;

    /// @param index port * 8 + class @return " at port 3 class 4", for messages
    static std::string Where(uint32_t index);

  private:
    /// What the (port, class) pairs hold together.
    struct Sums
    {
        uint64_t stored{0};                               //!< cells booked at ingress
        uint64_t queued{0};                               //!< cells booked at egress
        uint64_t headroom{0};                             //!< cells in headroom
        uint64_t reserved{0};                             //!< cells of guaranteed space
        uint32_t paused{0};                               //!< number of paused pairs
        std::array<uint64_t, ServicePool::MOST> shared{}; //!< cells in shared space, by pool
        std::array<uint64_t, ServicePool::MOST> lossy{};  //!< those of lossy classes
    };

    /// @return the sums of all pairs
    Sums Sum() const;
    /// @return what is wrong with a (port, class) by itself
    std::string FindInClasses() const;
    /// @return what is wrong with the limits of a port
    std::string FindInPorts() const;
    /// @param sums of all pairs @return what is wrong with a pool
    std::string FindInPools(const Sums& sums) const;

    const SwitchMmu& m_mmu;
};

} // namespace ns3

#endif // LOSSLESS_MMU_INVARIANTS_H
