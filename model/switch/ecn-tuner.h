// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_TUNER_H
#define LOSSLESS_ECN_TUNER_H

#include "ecn-threshold-advisor.h"
#include "roce-flow-table.h"
#include "switch-extension.h"
#include "wred-ecn-marker.h"

#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Adapts Kmin of the WredEcnMarker to the traffic of each port, as an EcnThresholdAdvisor advises.
 * Kmax and Pmax stay. An interval begins with a frame; the tuner sets Kmin when the first frame
 * after its end arrives. An idle port thus has no events and keeps its Kmin.
 *
 * The tuner counts the bytes of each RoCE flow, which costs one look-up per frame.
 */
class EcnTuner : public SwitchExtension
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// An advisor may be one of several switches. @return false
    bool KeepsToItsSwitch() const override
    {
        return false;
    }

    uint32_t GetHooks() const override;

    /// @return whether an interval of a port has ended
    bool HasActed() const override
    {
        return m_looks > 0;
    }

    bool ReadsRoce() const override
    {
        return true;
    }

    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    void Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;

    /// Kmin of a port was set. @param port the port @param kmin bytes
    typedef void (*KminTracedCallback)(uint32_t port, double kmin);
    /// An interval of a port has ended. @param port the port @param elephantShare, senders,
    /// utilisation, queueingDelaySeconds what the advisor was told, see EcnFeatures
    typedef void (*FeaturesTracedCallback)(uint32_t port,
                                           double elephantShare,
                                           uint32_t senders,
                                           double utilisation,
                                           double queueingDelaySeconds);

  private:
    /// State of a flow.
    struct Flow
    {
        uint64_t bytes{0};   //!< frame bytes so far
        int64_t lastSeen{0}; //!< when its last frame came, ticks
        bool counted{false}; //!< counted in Port::flows in the current interval
        uint32_t port{0};    //!< egress port
    };

    /// Measurements of a port in the current interval.
    struct Port
    {
        double bitsPerSecond{0};   //!< speed
        double kmin{0};            //!< current Kmin, bytes
        int64_t begin{-1};         //!< begin of the interval, ticks; negative: no interval yet
        uint64_t bytes{0};         //!< wire bytes of data
        uint64_t elephantBytes{0}; //!< wire bytes of long flows among them
        uint64_t queueBytes{0};    //!< sum over the frames of the queue that each frame met, bytes
        uint32_t frames{0};        //!< data frames
        uint32_t flows{0};         //!< flows that sent data
    };

    /// @param factory attribute AdvisorType
    void SetAdvisorType(const ObjectFactory& factory);
    /// @return attribute AdvisorType
    ObjectFactory GetAdvisorType() const;
    /// @return attribute Advisor
    Ptr<EcnThresholdAdvisor> GetAdvisor() const;
    /// End the interval of a port: ask the advisor, set Kmin, begin a new interval. @param port
    /// index @param now ticks
    void Judge(uint32_t port, int64_t now);
    /// @param port index @return EcnFeatures::senders
    uint32_t CountSenders(uint32_t port);
    /// Set Kmin of all queues of a port that the marker marks. @param port index @param kmin bytes
    void SetKmin(uint32_t port, double kmin);

    Time m_interval;             //!< attribute Interval
    uint64_t m_elephantBytes{0}; //!< attribute ElephantBytes
    Time m_flowTimeout;          //!< attribute FlowTimeout
    int64_t m_intervalTicks{0};  //!< attribute Interval
    int64_t m_purgedAt{-1};      //!< when silent flows were last forgotten, ticks; negative: never
    FabricSwitch* m_owner{nullptr};
    Ptr<WredEcnMarker> m_marker;
    Ptr<EcnThresholdAdvisor> m_advisor; //!< attributes Advisor and AdvisorType
    std::vector<Port> m_ports;
    RoceFlowTable<Flow> m_flows;
    std::vector<std::pair<uint32_t, uint32_t>> m_pairs; //!< scratch memory of CountSenders()
    uint64_t m_looks{0};                                //!< intervals of ports that have ended
    TracedCallback<uint32_t, double> m_kminTrace;       //!< Kmin
    TracedCallback<uint32_t, double, uint32_t, double, double> m_featuresTrace; //!< Features
};

} // namespace ns3

#endif // LOSSLESS_ECN_TUNER_H
