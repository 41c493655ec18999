// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-frame.h"

#include "huge-page-allocator.h"

#include "ns3/assert.h"

#include <cstddef>
#include <mutex>
#include <vector>

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

/// Allocators of threads that have ended, for later threads. None is ever destroyed: frames may
/// outlive threads and static objects.
class RestingMemory
{
  public:
    /// @return an allocator for this thread, until the thread ends
    static FrameMemory* Take()
    {
        /// Parks the allocator when the thread ends.
        struct Parking
        {
            ~Parking()
            {
                const std::lock_guard lock(Instance().m_mutex);
                Instance().m_resting.push_back(memory);
            }

            FrameMemory* memory{Instance().TakeOne()};
        };

        static thread_local Parking parking;
        return parking.memory;
    }

  private:
    static RestingMemory& Instance()
    {
        static auto instance = new RestingMemory;
        return *instance;
    }

    FrameMemory* TakeOne()
    {
        const std::lock_guard lock(m_mutex);
        if (m_resting.empty())
        {
            return new FrameMemory;
        }
        FrameMemory* const memory = m_resting.back();
        m_resting.pop_back();
        return memory;
    }

    std::mutex m_mutex; //!< guards m_resting
    std::vector<FrameMemory*> m_resting;
};

/// @return the allocator of this thread
FrameMemory&
Memory()
{
    [[gnu::tls_model("initial-exec")]] static thread_local FrameMemory* memory = nullptr;
    if (!memory)
    {
        memory = RestingMemory::Take();
    }
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
    copy->credits = {};
    if (packet)
    {
        copy->packet = packet->Copy();
    }
    if (inner)
    {
        copy->inner = inner->Copy();
    }
    return copy;
}

void
Frame::Become(const Frame& other)
{
    FrameReceiver* const itsReceiver = receiver;
    const uint16_t itsInPort = inPort;
    const uint8_t itsInClass = inClass;
    const uint8_t itsClass = trafficClass;
    const FrameCredits itsCredits = credits;
    *this = other;
    next = nullptr;
    receiver = itsReceiver;
    inPort = itsInPort;
    inClass = itsInClass;
    trafficClass = itsClass;
    credits = itsCredits;
    cells = 0;
}

void
Frame::Wrap()
{
    NS_ASSERT_MSG(cells == 0, "a frame is wrapped before it is booked");
    auto* const content = new Frame(*this); // an inner frame of this one is its own now
    content->next = nullptr;
    content->receiver = nullptr;
    Become(Frame());
    kind = FrameKind::VXLAN;
    inner = content;
}

void
Frame::Unwrap()
{
    NS_ASSERT_MSG(cells == 0 && inner, "an outer frame is unwrapped before it is booked");
    Frame* const content = inner;
    Become(*content);
    content->inner = nullptr;
    content->Release();
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
