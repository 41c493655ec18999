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
 * and acts on pause storms. The attribute Dialect, a PfcStormRule, defines a storm. Each queue has
 * a PfcStormMachine, which the watchdog feeds with samples.
 *
 * The watchdog samples a queue only while the queue is paused or stormed. Unless Action is Alert,
 * the switch ignores PAUSE for a stormed queue; with Drop it also drops the frames of the queue,
 * frames that arrive for the queue, and frames of the class that the port receives. A switch may
 * have several watchdogs; of those that watch the same queue, all but one must have Action Alert.
 */
class PfcWatchdog : public SwitchExtension
{
  public:
    /// Action on a storm.
    enum Action
    {
        DROP,    //!< ignore PAUSE; drop the queue, frames for it, and frames that the port receives
        FORWARD, //!< ignore PAUSE and go on sending
        ALERT    //!< only count and report
    };

    /// Counters of a queue.
    struct Counters
    {
        uint64_t storms{0};       //!< storms detected
        uint64_t restored{0};     //!< times that the queue became operational again
        uint64_t disabled{0};     //!< times that the queue was disabled until Restore()
        uint64_t queueDrops{0};   //!< frames of the queue that were flushed or refused
        uint64_t ingressDrops{0}; //!< frames of the class that the port received and dropped

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::storms, {"storms", "storms", "storms detected"});
            visit(&C::restored,
                  {"restored", "times", "times that the queue became operational again"});
            visit(&C::disabled,
                  {"disabled", "times", "times that the queue was disabled until Restore()"});
            visit(&C::queueDrops,
                  {"queue_drops", "frames", "frames of the queue that were flushed or refused"});
            visit(&C::ingressDrops,
                  {"ingress_drops",
                   "frames",
                   "frames of the class that the port received and dropped"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    PfcWatchdog();
    ~PfcWatchdog() override;

    /// @param port a port @param cls a class @return state of the queue; OPERATIONAL if it is not
    /// watched
    PfcQueueState GetState(uint32_t port, uint32_t cls) const;

    /// @param port a port @return mask of the classes that are watched, valid after Start()
    uint8_t GetWatchedClasses(uint32_t port) const;

    /// @param owner a switch, its own or one that it is for @param port of the switch
    /// @return mask of the classes on which it acts there: none with Action Alert
    uint8_t GetActedClasses(const FabricSwitch& owner, uint32_t port) const;

    /// @param port a port @param cls a class @return its counters
    const Counters& GetCounters(uint32_t port, uint32_t cls) const;

    /// @return sums over all queues
    Counters GetTotals() const;

    /// A change of the state of a queue.
    struct Change
    {
        int64_t tick;       //!< when
        uint32_t port;      //!< port of the queue
        uint32_t cls;       //!< class of the queue
        PfcQueueState from; //!< state before
        PfcQueueState to;   //!< state from then on
        uint64_t dropped;   //!< frames of the queue that were dropped until then
    };

    /// @return all changes so far, in their order
    const std::vector<Change>& GetChanges() const
    {
        return m_changes;
    }

    /// @return number of ports, valid after Start()
    uint32_t GetNPorts() const
    {
        return m_ports.size();
    }

    /// @return longest time, in ticks, until the watchdog acts on a pause that has begun or ended;
    /// valid after Start()
    int64_t GetReactionTicks() const;

    /// @return samples taken so far, all queues
    uint64_t GetSampleCount() const
    {
        return m_samples;
    }

    /// Make a queue operational, as an administrator does, and reset its storm count. No effect if
    /// the queue is not watched. @param port a port @param cls a class
    void Restore(uint32_t port, uint32_t cls);

    /**
     * SONiC's "big red switch": while it is on, all watched queues are treated as stormed with
     * Action Drop, and detection is off. Afterwards stormed queues are operational.
     * @param on new state
     */
    void SetBigRedSwitch(bool on);
    /// @return whether the big red switch is on
    bool GetBigRedSwitch() const;

    // ---- SwitchExtension

    bool HasActed() const override
    {
        return HasCounted(GetTotals());
    }

    uint32_t GetHooks() const override;
    void Check(FabricSwitch& owner) override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;
    void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;
    void PauseChanged(uint32_t port, uint8_t pausedMask) override;

    // ---- signatures of trace sources

    /// A queue has changed its state, and the switch has acted on it. @param port egress port
    /// @param cls class @param from old state @param to new state
    typedef void (*StateTracedCallback)(uint32_t port,
                                        uint32_t cls,
                                        PfcQueueState from,
                                        PfcQueueState to);

  protected:
    void DoDispose() override;

  private:
    // Whether attributes are read, as others are now.

    /// @return whether storms are detected
    bool Detects() const
    {
        return !m_bigRedSwitch;
    }

    /// @return whether a storm changes what a queue does, until it is over
    bool Restores() const
    {
        return Detects() && m_action != ALERT;
    }

    /// @return whether a queue comes back by itself after its first storm
    bool Clears() const
    {
        return Restores() && m_limit != 1;
    }

    /// @return whether the count of storms matters after the first one
    bool ForgetsStorms() const
    {
        return Detects() && m_limit > 1;
    }

    /// @return whether it matters what is done with a queue in a storm
    bool ChoosesAction() const
    {
        return Detects() && (m_action == ALERT || m_limit != 1);
    }

    /// State of a port.
    struct Port
    {
        uint8_t watched{0};       //!< classes, that is queues, that are watched
        uint8_t ignored{0};       //!< queues whose PAUSE the port ignores for this watchdog
        uint8_t dropped{0};       //!< queues that are dropped
        uint8_t droppedGroups{0}; //!< priority groups of their classes, dropped at arrival
        uint8_t paused{0};        //!< queues that were paused at the last PauseChanged()
        std::array<std::unique_ptr<PfcStormMachine>, 8> machines; //!< by class; null: not watched
        std::array<Counters, 8> counters;                         //!< by class
        std::array<int64_t, 8> lastTx; //!< last transmission by class, ticks; -1: never
    };

    /// @param tid the TypeId @return the TypeId with the time attributes
    static TypeId AddTimes(TypeId tid);
    /// @param tid the TypeId @return the TypeId with the other attributes and the traces
    static TypeId AddChoices(TypeId tid);
    /// Throws std::invalid_argument if there is no such queue. @param port a port @param cls a
    /// class
    void RequireQueue(uint32_t port, uint32_t cls) const;
    /// Throws std::invalid_argument if an attribute is set that the dialect does not use.
    void RequireUsed() const;
    /// Throws std::invalid_argument if Ports and Classes exclude all queues of the switch.
    void RequireChoice() const;
    /// Throws std::invalid_argument if polls come faster than PAUSE frames, so that no storm can be
    /// detected. @param port a port
    void RequireSlowPolls(uint32_t port) const;
    /// Compute m_times from attributes, dialect and TimeScale.
    void ReadTimes();
    /// @param owner a switch @param port of it @return mask of the classes to watch there
    uint8_t ChooseClasses(const FabricSwitch& owner, uint32_t port) const;
    /// Throws std::invalid_argument if an earlier watchdog acts on the same queues. @param port a
    /// port
    void RequireOneActor(uint32_t port) const;
    /// Start to watch a port. @param port a port
    void StartPort(uint32_t port);
    /// @param port a port @param cls a class @param now the time @return a sample of the queue
    PfcQueueSample TakeSample(uint32_t port, uint32_t cls, int64_t now);
    /// Take the samples that are due.
    void Wake();
    /// Schedule the next Wake(). @param now the time @param next time of the wake-up
    void Arm(int64_t now, int64_t next);
    /// A state machine was called: if its state changed, count, act and trace.
    void Settle(uint32_t port, uint32_t cls, PfcQueueState before);
    /// Apply the actions for the states of all queues of a port. @param port a port
    void Apply(uint32_t port);
    /// @param port a port @return classes whose PAUSE the port ignores for other watchdogs
    uint8_t IgnoredByOthers(uint32_t port) const;

    /// What the state machines of queues are made of.
    struct Making
    {
        Ptr<PfcStormRule> rule;
        std::string dialect; //!< its type and attributes
        PfcStormTimes times;
    };

    /// Unless they are made of what is in force now, let go of all state machines: new ones begin
    /// to detect. What concerns other settings, such as Classes, lets them go on.
    void LetGoOfMachines();

    FabricSwitch* m_owner{nullptr};
    uint32_t m_nodeId{0};
    Ptr<WakeEvent<PfcWatchdog, &PfcWatchdog::Wake>> m_wake;
    Ptr<PfcStormRule> m_rule; //!< of m_dialect
    std::string m_ruleText;   //!< m_dialect when the rule was made
    PfcStormTimes m_times;
    Making m_machines; //!< declared before the machines, which refer to its rule
    std::vector<Port> m_ports;
    std::vector<Change> m_changes;
    Counters m_past;             //!< totals of all ports, kept after disposal
    uint32_t m_droppingPorts{0}; //!< ports that drop some class
    uint64_t m_samples{0};

    ObjectFactory m_dialect;       //!< attribute Dialect
    Action m_action{};             //!< attribute Action
    Time m_detection;              //!< attribute DetectionTime
    Time m_restoration;            //!< attribute RestorationTime
    Time m_poll;                   //!< attribute PollInterval
    Time m_clear;                  //!< attribute ClearTime
    Time m_quiet;                  //!< attribute QuietPeriod
    uint32_t m_limit{0};           //!< attribute Limit
    double m_scale{0};             //!< attribute TimeScale
    bool m_serverPortsOnly{false}; //!< attribute ServerPortsOnly
    uint64_t m_portMask{0};        //!< attribute Ports
    uint8_t m_classMask{0};        //!< attribute Classes
    bool m_bigRedSwitch{false};    //!< attribute BigRedSwitch

    TracedCallback<uint32_t, uint32_t, PfcQueueState, PfcQueueState> m_stateTrace;
};

static_assert(AreAllCountersVisited<PfcWatchdog::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_PFC_WATCHDOG_H
