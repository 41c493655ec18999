// SPDX-License-Identifier: GPL-2.0-only
#include "timed-rehearsal.h"

#include "link-bound.h"
#include "stepped-part.h"

#include <algorithm>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <vector>

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
        for (auto& [link, uses] : m_uses)
        {
            m_end = std::max(m_end, BoundOf(uses));
        }
        return m_end;
    }

  private:
    /// What happens to a message.
    enum What : uint8_t
    {
        TOLD,     //!< its sender knows that it is wanted
        ARRIVES,  //!< its last byte is there
        RECEIVED, //!< it is added to what is there, if it is
        SENT      //!< its sender knows
    };

    /// Channel, source, destination, label.
    using Way = std::tuple<uint32_t, uint32_t, uint32_t, uint64_t>;

    struct Message
    {
        Way way;
        uint64_t bytes; //!< its length
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

    /// Channel, sender, receiver.
    using Line = std::tuple<uint32_t, uint32_t, uint32_t>;

    /// A message that needs a link.
    struct Use
    {
        int64_t release;    //!< tick before which it is not there
        int64_t occupation; //!< ticks for which it keeps the link
        int64_t rest;       //!< ticks from then to its arrival
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

    /// A message leaves. @param line its @param alone how long it takes @return when it is there
    int64_t Depart(const Line& line, const Alone& alone)
    {
        const LinkLoads::Load& egress = alone.loads.egress;
        const LinkLoads::Load& ingress = alone.loads.ingress;
        int64_t arrival = m_now + alone.delivery;
        if (alone.loads.isInOrder)
        {
            const auto [before, isFirst] = m_arrivals.emplace(line, arrival);
            arrival = isFirst ? arrival : std::max(arrival, before->second + ingress.occupation);
            before->second = arrival;
        }
        m_uses[egress.link * 2].push_back({m_now, egress.occupation, egress.elsewhere});
        m_uses[ingress.link * 2 + 1].push_back({m_now + ingress.elsewhere, ingress.occupation, 0});
        return arrival;
    }

    /// @param uses of a link, which are sorted @return tick before which not all have arrived
    static int64_t BoundOf(std::vector<Use>& uses)
    {
        std::sort(uses.begin(), uses.end(), [](const Use& one, const Use& other) {
            return one.release > other.release;
        });
        int64_t bound = 0;
        int64_t occupation = 0;
        int64_t rest = uses.front().rest;
        for (const Use& use : uses) // and all that come no earlier than it
        {
            occupation += use.occupation;
            rest = std::min(rest, use.rest);
            bound = std::max(bound, use.release + occupation + rest);
        }
        return bound;
    }

    void Send(const Message& message)
    {
        if (!m_world.ready)
        {
            Leave(message);
            return;
        }
        Meeting& meeting = m_meetings[message.way];
        meeting.held.push_back(message);
        Launch(meeting);
    }

    void Leave(const Message& message)
    {
        const auto [channel, source, destination, label] = message.way;
        const Alone alone = m_world.alone(source, destination, channel, message.bytes);
        const int64_t arrival = Depart({channel, source, destination}, alone);
        Post(arrival, ARRIVES, message);
        if (message.tells)
        {
            Post(arrival + alone.completion - alone.delivery, SENT, message);
        }
    }

    /// With a rendezvous: what is held and wanted leaves once the sender has been told.
    void Launch(Meeting& meeting)
    {
        while (!meeting.held.empty() && meeting.ready > 0)
        {
            const Message message = meeting.held.front();
            meeting.held.pop_front();
            --meeting.ready;
            Leave(message);
        }
    }

    void Receive(const Way& way, bool reduces)
    {
        const auto [channel, source, destination, label] = way;
        ++m_parts[channel * m_ranks + destination].receives;
        m_meetings[way].posted.push_back(reduces);
        if (m_world.ready)
        {
            Post(
                Depart({channel, destination, source}, m_world.ready(source, destination, channel)),
                TOLD,
                {way, 0, false});
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
        case ARRIVES:
            m_meetings[message.way].arrived.push_back(message.bytes);
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
    std::map<Line, int64_t> m_arrivals;                    //!< of the last message
    std::unordered_map<uint64_t, std::vector<Use>> m_uses; //!< by link and direction
    uint64_t m_order{0};
    int64_t m_now{0};
    int64_t m_end{0}; //!< of the part that has ended last
};

/**
 * Parts that are chains of steps, without slices, rendezvous and events: a step begins when the
 * message of the step before is there, and all ranks do it in turn. Where the messages of a ring
 * are the same again each so many ranks, such as those of a host, so many ranks stand for all.
 */
class TimedRehearsal::Chains
{
  public:
    Chains(const CollectiveAlgorithm& algorithm,
           const std::vector<CollectiveShape>& shapes,
           const World& world)
        : m_world(world)
    {
        for (const CollectiveShape& shape : shapes)
        {
            m_ranks = shape.ranks;
            for (uint32_t position = 0; position < shape.ranks && m_areChains; ++position)
            {
                CollectiveShape own = shape;
                own.position = position;
                auto part = algorithm.Make(own);
                const auto* const steps = dynamic_cast<const SteppedPart*>(part.get());
                m_areChains =
                    !m_world.ready && steps && steps->IsChain() && steps->GetSlices() == 1;
                m_chains.push_back({std::move(part), steps});
            }
        }
        m_period = m_ranks;
        if (m_areChains)
        {
            UseSymmetry();
        }
    }

    /// @return ticks; nothing: it takes events to know
    std::optional<int64_t> Run()
    {
        uint64_t most = 0; // steps
        for (const Chain& chain : m_chains)
        {
            most = std::max(most, m_areChains ? chain.steps->GetSteps() : 0);
        }
        constexpr uint64_t between = 64; // steps: so that links keep few messages
        for (uint64_t number = 0; number < most; ++number)
        {
            DoStep(number);
            if (number % between == 0 && !Settle(GetFirst()))
            {
                return std::nullopt;
            }
        }
        if (!m_areChains || !Settle(std::numeric_limits<int64_t>::max()))
        {
            return std::nullopt;
        }
        int64_t end = 0;
        for (const Chain& chain : m_chains)
        {
            end = std::max(end, chain.time);
        }
        for (const auto& [link, bound] : m_links)
        {
            end = std::max(end, bound.Get());
        }
        return end;
    }

  private:
    /// A message of some bytes from one rank to another.
    struct Known
    {
        uint64_t bytes;
        Alone alone;
        LinkBound* egress;
        LinkBound* ingress;
    };

    /// What one rank sends to another one on a channel.
    struct Line
    {
        uint32_t to;                 //!< position
        int64_t arrival;             //!< of the last message; -1: none
        std::vector<Known> messages; //!< that it has had: of a few lengths
    };

    /// A rank's part on one channel.
    struct Chain
    {
        std::unique_ptr<CollectivePart> part;
        const SteppedPart* steps;
        int64_t time{0};          //!< when it begins the step
        SteppedPart::Step step{}; //!< that it does
        int64_t arrival{0};       //!< of the message that it receives in the step
        Line* line{nullptr};      //!< by which it has sent last
    };

    /// Find after how many ranks all is the same again, and leave out the others.
    void UseSymmetry()
    {
        std::vector<Alone> all; // by chain
        for (uint32_t index = 0; index < m_chains.size(); ++index)
        {
            const SteppedPart& steps = *m_chains[index].steps;
            const SteppedPart::Step step =
                steps.IsEven() && steps.GetSteps() ? steps.At(0) : SteppedPart::Step();
            if (step.to == SteppedPart::NONE)
            {
                return;
            }
            all.push_back(m_world.alone(index % m_ranks, step.to, index / m_ranks, step.sends));
        }
        uint32_t period = 1;
        while (m_ranks % period != 0 || !IsPeriod(all, period))
        {
            ++period; // up to m_ranks, which is one
        }
        if (!FindAlike(all, period))
        {
            return;
        }
        std::vector<Chain> some;
        for (uint32_t index = 0; index < m_chains.size(); ++index)
        {
            if (index % m_ranks < period)
            {
                some.push_back(std::move(m_chains[index]));
            }
        }
        m_chains = std::move(some);
        m_period = period;
    }

    /// @param index of a chain @param by positions @return the chain so far behind it in its ring
    uint32_t Behind(uint32_t index, uint32_t by) const
    {
        const uint32_t position = index % m_ranks;
        return index - position + (position + by) % m_ranks;
    }

    /// @param all messages, by chain @param period positions
    /// @return whether messages take as long so far behind
    bool IsPeriod(const std::vector<Alone>& all, uint32_t period) const
    {
        const auto timesOf = [](const Alone& one) {
            return std::make_tuple(one.delivery,
                                   one.loads.egress.occupation,
                                   one.loads.egress.elsewhere,
                                   one.loads.ingress.occupation,
                                   one.loads.ingress.elsewhere,
                                   one.loads.isInOrder);
        };
        for (uint32_t index = 0; index < all.size(); ++index)
        {
            if (timesOf(all[index]) != timesOf(all[Behind(index, period)]))
            {
                return false;
            }
        }
        return true;
    }

    /// Find which links have the same uses. @param all messages, by chain
    /// @param period after which times are the same @return false: not all links follow it
    bool FindAlike(const std::vector<Alone>& all, uint32_t period)
    {
        std::unordered_map<uint64_t, uint64_t> next; // links, each by the one a period before
        for (uint32_t index = 0; index < all.size(); ++index)
        {
            const LinkLoads::Loads& here = all[index].loads;
            const LinkLoads::Loads& there = all[Behind(index, period)].loads;
            if (next.emplace(here.egress.link * 2, there.egress.link * 2).first->second !=
                    there.egress.link * 2 ||
                next.emplace(here.ingress.link * 2 + 1, there.ingress.link * 2 + 1).first->second !=
                    there.ingress.link * 2 + 1)
            {
                return false;
            }
        }
        std::unordered_map<uint64_t, uint64_t> alike;
        for (const auto& [link, other] : next)
        {
            if (alike.count(link))
            {
                continue;
            }
            uint32_t count = 0;
            for (uint64_t at = link; alike.emplace(at, link).second; at = next[at])
            {
                ++count;
            }
            if (count != m_ranks / period)
            {
                return false; // a link that comes sooner again has more uses
            }
        }
        m_alike = std::move(alike);
        return true;
    }

    /// @param link and direction @return the link that stands for it
    LinkBound& BoundOf(uint64_t link)
    {
        const auto other = m_alike.find(link);
        return m_links[other == m_alike.end() ? link : other->second];
    }

    void DoStep(uint64_t number)
    {
        for (uint32_t index = 0; index < m_chains.size(); ++index)
        {
            Chain& chain = m_chains[index];
            chain.step =
                number < chain.steps->GetSteps() ? chain.steps->At(number) : SteppedPart::Step();
            if (chain.step.to != SteppedPart::NONE)
            {
                Send(index);
            }
        }
        for (Chain& chain : m_chains)
        {
            if (chain.step.from != SteppedPart::NONE)
            {
                chain.time = std::max(chain.time, chain.arrival);
                chain.time += chain.step.reduces ? ReductionOf(chain.step.receives) : 0;
            }
        }
    }

    void Send(uint32_t index)
    {
        Chain& chain = m_chains[index];
        const uint32_t position = index % m_period;
        const uint32_t to = chain.step.to;
        if (!chain.line || chain.line->to != to)
        {
            chain.line = &m_lines.try_emplace({index, to}, Line{to, -1, {}}).first->second;
        }
        Line& line = *chain.line;
        const Known& message = Find(line, index / m_period, position, chain.step.sends);
        const LinkLoads::Load& egress = message.alone.loads.egress;
        const LinkLoads::Load& ingress = message.alone.loads.ingress;
        int64_t arrival = chain.time + message.alone.delivery;
        if (message.alone.loads.isInOrder)
        {
            if (line.arrival >= 0)
            {
                arrival = std::max(arrival, line.arrival + ingress.occupation);
            }
            line.arrival = arrival;
        }
        message.egress->Add(chain.time, egress.occupation, egress.elsewhere);
        message.ingress->Add(chain.time + ingress.elsewhere, ingress.occupation, 0);
        m_chains[index - position + to % m_period].arrival = arrival;
    }

    const Known& Find(Line& line, uint32_t channel, uint32_t position, uint64_t bytes)
    {
        for (const Known& known : line.messages)
        {
            if (known.bytes == bytes)
            {
                return known;
            }
        }
        const Alone alone = m_world.alone(position, line.to, channel, bytes);
        line.messages.push_back({bytes,
                                 alone,
                                 &BoundOf(alone.loads.egress.link * 2),
                                 &BoundOf(alone.loads.ingress.link * 2 + 1)});
        return line.messages.back();
    }

    int64_t ReductionOf(uint64_t bytes)
    {
        if (m_world.reduction && bytes != m_reduced)
        {
            m_reduced = bytes;
            m_reduction = m_world.reduction(bytes);
        }
        return m_reduction;
    }

    /// @return tick before which no message is posted any more
    int64_t GetFirst() const
    {
        return std::min_element(
                   m_chains.begin(),
                   m_chains.end(),
                   [](const Chain& one, const Chain& other) { return one.time < other.time; })
            ->time;
    }

    bool Settle(int64_t tick)
    {
        return std::all_of(m_links.begin(), m_links.end(), [tick](auto& link) {
            return link.second.Settle(tick);
        });
    }

    const World& m_world;
    uint32_t m_ranks{0};
    uint32_t m_period{0}; //!< positions of a channel that stand for all
    bool m_areChains{true};
    std::vector<Chain> m_chains;                           //!< by channel and position
    std::map<std::pair<uint32_t, uint32_t>, Line> m_lines; //!< by chain, and position of the other
    std::unordered_map<uint64_t, LinkBound> m_links;       //!< by link and direction
    std::unordered_map<uint64_t, uint64_t> m_alike;        //!< likewise: what stands for it
    uint64_t m_reduced{~uint64_t{0}};                      //!< bytes
    int64_t m_reduction{0};                                //!< ticks that they take
};

int64_t
TimedRehearsal::Run(const CollectiveAlgorithm& algorithm,
                    const std::vector<CollectiveShape>& shapes,
                    const World& world)
{
    const std::optional<int64_t> ofChains = Chains(algorithm, shapes, world).Run();
    return ofChains ? *ofChains : Stage(algorithm, shapes, world).Run();
}

} // namespace ns3
