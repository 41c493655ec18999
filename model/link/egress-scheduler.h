// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EGRESS_SCHEDULER_H
#define LOSSLESS_EGRESS_SCHEDULER_H

#include "ns3/object.h"
#include "ns3/sole-owner.h"

#include <cstdint>

namespace ns3
{

class QbbNetDevice;

/// @ingroup lossless
/// What an egress scheduler may ask about the eligible classes: the length of the next frame.
class ClassHeads
{
  public:
    virtual ~ClassHeads() = default;

    /// @param cls an eligible class @return wire bytes of the frame that the class would send next
    virtual uint32_t HeadWireBytes(uint32_t cls) const = 0;
};

/// @ingroup lossless
/// When a port asks its scheduler, and what the port is.
struct EgressMoment
{
    int64_t now;             //!< tick
    uint64_t bitsPerSecond;  //!< rate of the line
    uint64_t ticksPerSecond; //!< resolution of time
};

/**
 * @ingroup lossless
 *
 * Policy: which class of a port sends next. Each port has an object of its own. Paused classes are
 * not eligible. A scheduler is work conserving, unless it LimitsRates(): it always picks one of the
 * eligible classes.
 */
class EgressScheduler : public Object, public SoleOwner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param eligible mask of the classes that have a frame and are not paused; never 0
     * @param heads lengths of their next frames
     * @return the class that sends now; the port sends the next frame of that class for certain
     */
    virtual uint32_t Pick(uint8_t eligible, const ClassHeads& heads) = 0;

    /**
     * @return whether Pick() depends on its arguments alone. The port does not call Pick() and
     * ClassEmptied() of such a scheduler while a single class is eligible, and one object may serve
     * many ports.
     */
    virtual bool IsStateless() const;

    /// @return whether Conforming() may hold classes back; the port does not call it otherwise
    virtual bool LimitsRates() const;

    /**
     * Which classes may send now. Pick() follows with the result, unless it is 0.
     * @param eligible mask of the classes that have a frame and are not paused; never 0
     * @param moment when, and at which line
     * @param retryAt if the result is 0: tick at which to ask again, after now
     * @return mask of the classes of `eligible` that no rate limit holds back
     */
    virtual uint8_t Conforming(uint8_t eligible, const EgressMoment& moment, int64_t& retryAt);

    /**
     * The queue of a class has run empty: the class must not save up a deficit. Not called for a
     * paused class whose queue holds frames.
     * @param cls the class
     */
    virtual void ClassEmptied(uint32_t cls);

    /// @param port asks this scheduler from now on, alone; null: nobody does
    void SetPort(QbbNetDevice* port);

  protected:
    /// A setting has changed: what Conforming() held back may be free to go.
    void ChoiceChanged();

  private:
    QbbNetDevice* m_port{nullptr}; //!< whose choice it is; null: nobody's, or of many ports
};

} // namespace ns3

#endif // LOSSLESS_EGRESS_SCHEDULER_H
