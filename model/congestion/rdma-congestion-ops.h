// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_CONGESTION_OPS_H
#define LOSSLESS_RDMA_CONGESTION_OPS_H

#include "ns3/data-rate.h"
#include "ns3/fixed-accessor.h"
#include "ns3/frame-telemetry.h"
#include "ns3/object.h"
#include "ns3/path-need.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * State that a queue pair shares with its congestion control. The queue pair owns the state, paces
 * by `rate` and limits the bytes in flight by `window`. Rates count wire bytes (frame + 20), so
 * that rate = line rate fills the link.
 */
struct RdmaFlowState
{
    double lineRate{0};          //!< line rate of the port, or of all in service, bit/s
    double rate{0};              //!< sending rate, bit/s; the queue pair keeps it in [0, lineRate]
    uint64_t window{0};          //!< limit of payload bytes in flight; 0: none
    int64_t baseRttPs{0};        //!< round trip of an empty path, picoseconds; 0: unknown
    uint32_t mtuBytes{0};        //!< path MTU (payload)
    uint32_t packetWireBytes{0}; //!< wire bytes of a data packet of mtuBytes, telemetry included
    uint32_t activeFlows{0}; //!< other queue pairs of the port with outstanding requests at Init()
    uint64_t inFlight{0};    //!< payload bytes that are sent and neither delivered nor known as
                             //!< lost, set before each call

    /**
     * The longest round trip of the empty network, with which some algorithms count.
     * @param owner the algorithm, for messages
     * @param given attribute BaseRtt of the algorithm, picoseconds; 0: none
     * @return what was given, else baseRttPs. std::invalid_argument if less was given than the pair
     * needs by itself
     */
    int64_t LongestRttPs(const char* owner, int64_t given) const;
};

/// @ingroup lossless
/// Contents of an acknowledgement.
struct RdmaAckEvent
{
    int64_t nowPs{0};             //!< time, picoseconds
    uint64_t ackedBytes{0};       //!< payload bytes newly acknowledged
    uint64_t deliveredBytes{0};   //!< payload bytes that the peer has now and had not, whatever is
                                  //!< missing before them: each byte counts once
    uint64_t lostBytes{0};        //!< payload bytes newly taken for lost because later ones arrived
    uint64_t trimmedBytes{0};     //!< payload bytes newly reported as trimmed by a switch
    bool trimmedAtLastHop{false}; //!< whether the port to the destination has trimmed them
    uint64_t unackedPsn{0};       //!< first PSN that is not acknowledged
    uint64_t nextPsn{0};          //!< next PSN to be sent
    bool nak{false};              //!< whether this is a NAK: packets were lost
    bool marked{false}; //!< whether packets with CE arrived since the last ACK; see EchoesMarks()
    int64_t rttPs{0};   //!< DELAY: time since the data packet began to leave, picoseconds
    TelemetryKind telemetryKind{TelemetryKind::NONE}; //!< which member of `telemetry` is valid
    const FrameTelemetry* telemetry{nullptr};         //!< telemetry of the ACK; null: none
};

/// @ingroup lossless
/// A data packet has arrived.
struct RdmaDataEvent
{
    int64_t nowPs{0};      //!< time, picoseconds
    uint32_t wireBytes{0}; //!< its length
    bool marked{false};    //!< whether the packet arrived with CE
};

/// @ingroup lossless
/// Report of a notification point, which a CNP carries.
struct RdmaRateReport
{
    double rate{0};        //!< rate at which data arrived, bit/s; rounded to Mb/s on the wire
    bool congested{false}; //!< whether a port on the path is congested
};

/**
 * @ingroup lossless
 *
 * Policy: congestion control of one end of a connection, chosen by TypeId as TcpCongestionOps is.
 * The class uses neither devices nor the simulator: the queue pair passes times, in picoseconds,
 * and asks for deadlines. Each end has one object with two parts: the reaction point for data that
 * the end sends, and the notification point for data that it receives.
 *
 * To add an algorithm, derive from this class and select it by its TypeId; no other code changes.
 * Attributes are declared with MakeFixed(): Init() derives the state of a flow from them, and puts
 * what is in force into those whose value stands for a default.
 */
class RdmaCongestionOps : public Object, public FixedWhenUsed
{
  public:
    /// No timer runs.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// Calls that the queue pair makes for each packet: an algorithm names those that it needs.
    enum Hook : uint32_t
    {
        ON_ACK = 1,  //!< OnAck()
        ON_SENT = 2, //!< OnSent()
        ON_DATA = 4  //!< OnData(); needed by algorithms that send rate reports
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Init() has been called: attributes are fixed from now on.
    void SetUsed()
    {
        m_isUsed = true;
    }

    const char* FixedSince() const override
    {
        return m_isUsed ? "its queue pair is connected" : nullptr;
    }

    /// @return name for reports, such as "DCQCN"
    virtual std::string GetName() const = 0;

    /// @return mask of the Hooks that the queue pair must call, asked once after Init(). The base
    /// class returns ON_ACK and ON_SENT.
    virtual uint32_t GetHooks() const;

    /// @return telemetry that data packets carry and ACKs bring back, asked before Init(): may
    /// depend only on attributes. The base class returns NONE.
    virtual TelemetryKind GetTelemetry() const;

    /// @return whether ACKs must echo CE marks in BECN (RdmaAckEvent::marked). Asked once after
    /// Init() at the end that sends ACKs. The base class returns false.
    virtual bool EchoesMarks() const;

    /// @return whether the algorithm sets RdmaFlowState::window itself; may depend only on
    /// attributes. If not, the window is that of the queue pair (RdmaQueuePair::Window and
    /// VariableWindow). The base class returns false.
    virtual bool SetsWindow() const;

    /// @return whether its notification point may send CNPs, by OnMarkedData() or OnNotice(); may
    /// depend only on attributes. If not, an end that sets RdmaQueuePair::CnpClass is told so. The
    /// base class returns true: that is known of no algorithm to come.
    virtual bool SendsCnps() const;

    /// @return what it needs of the paths of its packets; may depend only on attributes. The base
    /// class returns ANY
    virtual PathNeed GetPathNeed() const;

    /// @return the SwitchExtensions that this algorithm needs in switches, "Type" or
    /// "Type[Attribute=value|...]" with attributes that must match; FabricHelper installs them. The
    /// base class returns none.
    virtual std::vector<std::string> GetSwitchExtensions() const;

    /**
     * The queue pair is connected: all of the state but the window is set, with rate = lineRate.
     * @param state the state shared with the queue pair
     * @param nowPs time, picoseconds
     */
    virtual void Init(RdmaFlowState& state, int64_t nowPs);

    /**
     * Init() has been called: share constants with another object of the same port, to need less
     * memory. They are fixed from now on.
     * @param last the object that has returned true before; null: none has
     * @return whether later ones may share with this object. The base class shares nothing
     */
    virtual bool ShareWith(const RdmaCongestionOps* last);

    // ---- reaction point (the sending end)

    /// A CNP without a report arrived. @param state shared state @param nowPs time
    virtual void OnCnp(RdmaFlowState& state, int64_t nowPs);

    /// A CNP with a report arrived; called in place of OnCnp(). @param state shared state @param
    /// report the report @param nowPs time
    virtual void OnRateReport(RdmaFlowState& state, const RdmaRateReport& report, int64_t nowPs);

    /// An ACK or NAK arrived. @param state shared state @param ack its contents
    virtual void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack);

    /// A data packet leaves. @param state shared state @param wireBytes its length
    /// @param nowPs time
    virtual void OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs);

    /// The retransmission timer fired. @param state shared state @param nowPs time
    virtual void OnTimeout(RdmaFlowState& state, int64_t nowPs);

    /// Ports of the queue pair have gone out of service, or are back: RdmaFlowState::lineRate has
    /// changed. @param state shared state
    virtual void OnLineRate(RdmaFlowState& state);

    /**
     * @return when OnTimer() must be called next, picoseconds, or NEVER. Must be NEVER when no
     * timer can change the state any more, so that an idle fabric has no events. A queue pair with
     * nothing to send may call OnTimer() late; OnTimer() then catches up.
     */
    virtual int64_t NextTimer() const;

    /// @param state shared state @param nowPs time; at or after NextTimer()
    virtual void OnTimer(RdmaFlowState& state, int64_t nowPs);

    // ---- notification point (the receiving end)

    /**
     * A data packet with CE arrived, in order or not.
     * @param nowPs time, picoseconds
     * @return whether to send a CNP now
     */
    virtual bool OnMarkedData(int64_t nowPs);

    /// A data packet arrived, marked or not. @param data the packet
    virtual void OnData(const RdmaDataEvent& data);

    /// @return when OnNotice() must be called next, picoseconds, or NEVER; asked after OnData() and
    /// OnNotice()
    virtual int64_t NextNotice() const;

    /**
     * The time NextNotice() has come.
     * @param nowPs time, picoseconds
     * @param report filled in: the report that the CNP carries
     * @return whether to send a CNP with the report
     */
    virtual bool OnNotice(int64_t nowPs, RdmaRateReport& report);

    /// @return whether it acts on its own end of a queue pair alone, and shares no object with
    /// other ends: several threads may run the fabric then
    virtual bool KeepsToItsEnd() const
    {
        return true;
    }

    // ---- streams

    /// Fix the random streams. @param stream first stream number @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    /// @param rate in use, bit/s @return the same as an attribute reads back, rounded
    static DataRate ToDataRate(double rate)
    {
        return DataRate(static_cast<uint64_t>(rate + 0.5));
    }

  private:
    bool m_isUsed{false}; //!< SetUsed()
};

} // namespace ns3

#endif // LOSSLESS_RDMA_CONGESTION_OPS_H
