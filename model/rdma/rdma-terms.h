// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_TERMS_H
#define LOSSLESS_RDMA_TERMS_H

#include "rdma-end.h"

#include "ns3/fixed-accessor.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{

class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * The attributes of a queue pair for sizes, classes and retries, and the RdmaConnection that Fix()
 * makes of them when the queue pair is connected. Only RdmaQueuePair derives from this class: the
 * attributes belong to RdmaQueuePair.
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

  protected:
    RdmaTerms();

    /// Attributes of the path MTU and of ACKs. @param tid the TypeId @return the same
    static TypeId AddSizes(TypeId tid);
    /// Attributes of classes, TTL and READ requests. @param tid the TypeId @return the same
    static TypeId AddClasses(TypeId tid);
    /// Attributes of retries and timeouts. @param tid the TypeId @return the same
    static TypeId AddRecovery(TypeId tid);

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

    RdmaEnd m_end;          //!< shared by requester and responder
    uint8_t m_dataClass{3}; //!< attribute TrafficClass
    bool m_readAcks{true};  //!< attribute ReadAcks

  private:
    void SetMtu(uint16_t bytes);
    void SetAckInterval(uint16_t packets);
    uint16_t GetAckInterval() const;
    void SetMaxReads(uint16_t requests);
    uint16_t GetMaxReads() const;
    void SetInitialTtl(uint8_t ttl);
    uint8_t GetInitialTtl() const;
    void SetUdpPort(uint16_t port);
    uint16_t GetUdpPort() const;
    void SetRetryLimit(uint8_t tries);
    uint8_t GetRetryLimit() const;
    void SetRnrRetryLimit(uint8_t tries);
    uint8_t GetRnrRetryLimit() const;

    int8_t m_ackClass{-1};    //!< attribute AckClass
    uint8_t m_cnpClass{6};    //!< attribute CnpClass
    Time m_retransmitTimeout; //!< attribute
    Time m_nackInterval;      //!< attribute
    Time m_rnrTimer;          //!< attribute
};

} // namespace ns3

#endif // LOSSLESS_RDMA_TERMS_H
