// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAULT_HELPER_H
#define LOSSLESS_FAULT_HELPER_H

#include "convergence.h"

#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/frame-loss.h"
#include "ns3/nic-receive-buffer.h"
#include "ns3/nstime.h"
#include "ns3/run-part.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Faults of a fabric, by time. Each begins at a time from the begin of the run and lasts for a
 * duration, 0 meaning for good; faults may overlap, and what two of them hold comes back when
 * both are over. Nodes and ports have the numbers of the topology, hosts and switches their own.
 * What cannot be is a FabricError: an unknown place, a time in the past, a class without PFC.
 *
 * Routes follow links that fail as GetConvergence() says. RunWatch ends a run in which the faults
 * have left nothing that moves. Must live until the simulation ends.
 *
 * @code
 * FaultHelper faults(fabric);
 * faults.GetConvergence().SetByDistance(MicroSeconds(50), MicroSeconds(20));
 * faults.FlapLink(3, MilliSeconds(1), MicroSeconds(200), MilliSeconds(1), 5);
 * faults.KillHost(7, MilliSeconds(2));
 * @endcode
 */
class FaultHelper : public RunPart
{
  public:
    /// A line of the log.
    struct Event
    {
        Time time;         //!< when
        std::string what;  //!< which fault
        std::string where; //!< of what, by the number of the node: "switch 34 port 2"
        bool begins{true}; //!< else it ends
    };

    /// @param fabric the fabric @param begin time from which times of faults count
    explicit FaultHelper(const Fabric& fabric, Time begin = Time(0));
    ~FaultHelper() override;
    FaultHelper(const FaultHelper&) = delete;
    FaultHelper& operator=(const FaultHelper&) = delete;

    /// @return how routes follow
    Convergence& GetConvergence()
    {
        RequireOpen("the convergence");
        return m_convergence;
    }

    // ---- links and nodes

    /// Cut a link. @param link the link @param at when @param duration how long
    void CutLink(LinkId link, Time at, Time duration = Time(0));

    /**
     * Cut a link again and again.
     * @param link the link
     * @param at when it is cut first
     * @param down how long each time
     * @param period from one cut to the next, more than `down`
     * @param count how often
     */
    void FlapLink(LinkId link, Time at, Time down, Time period, uint32_t count);

    /// Cut all links of the switches of a plane. @param plane number of the hosts' ports that lead
    /// to these switches, see FabricTopology::GetPlanes() @param at when @param duration how long
    void CutPlane(uint32_t plane, Time at, Time duration = Time(0));

    /// Restart a switch: its links go down, its buffer is empty, its extensions begin anew when it
    /// comes back. @param which the switch @param at when @param duration how long it is away
    void RebootSwitch(SwitchId which, Time at, Time duration);

    /// A host dies: its links stay up, and nothing comes from it or gets to it, PFC included.
    /// @param host the host @param at when @param duration how long
    void KillHost(HostId host, Time at, Time duration = Time(0));

    /// A port sends into the void: its link is up, and nothing of it arrives.
    /// @param node its node @param port the port @param at when @param duration how long
    void SilencePort(NodeId node, uint32_t port, Time at, Time duration = Time(0));

    // ---- pauses

    /**
     * A port pauses its peer whatever its buffer says: a NIC that emits PAUSE for ever, or a stuck
     * XOFF of a switch.
     * @param node its node @param port the port
     * @param classes mask of the classes, all of them with PFC
     * @param at when @param duration how long
     */
    void StickXoff(NodeId node, uint32_t port, uint8_t classes, Time at, Time duration = Time(0));

    /// All ports of a host pause all their classes with PFC. @param host the host @param at when
    /// @param duration how long
    void StormHost(HostId host, Time at, Time duration = Time(0));

    /// The next XON frames for a class that come to a port are lost.
    /// @param node its node @param port the port that is paused @param cls the class
    /// @param count how many @param at from when on
    void LoseXon(NodeId node, uint32_t port, uint32_t cls, uint32_t count, Time at);

    // ---- frames

    /**
     * Frames that arrive at a port are lost.
     * @param node its node @param port the port
     * @param loss which; one object for one port
     * @param at when @param duration how long
     */
    void LoseFrames(NodeId node,
                    uint32_t port,
                    Ptr<FrameLoss> loss,
                    Time at,
                    Time duration = Time(0));

    /**
     * The same, and values that the type does not take are a FabricError.
     * @param node its node @param port the port
     * @param loss which, such as "ns3::RandomFrameLoss[Rate=0.01]"
     * @param at when @param duration how long
     */
    void LoseFrames(NodeId node,
                    uint32_t port,
                    const std::string& loss,
                    Time at,
                    Time duration = Time(0));

    /// Each frame that arrives at a port is lost with a probability, PFC included: a cable with bit
    /// errors. @param node its node @param port the port @param rate 0 to 1 @param at when
    /// @param duration how long
    void LoseRandomly(NodeId node, uint32_t port, double rate, Time at, Time duration = Time(0));

    /**
     * IPv4 frames that arrive at a port are lost if their identification has a value in the bits of
     * a mask (Guo et al., SIGCOMM 2016, section 4.1: low byte 0xff, one in 256 of each sender).
     * @param node its node @param port the port
     * @param mask bits that are looked at @param value of these bits
     * @param at when @param duration how long
     */
    void LoseIpIds(NodeId node,
                   uint32_t port,
                   uint16_t mask,
                   uint16_t value,
                   Time at,
                   Time duration = Time(0));

    // ---- receivers

    // Of several slow pipelines the one that began last counts. While one is stopped it stays as it
    // is. What waits in a pipeline that is replaced, or taken away, is received at once.

    /// A host receives through a pipeline that is too slow. @param host the host, all its ports
    /// @param buffer factory of a NicReceiveBuffer @param at when @param duration how long
    void SlowReceiver(HostId host, const ObjectFactory& buffer, Time at, Time duration = Time(0));

    /// The receive pipeline of a host stops: its buffer fills, and it pauses for ever. A host
    /// without NicReceiveBuffer has one as long as that lasts. @param host the host @param at when
    /// @param duration how long
    void StopReceiver(HostId host, Time at, Time duration = Time(0));

    // ---- all of them

    /// End all faults that last, and forget those to come. What a listener plans meanwhile, when it
    /// hears of an end, stays.
    void LiftAll();

    /// @return whether a fault is to begin or to end
    bool IsAnyDue() const;

    /// @param time of the simulation @return faults that begin, or begin anew, then or later
    uint32_t CountFrom(Time time) const;

    /// @return faults that last now
    uint32_t GetNActive() const;

    /// @param listener called when a fault begins or ends
    void OnFault(std::function<void(const Event&)> listener);

    /// @return what happened so far; FaultStats makes a file of it
    const std::vector<Event>& GetLog() const
    {
        return m_log;
    }

    /**
     * Fix the random streams of convergence, of losses, and of receive buffers made here.
     * @param stream first random stream to use
     * @return number of streams set aside
     */
    int64_t AssignStreams(int64_t stream) override;

    std::string GetName() const override;

    /// @return true: faults begin and end, and routes follow, in events of no node
    bool IsDividable() const override;

    /// LiftAll(), and all switches know it at once.
    void Stop() override;

    /// @return the fabric that it belongs to
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

  private:
    /// A fault, from its scheduling on.
    struct Fault
    {
        std::string what;
        std::string where;
        Time duration;
        std::function<void()> begin;
        std::function<void()> end;
        bool active{false};
        EventId next;        //!< its begin, or its end
        Time gap;            //!< from its end to its next begin
        uint32_t repeats{0}; //!< how often it begins anew
    };

    /// What faults do to the receive pipelines of a host.
    struct Receivers
    {
        using Buffers = std::vector<Ptr<NicReceiveBuffer>>; //!< by port; null: none

        Buffers own;                                    //!< without faults
        std::vector<std::pair<uint64_t, Buffers>> slow; //!< those that last, by their numbers
        uint32_t stops{0};                              //!< faults that stop them
    };

    /// Of what a fault is.
    struct Place
    {
        std::string inLog; //!< by the number of the node: "switch 34 port 2"
        std::string name;  //!< in messages: "leaf 2 port 2"
    };

    using Action = std::function<void()>;

    /// Plan a fault. @param what its name @param place of what @return it, for more to be said
    Fault& Plan(const std::string& what,
                const Place& place,
                Time at,
                Time duration,
                const Action& begin,
                const Action& end);
    /// Plan a cut of a link. @param link the link @return it
    Fault& PlanCut(LinkId link, Time at, Time duration);
    /// A fault begins.
    void Begin(Fault& fault);
    /// A fault ends.
    void End(Fault& fault);
    /// Tell the log and the listeners.
    void Tell(const Fault& fault, bool begins);
    /// @param node a node @param port one of its ports; none: the node as a whole
    /// @param rest what else is said of it @return it
    Place PlaceOf(NodeId node,
                  std::optional<uint32_t> port = std::nullopt,
                  const std::string& rest = "") const;
    /// Take links down, or give them back. @param links the links @param hold whether down
    void HoldLinks(const std::vector<LinkId>& links, bool hold);
    /// Add or remove a stuck XOFF. @param device the port @param classes mask
    void HoldXoff(const Ptr<QbbNetDevice>& device, uint8_t classes, bool hold);
    /// @param device a port @param loss begins or ends @param add which
    static void SetLoss(const Ptr<QbbNetDevice>& device, const Ptr<FrameLoss>& loss, bool add);
    /// @param factory of a receive buffer @return one for each port of a host
    Receivers::Buffers MakeBuffers(HostId host, const ObjectFactory& factory);
    /// @param host a host @return what faults do to it; the first of them notes what it has
    Receivers& ReceiversOf(HostId host);
    /// Give the ports of a host the pipelines that its faults ask for.
    void ApplyReceivers(HostId host);
    /// @param loss one that is used at a port from now on; FabricError if at another already
    void Claim(const Ptr<FrameLoss>& loss, NodeId node, uint32_t port);

    Fabric m_fabric;
    Time m_begin; //!< from which times of faults count
    Convergence m_convergence;
    std::vector<std::unique_ptr<Fault>> m_faults;
    std::vector<uint32_t> m_linkHolds; //!< by link: faults that keep it down
    std::map<std::pair<uint32_t, uint32_t>, std::array<uint32_t, TRAFFIC_CLASSES>>
        m_xoffHolds;                         //!< by node and port: faults that keep an XOFF
    std::map<HostId, Receivers> m_receivers; //!< by host
    uint64_t m_slowReceivers{0};             //!< planned so far
    std::vector<Event> m_log;
    std::vector<std::function<void(const Event&)>> m_listeners;

    /// A loss of LoseFrames(), and its port.
    struct Loss
    {
        Ptr<FrameLoss> loss;
        NodeId node;
        uint32_t port;
    };

    std::vector<Loss> m_losses;
    int64_t m_nextStream{-1}; //!< of the next loss or receive buffer; -1: as ns-3 says
};

} // namespace ns3

#endif // LOSSLESS_FAULT_HELPER_H
