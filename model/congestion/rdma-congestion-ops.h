// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_CONGESTION_OPS_H
#define LOSSLESS_RDMA_CONGESTION_OPS_H

#include "ns3/frame-telemetry.h"
#include "ns3/object.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What every congestion control of a queue pair reads and writes. The queue pair owns it; it
 * paces by `rate` and limits the bytes in flight by `window`. All rates count wire bytes (frame
 * + 20), so that rate = line rate fills the link.
 */
struct RdmaFlowState
{
    double lineRate{0};          //!< of the port, bit/s
    double rate{0};              //!< sending rate, bit/s; the queue pair keeps it in [0, lineRate]
    uint64_t window{0};          //!< limit of payload bytes in flight; 0: none
    int64_t baseRttPs{0};        //!< round trip of an empty path, picoseconds; 0: unknown
    uint32_t mtuBytes{0};        //!< path MTU (payload)
    uint32_t packetWireBytes{0}; //!< wire bytes of a data packet of mtuBytes, telemetry included
    uint32_t activeFlows{0}; //!< other queue pairs of the port with requests under way at Init()
};

/// @ingroup lossless
/// What an acknowledgement tells a congestion control.
struct RdmaAckEvent
{
    int64_t nowPs{0};       //!< time, picoseconds
    uint64_t ackedBytes{0}; //!< payload bytes newly acknowledged
    uint64_t unackedPsn{0}; //!< first sequence number that is not acknowledged; all before it are
    uint64_t nextPsn{0};    //!< next sequence number to be sent
    bool nak{false};        //!< a NAK: packets were lost
    bool marked{false};     //!< data packets came with CE since the last ACK; see EchoesMarks()
    int64_t rttPs{0}; //!< DELAY: from the start of the data packet on the wire to now, picoseconds
    TelemetryKind telemetryKind{TelemetryKind::NONE}; //!< which member of `telemetry` is valid
    const FrameTelemetry* telemetry{nullptr};         //!< of the ACK; null: it has none
};

/// @ingroup lossless
/// A data packet has arrived.
struct RdmaDataEvent
{
    int64_t nowPs{0};      //!< time, picoseconds
    uint32_t wireBytes{0}; //!< its length
    bool marked{false};    //!< it came with CE
};

/// @ingroup lossless
/// What a notification point tells beyond the fact of a CNP.
struct RdmaRateReport
{
    double rate{0};        //!< rate at which data arrived, bit/s; whole Mb/s on the wire
    bool congested{false}; //!< whether a port on the way is congested
};

/**
 * @ingroup lossless
 *
 * Policy: congestion control of one queue pair end, chosen by TypeId as TcpCongestionOps is. Knows
 * neither devices nor the simulator: times are picoseconds and are passed in, timers are
 * deadlines that the queue pair asks for. An end has one object, which plays both parts: reaction
 * point for what the end sends, notification point for what it receives.
 *
 * To add an algorithm, derive from this, and name its TypeId; nothing else changes.
 */
class RdmaCongestionOps : public Object
{
  public:
    /// No timer runs.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// Calls that come once a packet, and cost that much: an algorithm names those it needs.
    enum Hook : uint32_t
    {
        ON_ACK = 1,  //!< OnAck()
        ON_SENT = 2, //!< OnSent()
        ON_DATA = 4  //!< OnData(); an algorithm that has notices needs it
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return name for reports, such as "DCQCN"
    virtual std::string GetName() const = 0;

    /// @return mask of the Hooks that must be called, asked once after Init(). ON_ACK and ON_SENT,
    /// unless the algorithm overrides this.
    virtual uint32_t GetHooks() const;

    /// @return telemetry that data packets carry and ACKs bring back, asked before Init(): it
    /// depends on attributes alone. None, unless the algorithm overrides this.
    virtual TelemetryKind GetTelemetry() const;

    /// @return whether RdmaAckEvent::marked is needed: ACKs then carry it in BECN. Asked once after
    /// Init() at the end that sends ACKs. False, unless the algorithm overrides this.
    virtual bool EchoesMarks() const;

    /// @return the SwitchExtensions that switches need for this algorithm, "Type" or
    /// "Type[Attribute=value|...]" with attributes that must fit; FabricHelper installs them. None,
    /// unless the algorithm overrides this.
    virtual std::vector<std::string> GetSwitchExtensions() const;

    /**
     * The queue pair is connected: the state is set but for the window, rate = lineRate.
     * @param state the state shared with the queue pair
     * @param nowPs time, picoseconds
     */
    virtual void Init(RdmaFlowState& state, int64_t nowPs);

    // ---- reaction point (the sending end)

    /// A congestion notification packet came. @param state shared state @param nowPs time
    virtual void OnCnp(RdmaFlowState& state, int64_t nowPs);

    /// A CNP came that carries a report; called in place of OnCnp(). @param state shared state
    /// @param report what it tells @param nowPs time
    virtual void OnRateReport(RdmaFlowState& state, const RdmaRateReport& report, int64_t nowPs);

    /// An ACK or NAK came. @param state shared state @param ack what it tells
    virtual void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack);

    /// A data packet leaves. @param state shared state @param wireBytes its length
    /// @param nowPs time
    virtual void OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs);

    /// The retransmission timer fired. @param state shared state @param nowPs time
    virtual void OnTimeout(RdmaFlowState& state, int64_t nowPs);

    /**
     * @return when OnTimer() must be called next, picoseconds, or NEVER. Must be NEVER when nothing
     * can change any more, so that an idle fabric has no events. A queue pair with nothing to send
     * may call late; OnTimer() then catches up.
     */
    virtual int64_t NextTimer() const;

    /// @param state shared state @param nowPs time; at or after NextTimer()
    virtual void OnTimer(RdmaFlowState& state, int64_t nowPs);

    // ---- notification point (the receiving end)

    /**
     * A data packet came with CE set, in order or not.
     * @param nowPs time, picoseconds
     * @return whether to send a CNP now
     */
    virtual bool OnMarkedData(int64_t nowPs);

    /// A data packet came, marked or not. @param data the packet
    virtual void OnData(const RdmaDataEvent& data);

    /// @return when OnNotice() must be called next, picoseconds, or NEVER; asked after OnData() and
    /// OnNotice()
    virtual int64_t NextNotice() const;

    /**
     * It is time for a notice.
     * @param nowPs time, picoseconds
     * @param report filled in: what the CNP tells
     * @return whether to send a CNP with the report
     */
    virtual bool OnNotice(int64_t nowPs, RdmaRateReport& report);

    // ---- streams

    /// Fix the random streams. @param stream first stream number @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3

#endif // LOSSLESS_RDMA_CONGESTION_OPS_H
