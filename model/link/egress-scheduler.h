// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EGRESS_SCHEDULER_H
#define LOSSLESS_EGRESS_SCHEDULER_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// What an egress scheduler may ask about the classes that wait: the length of the next frame.
class ClassHeads
{
  public:
    virtual ~ClassHeads() = default;

    /// @param cls an eligible class @return wire bytes of the frame that it would send next
    virtual uint32_t HeadWireBytes(uint32_t cls) const = 0;
};

/**
 * @ingroup lossless
 *
 * Policy: which class of a port sends next. One object a port. Paused classes are not eligible;
 * a scheduler must be work conserving: it always picks one of the eligible classes.
 */
class EgressScheduler : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param eligible mask of the classes that have a frame and are not paused; never 0
     * @param heads lengths of their next frames
     * @return the class that sends now; its head is sent for certain
     */
    virtual uint32_t Pick(uint8_t eligible, const ClassHeads& heads) = 0;

    /**
     * @return whether Pick() depends on nothing but its arguments. Such a scheduler is not asked
     * when one class alone is eligible, and is not told of emptied classes then; one object of it
     * may serve many ports.
     */
    virtual bool IsStateless() const;

    /**
     * Called when a class has nothing left to send, so that a deficit is not saved up. A class that
     * is merely paused keeps its deficit and this is not called.
     * @param cls the class
     */
    virtual void ClassEmptied(uint32_t cls);
};

} // namespace ns3

#endif // LOSSLESS_EGRESS_SCHEDULER_H
