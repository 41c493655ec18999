// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONWEAVE_SWITCH_H
#define LOSSLESS_CONWEAVE_SWITCH_H

#include "aged-flow-table.h"
#include "conweave-receiver.h"
#include "conweave-sender.h"
#include "host-sites.h"
#include "switch-extension.h"

#include "ns3/counter-fields.h"
#include "ns3/nstime.h"
#include "ns3/wake-event.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class ConWeaveLoadBalancer;

/**
 * @ingroup lossless
 *
 * ConWeave (Song et al., SIGCOMM 2023) in the leaves of two tiers: reroutes flows of RoCE that meet
 * congestion, and keeps them in order. The leaf where a flow begins has a ConWeaveSender for it,
 * and chooses a path when ConWeaveLoadBalancer asks; that of its destination has a ConWeaveReceiver
 * and holds frames back that have overtaken others. Frames that are held are booked in the buffer,
 * so that they can pause who sends to this leaf. Replies and notes of marks are frames of the
 * highest class.
 *
 * A path is a port of the leaf where it begins, as there is one link from a spine to a leaf in its
 * place. Spines do nothing.
 */
class ConWeaveSwitch : public SwitchExtension
{
  public:
    /// Counters of a leaf.
    struct Counters
    {
        uint64_t reroutes{0};       //!< flows that have left their path
        uint64_t held{0};           //!< frames held back
        uint64_t mostHeld{0};       //!< most frames held back at a time
        uint64_t flushesByTail{0};  //!< times that held frames went on as the TAIL had passed
        uint64_t flushesByTimer{0}; //!< times that they went on without it
        uint64_t replies{0};        //!< replies sent
        uint64_t notifies{0};       //!< notes of marks sent

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::reroutes, {"reroutes", "", "times that leaves took a flow off its path"});
            visit(&C::held,
                  {"held", "frames", "frames that leaves held back until others had passed"});
            visit(&C::mostHeld,
                  {"most_held",
                   "frames",
                   "most frames that a leaf held back at a time",
                   CounterField::MAX});
            visit(&C::flushesByTail,
                  {"flushes_by_tail", "", "times that held frames went on behind their TAIL"});
            visit(&C::flushesByTimer,
                  {"flushes_by_timer", "", "times that held frames went on as no TAIL had come"});
            visit(&C::replies, {"replies", "frames", "replies that leaves sent"});
            visit(&C::notifies, {"notifies", "frames", "notes of marks that leaves sent"});
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    ConWeaveSwitch();
    ~ConWeaveSwitch() override;

    bool ReadsRoce() const override
    {
        return true;
    }

    bool HasActed() const override
    {
        return HasCounted(m_counters);
    }

    uint32_t GetAddedBytes() const override
    {
        return m_shimBytes;
    }

    uint32_t GetHooks() const override;
    void Check(FabricSwitch& owner) override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    Verdict Routed(Frame& frame, uint32_t outPort) override;
    void Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;

    /// @param frame that has a choice @return whether it is of a flow that begins at this leaf
    bool Begins(const Frame& frame) const;

    /// @param frame of which Begins() holds @param ports the candidates @return one of them; the
    /// frame tells the other leaf of it, once it is Routed()
    uint16_t DrawPath(const Frame& frame, const std::vector<uint16_t>& ports);

    /// @return what it has done; outlives a restart of the switch
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// @return number of frames held back now
    uint64_t GetNHeld() const
    {
        return m_held;
    }

    /// @return longest time that a frame needs to another leaf and back, without queues and
    /// transmission; ticks
    int64_t GetBaseRtt() const
    {
        return m_baseRtt;
    }

  protected:
    void DoDispose() override;

  private:
    using Senders = AgedFlowTable<ConWeaveSender>;
    using Receivers = AgedFlowTable<ConWeaveReceiver>;

    /// Frames of a flow that are held back.
    struct Queue
    {
        bool isUsed{false};
        Receivers::Key flow{};
        uint16_t outPort{0};
        Frame* first{nullptr};
        Frame* last{nullptr};
    };

    /// @param owner the switch @return the longest propagation delay to another leaf, ticks
    int64_t LookAround(const FabricSwitch& owner) const;
    /// @param site of another leaf @param ports the candidates @return one of two at random, the
    /// first that no mark has been noted of lately; NextHopGroup::NONE: of both
    uint16_t DrawGood(HostSites::Site site, const std::vector<uint16_t>& ports) const;
    /// A frame leaves the leaf where its flow begins: it gets its shim. @param frame the frame
    /// @param outPort uplink
    void Begin(Frame& frame, uint32_t outPort);
    /// A frame has come to the leaf of its destination. @param frame the frame @param outPort port
    /// of the host @return whether it is held back
    Verdict End(Frame& frame, uint32_t outPort);
    /// A frame is held back: it is booked and waits. @param frame taken over @param flow its flow
    /// @param outPort port of the host
    void Hold(Frame* frame, const Receivers::Key& flow, uint16_t outPort);
    /// @param flow a flow @param outPort port of the host @return its queue
    Queue& QueueOf(const Receivers::Key& flow, uint16_t outPort);
    /// Tell the leaf where a frame began. @param frame the frame @param shim what
    void Tell(const Frame& frame, const ConWeaveShim& shim);
    /// Another leaf tells this one. @param note a frame of kind LEAF_NOTE
    void Hear(const Frame& note);
    /// Let frames go on whose time has come.
    void Flush();
    /// Let the frames of a queue go on. @param queue the queue
    void Release(Queue& queue);
    /// Wake up when a flow has to be flushed. @param at the time, ticks
    void WakeAt(int64_t at);

    Time m_replyExtra;    //!< attribute ReplyExtra
    Time m_pathPause;     //!< attribute PathPause
    Time m_flushExtra;    //!< attribute FlushExtra
    Time m_defaultWait;   //!< attribute DefaultWait
    Time m_txExpiry;      //!< attribute TxExpiry
    uint32_t m_shimBytes; //!< attribute ShimBytes

    FabricSwitch* m_owner{nullptr};
    ConWeaveLoadBalancer* m_balancer{nullptr};
    uint32_t m_nodeId{0};
    bool m_isLeaf{false};    //!< it has hosts
    bool m_hasChoice{false}; //!< flows that begin here have several paths
    int64_t m_baseRtt{0};
    std::vector<bool> m_leadsToHost; //!< by port
    std::shared_ptr<const HostSites> m_sites;

    Senders m_senders;
    uint32_t m_lastEpoch{0};         //!< highest of any flow: forgotten flows begin there
    const Frame* m_chosen{nullptr};  //!< the frame that DrawPath() has seen last
    ConWeaveShim m_shim{};           //!< of m_chosen
    std::vector<uint16_t> m_sole{0}; //!< the only port of a frame without a choice
    std::vector<std::vector<int64_t>> m_pausedUntil; //!< paths, by site and port; ticks

    Receivers m_receivers;
    std::vector<Queue> m_queues;
    uint64_t m_held{0}; //!< frames held back now
    Ptr<WakeEvent<ConWeaveSwitch, &ConWeaveSwitch::Flush>> m_wake;
    Counters m_counters;
};

static_assert(AreAllCountersVisited<ConWeaveSwitch::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_CONWEAVE_SWITCH_H
