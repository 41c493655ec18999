// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CRITICAL_PATH_H
#define LOSSLESS_CRITICAL_PATH_H

#include "job-trace.h"
#include "rank-message.h"

#include "ns3/job-graph.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What a CriticalPath asks about messages. Times are ticks.
 */
class MessageTimes
{
  public:
    /// A message where nothing else is under way.
    struct Ideal
    {
        int64_t delivery{0};    //!< from posting to arrival
        int64_t completion{0};  //!< from posting until its sender knows
        int64_t propagation{0}; //!< delays of links and switches, which are in both
    };

    /// What stopped a message, ticks that do not overlap.
    struct Stops
    {
        int64_t paused{0};     //!< a port on its way was paused
        int64_t recovering{0}; //!< none was, and its queue pair recovered from loss
    };

    virtual ~MessageTimes() = default;

    /// @param message a message @return how long it takes alone
    virtual Ideal GetIdeal(const RankMessage& message) const = 0;

    /// @param message a message @param begin tick @param end tick
    /// @return what stopped it between these
    virtual Stops GetStops(const RankMessage& message, int64_t begin, int64_t end) const = 0;

    /// @param bytes that have arrived @return ticks that it takes to reduce them
    virtual int64_t GetReduction([[maybe_unused]] uint64_t bytes) const
    {
        return 0;
    }

    /// @param message a message @return ticks in which its receiver tells its sender that it is
    /// wanted, which the sender waits for; -1: it does not
    virtual int64_t GetReady([[maybe_unused]] const RankMessage& message) const
    {
        return -1;
    }
};

/**
 * @ingroup lossless
 *
 * What an iteration took its time for: walks back from the operation that ended it to its begin,
 * each time to what it waited for last, from rank to rank. The parts add up to the time of the
 * iteration.
 *
 * Of a message the delays of links are propagation, and the rest of what it takes alone is
 * serialisation. What it took more is pause as far as a port on its way was paused, recovery as far
 * as its queue pair recovered from loss, else queueing: behind frames of others, and behind what
 * its own rank sent before.
 */
class CriticalPath
{
  public:
    /// What the time went to.
    enum Part : uint8_t
    {
        CALC,          //!< a rank computed, or reduced
        SERIALISATION, //!< frames were put on lines
        PROPAGATION,   //!< delays of links
        QUEUEING,      //!< frames waited
        PAUSE,         //!< a port on the way was paused by PFC
        RECOVERY,      //!< packets were lost: what was sent for nothing, and the wait for a timeout
        WAITING,       //!< for ACKs of what was sent, or for what traces do not tell
        BEFORE,        //!< the rank was still in the iteration before
        PARTS          //!< how many there are
    };

    /// By Part, ticks.
    using Parts = std::array<int64_t, PARTS>;

    static constexpr uint32_t NONE = 0xffffffff; //!< no operation, or no message

    /// A piece of the path.
    struct Segment
    {
        int64_t begin{0};         //!< tick
        int64_t end{0};           //!< tick
        uint32_t rank{0};         //!< that acts; of a message: its receiver
        uint32_t source{0};       //!< rank that sends; the same for what is no message
        uint32_t operation{NONE}; //!< of the rank, where that is known
        Parts parts{};            //!< that add up to end - begin
    };

    /// @param graph what ranks do @param traces by rank: what they did in the iteration
    /// @param times of messages @param start of the iteration, tick @param end of it, tick
    CriticalPath(const JobGraph& graph,
                 const std::vector<std::shared_ptr<const RankTrace>>& traces,
                 const MessageTimes& times,
                 int64_t start,
                 int64_t end);

    /// @return what the time went to
    const Parts& GetParts() const
    {
        return m_parts;
    }

    /// @return the path, from the begin of the iteration on
    const std::vector<Segment>& GetSegments() const
    {
        return m_segments;
    }

    /// @return the rank that kept the path longest by itself, by computing, waiting, or being late;
    /// where none did, the one that ended last
    uint32_t GetStraggler() const
    {
        return m_straggler;
    }

    /// @return ticks for which the straggler kept the path
    int64_t GetStragglerTime() const
    {
        return m_stragglerTime;
    }

    /// @return the rank that ended last
    uint32_t GetLastRank() const
    {
        return m_lastRank;
    }

    /// @return index of the operation of the last rank that ended last; NONE: there is none
    uint32_t GetLastOperation() const
    {
        return m_lastOperation;
    }

    /// @return index of the message in the trace of the last rank that ended that operation; NONE:
    /// it ended by itself
    uint32_t GetLastMessage() const
    {
        return m_lastMessage;
    }

    /// @param part a part @return its name in tables and reports
    static const char* NameOf(std::size_t part);

  private:
    /// A time of a rank, and what has made it.
    struct Point
    {
        uint32_t rank;
        uint32_t cause; //!< of RankTrace
        int64_t time;   //!< tick
        bool isStart;   //!< an operation as cause means its start, else its end if that is then
    };

    /// @return whether a point is on the traces: something of its cause comes no later than it
    bool IsKnown(const Point& point) const;
    /// Find what ended last. @return it as a point
    Point FindLast();
    /// @param point whose cause is an operation @return the point before
    Point PassOperation(const Point& point);
    /// @param point whose cause is a message @return the point before
    Point PassMessage(const Point& point);
    /// @param point whose cause is the begin of the iteration of its rank
    void PassBegin(const Point& point);
    /// Add a piece. @param rank whose @param begin tick @param end tick @param part what it is
    /// @param operation likewise
    void Add(uint32_t rank, int64_t begin, int64_t end, Part part, uint32_t operation = NONE);
    /// Add a message. @param message it @param begin tick @param end tick
    /// @param ideal ticks that it takes alone @param propagation of these, delays
    /// @param rest what it takes more is this, besides what stopped it
    void AddMessage(const RankMessage& message,
                    int64_t begin,
                    int64_t end,
                    int64_t ideal,
                    int64_t propagation,
                    Part rest);
    /// Sum up.
    void Conclude();

    const JobGraph& m_graph;
    const std::vector<std::shared_ptr<const RankTrace>>& m_traces;
    const MessageTimes& m_times;
    int64_t m_start;
    int64_t m_end;
    Parts m_parts{};
    std::vector<Segment> m_segments;
    uint32_t m_straggler{0};
    int64_t m_stragglerTime{0};
    uint32_t m_lastRank{0};
    uint32_t m_lastOperation{NONE};
    uint32_t m_lastMessage{NONE};
};

} // namespace ns3

#endif // LOSSLESS_CRITICAL_PATH_H
