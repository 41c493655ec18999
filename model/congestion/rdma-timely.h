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
 * algorithm 1): the rate follows the gradient of the round trip between two thresholds. Constants
 * that the paper leaves open are those of Zhu et al., "ECN or Delay: Lessons Learnt from Analysis
 * of DCQCN and TIMELY", CoNEXT 2016.
 *
 * One update a segment, and not more than one in MinRtt. The sample is that of the packet whose ACK
 * completes the segment: from the start of its transmission to the ACK, less its own serialisation.
 * When the segment leaves back to back this is the sample of the paper, and the wait that pacing
 * and local pauses cause is never part of it.
 */
class RdmaTimely : public RdmaCongestionOps
{
  public:
    /// What an update knows of those before it.
    struct History
    {
        bool sampled{false};           //!< there was a sample
        int64_t previousRttPs{0};      //!< the last sample, picoseconds
        double rttDifferencePs{0};     //!< smoothed difference of samples, picoseconds
        uint32_t increases{0};         //!< updates in a row with no gradient (HAI)
        int64_t updatedPs{-NEVER / 2}; //!< time of the last sample, picoseconds
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetHooks() const override;
    TelemetryKind GetTelemetry() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;
    void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack) override;
    void OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs) override;

    /// A segment is complete. @param state shared state @param rttPs its sample, picoseconds
    void OnSample(RdmaFlowState& state, int64_t rttPs);

    /// @return the rate, bit/s; that of the state is the line's within a burst
    double GetRate() const
    {
        return m_rate;
    }

    /// @return what the last update left
    const History& GetHistory() const
    {
        return m_history;
    }

    /// For tests. @param rate bit/s @param history what is known
    void Force(double rate, const History& history);

  protected:
    /// @return b, the multiplicative decrease, if attribute Beta is 0
    virtual double DefaultBeta() const;

    /**
     * The rate after a sample between the thresholds.
     * @param rttPs the sample, picoseconds
     * @param gradient of the round trip, without unit
     * @return rate, bit/s, not yet limited
     */
    virtual double RateBetweenThresholds(int64_t rttPs, double gradient);

    double m_rate{0};   //!< bit/s
    double m_delta{0};  //!< additive increase in force, bit/s
    double m_beta{0};   //!< multiplicative decrease in force
    int64_t m_lowPs{0}; //!< lower threshold, picoseconds
    History m_history;  //!< of the samples

  private:
    /// Attributes of the algorithm. @param tid the TypeId @return the same
    static TypeId AddConstants(TypeId tid);
    /// Attributes of start and pacing. @param tid the TypeId @return the same
    static TypeId AddPacing(TypeId tid);

    /// Tell the queue pair how to pace. @param state shared state
    void Pace(RdmaFlowState& state) const;

    double m_ewma;             //!< attribute
    double m_betaSetting;      //!< attribute, 0: default
    Time m_low;                //!< attribute
    Time m_high;               //!< attribute
    Time m_minRtt;             //!< attribute
    DataRate m_deltaSetting;   //!< attribute, 0: default
    uint32_t m_hyperAfter;     //!< attribute
    uint32_t m_hyperFactor;    //!< attribute
    uint32_t m_segment;        //!< attribute, payload bytes
    DataRate m_minRateSetting; //!< attribute, 0: default
    bool m_startAtLineRate;    //!< attribute
    DataRate m_initialRate;    //!< attribute, 0: default
    bool m_burstPacing;        //!< attribute

    int64_t m_highPs{0};            //!< upper threshold, picoseconds
    int64_t m_minRttPs{0};          //!< picoseconds
    int64_t m_serialisationPs{0};   //!< of a full packet at line rate
    double m_minRate{0};            //!< in force, bit/s
    uint64_t m_acked{0};            //!< payload bytes acknowledged since the last sample
    uint64_t m_segmentWireBytes{0}; //!< a segment on the wire
    uint64_t m_burst{0};            //!< wire bytes of the burst so far
    uint64_t m_gapAfter{0};         //!< wire bytes of the burst that has just left; 0: in a burst
    uint32_t m_lastWireBytes{0};    //!< last packet sent
};

} // namespace ns3

#endif // LOSSLESS_RDMA_TIMELY_H
