// SPDX-License-Identifier: GPL-2.0-only

// Policies that are none of the module's own, which the suite lossless-effects names as types.

#include "ns3/ecn-marker.h"
#include "ns3/ecn-threshold-advisor.h"
#include "ns3/load-balancer.h"
#include "ns3/switch-cnp-rule.h"

namespace ns3
{
namespace tests
{

namespace
{

/// Marks every frame that meets a queue.
class EveryFrameMarker : public EcnMarker
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::EveryFrameMarker")
                                .SetParent<EcnMarker>()
                                .AddConstructor<EveryFrameMarker>();
        return tid;
    }

    void SetPort(uint32_t port, uint64_t bitsPerSecond) override
    {
        EcnMarker::SetPort(port, bitsPerSecond);
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            SetQuietBelow(port, cls, 0);
        }
    }

    bool ShouldMark(const Frame& /* frame */,
                    uint32_t /* port */,
                    uint64_t /* queueBytes */) override
    {
        return true;
    }
};

/// One CNP for each flow, always.
class EachFlowCnpRule : public SwitchCnpRule
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::EachFlowCnpRule")
                                .SetParent<SwitchCnpRule>()
                                .AddConstructor<EachFlowCnpRule>();
        return tid;
    }

    uint32_t Count(const QueueState& queue) override
    {
        return queue.flows;
    }
};

/// Takes the first port, always.
class FirstPortBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::FirstPortBalancer")
                                .SetParent<LoadBalancer>()
                                .AddConstructor<FirstPortBalancer>();
        return tid;
    }

    uint16_t Pick(const Frame& /* frame */,
                  uint16_t /* inPort */,
                  const NextHopGroup& group,
                  const SwitchPorts& /* view */) override
    {
        return group.ports.front();
    }
};

/// Advises 3000 bytes, always.
class LowAdvisor : public EcnThresholdAdvisor
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::LowAdvisor")
                                .SetParent<EcnThresholdAdvisor>()
                                .AddConstructor<LowAdvisor>();
        return tid;
    }

    double Advise(const EcnFeatures& /* features */) override
    {
        return 3000;
    }
};

NS_OBJECT_ENSURE_REGISTERED(EveryFrameMarker);
NS_OBJECT_ENSURE_REGISTERED(EachFlowCnpRule);
NS_OBJECT_ENSURE_REGISTERED(FirstPortBalancer);
NS_OBJECT_ENSURE_REGISTERED(LowAdvisor);

} // namespace

} // namespace tests
} // namespace ns3
