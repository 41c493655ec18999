// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_HW_H
#define LOSSLESS_RDMA_HW_H

#include "nic-receive-buffer.h"
#include "rdma-queue-pair.h"
#include "rdma-verbs.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/lossless-mistake.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/qbb-port-owner.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace ns3
{

class QbbNetDevice;
class RdmaPort;
class RdmaQueuePairMaker;

/**
 * @ingroup lossless
 *
 * The RDMA side of a host: owns the ports of one or several NICs, and the queue pairs. Aggregate an
 * RdmaHw to a stock Node, next to the stock IP stack, whose frames pass unchanged.
 *
 * @code
 * auto hw = CreateObject<RdmaHw>();
 * node->AggregateObject(hw);
 * uint32_t port = hw->AddPort(device, Ipv4Address("10.0.0.1"));
 * Ptr<RdmaQueuePair> qp = hw->CreateQueuePair(port);
 * RdmaHw::Connect(qp, otherQp);
 * qp->Post({RdmaVerb::WRITE, 1000000});
 * @endcode
 */
class RdmaHw : public Object, public QbbPortOwner
{
  public:
    /// Lowest queue pair number; InfiniBand reserves 0 and 1.
    static constexpr uint32_t FIRST_QUEUE_PAIR = 2;

    /// @return the TypeId
    static TypeId GetTypeId();

    RdmaHw();
    ~RdmaHw() override;

    // ---- set-up

    /**
     * Take a port over.
     * @param device the port; of the same node as this object
     * @param address address of the port; the IP stack, if any, should use the same address
     * @return index of the port in this object
     */
    uint32_t AddPort(Ptr<QbbNetDevice> device, Ipv4Address address);
    /// @copydoc AddPort(Ptr<QbbNetDevice>,Ipv4Address)
    uint32_t AddPort(Ptr<QbbNetDevice> device, Ipv6Address address);

    /// @return number of ports
    uint32_t GetNPorts() const;

    /// @param port index of a port @return its device
    Ptr<QbbNetDevice> GetDevice(uint32_t port) const;

    /// @param port index of a port @return its address
    const RdmaAddress& GetAddress(uint32_t port) const;

    /**
     * Put a receive pipeline between a port and its queue pairs, or remove it: frames that wait in
     * a removed pipeline are handed on at once.
     * @param port index of a port @param buffer the pipeline, which serves this port alone; null:
     * none
     */
    void SetReceiveBuffer(uint32_t port, Ptr<NicReceiveBuffer> buffer);

    /// @param port index of a port @return its receive pipeline, or null
    Ptr<NicReceiveBuffer> GetReceiveBuffer(uint32_t port) const;

    /// @return what could make the receive buffers of the ports drop frames of lossless classes,
    /// see NicReceiveBuffer::FindMistakes(), and the peers of the ports: ACKs that no pause holds,
    /// of queue pairs that are there and of those that would be made now
    std::vector<LosslessMistake> FindMistakes() const;

    /// @return FindMistakes(), one line for each
    std::vector<std::string> CheckLossless() const;

    /// @param port a port @return data packets that its queue pairs have received so far
    uint64_t GetDataReceived(uint32_t port) const;

    /**
     * Set an attribute of all queue pairs that are created later.
     * @param name attribute of RdmaQueuePair @param value its value
     */
    void SetQueuePairAttribute(const std::string& name, const AttributeValue& value);

    /// @return the factory of queue pairs, with the attributes of SetQueuePairAttribute()
    const ObjectFactory& GetQueuePairFactory() const;

    /// Make queue pairs with the attributes of another NIC from now on; SetQueuePairAttribute()
    /// sets them of one NIC alone. @param other the other NIC
    void MakeQueuePairsLike(const RdmaHw& other);

    /// @param port index of its port @return a new queue pair, not connected
    Ptr<RdmaQueuePair> CreateQueuePair(uint32_t port);

    /**
     * Connect two queue pairs, of one host or of two. Different MTUs are an error
     * (std::invalid_argument).
     * @param one one end @param other the other
     * @param baseRtt round trip of an empty path, for congestion controls; 0: unknown
     */
    static void Connect(Ptr<RdmaQueuePair> one, Ptr<RdmaQueuePair> other, Time baseRtt = Time());

    /// Close a queue pair and free its memory and its number. May be called in its own callbacks.
    /// @param queuePair the queue pair
    void DestroyQueuePair(Ptr<RdmaQueuePair> queuePair);

    /// From now on the number of a queue pair that was destroyed is never given again: numbers
    /// follow from the order of creation alone, in each process that makes the same queue pairs.
    void KeepNumbers()
    {
        m_keepsNumbers = true;
    }

    /// Leave out the number of a queue pair that only another process needs; after KeepNumbers().
    void SkipNumber();

    /**
     * Set the check of congestion controls, which FabricHelper does: the switches must do what a
     * congestion control needs of them.
     * @param check called with the congestion control of each queue pair that is connected, before
     * the queue pair uses it; throws a one-line message if it cannot be used
     */
    void SetCongestionCheck(std::function<void(const RdmaCongestionOps&)> check);

    // ---- state

    /// @param number of a queue pair @return the queue pair, or null
    Ptr<RdmaQueuePair> GetQueuePair(uint32_t number) const;

    /// @return number of queue pairs
    uint32_t GetNQueuePairs() const;

    /// @return counters of all queue pairs, destroyed ones included
    const RdmaCounters& GetCounters() const
    {
        return m_counters;
    }

    // ---- QbbPortOwner

    void FrameArrived(QbbNetDevice& port, Frame* frame) override;
    bool FreesCredits(const QbbNetDevice& port) const override;
    Frame* NextFrame(QbbNetDevice& port) override;
    bool HasNext(const QbbNetDevice& port) const override;
    void LinkChanged(QbbNetDevice& port, bool up) override;
    void PortChanged(QbbNetDevice& port) override;

    // ---- for RdmaQueuePair and transports

    /// @param port index of a port @return the port
    RdmaPort& Port(uint32_t port) const;

    /// @return what serves endpoint operations; null: nothing
    RdmaEndpoint* GetEndpoint() const
    {
        return PeekPointer(m_endpoint);
    }

    /// @param endpoint what serves endpoint operations from now on
    void SetEndpoint(const Ptr<RdmaEndpoint>& endpoint)
    {
        m_endpoint = endpoint;
    }

    /// Call the check of SetCongestionCheck(). @param ops a congestion control
    void CheckCongestionControl(const RdmaCongestionOps& ops) const;

    /// A request ended. @param queuePair its queue pair @param completion the completion
    void RequestCompleted(const RdmaQueuePair& queuePair, const RdmaCompletion& completion);
    /// A message arrived. @param queuePair its queue pair @param completion the completion
    void MessageReceived(const RdmaQueuePair& queuePair, const RdmaCompletion& completion);
    /// Packets must be sent again. @param queuePair whose @param packets that it goes back by
    /// @param since when the first of them was sent, about
    void WentBack(const RdmaQueuePair& queuePair, uint64_t packets, Time since);

    // ---- signatures of trace sources

    /// A request ended. @param queuePair its queue pair @param completion the completion
    typedef void (*CompletionTracedCallback)(const RdmaQueuePair& queuePair,
                                             const RdmaCompletion& completion);
    /// Packets must be sent again. @param queuePair whose @param packets that it goes back by
    /// @param since when the first of them was sent, about
    typedef void (*WentBackTracedCallback)(const RdmaQueuePair& queuePair,
                                           uint64_t packets,
                                           Time since);

  protected:
    void DoDispose() override;

  private:
    uint32_t AddPort(Ptr<QbbNetDevice> device, const RdmaAddress& address);
    /// @return a queue pair as it would be made now, of no port, if its ACKs may have a queue of
    /// their own; else null, as to make one takes time
    Ptr<RdmaQueuePair> MakeWithAckQueue() const;
    /// A frame has passed the receive pipeline. @param port its port @param frame taken over
    void Deliver(QbbNetDevice& port, Frame* frame);
    /// @param frame a frame that names no queue pair of this NIC @return the queue pair that sends
    /// to the one that it names with TelemetryKind::RECEIVER; null: none
    RdmaQueuePair* SenderTo(const Frame& frame) const;
    /// Release the references to destroyed queue pairs.
    void Bury();

    // What every frame touches, next to what begins a QbbPortOwner.
    std::vector<std::unique_ptr<RdmaPort>> m_ports; //!< by index
    std::vector<Ptr<RdmaQueuePair>> m_queuePairs;   //!< by number

    RdmaCounters m_counters;
    std::shared_ptr<RdmaQueuePairMaker> m_maker;                     //!< of this NIC, or several
    bool m_setsAckQueue{false};                                      //!< attribute of m_maker
    std::function<void(const RdmaCongestionOps&)> m_congestionCheck; //!< SetCongestionCheck()
    Ptr<RdmaEndpoint> m_endpoint;                                    //!< GetEndpoint()
    std::deque<uint32_t> m_resting;                                  //!< free numbers, oldest first
    bool m_keepsNumbers{false};                                      //!< KeepNumbers()
    std::vector<Ptr<RdmaQueuePair>> m_destroyed;                     //!< until Bury()

    TracedCallback<const RdmaQueuePair&, const RdmaCompletion&> m_requestCompleted;
    TracedCallback<const RdmaQueuePair&, const RdmaCompletion&> m_messageReceived;
    TracedCallback<const RdmaQueuePair&, uint64_t, Time> m_wentBack;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_HW_H
