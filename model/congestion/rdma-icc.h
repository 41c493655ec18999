// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_ICC_H
#define LOSSLESS_RDMA_ICC_H

#include "icc-formula.h"
#include "rdma-congestion-ops.h"

#include "ns3/data-rate.h"
#include "ns3/icc-feedback.h"
#include "ns3/nstime.h"

#include <array>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The source of ICC (Wang et al., "Congestion Control Using In-Network Telemetry for Lossless
 * Datacenters", CMC 75(1), 2023, algorithm 1). A
 * record of an IccSwitch in an ACK sets the rate: to the formula of the variant while the queue
 * holds something, else towards the line rate. Between records the rate is constant. There is no
 * timer and no reaction to ECN.
 *
 * Each record of a queue counts once. Records of several queues disagree: the most restrictive one
 * within a time is followed, see HoldRoundTrips. The paper does not say which.
 */
class RdmaIcc : public RdmaCongestionOps
{
  public:
    /// Which formulas.
    enum Variant
    {
        CONSERVATION, //!< IccFormula::CONSERVATION
        PUBLISHED,    //!< IccFormula::PUBLISHED
        NO_CREDIT     //!< IccFormula::NO_CREDIT
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    RdmaIcc();
    ~RdmaIcc() override;

    std::string GetName() const override;
    uint32_t GetHooks() const override;
    TelemetryKind GetTelemetry() const override;
    std::vector<std::string> GetSwitchExtensions() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;
    void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack) override;

    /// @return records applied
    uint64_t GetRecords() const
    {
        return m_records;
    }

    /// @return records that had come before, and were ignored
    uint64_t GetDuplicates() const
    {
        return m_duplicates;
    }

    /// @return records that were not applied, as they would have raised the rate that another queue
    /// had set
    uint64_t GetHeldBack() const
    {
        return m_heldBack;
    }

  private:
    /// Which record a queue has told last.
    struct Seen
    {
        uint64_t queue{0};  //!< QueueOf(); 0: none
        uint32_t timeNs{0}; //!< IccTelemetry::timeNs
    };

    /// Attributes that are times. @param tid the TypeId @return the same
    static TypeId AddTimes(TypeId tid);

    /// @param record a record @return its queue: switch and port, plus one
    static uint64_t QueueOf(const IccTelemetry& record);
    /// @param record a record @return whether it came before; it is remembered
    bool IsDuplicate(const IccTelemetry& record);
    /// @param state shared state @param record a record @param rate what it asks for @param nowPs
    /// time @return whether a more restrictive record of another queue holds
    bool IsHeldBack(const RdmaFlowState& state,
                    const IccTelemetry& record,
                    double rate,
                    int64_t nowPs) const;
    /// @param state shared state @param record a record @param nowPs time @return the new rate,
    /// not clamped
    double RateFor(const RdmaFlowState& state, const IccTelemetry& record, int64_t nowPs) const;

    Variant m_variant;            //!< attribute
    IccFeedback::Mode m_feedback; //!< attribute
    DataRate m_minRateSet;        //!< attribute, 0: default
    bool m_limitWindow;           //!< attribute
    double m_holdRoundTrips;      //!< attribute
    Time m_roundTripSet;          //!< attribute, 0: of the path
    Time m_signalDelaySet;        //!< attribute, 0: measured
    Time m_sourceDelaySet;        //!< attribute, 0: half a round trip
    Time m_loopDelaySet;          //!< attribute, 0: measured

    const IccFormula* m_formula{nullptr}; //!< in force
    double m_minRate{0};                  //!< in force, bit/s
    double m_roundTrip{0};                //!< T, seconds
    double m_signalDelay{0};              //!< seconds; 0: measured
    double m_sourceDelay{0};              //!< seconds
    double m_loopDelay{0};                //!< seconds; 0: measured
    std::array<Seen, 4> m_seen;           //!< queues that told something last, in a ring
    uint32_t m_oldest{0};                 //!< entry of m_seen to be replaced next
    int64_t m_holdPs{0};                  //!< for how long a record holds
    int64_t m_holdsUntilPs{0};            //!< the latest one of a queue that is not empty
    uint64_t m_holder{0};                 //!< its queue; 0: none
    uint64_t m_records{0};
    uint64_t m_heldBack{0};
    uint64_t m_duplicates{0};
};

} // namespace ns3

#endif // LOSSLESS_RDMA_ICC_H
