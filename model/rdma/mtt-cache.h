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
 * The memory translation table (MTT) that a NIC keeps a part of: which pages of a registered region
 * it can translate without asking the host. The least recently used page makes room. Look-up is an
 * array by page, the order a list linked through an array, so that nothing depends on addresses.
 */
class MttCache
{
  public:
    /**
     * Begin with an empty cache.
     * @param entries translations that fit, at least 1
     * @param pages pages of the region, at least 1
     */
    void Reset(uint32_t entries, uint32_t pages);

    /// Translate an address. @param page its page, below the number of pages
    /// @return whether the translation was there; it is now
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

    /// Take a slot out of the order. @param slot which
    void Unlink(uint32_t slot);
    /// Make a slot the most recently used. @param slot which, not in the order
    void PushNewest(uint32_t slot);

    std::vector<Slot> m_slots;
    std::vector<uint32_t> m_slotOf; //!< by page
    uint32_t m_used{0};
    uint32_t m_newest{NONE};
    uint32_t m_oldest{NONE};
};

} // namespace ns3

#endif // LOSSLESS_MTT_CACHE_H
