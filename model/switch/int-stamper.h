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
 * The switch part of HPCC. When a data packet with INT leaves, the stamper writes the bytes that
 * the egress port has sent and the length of its queue (Li et al., SIGCOMM 2019). Into a data
 * packet with PINT it writes the utilisation of the link, unless an earlier switch wrote a higher
 * one (Ben Basat et al., SIGCOMM 2020).
 *
 * Bytes sent are wire bytes (frame + 20) of all classes and of PFC, without this packet: a busy
 * link has a utilisation of 1. The queue length excludes this packet and counts frame bytes. ACKs
 * carry the stamps of the data packet back and get no stamps themselves.
 */
class IntStamper : public SwitchExtension
{
  public:
    /// Which queue length a stamp holds.
    enum QueueScope
    {
        CLASS, //!< the queue of the packet's class
        PORT   //!< all queues of the port together, as in the public HPCC simulator
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    IntStamper();
    ~IntStamper() override;

    uint32_t GetHooks() const override;
    void Check(FabricSwitch& owner) override;

    bool ReadsRoce() const override
    {
        return true;
    }

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
    /// State of a port.
    struct Port
    {
        QbbNetDevice* device{nullptr};
        uint32_t speedCode{0};
        double bytesPerTick{0}; //!< speed of the port
        // PINT
        double utilisation{0};
        int64_t lastTick{0};
        uint64_t lastTxBytes{0};
    };

    /// Add an INT record. @param frame the packet @param port its egress port @param queueBytes
    /// length of its queue
    void Stamp(Frame& frame, const Port& port, uint64_t queueBytes) const;
    /// Update the average utilisation. @param port the port @param queueBytes length of its queue
    void Average(Port& port, uint64_t queueBytes) const;

    std::vector<Port> m_ports;
    IntFormat m_format;       //!< made of the attributes
    PintCode m_code;          //!< made of the attributes
    int64_t m_ticksPerNs{1};  //!< ticks in a nanosecond, or
    int64_t m_nsPerTick{1};   //!< nanoseconds in a tick
    double m_maxRttTicks{1};  //!< MaxRtt in ticks: T of PINT
    uint16_t m_id{0};         //!< identifier of the switch, 12 bit
    bool m_wholePort{true};   //!< whether QueueScope is Port
    QueueScope m_scope{};     //!< attribute
    std::string m_linkSpeeds; //!< attribute
    uint32_t m_multiplier{0}; //!< attribute
    uint32_t m_switchId{0};   //!< attribute; OF_NODE: a hash of the node id
    Time m_maxRtt;            //!< attribute
    double m_pintBase{0};     //!< attribute
};

} // namespace ns3

#endif // LOSSLESS_INT_STAMPER_H
