// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rehearsal.h"

#include "stepped-part.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/// All ranks of a collective, and what is under way between them.
class CollectiveRehearsal::Stage
{
  public:
    Stage(CollectiveRehearsal& rehearsal,
          const CollectiveAlgorithm& algorithm,
          const CollectiveShape& shape)
        : m_rehearsal(rehearsal),
          m_name(CollectiveAlgorithm::NameOf(algorithm))
    {
        uint64_t known = 0; // messages, of those parts that know
        for (uint32_t position = 0; position < shape.ranks; ++position)
        {
            CollectiveShape own = shape;
            own.position = position;
            m_parts.push_back(algorithm.Make(own));
            const uint64_t most = m_parts.back()->GetMostMessages();
            known = most > ~known ? ~uint64_t{0} : known + most;
        }
        if (known > MOST_MESSAGES)
        {
            RefuseMessages(std::to_string(known));
        }
    }

    void Run()
    {
        if (m_rehearsal.RehearseChains(m_parts))
        {
            return;
        }
        for (uint32_t position = 0; position < m_parts.size(); ++position)
        {
            Port port(*this, position);
            m_parts[position]->Start(port);
        }
        while (!m_due.empty() || !m_told.empty())
        {
            if (m_due.empty())
            {
                const auto [position, to, label] = m_told.front();
                m_told.pop_front();
                Port port(*this, position);
                m_parts[position]->Sent(port, to, label);
                continue;
            }
            const Way way = m_due.front();
            m_due.pop_front();
            Port port(*this, std::get<1>(way));
            m_parts[std::get<1>(way)]->Received(port, std::get<0>(way), std::get<2>(way));
        }
        RequireNone(m_sent, "a message that nobody receives");
        RequireNone(m_wanted, "a receive that nobody sends to");
    }

  private:
    using Way = std::tuple<uint32_t, uint32_t, uint64_t>; //!< source, destination, label
    using Lengths = std::map<Way, std::list<uint64_t>>;

    /// What a part has in place of a network.
    class Port : public CollectivePort
    {
      public:
        Port(Stage& stage, uint32_t position)
            : m_stage(stage),
              m_position(position)
        {
        }

        void Send(uint32_t to, uint64_t bytes, uint64_t label, bool tells) override
        {
            m_stage.RequirePosition(to, m_position);
            Sent& sent = m_stage.m_rehearsal.m_pairs[{m_position, to}];
            ++sent.messages;
            sent.bytes += bytes;
            sent.longest = std::max(sent.longest, bytes);
            if (++m_stage.m_rehearsal.m_messages > MOST_MESSAGES)
            {
                m_stage.RefuseMessages("more than " + std::to_string(MOST_MESSAGES));
            }
            m_stage.m_rehearsal.m_bytes[m_position] += bytes;
            m_stage.Meet(m_stage.m_wanted, m_stage.m_sent, {m_position, to, label}, bytes);
            if (tells)
            {
                m_stage.m_told.emplace_back(m_position, to, label);
            }
        }

        void Receive(uint32_t from, uint64_t bytes, uint64_t label, bool /* reduces */) override
        {
            m_stage.RequirePosition(from, m_position);
            m_stage.Meet(m_stage.m_sent, m_stage.m_wanted, {from, m_position, label}, bytes);
        }

      private:
        Stage& m_stage;
        uint32_t m_position;
    };

    /// A message meets its receive, or waits for it. @param others where that may wait
    /// @param own where it waits itself @param way what both have @param bytes its length
    void Meet(Lengths& others, Lengths& own, const Way& way, uint64_t bytes)
    {
        const auto other = others.find(way);
        if (other == others.end())
        {
            own[way].push_back(bytes);
            return;
        }
        if (other->second.front() != bytes)
        {
            Fail("a message of other length than its receive, " + std::to_string(bytes) + " and " +
                     std::to_string(other->second.front()) + " B",
                 way);
        }
        other->second.pop_front();
        if (other->second.empty())
        {
            others.erase(other);
        }
        m_due.push_back(way);
    }

    [[noreturn]] void RefuseMessages(const std::string& count) const
    {
        throw FabricError(m_name + ": " + count + " messages of a collective of " +
                              std::to_string(m_parts.size()) + " ranks on one channel",
                          "at most " + std::to_string(MOST_MESSAGES) +
                              ": longer chunks, fewer slices, or fewer ranks");
    }

    void RequirePosition(uint32_t other, uint32_t own) const
    {
        if (other >= m_parts.size() || other == own)
        {
            throw FabricError(m_name + ": rank " + std::to_string(own) + " of " +
                                  std::to_string(m_parts.size()) + " exchanges with rank " +
                                  std::to_string(other),
                              "another rank of the group");
        }
    }

    void RequireNone(const Lengths& left, const char* what) const
    {
        if (!left.empty())
        {
            Fail(what, left.begin()->first);
        }
    }

    [[noreturn]] void Fail(const std::string& what, const Way& way) const
    {
        throw FabricError(m_name + ": " + what + ", from rank " + std::to_string(std::get<0>(way)) +
                              " to rank " + std::to_string(std::get<1>(way)) + " of " +
                              std::to_string(m_parts.size()) + ", label " +
                              std::to_string(std::get<2>(way)),
                          "each message needs a receive of the same label and length");
    }

    CollectiveRehearsal& m_rehearsal;
    std::string m_name;
    std::vector<std::unique_ptr<CollectivePart>> m_parts; //!< by position
    Lengths m_sent;                                       //!< messages without a receive
    Lengths m_wanted;                                     //!< receives without a message
    std::deque<Way> m_due;                                //!< messages that are there
    std::deque<Way> m_told; //!< messages of which their sender is told
};

CollectiveRehearsal::CollectiveRehearsal(const CollectiveAlgorithm& algorithm,
                                         const CollectiveShape& shape)
    : m_bytes(shape.ranks, 0)
{
    if (!algorithm.Does(shape.type))
    {
        throw FabricError("the algorithm " + CollectiveAlgorithm::NameOf(algorithm) + " does no " +
                              ToString(shape.type),
                          CollectiveAlgorithm::DescribeThoseOf(shape.type));
    }
    if (shape.ranks > 1)
    {
        Stage(*this, algorithm, shape).Run();
    }
}

bool
CollectiveRehearsal::RehearseChains(const std::vector<std::unique_ptr<CollectivePart>>& parts)
{
    const auto ranks = static_cast<uint32_t>(parts.size());
    std::vector<const SteppedPart*> chains;
    for (const auto& part : parts)
    {
        const auto* const chain = dynamic_cast<const SteppedPart*>(part.get());
        chains.push_back(chain);
        if (!chain || !chain->IsChain() || chain->GetSteps() != chains.front()->GetSteps() ||
            chain->GetSlices() != chains.front()->GetSlices())
        {
            return false;
        }
    }
    const uint64_t slices = chains.front()->GetSlices();
    std::map<std::pair<uint32_t, uint32_t>, Sent> pairs;
    std::vector<std::pair<uint32_t, Sent*>> last(ranks, {SteppedPart::NONE, nullptr});
    std::vector<uint64_t> bytes(ranks, 0);
    std::vector<SteppedPart::Step> steps(ranks);
    uint64_t messages = 0;
    // Steps that are all the same need one look.
    const bool isEven = std::all_of(chains.begin(), chains.end(), [](const SteppedPart* chain) {
        return chain->IsEven();
    });
    const uint64_t alike = isEven ? chains.front()->GetSteps() : 1;
    for (uint64_t number = 0; number < chains.front()->GetSteps(); number += alike)
    {
        int64_t missing = 0; // receives
        for (uint32_t position = 0; position < ranks; ++position)
        {
            steps[position] = chains[position]->At(number);
            missing += steps[position].from == SteppedPart::NONE ? 0 : 1;
        }
        for (uint32_t position = 0; position < ranks; ++position)
        {
            const SteppedPart::Step& step = steps[position];
            if (step.to == SteppedPart::NONE)
            {
                continue;
            }
            if (step.to >= ranks || step.to == position || steps[step.to].from != position ||
                steps[step.to].receives != step.sends)
            {
                return false;
            }
            auto& [to, sent] = last[position];
            if (to != step.to)
            {
                to = step.to;
                sent = &pairs[{position, to}];
            }
            // All slices of an empty message are sent, else those that are not empty.
            const uint64_t count = alike * (step.sends ? std::min(slices, step.sends) : slices);
            sent->messages += count;
            sent->bytes += alike * step.sends;
            sent->longest = std::max(sent->longest, ShareOf(step.sends, 0, slices));
            bytes[position] += alike * step.sends;
            messages += count;
            --missing;
        }
        if (missing != 0)
        {
            return false;
        }
    }
    m_pairs = std::move(pairs);
    m_bytes = std::move(bytes);
    m_messages = messages;
    return true;
}

} // namespace ns3
