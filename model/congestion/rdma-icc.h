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
 * Datacenters", CMC 75(1), 2023, algorithm 1). A record of an IccSwitch in an ACK sets the rate: by
 * the formulas of the paper, or of an algorithm that this module derives from a mass balance
 * (Variant Derived, "ICC (derived)"). Between records the rate is constant. ICC has no timer and
 * does not react to ECN.
 *
 * Each record of a queue counts once. When records of several queues disagree, the source follows
 * the most restrictive one for a time, see HoldRoundTrips: the paper leaves this open.
 *
 * What the paper does not say follows from the time I between two records of a queue (ReportTimer).
 * A source sends a packet in each I, so that ACKs can bring it each record, unless all sources at
 * this rate filled more than half of the link: then their shares of that half (MinRate). T is the
 * base RTT, and Qd what the switch says. With Variant Derived T is the base RTT plus I, as a rate
 * acts from one record to the next, and Qd at most a frame of each flow: so long is a queue if a
 * frame of each flow arrives at the same time, and a shorter one says nothing of the rates.
 */
class RdmaIcc : public RdmaCongestionOps
{
  public:
    /// The rate formulas.
    enum Variant
    {
        PUBLISHED, //!< IccFormula::PUBLISHED
        DERIVED    //!< IccFormula::DERIVED
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    RdmaIcc();
    ~RdmaIcc() override;

    std::string GetName() const override;
    PathNeed GetPathNeed() const override;
    uint32_t GetHooks() const override;
    bool SendsCnps() const override;
    bool SetsWindow() const override;
    TelemetryKind GetTelemetry() const override;
    std::vector<std::string> GetSwitchExtensions() const override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;
    void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack) override;

    /// @return records applied
    uint64_t GetRecords() const
    {
        return m_records;
    }

    /// @return records that were ignored as repetitions
    uint64_t GetDuplicates() const
    {
        return m_duplicates;
    }

    /// @return records that would have raised the rate beyond what another queue allows
    uint64_t GetHeldBack() const
    {
        return m_heldBack;
    }

  private:
    /// The last record of a queue.
    struct Seen
    {
        uint64_t queue{0};     //!< switch and port, plus one; 0: none
        double rate{0};        //!< the rate that the queue allows, bit/s
        int64_t holdsUntil{0}; //!< picoseconds
        uint32_t timeNs{0};    //!< IccTelemetry::timeNs
    };

    /// Queues that are remembered: those of a path over five switches, and a few of another one.
    static constexpr std::size_t QUEUES = 8;

    /// Attributes that are times. @param tid the TypeId @return the same
    static TypeId AddTimes(TypeId tid);

    /// @return whether the formulas are those of Variant Derived
    bool IsDerived() const
    {
        return m_variant == DERIVED;
    }

    /// @return whether the loop delay has the delay from the source to the switch
    bool AddsSourceDelay() const
    {
        return IsDerived() && m_loopDelaySet.IsZero();
    }

    /// @return whether the formulas, or the loop delay, have the delay of the signal
    bool UsesSignalDelay() const
    {
        return !IsDerived() || m_loopDelaySet.IsZero();
    }

    /// @param record a record @return the place of its queue
    Seen& Find(const IccTelemetry& record);
    /// @param state shared state @param record a record @param nowPs time @return the new rate,
    /// not clamped
    double RateFor(const RdmaFlowState& state, const IccTelemetry& record, int64_t nowPs) const;
    /// @param record a record @return the lower bound of the rate, bit/s
    double MinRateFor(const IccTelemetry& record) const;
    /// @param nowPs time @return the lowest of the rates that hold, bit/s
    double LowestHeld(int64_t nowPs) const;

    Variant m_variant;            //!< attribute
    IccFeedback::Mode m_feedback; //!< attribute
    DataRate m_minRateSet;        //!< attribute, 0: default
    bool m_limitWindow;           //!< attribute
    double m_holdRoundTrips;      //!< attribute
    Time m_reportTimer;           //!< attribute
    Time m_roundTripSet;          //!< attribute, 0: as the variant says
    Time m_signalDelaySet;        //!< attribute, 0: measured
    Time m_sourceDelaySet;        //!< attribute, 0: half the base RTT
    Time m_loopDelaySet;          //!< attribute, 0: measured

    const IccFormula* m_formula{nullptr}; //!< formulas of the variant
    double m_targetBytes{0};              //!< most of Qd for a flow
    double m_minRate{0};                  //!< lower bound of all records, bit/s
    double m_interval{0};                 //!< between two records of a queue, seconds
    double m_roundTrip{0};                //!< T, seconds
    double m_signalDelay{0};              //!< seconds; 0: measured
    double m_sourceDelay{0};              //!< seconds
    double m_loopDelay{0};                //!< seconds; 0: measured
    std::array<Seen, QUEUES> m_seen;      //!< queues with the most recent records, a ring
    uint32_t m_oldest{0};                 //!< entry of m_seen to be replaced next
    int64_t m_holdPs{0};                  //!< how long a record holds, picoseconds
    uint64_t m_records{0};
    uint64_t m_heldBack{0};
    uint64_t m_duplicates{0};
};

} // namespace ns3

#endif // LOSSLESS_RDMA_ICC_H
