// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_POLLED_WRED_MARKER_H
#define LOSSLESS_POLLED_WRED_MARKER_H

#include "polled-average.h"
#include "wred-ecn-marker.h"

#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * WRED on a polled and averaged queue length (PolledAverage), as in switching chips, with an alarm
 * for queues that grow beyond Kmax. Frames are marked when they leave, and lossy classes have no
 * WRED drops. When FabricSwitch::AddExtension() replaces a WredEcnMarker with this marker, this
 * marker takes over its curves, classes and random stream, except for attributes that were set.
 */
class PolledWredMarker : public WredEcnMarker
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    void TakeOver(const EcnMarker& before) override;
    void Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;
    void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;
    void PauseChanged(uint32_t port, uint8_t pausedMask) override;

    /// @param port egress port @param cls the queue @return its current average length, bytes
    double GetAverage(uint32_t port, uint32_t cls);

    /// @param port egress port @param cls the queue
    /// @return whether the queue has been longer than Kmax since the alarm was last cleared
    bool GetAlarm(uint32_t port, uint32_t cls) const;

    /// @return alarms raised, all queues
    uint64_t GetAlarmCount() const
    {
        return m_alarms;
    }

    /// Clear the alarm of a queue. @param port egress port @param cls the queue
    void ClearAlarm(uint32_t port, uint32_t cls);

    /// A queue has grown beyond Kmax. @param port egress port @param cls the class
    /// @param queueBytes its length
    typedef void (*AlarmTracedCallback)(uint32_t port, uint32_t cls, uint64_t queueBytes);

  private:
    /// State of a queue.
    struct Queue
    {
        PolledAverage average; //!< average length
        bool alarm{false};     //!< the alarm is raised until ClearAlarm()
    };

    /// @return whether queue lengths are polled
    bool Polls() const
    {
        return m_pollInterval.IsStrictlyPositive();
    }

    uint64_t AskAbove(uint32_t port, uint64_t quiet) const override;

    Time m_pollInterval;                                       //!< attribute PollInterval
    uint8_t m_weightExponent{0};                               //!< attribute WeightExponent
    PolledAverage::Config m_config;                            //!< from the attributes, in ticks
    bool m_marks{true};                                        //!< the switch's EcnEnabled
    FabricSwitch* m_owner{nullptr};                            //!< the switch
    std::vector<Queue> m_queues;                               //!< by port * 8 + class
    uint64_t m_alarms{0};                                      //!< alarms raised
    TracedCallback<uint32_t, uint32_t, uint64_t> m_alarmTrace; //!< Alarm
};

} // namespace ns3

#endif // LOSSLESS_POLLED_WRED_MARKER_H
