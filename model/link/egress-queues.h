// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EGRESS_QUEUES_H
#define LOSSLESS_EGRESS_QUEUES_H

#include "ns3/assert.h"
#include "ns3/fabric-frame.h"

#include <array>
#include <cstdint>
#include <memory>

namespace ns3
{

/// @ingroup lossless
/// First-in first-out queue of frames, linked through Frame::next. The queue owns its frames.
class FrameFifo
{
  public:
    FrameFifo() = default;
    FrameFifo(const FrameFifo&) = delete;
    FrameFifo& operator=(const FrameFifo&) = delete;

    ~FrameFifo()
    {
        while (m_head)
        {
            Pop()->Release();
        }
    }

    /// @param frame the frame to append; the queue owns it now
    void Push(Frame* frame)
    {
        frame->next = nullptr;
        if (m_head)
        {
            m_tail->next = frame;
        }
        else
        {
            m_head = frame;
        }
        m_tail = frame;
        m_bytes += frame->bytes;
        ++m_frames;
    }

    /// @return the oldest frame; the caller owns it now. The queue must not be empty.
    Frame* Pop()
    {
        NS_ASSERT(m_head);
        Frame* frame = m_head;
        m_head = frame->next;
        m_bytes -= frame->bytes;
        --m_frames;
        return frame;
    }

    /// @return the oldest frame, or null
    const Frame* Head() const
    {
        return m_head;
    }

    /// @return frame bytes queued
    uint64_t Bytes() const
    {
        return m_bytes;
    }

    /// @return frames queued
    uint32_t Frames() const
    {
        return m_frames;
    }

    /// @return whether nothing is queued
    bool IsEmpty() const
    {
        return !m_head;
    }

  private:
    Frame* m_head{nullptr};
    Frame* m_tail{nullptr};
    uint64_t m_bytes{0};
    uint32_t m_frames{0};
};

/// @ingroup lossless
/// The queues of one port, one for each class, and what was sent of each class. Bit c of a mask
/// stands for class c.
class EgressQueues
{
  public:
    EgressQueues()
        : m_classes(std::make_unique<Classes>())
    {
    }

    /// @param frame the frame to append to the queue of its Frame::trafficClass
    void Push(Frame* frame)
    {
        Of(frame->trafficClass).fifo.Push(frame);
        m_nonEmpty |= 1U << frame->trafficClass;
    }

    /// @param cls a class whose queue is not empty @return its oldest frame; the caller owns it
    Frame* Pop(uint32_t cls)
    {
        FrameFifo& fifo = Of(cls).fifo;
        Frame* frame = fifo.Pop();
        if (fifo.IsEmpty())
        {
            m_nonEmpty &= ~(1U << cls);
        }
        return frame;
    }

    /// Count a frame that is sent, from these queues or not. @param frame the frame
    void CountSent(const Frame& frame)
    {
        Of(frame.trafficClass).sentBytes += frame.bytes;
    }

    /// @param cls a class @return frame bytes that CountSent() has counted
    uint64_t SentBytes(uint32_t cls) const
    {
        return Of(cls).sentBytes;
    }

    /// @return mask of the classes with queued frames
    uint8_t NonEmpty() const
    {
        return m_nonEmpty;
    }

    /// @param cls a class @return frame bytes queued in the class
    uint64_t Bytes(uint32_t cls) const
    {
        return Of(cls).fifo.Bytes();
    }

    /// @param cls a class @return frames queued in the class
    uint32_t Frames(uint32_t cls) const
    {
        return Of(cls).fifo.Frames();
    }

    /// @param cls a class whose queue is not empty @return wire bytes of its oldest frame
    uint32_t HeadWireBytes(uint32_t cls) const
    {
        return Of(cls).fifo.Head()->WireBytes();
    }

    /// @param cls a class @return its oldest frame, or null
    const Frame* Head(uint32_t cls) const
    {
        return Of(cls).fifo.Head();
    }

    /// Bring the queue of a class into the cache. @param cls the class
    void Prefetch(uint32_t cls) const
    {
        __builtin_prefetch(&Of(cls));
    }

    /// Bring the oldest frame of the lowest class with queued frames into the cache.
    void PrefetchHead() const
    {
        if (m_nonEmpty)
        {
            __builtin_prefetch(Head(__builtin_ctz(m_nonEmpty)));
        }
    }

    /// @return frame bytes queued in all classes
    uint64_t TotalBytes() const
    {
        uint64_t sum = 0;
        for (const auto& one : *m_classes)
        {
            sum += one.fifo.Bytes();
        }
        return sum;
    }

  private:
    /// What sending a frame of a class touches: one cache line.
    struct alignas(64) Class
    {
        FrameFifo fifo;
        uint64_t sentBytes{0};
    };

    using Classes = std::array<Class, TRAFFIC_CLASSES>;

    /// @param cls a class @return what is kept of it
    Class& Of(uint32_t cls)
    {
        return (*m_classes)[cls];
    }

    /// @copydoc Of
    const Class& Of(uint32_t cls) const
    {
        return (*m_classes)[cls];
    }

    // Small, to lie in a cache line with what else the port reads at each frame.
    uint8_t m_nonEmpty{0};
    std::unique_ptr<Classes> m_classes;
};

} // namespace ns3

#endif // LOSSLESS_EGRESS_QUEUES_H
