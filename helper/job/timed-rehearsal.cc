// SPDX-License-Identifier: GPL-2.0-only
#include "timed-rehearsal.h"

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace ns3
{

/// All parts of a collective, and what happens next.
class TimedRehearsal::Stage
{
  public:
    Stage(const CollectiveAlgorithm& algorithm,
          const std::vector<CollectiveShape>& shapes,
          const World& world)
        : m_world(world)
    {
        for (const CollectiveShape& shape : shapes)
        {
            for (uint32_t position = 0; position < shape.ranks; ++position)
            {
                CollectiveShape own = shape;
                own.position = position;
                m_parts.push_back({algorithm.Make(own), 0, false});
            }
            m_ranks = shape.ranks;
        }
    }

    int64_t Run()
    {
        for (uint32_t part = 0; part < m_parts.size(); ++part)
        {
            Port port(*this, part);
            m_parts[part].part->Start(port);
            Look(part);
        }
        while (!m_events.empty())
        {
            const Event event = m_events.top();
            m_events.pop();
            m_now = event.time;
            Handle(event);
        }
        return m_end;
    }

  private:
    /// What happens to a message.
    enum What : uint8_t
    {
        TOLD,     //!< its sender knows that it is wanted
        LEAVES,   //!< its sender may send it
        FREE,     //!< the link by which it has left may take the next one
        COMES,    //!< its begin is at the link of the receiver
        ARRIVES,  //!< its last byte is there
        RECEIVED, //!< it is added to what is there, if it is
        SENT      //!< its sender knows
    };

    /// Channel, source, destination, label.
    using Way = std::tuple<uint32_t, uint32_t, uint32_t, uint64_t>;

    struct Message
    {
        Way way;
        uint64_t bytes; //!< its length; where a link is FREE, the number of that
        bool tells;
    };

    struct Event
    {
        int64_t time;
        uint64_t order; //!< of making, for those of one time
        What what;
        Message message;

        bool operator<(const Event& other) const
        {
            return std::tie(other.time, other.order) < std::tie(time, order);
        }
    };

    /// A rank's part on one channel.
    struct Part
    {
        std::unique_ptr<CollectivePart> part;
        uint64_t receives; //!< that are not there
        bool hasEnded;     //!< its rank goes on, and hears of no ACK any more
    };

    /// What of one Way waits for the other. Lists, since an empty deque takes 500 bytes, and an
    /// all-to-all has a meeting for each pair of ranks.
    struct Meeting
    {
        std::list<uint64_t> arrived; //!< messages without a receive, by length
        std::list<bool> posted;      //!< receives without a message, whether they reduce
        std::list<Message> held;     //!< messages that may not leave
        uint64_t ready{0};           //!< receives that were told to the sender
    };

    /// Channel, sender, receiver: a queue pair.
    using Line = std::tuple<uint32_t, uint32_t, uint32_t>;

    /// What waits for a link of a sender. Queue pairs take turns there, with a message each.
    struct Egress
    {
        std::map<Line, std::list<std::pair<What, Message>>> waiting; //!< by queue pair
        std::list<Line> turns;                                       //!< who comes next
        bool isBusy{false};                                          //!< a message is leaving
    };

    /// What a part has in place of a network.
    class Port : public CollectivePort
    {
      public:
        Port(Stage& stage, uint32_t part)
            : m_stage(stage),
              m_channel(part / stage.m_ranks),
              m_position(part % stage.m_ranks)
        {
        }

        void Send(uint32_t to, uint64_t bytes, uint64_t label, bool tells) override
        {
            m_stage.Send({{m_channel, m_position, to, label}, bytes, tells});
        }

        void Receive(uint32_t from, uint64_t /*bytes*/, uint64_t label, bool reduces) override
        {
            m_stage.Receive({m_channel, from, m_position, label}, reduces);
        }

      private:
        Stage& m_stage;
        uint32_t m_channel;
        uint32_t m_position;
    };

    void Post(int64_t time, What what, const Message& message)
    {
        m_events.push({time, m_order++, what, message});
    }

    /// @param what of a message: TOLD goes the other way @param message it @return its times
    Alone AloneOf(What what, const Message& message) const
    {
        const auto [channel, source, destination, label] = message.way;
        return what == TOLD ? m_world.alone(destination, source, channel, message.bytes)
                            : AloneOf(message);
    }

    Alone AloneOf(const Message& message) const
    {
        return m_world.alone(std::get<1>(message.way),
                             std::get<2>(message.way),
                             std::get<0>(message.way),
                             message.bytes);
    }

    void Send(const Message& message)
    {
        if (m_world.readyBytes == 0)
        {
            Post(m_now, LEAVES, message);
            return;
        }
        Meeting& meeting = m_meetings[message.way];
        meeting.held.push_back(message);
        Launch(meeting);
    }

    /// With a rendezvous: what is held and wanted leaves once the sender has been told.
    void Launch(Meeting& meeting)
    {
        while (!meeting.held.empty() && meeting.ready > 0)
        {
            const Message message = meeting.held.front();
            meeting.held.pop_front();
            --meeting.ready;
            Post(m_now, LEAVES, message);
        }
    }

    void Receive(const Way& way, bool reduces)
    {
        const uint32_t channel = std::get<0>(way);
        const uint32_t destination = std::get<2>(way);
        ++m_parts[channel * m_ranks + destination].receives;
        m_meetings[way].posted.push_back(reduces);
        if (m_world.readyBytes > 0)
        {
            Queue(TOLD, {way, m_world.readyBytes, false});
        }
        Meet(way);
    }

    void Meet(const Way& way)
    {
        Meeting& meeting = m_meetings[way];
        while (!meeting.arrived.empty() && !meeting.posted.empty())
        {
            const uint64_t bytes = meeting.arrived.front();
            const bool reduces = meeting.posted.front();
            meeting.arrived.pop_front();
            meeting.posted.pop_front();
            const int64_t takes = reduces && m_world.reduction ? m_world.reduction(bytes) : 0;
            Post(m_now + takes, RECEIVED, {way, bytes, false});
        }
        if (meeting.arrived.empty() && meeting.posted.empty() && meeting.held.empty() &&
            meeting.ready == 0)
        {
            m_meetings.erase(way);
        }
    }

    void Handle(const Event& event)
    {
        const Message& message = event.message;
        const auto [channel, source, destination, label] = message.way;
        switch (event.what)
        {
        case TOLD:
            ++m_meetings[message.way].ready;
            Launch(m_meetings[message.way]);
            break;
        case LEAVES:
            Queue(COMES, message);
            break;
        case FREE:
            m_egress[message.bytes].isBusy = false;
            Leave(message.bytes);
            break;
        case COMES: {
            const Alone alone = AloneOf(message);
            int64_t& free = m_ingress[alone.ingress];
            free = std::max(free, m_now) + alone.occupation;
            Post(free, ARRIVES, message);
            break;
        }
        case ARRIVES:
            m_meetings[message.way].arrived.push_back(message.bytes);
            if (message.tells)
            {
                const Alone alone = AloneOf(message);
                Post(m_now + alone.completion - alone.delivery, SENT, message);
            }
            Meet(message.way);
            break;
        case RECEIVED: {
            const uint32_t part = channel * m_ranks + destination;
            Port port(*this, part);
            --m_parts[part].receives;
            m_parts[part].part->Received(port, source, label);
            Look(part);
            break;
        }
        case SENT: {
            const uint32_t part = channel * m_ranks + source;
            if (!m_parts[part].hasEnded)
            {
                Port port(*this, part);
                m_parts[part].part->Sent(port, destination, label);
                Look(part);
            }
            break;
        }
        }
    }

    /// A message may leave. @param what happens behind the link @param message it
    void Queue(What what, const Message& message)
    {
        const auto [channel, source, destination, label] = message.way;
        const Line line =
            what == TOLD ? Line{channel, destination, source} : Line{channel, source, destination};
        const uint64_t link = AloneOf(what, message).egress;
        Egress& egress = m_egress[link];
        auto& messages = egress.waiting[line];
        if (messages.empty())
        {
            egress.turns.push_back(line);
        }
        messages.emplace_back(what, message);
        Leave(link);
    }

    /// Send what has its turn. @param link of a sender
    void Leave(uint64_t link)
    {
        Egress& egress = m_egress[link];
        if (egress.isBusy || egress.turns.empty())
        {
            return;
        }
        const Line line = egress.turns.front();
        egress.turns.pop_front();
        const auto entry = egress.waiting.find(line);
        const auto [what, message] = entry->second.front();
        entry->second.pop_front();
        if (entry->second.empty())
        {
            egress.waiting.erase(entry);
        }
        else
        {
            egress.turns.push_back(line);
        }
        egress.isBusy = true;
        const Alone alone = AloneOf(what, message);
        Post(m_now + alone.delivery - (what == TOLD ? 0 : alone.occupation), what, message);
        Post(m_now + alone.occupation, FREE, {message.way, link, false});
    }

    /// A part has done something. @param part which
    void Look(uint32_t part)
    {
        if (m_parts[part].receives == 0 && !m_parts[part].part->WaitsToSend())
        {
            m_parts[part].hasEnded = true;
            m_end = std::max(m_end, m_now);
        }
    }

    const World& m_world;
    uint32_t m_ranks{0};
    std::vector<Part> m_parts; //!< by channel and position
    std::priority_queue<Event> m_events;
    std::map<Way, Meeting> m_meetings;
    std::unordered_map<uint64_t, Egress> m_egress;   //!< by link
    std::unordered_map<uint64_t, int64_t> m_ingress; //!< by link: when it is free
    uint64_t m_order{0};
    int64_t m_now{0};
    int64_t m_end{0}; //!< of the part that has ended last
};

int64_t
TimedRehearsal::Run(const CollectiveAlgorithm& algorithm,
                    const std::vector<CollectiveShape>& shapes,
                    const World& world)
{
    return Stage(algorithm, shapes, world).Run();
}

} // namespace ns3
