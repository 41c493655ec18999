// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_THRESHOLD_ADVISOR_H
#define LOSSLESS_ECN_THRESHOLD_ADVISOR_H

#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Measurements of a port in the last interval.
struct EcnFeatures
{
    double kmin{0};                 //!< current Kmin, bytes
    double bitsPerSecond{0};        //!< speed of the port
    double elephantShare{0};        //!< bytes of long flows over all bytes, 0..1
    double utilisation{0};          //!< utilisation of the link, 0..1
    double queueingDelaySeconds{0}; //!< mean queueing delay of the frames, seconds
    uint32_t flows{0};              //!< number of flows that sent data
    uint32_t senders{0};            //!< hosts that sent data to one host: most of any receiver
};

/**
 * @ingroup lossless
 *
 * Policy: the Kmin for the traffic of a port. "AI ECN" of switch vendors adapts only this low
 * threshold, to the queue, the throughput and the ratio of long to short flows. The EcnTuner calls
 * the policy once per interval. Derive from this class to plug in your own model.
 */
class EcnThresholdAdvisor : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param factory of an advisor; throws std::invalid_argument if it makes something else
    /// @return an advisor
    static Ptr<EcnThresholdAdvisor> Make(const ObjectFactory& factory);

    /// @param features measurements of the port @return its new Kmin, bytes
    virtual double Advise(const EcnFeatures& features) = 0;
};

/**
 * @ingroup lossless
 *
 * A rule of this module, as no vendor has published one. Long flows want throughput, hence a higher
 * threshold; short flows want short queues. With K0 = BaseKmin at 25 Gb/s, linear in the speed:
 *
 *     K* = K0 * (0.25 + 1.5 * elephantShare)
 *     K* *= 0.8 if the queueing delay is above DelayTarget
 *     K* *= 1.2 if it is below, and the utilisation below 0.95
 *     Kmin += 0.1 * (K* - Kmin), within 0.2 K0 and 4 K0
 */
class RuleEcnThresholdAdvisor : public EcnThresholdAdvisor
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    double Advise(const EcnFeatures& features) override;

  private:
    uint64_t m_baseKmin; //!< attribute BaseKmin
    Time m_delayTarget;  //!< attribute DelayTarget
};

} // namespace ns3

#endif // LOSSLESS_ECN_THRESHOLD_ADVISOR_H
