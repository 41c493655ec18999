// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_TUNER_H
#define LOSSLESS_ECN_TUNER_H

#include "ecn-threshold-advisor.h"
#include "roce-flow-table.h"
#include "switch-extension.h"
#include "wred-ecn-marker.h"

#include "ns3/nstime.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Adapts Kmin of the WredEcnMarker to the traffic of each port, as an EcnThresholdAdvisor says.
 * Kmax and Pmax stay. An interval begins with a frame and is judged when the first frame after its
 * end comes, so that an idle port has no events and is not judged.
 *
 * It counts the bytes of each RoCE flow that passes, which costs a look-up per frame.
 */
class EcnTuner : public SwitchExtension
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;
    void Restarted() override;
    void Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes) override;

    /// Kmin of a port was set. @param port the port @param kmin bytes
    typedef void (*KminTracedCallback)(uint32_t port, double kmin);

  private:
    /// What is known of a flow.
    struct Flow
    {
        uint64_t bytes{0};   //!< so far
        int64_t lastSeen{0}; //!< tick
        bool counted{false}; //!< in the interval that runs at its port
        uint32_t port{0};    //!< egress port
    };

    /// What a port has seen in the interval.
    struct Port
    {
        double bitsPerSecond{0};   //!< speed
        double kmin{0};            //!< in force
        int64_t begin{-1};         //!< tick; negative: no interval yet
        uint64_t bytes{0};         //!< wire bytes of data
        uint64_t elephantBytes{0}; //!< of these: of long flows
        uint64_t queueBytes{0};    //!< sum of what each frame found before it
        uint32_t frames{0};        //!< frames of data
        uint32_t flows{0};         //!< seen
    };

    /// The interval of a port has ended: ask, set, begin anew. @param port index @param now tick
    void Judge(uint32_t port, int64_t now);
    /// Set Kmin of the queues of a port that are marked. @param port index @param kmin bytes
    void SetKmin(uint32_t port, double kmin);

    Time m_interval;            //!< attribute Interval
    uint64_t m_elephantBytes;   //!< attribute ElephantBytes
    Time m_flowTimeout;         //!< attribute FlowTimeout
    TypeId m_advisorType;       //!< attribute AdvisorType
    int64_t m_intervalTicks{0}; //!< attribute Interval
    int64_t m_purgeAt{0};       //!< when old flows are forgotten next, tick
    FabricSwitch* m_owner{nullptr};
    Ptr<WredEcnMarker> m_marker;
    Ptr<EcnThresholdAdvisor> m_advisor;
    std::vector<Port> m_ports;
    RoceFlowTable<Flow> m_flows;
    TracedCallback<uint32_t, double> m_kminTrace; //!< Kmin
};

} // namespace ns3

#endif // LOSSLESS_ECN_TUNER_H
