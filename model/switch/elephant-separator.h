// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ELEPHANT_SEPARATOR_H
#define LOSSLESS_ELEPHANT_SEPARATOR_H

#include "drop-precedence.h"
#include "elephant-table.h"
#include "switch-extension.h"

#include "ns3/counter-fields.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: a switch finds the elephants among the flows of a class (ElephantTable), and gives their
 * frames another class, another drop precedence, or both, so that mice do not wait behind them, or
 * are not dropped (sheet 13, section 4; doc/extensions.rst). The DSCP of the frames is rewritten:
 * the egress queue and the next hops use the new class. The ingress accounting, and the pauses that
 * the ingress port issues, use the class with which the frame came, as with a ClassRewriter.
 *
 * A flow that changes its queue may overtake itself, which go-back-N answers with a NAK. A flow
 * therefore moves, by default, in a gap between its frames, or when none of them waits any more.
 */
class ElephantSeparator : public SwitchExtension
{
  public:
    /// When an elephant changes its class.
    enum Move : uint8_t
    {
        AT_FLOWLET_GAP, //!< behind a gap, or when no frame of it waits in the queue of mice
        IMMEDIATE       //!< with the frame that makes it an elephant
    };

    /// Counters of a switch.
    struct Counters
    {
        uint64_t found{0};       //!< flows that became elephants
        uint64_t demoted{0};     //!< elephants that were idle, and became mice
        uint64_t moves{0};       //!< elephants whose frames got another class or colour
        uint64_t movedFrames{0}; //!< frames that got another class or colour
        uint64_t reorderings{0}; //!< changes of queue with older frames in the other queue

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::found, {"found", "flows", "flows that became elephants"});
            visit(&C::demoted,
                  {"demoted", "flows", "elephants that were idle for IdleTime, and became mice"});
            visit(&C::moves,
                  {"moves", "flows", "elephants whose frames got another class or colour"});
            visit(&C::movedFrames,
                  {"moved_frames", "frames", "frames that got another class or colour"});
            visit(&C::reorderings,
                  {"reorderings",
                   "times",
                   "times that a flow changed its queue while older frames of it waited in the "
                   "other one"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// The queue pair of a flow. @return true
    bool ReadsRoce() const override
    {
        return true;
    }

    bool HasActed() const override
    {
        return HasCounted(m_counters);
    }

    uint32_t GetHooks() const override;
    void Check(FabricSwitch& owner) override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;
    void Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;

    /// @return the counters, which outlive a restart of the switch. A flow without frames is
    /// demoted when its next frame comes, or when the switch forgets it.
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /**
     * A flow became an elephant, or a mouse again.
     * @param source Frame::SourceKey() of its frames @param destination Frame::DestinationKey()
     * @param protocol IP protocol; 0: RoCE @param more RoCE: queue pair at the destination; else
     * source port * 65536 + destination port @param isElephant whether it is one now
     */
    typedef void (*ElephantTracedCallback)(uint32_t source,
                                           uint32_t destination,
                                           uint32_t protocol,
                                           uint32_t more,
                                           bool isElephant);
    /**
     * A frame has entered a queue other than that of the frame before, of the same flow.
     * @param frame the frame
     * @param outPort egress port
     * @param isOvertaking whether older frames of the flow wait in the other queue
     */
    typedef void (*QueueChangeTracedCallback)(const Frame& frame,
                                              uint32_t outPort,
                                              bool isOvertaking);

  private:
    /// The attributes that say what an elephant is. @param tid the TypeId @return the same
    static TypeId AddConditions(TypeId tid);
    /// The attributes that say what becomes of it. @param tid the TypeId @return the same
    static TypeId AddActions(TypeId tid);

    /// @return whether the bytes of a flow make it an elephant
    bool CountsBytes() const
    {
        return m_condition != ElephantTable::RATE;
    }

    /// @return whether the rate of a flow makes it an elephant
    bool MeasuresRates() const
    {
        return m_condition != ElephantTable::BYTES;
    }

    /// @return whether an elephant waits for a gap before it changes its class
    bool AwaitsGap() const
    {
        return m_move == AT_FLOWLET_GAP;
    }

    /// Refuse a colour that changes nothing. @param owner the switch
    void RequireColour(const FabricSwitch& owner) const;
    /// Refuse a port that does not give elephants their class by the DSCP. @param owner the switch
    /// @param port the port
    void RequireMap(const FabricSwitch& owner, uint32_t port) const;
    /// Refuse a port at which elephants would have no queue of their own, or lose frames where mice
    /// do not. @param owner the switch @param port the port
    void RequireSeparate(const FabricSwitch& owner, uint32_t port) const;
    /// @param owner the switch, with ports @return DSCP of elephants
    uint8_t DscpOfElephants(const FabricSwitch& owner) const;
    /// @return the rule of the table, from the attributes
    ElephantTable::Rule MakeRule() const;
    /// Tell that a flow became an elephant or a mouse. @param key the flow @param isElephant which
    void Tell(const ElephantTable::Key& key, bool isElephant);
    /// @param sighting of a frame @return whether the flow may change its class with this frame
    bool MayMove(const ElephantTable::Sighting& sighting) const;
    /// @param flow a flow @return whether frames of it wait in the queue of its last frame
    bool IsWaiting(const ElephantTable::Flow& flow) const;

    uint8_t m_mouseClass{0};                                   //!< attribute MouseClass
    uint8_t m_elephantClass{0};                                //!< attribute ElephantClass
    DropPrecedence::Colour m_colour{DropPrecedence::GREEN};    //!< attribute ElephantColour
    Move m_move{AT_FLOWLET_GAP};                               //!< attribute Move
    Time m_flowletGap;                                         //!< attribute FlowletGap
    ElephantTable::Condition m_condition{ElephantTable::BOTH}; //!< attribute Condition
    uint64_t m_elephantBytes{0};                               //!< attribute ElephantBytes
    DataRate m_elephantRate;                                   //!< attribute ElephantRate
    Time m_window;                                             //!< attribute Window
    Time m_idleTime;                                           //!< attribute IdleTime

    FabricSwitch* m_owner{nullptr};             //!< the switch
    uint8_t m_dscp{0};                          //!< DSCP of elephants
    std::vector<uint8_t> m_queues;              //!< queue of elephants, by port
    std::vector<uint64_t> m_queued;             //!< frames queued so far, by port * 8 + queue
    ElephantTable m_table;                      //!< the flows
    const Frame* m_routed{nullptr};             //!< frame of the last Routed() that was counted
    ElephantTable::Flow* m_routedFlow{nullptr}; //!< its flow, until the next frame is counted
    Counters m_counters;                        //!< GetCounters()
    TracedCallback<uint32_t, uint32_t, uint32_t, uint32_t, bool> m_elephantTrace; //!< Elephant
    TracedCallback<const Frame&, uint32_t, bool> m_queueChangeTrace;              //!< QueueChange
};

static_assert(AreAllCountersVisited<ElephantSeparator::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_ELEPHANT_SEPARATOR_H
