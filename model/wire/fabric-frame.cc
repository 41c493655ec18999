// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-frame.h"

#include "ns3/assert.h"

#include <memory>
#include <vector>

namespace ns3
{

namespace
{

/**
 * Memory of frames. An allocator and nothing else: which address a frame gets decides nothing.
 * Chunks are kept until the process ends.
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

    static constexpr std::size_t CHUNK = 256;

    void Grow()
    {
        m_chunks.emplace_back(new Slot[CHUNK]);
        // Handed out in ascending order, so that a burst of frames is contiguous.
        for (std::size_t i = CHUNK; i-- > 0;)
        {
            Give(&m_chunks.back()[i]);
        }
    }

    std::vector<std::unique_ptr<Slot[]>> m_chunks;
    Slot* m_free{nullptr};
};

/// @return the allocator; never destroyed, as frames may outlive static objects
FrameMemory&
Memory()
{
    static auto memory = new FrameMemory;
    return *memory;
}

} // namespace

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
