// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SHAPED_SCHEDULER_H
#define LOSSLESS_SHAPED_SCHEDULER_H

#include "class-rates.h"
#include "dwrr-scheduler.h"
#include "token-bucket.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * DwrrScheduler with rate limits, as switches have them (cir, cbs, pir and pbs of SONiC's table
 * SCHEDULER; doc/link.rst). Token buckets count wire bytes.
 *
 * In the order in which a frame is chosen:
 *
 * 1. A class of StrictClasses whose bucket is not exhausted; the highest class first. Its limit is
 *    that of MaxRates, or else StrictRate: a misbehaving host that floods the strict class of CNPs
 *    must not starve all others (UCloud, High-performance RoCE network design). Once exhausted it
 *    waits, or joins the round (Exhausted).
 * 2. A class below its lowest rate (MinRates); the highest class first. All that the class sends
 *    counts: the lowest rate is a floor of its share, not an addition to it.
 * 3. The round of DwrrScheduler, among classes below their maximum rates (MaxRates).
 *
 * PortRate limits all of the port. A port whose frames are all held back sends when the first
 * bucket has filled: the scheduler is then not work conserving. Neither pauses nor PFC frames know
 * of limits.
 */
class ShapedScheduler : public DwrrScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ShapedScheduler();
    ~ShapedScheduler() override;

    uint32_t Pick(uint8_t eligible, const ClassHeads& heads) override;
    bool LimitsRates() const override;
    uint8_t Conforming(uint8_t eligible, const EgressMoment& moment, int64_t& retryAt) override;

  private:
    /// What becomes of a strict class without tokens.
    enum Exhausted
    {
        WAIT, //!< it waits for tokens
        JOIN  //!< it takes turns with the classes that are not strict
    };

    bool HasRound() const override;
    /// @return whether StrictRate limits a class
    bool FollowsStrictRate() const;
    /// @return whether a strict class has a highest rate
    bool LimitsStrict() const;
    /// @return whether there is a token bucket
    bool HasRates() const;
    void SetMaxRates(std::string text);
    std::string GetMaxRates() const;
    void SetMinRates(std::string text);
    std::string GetMinRates() const;
    void SetStrictRate(std::string text);
    std::string GetStrictRate() const;
    void SetPortRate(std::string text);
    std::string GetPortRate() const;
    /// A setting has changed.
    void Renew();
    /// Let the buckets follow the settings and the line. @param moment when, at which line
    void Follow(const EgressMoment& moment);

    ClassRates m_maxRates;       //!< attribute MaxRates
    ClassRates m_minRates;       //!< attribute MinRates
    LineShare m_strictRate;      //!< attribute StrictRate
    LineShare m_portRate;        //!< attribute PortRate
    uint32_t m_burst{0};         //!< attribute Burst
    Exhausted m_exhausted{WAIT}; //!< attribute Exhausted
    uint64_t m_line{0};          //!< rate that the buckets follow; 0: they must be made anew
    uint8_t m_strictBefore{0};   //!< StrictClasses that the buckets follow
    int64_t m_now{0};            //!< of the last Conforming()
    uint8_t m_strictNow{0};      //!< strict classes with tokens, in the last Conforming()
    uint8_t m_minNow{0};         //!< classes below their minimum rate, in the last Conforming()
    TokenBucket m_port;          //!< of the port
    std::array<TokenBucket, TRAFFIC_CLASSES> m_max; //!< by class
    std::array<TokenBucket, TRAFFIC_CLASSES> m_min; //!< by class
};

} // namespace ns3

#endif // LOSSLESS_SHAPED_SCHEDULER_H
