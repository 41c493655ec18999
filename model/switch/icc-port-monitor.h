// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ICC_PORT_MONITOR_H
#define LOSSLESS_ICC_PORT_MONITOR_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Constants of an IccPortMonitor. Times in picoseconds.
struct IccMonitorParameters
{
    double capacity{0};              //!< of the link, bit/s
    double busyUtilisation{0.7};     //!< from here on a link counts as busy, 0..1
    int64_t recheckPs{5000000};      //!< between the two looks at the growth of the queue
    int64_t reportPs{15000000};      //!< between two reports of the timer
    int64_t utilisationPs{15000000}; //!< utilisation is that of the last so long
    int64_t samplePs{1000000};       //!< least age of what growth is measured against
};

/// @ingroup lossless
/// What an egress queue looks like at a time.
struct IccQueueView
{
    int64_t nowPs{0};       //!< time, picoseconds
    uint64_t queueBytes{0}; //!< frame bytes that wait in the queue
    uint64_t sentBytes{0};  //!< wire bytes that the port has sent since the start, all classes
};

/// @ingroup lossless
/// What a look at the queue led to.
enum class IccVerdict : uint8_t
{
    NOTHING,   //!< nothing to be told
    REPORT,    //!< tell the sources; the timer runs on
    CONGESTED, //!< tell the sources; the timer has started again
    TIMER      //!< the timer is due: tell the sources, congested or not
};

/**
 * @ingroup lossless
 *
 * How an ICC switch judges one egress queue (Wang et al., CMC 2023, section 4.2 and figure 7). An
 * arriving frame that meets a queue looks at the growth of the queue. If the queue does not shrink,
 * the monitor looks again after a time, so that a spike does not count:
 *
 *     queue > 0, growth >= 0 at both looks, link busy     congested
 *     queue > 0, shrinking at the second, link not busy   nothing
 *     queue > 0, all else                                 told as well
 *
 * In addition a timer tells the state of the queue. Pure logic: callers pass times in, and the
 * owner asks for the deadline.
 *
 * Growth is measured against the latest sample of at least samplePs age, and utilisation over a
 * sliding window, from a ring of samples that arriving frames take.
 */
class IccPortMonitor
{
  public:
    /// No deadline.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// @param parameters its constants
    explicit IccPortMonitor(const IccMonitorParameters& parameters);

    /**
     * A frame has arrived and been queued.
     * @param view the queue as the frame met it: without the frame
     * @return REPORT, or NOTHING
     */
    IccVerdict Arrived(const IccQueueView& view);

    /// @return when Wake() must be called next, picoseconds, or NEVER
    int64_t NextDeadline() const;

    /**
     * It is NextDeadline(), or later.
     * @param view the queue
     * @return what to do
     */
    IccVerdict Wake(const IccQueueView& view);

    /// Stop the timer, as nobody is there to be told; the next arrival starts it.
    void StopTimer();

    /**
     * The decision about a queue that is not empty (figure 7).
     * @param firstGrowth at the first look, bit/s
     * @param secondGrowth at the second look, bit/s
     * @param busy whether the link is
     * @return CONGESTED, REPORT or NOTHING
     */
    static IccVerdict Decide(double firstGrowth, double secondGrowth, bool busy);

    /// @return growth of the queue at the last verdict, bit/s
    double GetGrowth() const
    {
        return m_growth;
    }

    /// @return utilisation of the link at the last verdict, 0..1
    double GetUtilisation() const
    {
        return m_utilisation;
    }

    /// @param view the queue @return its growth now, bit/s
    double MeasureGrowth(const IccQueueView& view) const;

    /// @param view the queue @return utilisation of the link now, 0..1
    double MeasureUtilisation(const IccQueueView& view) const;

  private:
    /// Take a sample if the last one is old enough.
    void Sample(const IccQueueView& view)
    {
        if (view.nowPs - m_samples[m_last].nowPs >= m_parameters.samplePs)
        {
            m_last = m_last + 1 == m_samples.size() ? 0 : m_last + 1;
            m_samples[m_last] = view;
        }
    }

    /// A queue that is not empty has been looked at twice. @return what follows
    IccVerdict Judge(const IccQueueView& view, double firstGrowth, double secondGrowth);

    IccMonitorParameters m_parameters;
    std::vector<IccQueueView> m_samples; //!< ring, in order of time
    uint32_t m_last{0};                  //!< latest of m_samples
    IccQueueView m_first;                //!< first look
    double m_firstGrowth{0};             //!< growth at the first look, bit/s
    int64_t m_recheckAt{NEVER};          //!< second look, picoseconds
    int64_t m_timerAt{NEVER};            //!< timer, picoseconds
    int64_t m_quietUntil{0};             //!< a shrinking queue was looked at: not again before
    double m_growth{0};
    double m_utilisation{0};
};

} // namespace ns3

#endif // LOSSLESS_ICC_PORT_MONITOR_H
