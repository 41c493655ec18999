// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_TIMELY_H
#define LOSSLESS_RDMA_TIMELY_H

#include "rdma-congestion-ops.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * TIMELY (Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015,
 * algorithm 1): between two thresholds of the round trip time the rate follows its gradient.
 * Constants that the paper leaves open are those of Zhu et al., "ECN or Delay: Lessons Learnt from
 * Analysis of DCQCN and TIMELY", CoNEXT 2016.
 *
 * By default the rate is updated once per segment, and at most once per MinRtt. The sample is the
 * time from the start of transmission of the packet whose ACK completes the segment to that ACK,
 * less its serialisation time. For a segment that leaves back to back this is the sample of the
 * paper. The sample never includes waiting for the pace or for local pauses. Attributes select the
 * rules of the public HPCC simulator (alibaba-edu/High-Precision-Congestion-Control, commit
 * 9f4be2a) instead: UpdatePer, CountBelowLow, SampleSerialisation.
 */
class RdmaTimely : public RdmaCongestionOps
{
  public:
    /// When the rate is updated.
    enum Update
    {
        SEGMENT,   //!< once per Segment, and at most once per MinRtt
        ROUND_TRIP //!< once per round trip
    };

    /// State from earlier updates.
    struct History
    {
        bool sampled{false};           //!< whether there was a sample
        int64_t previousRttPs{0};      //!< the last sample, picoseconds
        double rttDifferencePs{0};     //!< smoothed difference of samples, picoseconds
        uint32_t increases{0};         //!< successive updates without a positive gradient (HAI)
        int64_t updatedPs{-NEVER / 2}; //!< time of the last sample, picoseconds
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetName() const override;
    PathNeed GetPathNeed() const override;
    uint32_t GetHooks() const override;
    bool SendsCnps() const override;
    TelemetryKind GetTelemetry() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;
    void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack) override;
    void OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs) override;

    /// A segment is complete. @param state shared state @param rttPs its sample, picoseconds
    void OnSample(RdmaFlowState& state, int64_t rttPs);

    /// @return the rate, bit/s; within a burst the shared state holds the line rate
    double GetRate() const
    {
        return m_rate;
    }

    /// @return the state after the last update
    const History& GetHistory() const
    {
        return m_history;
    }

    /// Set the state, for tests. @param rate bit/s @param history state of earlier updates
    void Force(double rate, const History& history);

  protected:
    /// @return beta, the multiplicative decrease, for attribute Beta = 0
    virtual double DefaultBeta() const;

    /// @return whether enough updates in a row make the increase a hyper increase
    virtual bool UsesHyperIncrease() const;

    /// @return whether updates below LowThreshold count towards a hyper increase
    bool CountsBelowLow() const
    {
        return m_countBelowLow;
    }

    /**
     * Compute the rate after a sample between the thresholds.
     * @param rttPs the sample, picoseconds
     * @param gradient normalised gradient of the round trip time, without unit
     * @return rate, bit/s, not yet limited
     */
    virtual double RateBetweenThresholds(int64_t rttPs, double gradient);

    double m_rate{0};   //!< bit/s
    double m_delta{0};  //!< additive increase in use, bit/s
    double m_beta{0};   //!< multiplicative decrease in use
    int64_t m_lowPs{0}; //!< lower threshold, picoseconds
    History m_history;  //!< state of earlier updates

  private:
    /// Attributes of the algorithm. @param tid the TypeId @return the same
    static TypeId AddConstants(TypeId tid);
    /// Attributes of the rules of updates. @param tid the TypeId @return the same
    static TypeId AddRules(TypeId tid);
    /// Attributes of start and pacing. @param tid the TypeId @return the same
    static TypeId AddPacing(TypeId tid);

    /// @return whether a segment is what is sampled, or sent at once
    bool UsesSegment() const
    {
        return m_updatePer == SEGMENT || m_burstPacing;
    }

    /// @return whether StartAtLineRate says at what rate a flow starts
    bool StartsByShare() const
    {
        return m_initialRate.GetBitRate() == 0;
    }

    /// @return the next additive increase, bit/s: a hyper increase after enough updates
    double Increase() const;
    /// Write the rate. @param state shared state
    void Pace(RdmaFlowState& state) const;

    double m_ewma;              //!< attribute
    double m_betaSetting;       //!< attribute, 0: default
    Time m_low;                 //!< attribute
    Time m_high;                //!< attribute
    Time m_minRtt;              //!< attribute
    DataRate m_deltaSetting;    //!< attribute, 0: default
    uint32_t m_hyperAfter;      //!< attribute
    uint32_t m_hyperFactor;     //!< attribute
    uint32_t m_segment;         //!< attribute, payload bytes
    DataRate m_minRateSetting;  //!< attribute, 0: default
    bool m_startAtLineRate;     //!< attribute
    DataRate m_initialRate;     //!< attribute, 0: default
    bool m_burstPacing;         //!< attribute
    Update m_updatePer;         //!< attribute
    bool m_countBelowLow;       //!< attribute
    bool m_sampleSerialisation; //!< attribute

    int64_t m_highPs{0};          //!< upper threshold, picoseconds
    int64_t m_minRttPs{0};        //!< MinRtt, picoseconds
    int64_t m_serialisationPs{0}; //!< serialisation time of a full packet at line rate, picoseconds
    double m_minRate{0};          //!< lower bound in use, bit/s
    uint64_t m_roundEnd{0}; //!< a round trip ends when all before it is acknowledged, and one more
    uint64_t m_acked{0};    //!< payload bytes acknowledged since the last sample
    uint64_t m_segmentWireBytes{0}; //!< wire bytes of a segment
    uint64_t m_burst{0};            //!< wire bytes of the burst so far
    uint64_t m_gapAfter{0};      //!< wire bytes of the burst that has just left; 0: within a burst
    uint32_t m_lastWireBytes{0}; //!< wire bytes of the last packet sent
};

} // namespace ns3

#endif // LOSSLESS_RDMA_TIMELY_H
