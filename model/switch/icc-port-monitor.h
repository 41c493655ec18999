// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ICC_PORT_MONITOR_H
#define LOSSLESS_ICC_PORT_MONITOR_H

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Constants of an IccPortMonitor. Times in picoseconds.
struct IccMonitorParameters
{
    double capacity{0};              //!< speed of the link, bit/s
    double busyUtilisation{0.7};     //!< utilisation from which on a link counts as busy, 0..1
    int64_t recheckPs{5000000};      //!< time between the two measurements of queue growth
    int64_t reportPs{15000000};      //!< period of the report timer
    int64_t utilisationPs{15000000}; //!< time window over which utilisation is measured
    int64_t samplePs{1000000};       //!< least time between two samples
};

/// @ingroup lossless
/// State of an egress queue at one time.
struct IccQueueView
{
    int64_t nowPs{0};       //!< time, picoseconds
    uint64_t queueBytes{0}; //!< frame bytes that wait in the queue
    uint64_t sentBytes{0};  //!< wire bytes that the port has sent since the start, all classes
};

/// @ingroup lossless
/// Result of a measurement.
enum class IccVerdict : uint8_t
{
    NOTHING,   //!< nothing to report
    REPORT,    //!< report to the sources; the timer runs on
    CONGESTED, //!< report congestion to the sources; the timer has started again
    TIMER      //!< the timer expired: report to the sources, congested or not
};

/**
 * @ingroup lossless
 *
 * How an ICC switch judges one egress queue (Wang et al., CMC 2023, section 4.2 and figure 7). When
 * a frame arrives at a queue that is not empty, the monitor measures the growth of the queue. If
 * the queue does not shrink, the monitor measures again after recheckPs, so that a short spike does
 * not count:
 *
 *     queue > 0, growth >= 0 both times, link busy        congested
 *     queue > 0, shrinks the second time, link not busy   no report
 *     queue > 0, all other cases                          report
 *
 * In addition a timer reports the state of the queue. The class does not use the simulator: callers
 * pass times, and the owner asks for the deadline.
 *
 * Arriving frames take samples into a ring. Growth and utilisation are measured over a sliding
 * window of samples: a source counts on growth to go on for a round trip, so that it must not be
 * that of a few frames which meet. Only the second of the two measurements of figure 7 is that of
 * recheckPs.
 */
class IccPortMonitor
{
  public:
    /// No deadline.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// @param parameters its constants
    explicit IccPortMonitor(const IccMonitorParameters& parameters);

    /// Change the constants from now on; what has been measured stays, and deadlines count from
    /// where they did: NextDeadline() may be another, and may have passed. A window that grows is
    /// filled by and by.
    /// @param parameters the constants
    void SetParameters(const IccMonitorParameters& parameters);

    /**
     * A frame has arrived and been queued.
     * @param view the queue without the frame
     * @return REPORT, or NOTHING
     */
    IccVerdict Arrived(const IccQueueView& view);

    /// @return when Wake() must be called next, picoseconds, or NEVER
    int64_t NextDeadline() const;

    /**
     * The time NextDeadline() has come, or has passed.
     * @param view the queue
     * @return the verdict
     */
    IccVerdict Wake(const IccQueueView& view);

    /// Measure growth and utilisation, without a verdict.
    /// @param view the queue
    void Measure(const IccQueueView& view);

    /// Stop the timer, as no flow is active; the next arrival starts it again.
    void StopTimer();

    /**
     * The decision about a queue that is not empty (figure 7).
     * @param firstGrowth growth at the first measurement, bit/s
     * @param secondGrowth growth at the second measurement, bit/s
     * @param busy whether the link is busy
     * @return CONGESTED, REPORT or NOTHING
     */
    static IccVerdict Decide(double firstGrowth, double secondGrowth, bool busy);

    /// @return growth of the queue at the last verdict or Measure(), bit/s
    double GetGrowth() const
    {
        return m_growth;
    }

    /// @return utilisation of the link at the last verdict or Measure(), 0..1
    double GetUtilisation() const
    {
        return m_utilisation;
    }

    /// @param view the queue @return its growth now, bit/s
    double MeasureGrowth(const IccQueueView& view) const;

    /// @param view the queue @return utilisation of the link now, 0..1
    double MeasureUtilisation(const IccQueueView& view) const;

  private:
    /// Any time is long after it.
    static constexpr int64_t LONG_AGO = std::numeric_limits<int64_t>::min() / 2;

    /// Take a sample if the last one is old enough.
    void Sample(const IccQueueView& view)
    {
        if (view.nowPs - m_samples[m_last].nowPs >= m_parameters.samplePs)
        {
            const auto size = static_cast<uint32_t>(m_samples.size());
            m_last = m_last + 1 == size ? 0 : m_last + 1;
            m_taken = std::min(m_taken + 1, size);
            m_samples[m_last] = view;
        }
    }

    /// @param ps a time @return index of the latest sample that is not after it; else of the oldest
    uint32_t FindBefore(int64_t ps) const;
    /// Judge a queue by two measurements of its growth. @return the verdict
    IccVerdict Judge(const IccQueueView& view, double firstGrowth, double secondGrowth);

    IccMonitorParameters m_parameters;
    std::vector<IccQueueView> m_samples; //!< ring, in order of time
    uint32_t m_last{0};                  //!< latest of m_samples
    uint32_t m_taken{0};                 //!< the latest so many of m_samples have been taken
    IccQueueView m_first;                //!< queue at the first measurement
    double m_firstGrowth{0};             //!< growth at the first measurement, bit/s
    int64_t m_recheckAt{NEVER};          //!< time of the second measurement, picoseconds
    int64_t m_timerAt{NEVER};            //!< when the report timer expires, picoseconds
    int64_t m_quietSince{LONG_AGO};      //!< when the queue was last measured and shrank
    double m_growth{0};
    double m_utilisation{0};
};

} // namespace ns3

#endif // LOSSLESS_ICC_PORT_MONITOR_H
