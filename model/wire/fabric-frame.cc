// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-frame.h"

#include "huge-page-allocator.h"

#include "ns3/assert.h"

#include <cstddef>

namespace ns3
{

namespace
{

/**
 * Memory of frames. An allocator and nothing else: which address a frame gets decides nothing.
 * Chunks are never given back.
 */
class FrameMemory
{
  public:
    void* Take()
    {
        if (!m_free)
        {
            Grow();
        }
        Slot* slot = m_free;
        m_free = slot->next;
        return slot;
    }

    void Give(void* memory)
    {
        auto slot = static_cast<Slot*>(memory);
        slot->next = m_free;
        m_free = slot;
    }

  private:
    union Slot {
        Slot* next;
        alignas(alignof(Frame)) std::byte bytes[sizeof(Frame)];
    };

    /// Slots of the first chunk: enough for a small fabric.
    static constexpr std::size_t SMALL = 256;
    /// Slots of every other chunk: just fill a huge page.
    static constexpr std::size_t LARGE = HugePageAllocator<Slot>::HUGE_PAGE / sizeof(Slot);

    void Grow()
    {
        const std::size_t count = m_grown ? LARGE : SMALL;
        m_grown = true;
        Slot* chunk = HugePageAllocator<Slot>().allocate(count);
        // Handed out in ascending order, so that a burst of frames is contiguous.
        for (std::size_t i = count; i-- > 0;)
        {
            Give(chunk + i);
        }
    }

    Slot* m_free{nullptr};
    bool m_grown{false};
};

/// @return the allocator; never destroyed, as frames may outlive static objects
FrameMemory&
Memory()
{
    static auto memory = new FrameMemory;
    return *memory;
}

} // namespace

Frame*
Frame::Copy() const
{
    auto copy = new Frame(*this);
    copy->next = nullptr;
    copy->receiver = nullptr;
    copy->cells = 0;
    if (packet)
    {
        copy->packet = packet->Copy();
    }
    return copy;
}

void*
Frame::operator new(std::size_t size)
{
    NS_ASSERT(size == sizeof(Frame)); // the class is final
    return Memory().Take();
}

void
Frame::operator delete(void* memory)
{
    Memory().Give(memory);
}

} // namespace ns3
