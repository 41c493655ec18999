// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_HPCC_H
#define LOSSLESS_RDMA_HPCC_H

#include "hpcc-path.h"
#include "hpcc-window.h"
#include "rdma-congestion-ops.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/pint-code.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * HPCC (Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019): switches write bytes
 * sent and queue length of their ports into each data packet (IntStamper), the ACK brings these
 * records back, and the sender sets its window so that the busiest link of the path reaches the
 * utilisation Eta. HPCC-PINT (Ben Basat et al., SIGCOMM 2020) uses one number in place of a record
 * for each hop.
 *
 * The window of the algorithm counts wire bytes and starts at line rate times base RTT. The window
 * of the queue pair counts payload: it is smaller by the ratio of payload to wire bytes of a full
 * data packet with telemetry (IPv4, untagged). The rate is window / base RTT, in wire bytes.
 */
class RdmaHpcc : public RdmaCongestionOps
{
  public:
    /// Telemetry of data packets. Values are those of TelemetryKind.
    enum Telemetry
    {
        FIXED = static_cast<int>(TelemetryKind::INT),           //!< INT with room for all hops
        GROWING = static_cast<int>(TelemetryKind::INT_GROWING), //!< INT that grows at each hop
        PINT = static_cast<int>(TelemetryKind::PINT) //!< the highest utilisation on the path
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    RdmaHpcc();
    ~RdmaHpcc() override;

    std::string GetName() const override;
    PathNeed GetPathNeed() const override;
    uint32_t GetHooks() const override;
    bool SendsCnps() const override;
    bool SetsWindow() const override;
    TelemetryKind GetTelemetry() const override;
    std::vector<std::string> GetSwitchExtensions() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;
    void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack) override;
    void OnTimeout(RdmaFlowState& state, int64_t nowPs) override;
    int64_t AssignStreams(int64_t stream) override;

    /// @return the current window and utilisation; with MultiRate those of the hop with the
    /// smallest window
    const HpccWindow& GetWindow() const
    {
        return m_windows[m_smallest];
    }

    /// @return the constants in use, valid after Init()
    const HpccParameters& GetParameters() const
    {
        return m_parameters;
    }

    /// @return ACKs that were ignored, as their INT had more hops than records
    uint64_t GetIntOverflows() const
    {
        return m_intOverflows;
    }

  private:
    // Whether attributes are read, as others are now.

    /// @return whether packets carry PINT
    bool UsesPint() const
    {
        return m_telemetry == PINT;
    }

    /// @return whether packets carry INT
    bool UsesInt() const
    {
        return !UsesPint();
    }

    /// @return whether the reference window changes once per round trip
    bool UpdatesOncePerRtt() const
    {
        return m_oncePerRtt;
    }

    /// @return whether there are ACKs within a round trip to which the sender reacts by hops
    bool SamplesFeedback() const
    {
        return UsesInt() && m_fastReact && m_oncePerRtt;
    }

    /// @return whether AdditiveIncrease says what W_AI is
    bool IncreasesByBytes() const
    {
        return m_increaseRate.GetBitRate() == 0;
    }

    /// @return whether MinWindow says what the lower bound is
    bool HasMinWindow() const
    {
        return m_minRate.GetBitRate() == 0;
    }

    /// Attributes of the control law. @param tid the TypeId @return the same
    static TypeId AddLaw(TypeId tid);
    /// Attributes of the modes. @param tid the TypeId @return the same
    static TypeId AddModes(TypeId tid);
    /// Attributes of the telemetry. @param tid the TypeId @return the same
    static TypeId AddFormat(TypeId tid);

    /// React to INT. @param ack the ACK @param full whether a round trip has passed @return whether
    /// the INT gave a measurement
    bool ReactToInt(const RdmaAckEvent& ack, bool full);
    /// React to PINT. @param ack the ACK @param full whether a round trip has passed @return
    /// whether the PINT gave a measurement
    bool ReactToPint(const RdmaAckEvent& ack, bool full);
    /// React with a window for each hop (MultiRate). @param full whether a round trip has passed
    void ReactPerHop(bool full);
    /// Write rate and window. @param state shared state
    void Publish(RdmaFlowState& state) const;

    HpccParameters m_parameters; //!< constants in use
    HpccPath m_path;             //!< the measurement
    std::array<HpccWindow, IntTelemetry::MAX_HOPS>
        m_windows;                     //!< one window; MultiRate: one for each hop
    uint32_t m_smallest{0};            //!< index of the smallest window
    uint64_t m_lastUpdate{0};          //!< lastUpdateSeq of the paper
    uint64_t m_unacked{0};             //!< first PSN not acknowledged
    uint64_t m_intOverflows{0};        //!< ACKs with too many hops
    double m_baseRttPs{0};             //!< T: base RTT, picoseconds
    double m_payloadShare{0};          //!< payload / wire bytes of a packet
    PintCode m_code;                   //!< scale of PINT
    Ptr<UniformRandomVariable> m_draw; //!< draws whether to evaluate PINT; null: always evaluated

    Telemetry m_telemetry;    //!< attribute
    bool m_fastReact;         //!< attribute
    bool m_multiRate;         //!< attribute
    bool m_sampleFeedback;    //!< attribute
    bool m_oncePerRtt;        //!< attribute
    bool m_useWindow;         //!< attribute
    bool m_variableWindow;    //!< attribute
    bool m_payloadWindow;     //!< attribute
    double m_eta;             //!< attribute
    uint32_t m_maxStage;      //!< attribute
    uint32_t m_increase;      //!< attribute
    uint32_t m_minWindow;     //!< attribute
    DataRate m_increaseRate;  //!< attribute, 0: m_increase
    DataRate m_minRate;       //!< attribute, 0: m_minWindow
    Time m_baseRtt;           //!< attribute
    std::string m_linkSpeeds; //!< attribute
    uint32_t m_multiplier;    //!< attribute
    double m_pintBase;        //!< attribute
    double m_pintProbability; //!< attribute
};

} // namespace ns3

#endif // LOSSLESS_RDMA_HPCC_H
