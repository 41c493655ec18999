// SPDX-License-Identifier: GPL-2.0-only

// Attributes of a queue pair.

#include "rdma-dcqcn.h"
#include "rdma-go-back-n.h"
#include "rdma-queue-pair.h"

#include "ns3/integer.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaQueuePair);

namespace
{

/// @param tid of a policy @return a factory for it
ObjectFactory
FactoryOf(TypeId tid)
{
    // By TypeId and not by name: this runs before main(), maybe before the policy is registered.
    ObjectFactory factory;
    factory.SetTypeId(tid);
    return factory;
}

} // namespace

TypeId
RdmaQueuePair::GetTypeId()
{
    static TypeId tid = AddPolicies(AddRecovery(AddSizes(TypeId("ns3::RdmaQueuePair")
                                                             .SetParent<Object>()
                                                             .SetGroupName("Lossless")
                                                             .AddConstructor<RdmaQueuePair>())));
    return tid;
}

TypeId
RdmaQueuePair::AddSizes(TypeId tid)
{
    return tid
        .AddAttribute("Mtu",
                      "Path MTU: payload bytes of a packet (256..4096; simulators like 1000)",
                      UintegerValue(1024),
                      MakeUintegerAccessor(&RdmaQueuePair::SetMtu, &RdmaQueuePair::GetMtu),
                      MakeUintegerChecker<uint16_t>(256, 4096))
        .AddAttribute(
            "AckInterval",
            "Every n-th data packet, and the last of a message, asks for an ACK",
            UintegerValue(1),
            MakeUintegerAccessor(&RdmaQueuePair::SetAckInterval, &RdmaQueuePair::GetAckInterval),
            MakeUintegerChecker<uint16_t>(1))
        .AddAttribute("Window",
                      "Payload bytes in flight at most, unless the congestion control sets it; a "
                      "packet is sent while fewer are in flight; 0: no limit",
                      UintegerValue(0),
                      MakeUintegerAccessor(&RdmaQueuePair::SetWindow, &RdmaQueuePair::GetWindow),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("TrafficClass",
                      "Class of data and READ requests",
                      UintegerValue(3),
                      MakeUintegerAccessor(&RdmaQueuePair::m_dataClass),
                      MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
        .AddAttribute("AckClass",
                      "Class of ACKs and NAKs; -1: that of the data",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&RdmaQueuePair::m_ackClass),
                      MakeIntegerChecker<int8_t>(-1, TRAFFIC_CLASSES - 1))
        .AddAttribute("CnpClass",
                      "Class of congestion notification packets",
                      UintegerValue(6),
                      MakeUintegerAccessor(&RdmaQueuePair::m_cnpClass),
                      MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
        .AddAttribute(
            "InitialTtl",
            "TTL, or hop limit, of packets as they are sent; set it alike at both ends. A "
            "low one bounds how often a packet goes round a routing loop.",
            UintegerValue(Frame::INITIAL_TTL),
            MakeUintegerAccessor(&RdmaQueuePair::SetInitialTtl, &RdmaQueuePair::GetInitialTtl),
            MakeUintegerChecker<uint8_t>(1))
        .AddAttribute(
            "MaxOutstandingReads",
            "READ requests outstanding at most, as requester and as responder",
            UintegerValue(16),
            MakeUintegerAccessor(&RdmaQueuePair::SetMaxReads, &RdmaQueuePair::GetMaxReads),
            MakeUintegerChecker<uint16_t>(1, 4096));
}

TypeId
RdmaQueuePair::AddRecovery(TypeId tid)
{
    return tid
        .AddAttribute("RetransmitTimeout",
                      "Time without progress after which what is outstanding is sent again; runs "
                      "from transmission, and not while the class is paused; 0: never",
                      TimeValue(MilliSeconds(4)),
                      MakeTimeAccessor(&RdmaQueuePair::m_retransmitTimeout),
                      MakeTimeChecker(Time(0)))
        .AddAttribute(
            "RetryLimit",
            "Timeouts in a row before the queue pair fails",
            UintegerValue(7),
            MakeUintegerAccessor(&RdmaQueuePair::SetRetryLimit, &RdmaQueuePair::GetRetryLimit),
            MakeUintegerChecker<uint8_t>(0, 254))
        .AddAttribute("RnrRetryLimit",
                      "RNR NAKs in a row before the queue pair fails; 7: no limit",
                      UintegerValue(7),
                      MakeUintegerAccessor(&RdmaQueuePair::SetRnrRetryLimit,
                                           &RdmaQueuePair::GetRnrRetryLimit),
                      MakeUintegerChecker<uint8_t>(0, 7))
        .AddAttribute("RnrTimer",
                      "Wait that an RNR NAK of this end asks for, rounded up to what its code can "
                      "say (10 us .. 655.36 ms)",
                      TimeValue(MicroSeconds(640)),
                      MakeTimeAccessor(&RdmaQueuePair::m_rnrTimer),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("NackInterval",
                      "Least time between two NAKs for the same gap; 0: every packet beyond a gap "
                      "is answered by a NAK",
                      TimeValue(MicroSeconds(500)),
                      MakeTimeAccessor(&RdmaQueuePair::m_nackInterval),
                      MakeTimeChecker(Time(0)));
}

TypeId
RdmaQueuePair::AddPolicies(TypeId tid)
{
    return tid
        .AddAttribute("LossRecovery",
                      "TypeId of the RdmaLossRecovery, with its attributes: Type[Name=Value|...]",
                      ObjectFactoryValue(FactoryOf(RdmaGoBackN::GetTypeId())),
                      MakeObjectFactoryAccessor(&RdmaQueuePair::m_recoveryFactory),
                      MakeObjectFactoryChecker())
        .AddAttribute("CongestionControl",
                      "TypeId of the RdmaCongestionOps, with its attributes: Type[Name=Value|...]",
                      ObjectFactoryValue(FactoryOf(RdmaDcqcn::GetTypeId())),
                      MakeObjectFactoryAccessor(&RdmaQueuePair::m_opsFactory),
                      MakeObjectFactoryChecker())
        .AddTraceSource("Rate",
                        "Sending rate, bit/s of wire bytes, when it changes",
                        MakeTraceSourceAccessor(&RdmaQueuePair::m_rateTrace),
                        "ns3::RdmaQueuePair::RateTracedCallback")
        .AddTraceSource("RequestCompleted",
                        "A work request posted here ended",
                        MakeTraceSourceAccessor(&RdmaQueuePair::m_completionTrace),
                        "ns3::RdmaQueuePair::CompletionTracedCallback")
        .AddTraceSource("MessageReceived",
                        "A message of the peer has arrived, or a READ of it was accepted",
                        MakeTraceSourceAccessor(&RdmaQueuePair::m_receiveTrace),
                        "ns3::RdmaQueuePair::CompletionTracedCallback");
}

void
RdmaQueuePair::SetMtu(uint16_t bytes)
{
    m_end.connection.mtu = bytes;
}

void
RdmaQueuePair::SetAckInterval(uint16_t packets)
{
    m_end.connection.ackInterval = packets;
}

uint16_t
RdmaQueuePair::GetAckInterval() const
{
    return m_end.connection.ackInterval;
}

void
RdmaQueuePair::SetMaxReads(uint16_t requests)
{
    m_end.connection.maxReads = requests;
}

uint16_t
RdmaQueuePair::GetMaxReads() const
{
    return m_end.connection.maxReads;
}

void
RdmaQueuePair::SetRetryLimit(uint8_t tries)
{
    m_end.connection.retryLimit = tries;
}

uint8_t
RdmaQueuePair::GetRetryLimit() const
{
    return m_end.connection.retryLimit;
}

void
RdmaQueuePair::SetRnrRetryLimit(uint8_t tries)
{
    m_end.connection.rnrRetryLimit = tries;
}

uint8_t
RdmaQueuePair::GetRnrRetryLimit() const
{
    return m_end.connection.rnrRetryLimit;
}

void
RdmaQueuePair::SetWindow(uint64_t bytes)
{
    m_flow.window = bytes;
}

uint64_t
RdmaQueuePair::GetWindow() const
{
    return m_flow.window;
}

void
RdmaQueuePair::SetInitialTtl(uint8_t ttl)
{
    m_end.connection.initialTtl = ttl;
}

uint8_t
RdmaQueuePair::GetInitialTtl() const
{
    return m_end.connection.initialTtl;
}

} // namespace ns3
