// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MTT_CACHE_H
#define LOSSLESS_MTT_CACHE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The cache of a NIC for its memory translation table (MTT): the pages of a registered region that
 * the NIC can translate without asking the host. A miss evicts the least recently used page.
 * Look-up uses an array by page, the order of use a list linked through an array, so that nothing
 * depends on memory addresses.
 */
class MttCache
{
  public:
    /**
     * Begin with an empty cache.
     * @param entries capacity in translations, at least 1
     * @param pages pages of the region, at least 1
     */
    void Reset(uint32_t entries, uint32_t pages);

    /// Translate an address. @param page its page, below the number of pages
    /// @return whether the cache held the translation; afterwards it does
    bool Touch(uint32_t page);

    /// @return translations in the cache
    uint32_t GetUsed() const
    {
        return m_used;
    }

  private:
    static constexpr uint32_t NONE = 0xffffffff; //!< no slot

    /// A translation, and its place in the order of use.
    struct Slot
    {
        uint32_t page;
        uint32_t newer; //!< slot, or NONE
        uint32_t older; //!< slot, or NONE
    };

    /// Remove a slot from the order of use. @param slot the slot
    void Unlink(uint32_t slot);
    /// Make a slot the most recently used. @param slot the slot, not in the order of use
    void PushNewest(uint32_t slot);

    std::vector<Slot> m_slots;
    std::vector<uint32_t> m_slotOf; //!< slot of each page
    uint32_t m_used{0};
    uint32_t m_newest{NONE};
    uint32_t m_oldest{NONE};
};

} // namespace ns3

#endif // LOSSLESS_MTT_CACHE_H
