// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INT_STAMPER_H
#define LOSSLESS_INT_STAMPER_H

#include "switch-extension.h"

#include "ns3/int-record.h"
#include "ns3/nstime.h"
#include "ns3/pint-code.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * The part of HPCC in switches. When a data packet with INT leaves, the stamper writes how much the
 * egress port has sent and how much it still holds (Li et al., SIGCOMM 2019). Into a data packet
 * with PINT it writes the utilisation of the link, unless an earlier switch had more (Ben Basat et
 * al., SIGCOMM 2020).
 *
 * Bytes sent are wire bytes (frame + 20) of all classes and of PFC, before this packet: a busy link
 * has a utilisation of 1. The queue is the queue behind this packet, in frame bytes. ACKs get no
 * stamp: ACKs bring back the stamps of the data packet.
 */
class IntStamper : public SwitchExtension
{
  public:
    /// Which queue is told.
    enum QueueScope
    {
        CLASS, //!< that of the packet's class
        PORT   //!< all of the port, as the public HPCC simulator does
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    IntStamper();
    ~IntStamper() override;

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;

    /// @return the 12-bit identifier that goes into IntTelemetry::pathId
    uint16_t GetSwitchId() const
    {
        return m_id;
    }

    /// @param port a port @return its average utilisation as of the last packet with PINT
    double GetUtilisation(uint32_t port) const
    {
        return m_ports.at(port).utilisation;
    }

  private:
    /// What it knows of a port.
    struct Port
    {
        QbbNetDevice* device{nullptr};
        uint32_t speedCode{0};
        double bytesPerTick{0}; //!< speed
        // PINT
        double utilisation{0};
        int64_t lastTick{0};
        uint64_t lastTxBytes{0};
    };

    /// Add a record. @param frame the packet @param port where @param queueBytes its queue
    void Stamp(Frame& frame, const Port& port, uint64_t queueBytes) const;
    /// Average the utilisation. @param port where @param queueBytes its queue
    void Average(Port& port, uint64_t queueBytes) const;

    std::vector<Port> m_ports;
    IntFormat m_format;       //!< in force
    PintCode m_code;          //!< in force
    int64_t m_ticksPerNs{1};  //!< of the clock, or
    int64_t m_nsPerTick{1};   //!< its inverse
    double m_maxRttTicks{1};  //!< T of PINT
    uint16_t m_id{0};         //!< in force
    bool m_wholePort{true};   //!< in force
    QueueScope m_scope;       //!< attribute
    std::string m_linkSpeeds; //!< attribute
    uint32_t m_multiplier;    //!< attribute
    uint32_t m_switchId;      //!< attribute; OF_NODE: from the node
    Time m_maxRtt;            //!< attribute
    double m_pintBase;        //!< attribute
};

} // namespace ns3

#endif // LOSSLESS_INT_STAMPER_H
