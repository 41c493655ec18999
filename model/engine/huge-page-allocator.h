// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HUGE_PAGE_ALLOCATOR_H
#define LOSSLESS_HUGE_PAGE_ALLOCATOR_H

#include <cstddef>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Allocator for large blocks that are read in random order: asks for huge pages where the system
 * has them. The frames in flight of a thousand hosts spread over more small pages than the TLB of
 * the processor covers. Blocks below half a huge page come from operator new.
 *
 * @tparam T what is allocated
 */
template <typename T>
struct HugePageAllocator
{
    using value_type = T; //!< what is allocated

    /// Size of a huge page, bytes.
    static constexpr std::size_t HUGE_PAGE = std::size_t{2} << 20;

    HugePageAllocator() = default;

    /// Allocators have no state: any can stand for any.
    template <typename U>
    HugePageAllocator(const HugePageAllocator<U>&)
    {
    }

    /// @param count how many @return memory for them, aligned as T or as a huge page
    T* allocate(std::size_t count)
    {
        const std::size_t bytes = count * sizeof(T);
        if (!IsLarge(count))
        {
            return static_cast<T*>(::operator new(bytes, std::align_val_t{alignof(T)}));
        }
        void* memory = std::aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
        if (!memory)
        {
            throw std::bad_alloc();
        }
#ifdef __linux__
        madvise(memory, bytes, MADV_HUGEPAGE); // a hint: only the speed depends on it
#endif
        return static_cast<T*>(memory);
    }

    /// @param memory what allocate() returned @param count as given there
    void deallocate(T* memory, std::size_t count)
    {
        if (!IsLarge(count))
        {
            ::operator delete(memory, std::align_val_t{alignof(T)});
        }
        else
        {
            std::free(memory);
        }
    }

    /// @return true
    template <typename U>
    bool operator==(const HugePageAllocator<U>&) const
    {
        return true;
    }

    /// @return false
    template <typename U>
    bool operator!=(const HugePageAllocator<U>&) const
    {
        return false;
    }

  private:
    /// @param count how many @return whether they fill most of a huge page, or several
    static bool IsLarge(std::size_t count)
    {
        return count * sizeof(T) >= HUGE_PAGE / 2;
    }
};

} // namespace ns3

#endif // LOSSLESS_HUGE_PAGE_ALLOCATOR_H
