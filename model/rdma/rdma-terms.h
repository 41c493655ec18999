// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_TERMS_H
#define LOSSLESS_RDMA_TERMS_H

#include "rdma-end.h"
#include "rdma-pacer.h"
#include "rdma-transport.h"

#include "ns3/fixed-accessor.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <memory>

namespace ns3
{

class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * The terms on which a queue pair works: attributes for sizes, window, classes, retries and
 * policies, and what is made of them when the queue pair is connected: the RdmaConnection, the
 * first window, loss recovery and congestion control. Only RdmaQueuePair derives from this class:
 * the attributes belong to RdmaQueuePair.
 */
class RdmaTerms : public Object, public FixedWhenUsed
{
  public:
    ~RdmaTerms() override;

    /// @return the parameters that are fixed while connected
    const RdmaConnection& GetConnection() const
    {
        return m_end.connection;
    }

    /// @return path MTU, bytes of payload
    uint32_t GetMtu() const
    {
        return m_end.connection.mtu;
    }

    /// @return rate and window
    const RdmaFlowState& GetFlowState() const
    {
        return m_flow;
    }

    /// Set the congestion control of this end, before Connect(). @param ops the congestion control
    void SetCongestionControl(Ptr<RdmaCongestionOps> ops);

    /// @return the congestion control; null before Connect()
    Ptr<RdmaCongestionOps> GetCongestionControl() const;

    /// @return the loss recovery; null before Connect()
    Ptr<RdmaLossRecovery> GetLossRecovery() const;

    /// @return the policy of entropy values; null: there are none, or the queue pair is not
    /// connected
    Ptr<RdmaEntropyPolicy> GetEntropyPolicy() const;

    /// @return the transport; null: a reliable connection, or it is not connected
    const Ptr<RdmaTransport>& GetTransport() const
    {
        return m_transport;
    }

    /// @return type of the transport, made or not
    TypeId GetTransportType() const;

    /// @param ops a congestion control @return bytes that its telemetry, or the transport, adds to
    /// packets, after as many hops as there is room for
    uint32_t GetAddedBytes(const RdmaCongestionOps& ops) const;

    /// @param ports number of ports of a NIC @return over how many of them packets go; 0: the
    /// transport is RdmaRc, over one
    uint32_t CountPlanes(uint32_t ports) const;

    /// @return bytes of an outer header of all frames of new queue pairs
    uint32_t GetOuterBytes() const;

    /// @param ops a congestion control @return whether READ responses that this end sends would be
    /// controlled; if not, READs are refused
    bool ControlsReads(const RdmaCongestionOps& ops) const;

    /**
     * Find ACKs that no pause holds: the peer of the port books them in a lossless priority group,
     * and they wait in a queue that the pauses of the group do not stop (AckQueue).
     * @param device the port
     * @param ofAnyClass whether the end may send data of any class yet, and ACKs in that
     * @return mask of their classes
     */
    uint8_t FindLooseAcks(const QbbNetDevice& device, bool ofAnyClass) const;

    /// @return attribute TxDelay
    Time GetTxDelay() const;
    /// @return attribute RxDelay
    Time GetRxDelay() const;

    /// @return attribute AckQueue
    int32_t GetAckQueue() const
    {
        return m_ackQueue;
    }

    /// Refuse a window, in one line, beside a congestion control that sets the window itself: throw
    /// std::invalid_argument. @param ops the congestion control
    void RequireOneWindow(const RdmaCongestionOps& ops) const;

    RdmaTerms& operator=(const RdmaTerms&) = delete;

  protected:
    RdmaTerms();
    /// @param like terms of a queue pair that is not connected: the new ones have its attributes
    RdmaTerms(const RdmaTerms& like);

    /// @param tid the TypeId @return the TypeId with the attributes of the terms
    static TypeId AddTerms(TypeId tid);

    /**
     * Check the attributes and store them in the connection. Throws std::invalid_argument with a
     * one-line message when the two ends, or the attributes and the port, do not fit.
     * @param remote address of the peer's port
     * @param telemetry telemetry of data packets
     * @param device the port
     */
    void Fix(const RdmaAddress& remote, TelemetryKind telemetry, const QbbNetDevice& device);

    /**
     * Mark the frames of each class by the class map of the port, and check that packets are not
     * longer than its MTU (std::invalid_argument).
     * @param telemetry telemetry of data packets
     * @param device the port
     */
    void Follow(TelemetryKind telemetry, const QbbNetDevice& device);

    /// @return the congestion control of this end, new unless it has been set or a try to connect
    /// has failed
    Ptr<RdmaCongestionOps> MakeCongestionControl() const;
    /// Keep the policies of this end, and decide whether it refuses READs.
    /// @param ops MakeCongestionControl()
    /// @param last loss recovery of a queue pair of the same port, or null: this end shares it if
    /// it is of the same type, without attributes; replaced by what this end has
    void TakePolicies(const Ptr<RdmaCongestionOps>& ops, Ptr<RdmaLossRecovery>& last);
    /// Make the policy of entropy values, after the UDP port of the connection is known.
    void TakeEntropy();
    /// Make the transport, if it is not RdmaRc and has not been made. @return the transport; null:
    /// that is the queue pair itself
    const Ptr<RdmaTransport>& MakeTransport();
    /// @return the transport, made for this call if there is none yet; null: RdmaRc
    Ptr<const RdmaTransport> LookAtTransport() const;
    /// Refuse policies and host times that only RdmaRc has (std::invalid_argument).
    void RequireNoRcPolicies() const;
    /// @return whether the transport is RdmaRc
    bool IsRc() const;
    /// The policies are made: give the memory of what they were made of back.
    void ForgetFactories();
    /// Tell the congestion control of path and packets. @param device the port @param baseRtt round
    /// trip of an empty path; 0: unknown
    void FixFlow(const QbbNetDevice& device, Time baseRtt);
    /// Decide whether READ responses are acknowledged.
    void FixReads();
    /// Refuse READs whose responses nothing would control.
    void RequireReads() const;
    /// @return the window at line rate, bytes, if the window follows the rate; else 0
    uint64_t GetLargestWindow() const;

    uint8_t m_dataClass{3};                          //!< attribute TrafficClass
    bool m_paceByRate{true};                         //!< attribute PaceByRate
    RdmaPacer::Repace m_repace{RdmaPacer::FROM_NOW}; //!< attribute Repace
    bool m_turnByNumber{false};                      //!< attribute TurnByNumber

  private:
    /// What policies are made of.
    struct Factories
    {
        ObjectFactory congestion; //!< attribute CongestionControl
        ObjectFactory recovery;   //!< attribute LossRecovery
        ObjectFactory entropy;    //!< attribute Entropy
        ObjectFactory transport;  //!< attribute Transport
    };

    /// @param ops a congestion control @return whether READ responses that this end sends need READ
    /// ACKs: for the congestion control, or for a window
    bool NeedsReadAcks(const RdmaCongestionOps& ops) const;
    /// Attributes of the path MTU and of ACKs. @param tid the TypeId @return the same
    static TypeId AddSizes(TypeId tid);
    /// Attributes of the window. @param tid the TypeId @return the same
    static TypeId AddWindow(TypeId tid);
    /// Attributes of classes, TTL and READ requests. @param tid the TypeId @return the same
    static TypeId AddClasses(TypeId tid);
    /// Attributes of retries and timeouts. @param tid the TypeId @return the same
    static TypeId AddRecovery(TypeId tid);
    /// Attributes of the times that host and NIC need. @param tid the TypeId @return the same
    static TypeId AddHostTimes(TypeId tid);
    /// Attributes of loss recovery and congestion control. @param tid the TypeId @return the same
    static TypeId AddPolicies(TypeId tid);

    void SetMtu(uint16_t bytes);
    void SetFormat(FrameFormat format);
    FrameFormat GetFormat() const;
    void SetAckInterval(uint16_t packets);
    uint16_t GetAckInterval() const;
    void SetMaxReads(uint16_t requests);
    uint16_t GetMaxReads() const;
    void SetEcnCapable(bool isCapable);
    bool IsEcnCapable() const;
    void SetInitialTtl(uint8_t ttl);
    uint8_t GetInitialTtl() const;
    void SetUdpPort(uint16_t port);
    uint16_t GetUdpPort() const;
    void SetRetryLimit(uint8_t tries);
    uint8_t GetRetryLimit() const;
    void SetRnrRetryLimit(uint8_t tries);
    uint8_t GetRnrRetryLimit() const;
    void SetRnrTimer(const Time& wait);
    Time GetRnrTimer() const;
    void SetRetransmitTimeout(const Time& timeout);
    Time GetRetransmitTimeout() const;
    void SetNackInterval(const Time& interval);
    Time GetNackInterval() const;
    /// @param which of the times that host and NIC need @param time its value
    void SetHostTime(int64_t RdmaHostTimes::* which, const Time& time);
    /// @param which of the times that host and NIC need @return its value
    Time GetHostTime(int64_t RdmaHostTimes::* which) const;
    void SetTxDelay(const Time& delay);
    void SetRxDelay(const Time& delay);
    void SetMessageGap(const Time& gap);
    Time GetMessageGap() const;
    void SetWindow(uint64_t bytes);
    uint64_t GetWindow() const;
    /// @return whether packets are sent again from a gap on, and the timeouts are not
    /// LossRecovery's
    bool GoesBack() const;
    /// @return whether CongestionControl sends CNPs
    bool SendsCnps() const;
    /// @return attribute PaceByRate
    bool GetPaceByRate() const;
    /// @param factory attribute CongestionControl
    void SetCongestionFactory(const ObjectFactory& factory);
    /// @param factory attribute LossRecovery
    void SetRecoveryFactory(const ObjectFactory& factory);
    /// @param factory attribute Entropy
    void SetEntropyFactory(const ObjectFactory& factory);
    /// @param factory attribute Transport
    void SetTransportFactory(const ObjectFactory& factory);
    /// @return attribute Transport: of a connected queue pair, what is in use
    ObjectFactory GetTransportFactory() const;
    /// @return attribute CongestionControl: of a connected queue pair, what is in use
    ObjectFactory GetCongestionFactory() const;
    /// @return what policies are made of, also again after ForgetFactories()
    Factories& GetFactories();
    /// @return attribute LossRecovery: of a connected queue pair, what is in use
    ObjectFactory GetRecoveryFactory() const;
    /// @return attribute Entropy: of a connected queue pair, what is in use
    ObjectFactory GetEntropyFactory() const;

    int8_t m_ackClass{-1};                  //!< attribute AckClass
    int8_t m_ackQueue{-1};                  //!< attribute AckQueue
    uint8_t m_cnpClass{6};                  //!< attribute CnpClass
    bool m_readAcks{true};                  //!< attribute ReadAcks
    bool m_variableWindow{false};           //!< attribute VariableWindow
    std::unique_ptr<Factories> m_factories; //!< null once the policies are made

  protected:
    Ptr<RdmaTransport> m_transport; //!< GetTransport()

    // The cache lines of RdmaQueuePair go on from here.
    alignas(64) RdmaEnd m_end;    //!< shared by requester and responder
    Ptr<RdmaCongestionOps> m_ops; //!< the congestion control
    RdmaFlowState m_flow;         //!< shared with the congestion control
};

} // namespace ns3

#endif // LOSSLESS_RDMA_TERMS_H
