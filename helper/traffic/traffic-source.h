// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRAFFIC_SOURCE_H
#define LOSSLESS_TRAFFIC_SOURCE_H

#include "ns3/fabric-index.h"
#include "ns3/nstime.h"
#include "ns3/run-part.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class TrafficSource;

/**
 * @ingroup lossless
 *
 * One thing that starts and ends: a flow, a probe, an I/O session.
 */
struct TrafficItem
{
    /// How far it came.
    enum State : uint8_t
    {
        NOT_STARTED, //!< its start is still to come
        RUNNING,     //!< it is under way
        COMPLETED,   //!< it has ended with success
        STOPPED,     //!< its time was over
        FAILED       //!< it has ended without success
    };

    uint64_t id{0};           //!< number in its source, in the order of adding
    HostId source{0};         //!< where it starts
    HostId destination{0};    //!< the other end
    uint64_t bytes{0};        //!< payload; 0: none, or no end
    uint8_t trafficClass{0};  //!< class of its data
    Time start;               //!< when it starts
    Time end;                 //!< when it ended; of those that have
    State state{NOT_STARTED}; //!< how far it came
};

/**
 * @ingroup lossless
 *
 * Who is told what starts and ends: the run, and reports.
 */
class TrafficListener
{
  public:
    virtual ~TrafficListener() = default;

    /// Something starts. @param source where @param item what
    virtual void Started([[maybe_unused]] const TrafficSource& source,
                         [[maybe_unused]] const TrafficItem& item)
    {
    }

    /// Something has ended, and its source has counted it. @param source where @param item what
    virtual void Ended([[maybe_unused]] const TrafficSource& source,
                       [[maybe_unused]] const TrafficItem& item)
    {
    }

    /// A source is being destroyed. @param source which; not to be asked any more
    virtual void Gone([[maybe_unused]] const TrafficSource& source)
    {
    }
};

/**
 * @ingroup lossless
 *
 * Traffic of one kind: RDMA flows, sockets, storage, probes. A run asks all kinds the same
 * questions, and no line of it tells one kind from another.
 */
class TrafficSource : public RunPart
{
  public:
    /// What became of the items so far.
    struct Counts
    {
        double expected{0};    //!< items added, and those still expected of random workloads
        uint64_t added{0};     //!< items added; of random workloads those that have arrived
        uint64_t started{0};   //!< items started
        uint64_t completed{0}; //!< items that ended with success
        uint64_t failed{0};    //!< items that ended otherwise
    };

    /// Takes an item that has not completed, and the reason, one line without commas.
    using Unfinished = std::function<void(const TrafficItem& item, const std::string& why)>;

    TrafficSource() = default;
    ~TrafficSource() override;
    TrafficSource(const TrafficSource&) = delete;
    TrafficSource& operator=(const TrafficSource&) = delete;

    /// @return what became of the items so far
    virtual Counts GetCounts() const = 0;

    /// @return whether a run goes on for it; it does not for endless traffic
    virtual bool IsAwaited() const = 0;

    /// @return now while something is under way that is awaited, else the next start of such,
    /// else Time::Max()
    virtual Time GetNextActivity() const = 0;

    /// @return when the first item started, or was to start; now if there is none
    virtual Time GetFirstStart() const = 0;

    /// @return whether it has a timeout to come that may change something: it is not stuck yet
    virtual bool MayActByItself() const
    {
        return false;
    }

    /// @return why nothing more can happen although not all has ended, one line; empty: all has
    /// ended, or something may still happen
    virtual std::string GetStuck() const
    {
        return {};
    }

    /// @param time of the simulation @return items and random workloads that start then or later
    virtual uint64_t CountFrom(Time time) const;

    /// @param tell called for all items that have not completed, in the order of their numbers
    virtual void ForEachUnfinished(const Unfinished& tell) const = 0;

    /// @param listener told from now on; must say RemoveListener() before it is gone,
    /// unless the source is
    void AddListener(TrafficListener& listener);

    /// @param listener told no more
    void RemoveListener(TrafficListener& listener);

  protected:
    /// Tell the listeners. @param item that starts
    void TellStarted(const TrafficItem& item) const;
    /// Tell the listeners. @param item that has ended, and is counted
    void TellEnded(const TrafficItem& item) const;

  private:
    std::vector<TrafficListener*> m_listeners;
};

} // namespace ns3

#endif // LOSSLESS_TRAFFIC_SOURCE_H
