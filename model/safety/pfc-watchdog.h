// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_WATCHDOG_H
#define LOSSLESS_PFC_WATCHDOG_H

#include "pfc-storm-machine.h"
#include "pfc-storm-rule.h"

#include "ns3/counter-fields.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/simulation-clock.h"
#include "ns3/switch-extension.h"
#include "ns3/traced-callback.h"
#include "ns3/wake-event.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The PFC watchdog of a switch: watches the PAUSE frames that each (port, lossless class) receives,
 * and acts when they come without end. What a storm is, the Dialect says, a PfcStormRule; each
 * queue has a PfcStormMachine, which this gives samples.
 *
 * Samples are taken while a queue is paused or stormed, and not otherwise. The switch obeys no
 * PAUSE of a stormed queue, unless Action is Alert; with Drop it also throws away what is queued,
 * what is to be queued there and what the port receives in the class. A switch may have several
 * watchdogs; of those that watch the same queue one at most may act, the others must be alerts.
 */
class PfcWatchdog : public SwitchExtension
{
  public:
    /// What is done about a storm.
    enum Action
    {
        DROP,    //!< ignore PAUSE; drop the queue, what is to join it, and what the port receives
        FORWARD, //!< ignore PAUSE and go on sending
        ALERT    //!< count and report
    };

    /// Counters of a queue.
    struct Counters
    {
        uint64_t storms{0};       //!< storms detected
        uint64_t restored{0};     //!< times that it became operational again
        uint64_t disabled{0};     //!< times that it was disabled until restored by hand
        uint64_t queueDrops{0};   //!< frames of the queue dropped: flushed, or refused
        uint64_t ingressDrops{0}; //!< frames of the class dropped that the port received

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::storms, {"storms", "storms", "storms detected"});
            visit(&C::restored,
                  {"restored", "times", "times that the queue became operational again"});
            visit(
                &C::disabled,
                {"disabled", "times", "times that the queue was disabled until restored by hand"});
            visit(&C::queueDrops,
                  {"queue_drops", "frames", "frames of the queue dropped: flushed, or refused"});
            visit(
                &C::ingressDrops,
                {"ingress_drops", "frames", "frames of the class dropped that the port received"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    PfcWatchdog();
    ~PfcWatchdog() override;

    /// @param port a port @param cls a class @return its state; OPERATIONAL if it is not watched
    PfcQueueState GetState(uint32_t port, uint32_t cls) const;

    /// @param port a port @return mask of the classes that are watched, valid after Start()
    uint8_t GetWatchedClasses(uint32_t port) const;

    /// @param port a port @param cls a class @return its counters
    const Counters& GetCounters(uint32_t port, uint32_t cls) const;

    /// @return sums over all queues
    Counters GetTotals() const;

    /// @return number of ports, valid after Start()
    uint32_t GetNPorts() const
    {
        return m_ports.size();
    }

    /// @return longest time, in ticks, after which it acts on a pause that has come, or has ended;
    /// valid after Start()
    int64_t GetReactionTicks() const;

    /// @return samples taken so far, all queues
    uint64_t GetSampleCount() const
    {
        return m_samples;
    }

    /// An administrator declares a queue operational; its count of storms begins anew. No-op if it
    /// is not watched. @param port a port @param cls a class
    void Restore(uint32_t port, uint32_t cls);

    /**
     * The operator's "big red switch": while it is on, all watched queues are treated as Drop
     * says, and nothing is detected. Afterwards all that were stormed are operational.
     * @param on new state
     */
    void SetBigRedSwitch(bool on);
    /// @return whether the big red switch is on
    bool GetBigRedSwitch() const;

    /// Before it is added to a switch: std::invalid_argument, one line, if it cannot work there.
    /// Start() checks the same. @param owner the switch, started, which outlives this
    void Check(FabricSwitch& owner);

    // ---- SwitchExtension

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;
    void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;
    void PauseChanged(uint32_t port, uint8_t pausedMask) override;

    // ---- signatures of trace sources

    /// A queue has another state; what follows from it is done. @param port egress port @param cls
    /// class @param from old state @param to new state
    typedef void (*StateTracedCallback)(uint32_t port,
                                        uint32_t cls,
                                        PfcQueueState from,
                                        PfcQueueState to);

  protected:
    void DoDispose() override;

  private:
    /// What is known of a port.
    struct Port
    {
        uint8_t watched{0}; //!< classes that are watched
        uint8_t ignored{0}; //!< classes whose PAUSE this has the port ignore
        uint8_t dropped{0}; //!< classes that are dropped
        uint8_t paused{0};  //!< classes that were paused at the last PauseChanged()
        std::array<std::unique_ptr<PfcStormMachine>, 8> machines; //!< by class; null: not watched
        std::array<Counters, 8> counters;                         //!< by class
        std::array<int64_t, 8> lastTx;                            //!< by class, ticks; -1: never
    };

    /// @param tid the TypeId @return the TypeId with the attributes that are times
    static TypeId AddTimes(TypeId tid);
    /// @param tid the TypeId @return the TypeId with the other attributes and the traces
    static TypeId AddChoices(TypeId tid);
    /// std::invalid_argument if there is no such queue. @param port a port @param cls a class
    void RequireQueue(uint32_t port, uint32_t cls) const;
    /// std::invalid_argument if an attribute is set that the dialect does not use.
    void RequireUsed() const;
    /// std::invalid_argument if Ports and Classes leave nothing of the switch to be watched.
    void RequireChoice() const;
    /// std::invalid_argument if a storm cannot be seen as polls come faster than PAUSE. @param port
    /// a port
    void RequireSlowPolls(uint32_t port) const;
    /// Times of the attributes and of the dialect, scaled.
    void ReadTimes();
    /// @param port a port @return mask of its classes to be watched
    uint8_t ChooseClasses(uint32_t port) const;
    /// std::invalid_argument if an earlier watchdog of the switch acts on what this acts on.
    /// @param port a port
    void RequireOneActor(uint32_t port) const;
    /// Watch the classes of a port that are to be watched. @param port a port
    void StartPort(uint32_t port);
    /// @param port a port @param cls a class @param now the time @return what there is to see
    PfcQueueSample TakeSample(uint32_t port, uint32_t cls, int64_t now);
    /// Take the samples that are due.
    void Wake();
    /// Plan the next Wake(). @param now the time @param next when
    void Arm(int64_t now, int64_t next);
    /// A machine may have changed its state: count, act, trace.
    void Settle(uint32_t port, uint32_t cls, PfcQueueState before);
    /// Make a port do what the states of its queues ask for. @param port a port
    void Apply(uint32_t port);
    /// @param port a port @return classes whose PAUSE other watchdogs of the switch have it ignore
    uint8_t IgnoredByOthers(uint32_t port) const;

    FabricSwitch* m_owner{nullptr};
    SimulationClock m_clock;
    uint32_t m_nodeId{0};
    Ptr<WakeEvent<PfcWatchdog, &PfcWatchdog::Wake>> m_wake;
    Ptr<PfcStormRule> m_rule; //!< before the machines, which refer to it
    PfcStormTimes m_times;
    std::vector<Port> m_ports;
    Counters m_past;             //!< totals of the ports, once they are disposed of
    uint32_t m_droppingPorts{0}; //!< ports that drop some class
    uint64_t m_samples{0};

    ObjectFactory m_dialect;    //!< attribute Dialect
    Action m_action;            //!< attribute Action
    Time m_detection;           //!< attribute DetectionTime
    Time m_restoration;         //!< attribute RestorationTime
    Time m_poll;                //!< attribute PollInterval
    Time m_clear;               //!< attribute ClearTime
    Time m_quiet;               //!< attribute QuietPeriod
    uint32_t m_limit;           //!< attribute Limit
    double m_scale;             //!< attribute TimeScale
    bool m_serverPortsOnly;     //!< attribute ServerPortsOnly
    uint64_t m_portMask;        //!< attribute Ports
    uint8_t m_classMask;        //!< attribute Classes
    bool m_bigRedSwitch{false}; //!< attribute BigRedSwitch

    TracedCallback<uint32_t, uint32_t, PfcQueueState, PfcQueueState> m_stateTrace;
};

static_assert(AreAllCountersVisited<PfcWatchdog::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_PFC_WATCHDOG_H
