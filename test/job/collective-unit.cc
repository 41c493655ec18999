// SPDX-License-Identifier: GPL-2.0-only
//
// Collectives without a network: who sends how much to whom, and that each message has its receive.

#include "refusal-of.h"

#include "ns3/collective-rehearsal.h"
#include "ns3/collective.h"
#include "ns3/double-tree-collective.h"
#include "ns3/fabric-error.h"
#include "ns3/stepped-part.h"
#include "ns3/string.h"
#include "ns3/timed-rehearsal.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

/// @param type of a collective @param ranks how many @param bytes of it @return its shape
CollectiveShape
ShapeOf(CollectiveType type, uint32_t ranks, uint64_t bytes)
{
    CollectiveShape shape;
    shape.type = type;
    shape.ranks = ranks;
    shape.bytes = bytes;
    return shape;
}

/// @param name of an algorithm @param shape of a collective @return it, rehearsed
CollectiveRehearsal
Rehearse(const std::string& name, const CollectiveShape& shape)
{
    return CollectiveRehearsal(*CollectiveAlgorithm::Create(name), shape);
}

/// @param rehearsal of a collective @param ranks how many @return bytes that all of them send
uint64_t
TotalOf(const CollectiveRehearsal& rehearsal, uint32_t ranks)
{
    uint64_t sum = 0;
    for (uint32_t position = 0; position < ranks; ++position)
    {
        sum += rehearsal.GetBytes(position);
    }
    return sum;
}

/// Notes what one rank sends and waits for, and brings it what it waits for, in order.
class NotingPort : public CollectivePort
{
  public:
    explicit NotingPort(std::ostream& log)
        : m_log(log)
    {
    }

    /// @param part runs to its end
    void Run(CollectivePart& part)
    {
        part.Start(*this);
        while (!m_wanted.empty())
        {
            const auto [from, label] = m_wanted.front();
            m_wanted.pop_front();
            m_log << "got ";
            part.Received(*this, from, label);
        }
        m_log << '\n';
    }

    void Send(uint32_t to, uint64_t bytes, uint64_t /*label*/, bool /*tells*/) override
    {
        m_log << bytes << "->" << to << ' ';
    }

    void Receive(uint32_t from, uint64_t bytes, uint64_t label, bool /*reduces*/) override
    {
        m_log << bytes << "<-" << from << ' ';
        m_wanted.emplace_back(from, label);
    }

  private:
    std::ostream& m_log;
    std::deque<std::pair<uint32_t, uint64_t>> m_wanted;
};

/// @param algorithm any @return what a rank of 8 on two hosts does in an all-reduce
std::string
NotesOf(const CollectiveAlgorithm& algorithm)
{
    CollectiveShape shape = ShapeOf(CollectiveType::ALL_REDUCE, 8, 100000);
    shape.position = 3;
    shape.hosts =
        std::make_shared<std::vector<uint32_t>>(std::vector<uint32_t>{0, 0, 0, 0, 1, 1, 1, 1});
    std::ostringstream log;
    NotingPort(log).Run(*algorithm.Make(shape));
    return log.str();
}

bool
IsPowerOfTwo(uint32_t number)
{
    return (number & (number - 1)) == 0;
}

/// @param tree which @param ranks how many @return "parent;children ..." of each
std::string
TreeText(uint32_t tree, uint32_t ranks)
{
    std::string text;
    for (uint32_t position = 0; position < ranks; ++position)
    {
        const auto place = DoubleTreeCollective::PlaceOf(ranks, position, tree);
        text += std::to_string(position) + ":(" +
                (place.parent == DoubleTreeCollective::NONE ? "-1" : std::to_string(place.parent)) +
                ";";
        for (const uint32_t child : place.children)
        {
            text += (child == place.children.front() ? "" : ",") + std::to_string(child);
        }
        text += position + 1 < ranks ? ") " : ")";
    }
    return text;
}

} // namespace

TEST(Collective, EachMessageOfEachAlgorithmHasItsReceive)
{
    uint32_t done = 0;
    for (const std::string& name : CollectiveAlgorithm::GetNames())
    {
        const auto algorithm = CollectiveAlgorithm::Create(name);
        for (uint32_t number = 0; number < COLLECTIVE_TYPES; ++number)
        {
            const auto type = static_cast<CollectiveType>(number);
            for (uint32_t ranks = 2; algorithm->Does(type) && ranks <= 33; ++ranks)
            {
                const bool needsPower =
                    name == "halving-doubling" && type != CollectiveType::ALL_REDUCE;
                if (needsPower && !IsPowerOfTwo(ranks))
                {
                    continue;
                }
                for (const uint64_t bytes : {0UL, 1UL, ranks - 1UL, 1000003UL, 1UL << 20})
                {
                    CollectiveShape shape = ShapeOf(type, ranks, bytes);
                    shape.root = ranks / 3;
                    const CollectiveRehearsal rehearsal(*algorithm, shape);
                    EXPECT_TRUE(bytes > 0 || type == CollectiveType::BARRIER ||
                                rehearsal.GetMessages() == 0)
                        << name << " " << ToString(type) << " of " << ranks;
                    ++done;
                }
            }
        }
    }
    EXPECT_GT(done, 2500U);
}

TEST(Collective, RanksSendWhatTheTableSays)
{
    const uint64_t bytes = 1 << 20;
    for (const uint32_t ranks : {2U, 4U, 8U, 16U, 64U})
    {
        const uint64_t share = bytes / ranks * (ranks - 1);
        for (const char* name : {"ring", "halving-doubling", "direct"})
        {
            const auto reduced = Rehearse(name, ShapeOf(CollectiveType::ALL_REDUCE, ranks, bytes));
            const auto scattered =
                Rehearse(name, ShapeOf(CollectiveType::REDUCE_SCATTER, ranks, bytes));
            for (uint32_t position = 0; position < ranks; ++position)
            {
                EXPECT_EQ(reduced.GetBytes(position), 2 * share) << name << " of " << ranks;
                EXPECT_EQ(scattered.GetBytes(position), share) << name << " of " << ranks;
            }
        }
        for (const char* name : {"pairwise", "direct"})
        {
            const auto all = Rehearse(name, ShapeOf(CollectiveType::ALL_TO_ALL, ranks, bytes));
            EXPECT_EQ(all.GetBytes(1), share) << name << " of " << ranks;
            EXPECT_EQ(all.GetMessages(), uint64_t{ranks} * (ranks - 1)) << name;
        }
        const uint64_t rounds = std::llround(std::log2(ranks));
        const auto bruck = Rehearse("bruck", ShapeOf(CollectiveType::ALL_TO_ALL, ranks, bytes));
        EXPECT_EQ(bruck.GetMessages(), rounds * ranks);
        EXPECT_EQ(bruck.GetBytes(0), bytes / 2 * rounds) << ranks;
        const auto doubling =
            Rehearse("recursive-doubling", ShapeOf(CollectiveType::ALL_REDUCE, ranks, bytes));
        EXPECT_EQ(doubling.GetBytes(0), bytes * rounds);
        const auto tree =
            Rehearse("double-tree", ShapeOf(CollectiveType::ALL_REDUCE, ranks, bytes));
        EXPECT_EQ(TotalOf(tree, ranks), 2 * bytes * (ranks - 1)) << ranks;
        const auto cast = Rehearse("binomial", ShapeOf(CollectiveType::BROADCAST, ranks, bytes));
        EXPECT_EQ(cast.GetMessages(), ranks - 1);
        EXPECT_EQ(TotalOf(cast, ranks), bytes * (ranks - 1));
        const auto gather = Rehearse("binomial", ShapeOf(CollectiveType::GATHER, ranks, bytes));
        EXPECT_EQ(gather.GetBytes(0), 0U);
        const auto barrier = Rehearse("dissemination", ShapeOf(CollectiveType::BARRIER, ranks, 0));
        EXPECT_EQ(barrier.GetMessages(), rounds * ranks);
        EXPECT_EQ(TotalOf(barrier, ranks), 0U);
    }
}

TEST(Collective, AFoldedAllReduceGivesItsDataAway)
{
    const auto six = Rehearse("halving-doubling", ShapeOf(CollectiveType::ALL_REDUCE, 6, 1 << 20));
    EXPECT_EQ(six.GetBytes(0), 1U << 20);                        // sits out
    EXPECT_EQ(six.GetBytes(1), (1U << 20) + 2 * 3 * (1U << 18)); // and gives the result back
    EXPECT_EQ(six.GetBytes(5), 2 * 3 * (1U << 18));
    const auto text = [] {
        try
        {
            Rehearse("halving-doubling", ShapeOf(CollectiveType::REDUCE_SCATTER, 6, 1 << 20));
        }
        catch (const FabricError& error)
        {
            return std::string(error.what());
        }
        return std::string();
    }();
    EXPECT_EQ(text, "reduce-scatter by halving and doubling of 6 ranks; a power of two");
}

TEST(Collective, DoubleTreesAreThoseOfTheSheet)
{
    EXPECT_EQ(TreeText(0, 2), "0:(-1;1) 1:(0;)");
    EXPECT_EQ(TreeText(1, 2), "0:(1;) 1:(-1;0)");
    EXPECT_EQ(TreeText(0, 5), "0:(-1;4) 1:(2;) 2:(4;1,3) 3:(2;) 4:(0;2)");
    EXPECT_EQ(TreeText(1, 5), "0:(1;3) 1:(-1;0) 2:(3;) 3:(0;2,4) 4:(3;)");
    EXPECT_EQ(TreeText(0, 8), "0:(-1;4) 1:(2;) 2:(4;1,3) 3:(2;) 4:(0;2,6) 5:(6;) 6:(4;5,7) 7:(6;)");
    EXPECT_EQ(TreeText(1, 8), "0:(1;) 1:(3;2,0) 2:(1;) 3:(7;5,1) 4:(5;) 5:(3;6,4) 6:(5;) 7:(-1;3)");
    EXPECT_EQ(TreeText(0, 14),
              "0:(-1;8) 1:(2;) 2:(4;1,3) 3:(2;) 4:(8;2,6) 5:(6;) 6:(4;5,7) 7:(6;) 8:(0;4,12) "
              "9:(10;) 10:(12;9,11) 11:(10;) 12:(8;10,13) 13:(12;)");
}

TEST(Collective, RoundsOfChunksSendTheSame)
{
    const auto algorithm = CollectiveAlgorithm::Create("ring");
    algorithm->SetAttribute("ChunkBytes", UintegerValue(4096));
    algorithm->SetAttribute("Slices", UintegerValue(2));
    // Four rounds of 3 chunks of 4096, then one of 3 x 176 B: 50000 - 49152 = 848, of 16 B each.
    const CollectiveRehearsal rehearsal(*algorithm,
                                        ShapeOf(CollectiveType::REDUCE_SCATTER, 3, 50000));
    EXPECT_EQ(TotalOf(rehearsal, 3), 2 * 50000U);
    EXPECT_EQ(rehearsal.GetMessages(), 5U * 2 * 2 * 3);
}

TEST(Collective, AHierarchicalAllReduceSendsLittleToOtherHosts)
{
    CollectiveShape shape = ShapeOf(CollectiveType::ALL_REDUCE, 8, 1 << 20);
    shape.hosts =
        std::make_shared<std::vector<uint32_t>>(std::vector<uint32_t>{5, 5, 5, 5, 9, 9, 9, 9});
    const auto rehearsal = Rehearse("hierarchical", shape);
    // 2 (G - 1) / G S within the host, and 2 (N - 1) / (N G) S to the other one.
    EXPECT_EQ(rehearsal.GetBytes(3), 2 * 3 * (1U << 18) + (1U << 18));
    for (const auto& [pair, sent] : rehearsal.GetPairs())
    {
        const auto& [from, to] = pair;
        EXPECT_TRUE(from / 4 == to / 4 || from % 4 == to % 4) << from << " to " << to;
    }
    shape.hosts =
        std::make_shared<std::vector<uint32_t>>(std::vector<uint32_t>{5, 5, 5, 9, 9, 9, 9, 9});
    EXPECT_THROW(Rehearse("hierarchical", shape), FabricError);
}

TEST(Collective, TheNamesOfBothTiersAreLookedAt)
{
    for (const bool isOneHost : {false, true}) // a tier of it has nothing to do
    {
        CollectiveShape shape = ShapeOf(CollectiveType::ALL_REDUCE, 4, 1 << 20);
        const std::vector<uint32_t> hosts =
            isOneHost ? std::vector<uint32_t>{5, 5, 5, 5} : std::vector<uint32_t>{5, 6, 7, 8};
        shape.hosts = std::make_shared<std::vector<uint32_t>>(hosts);
        for (const char* const tier : {"Inner", "Outer"})
        {
            const auto algorithm = CollectiveAlgorithm::Create("hierarchical");
            EXPECT_NO_THROW(algorithm->Make(shape));
            algorithm->SetAttribute(tier, StringValue("foo"));
            EXPECT_THROW(algorithm->Make(shape), FabricError)
                << tier << ", one host: " << isOneHost;
        }
    }
}

namespace
{

/// An algorithm whose last rank forgets a receive.
class ForgetfulCollective : public CollectiveAlgorithm
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::ForgetfulCollective")
                                .SetParent<CollectiveAlgorithm>()
                                .AddConstructor<ForgetfulCollective>();
        return tid;
    }

    bool Does(CollectiveType type) const override
    {
        return type == CollectiveType::BROADCAST;
    }

    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override
    {
        return std::make_unique<Part>(shape);
    }

  private:
    class Part : public SteppedPart
    {
      public:
        explicit Part(const CollectiveShape& shape)
            : SteppedPart(shape.ranks - 1),
              m_shape(shape)
        {
        }

      private:
        Step At(uint64_t step) const override
        {
            const auto other = static_cast<uint32_t>(step) + 1;
            if (m_shape.position == 0)
            {
                return Exchange(other, m_shape.bytes, 0, 0, false);
            }
            const bool receives = m_shape.position == other && other + 1 < m_shape.ranks;
            return receives ? Exchange(0, 0, 0, m_shape.bytes, false) : Step();
        }

        CollectiveShape m_shape;
    };
};

NS_OBJECT_ENSURE_REGISTERED(ForgetfulCollective);

} // namespace

TEST(Collective, EachAttributeHasAnEffect)
{
    const std::map<std::string, std::pair<std::string, std::string>> values{
        {"RingCollective::Slices", {"ring", "2"}},
        {"RingCollective::ChunkBytes", {"ring", "4096"}},
        {"HalvingDoublingCollective::NearestFirst", {"halving-doubling", "false"}},
        {"DoubleTreeCollective::Chunks", {"double-tree", "4"}},
        {"DirectCollective::Window", {"direct", "2"}},
        {"HierarchicalCollective::Inner", {"hierarchical", "direct"}},
        {"HierarchicalCollective::Outer", {"hierarchical", "recursive-doubling"}},
    };
    std::size_t attributes = 0;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t k = 0; type.GetGroupName() == "LosslessJobs" && k < type.GetAttributeN();
             ++k)
        {
            const std::string name = type.GetAttribute(k).name;
            const auto found = values.find(type.GetName().substr(5) + "::" + name);
            ASSERT_NE(found, values.end()) << type << "::" << name;
            const auto& [algorithm, value] = found->second;
            const auto changed = CollectiveAlgorithm::Create(algorithm);
            const std::string before = NotesOf(*changed);
            changed->SetAttribute(name, StringValue(value));
            EXPECT_NE(NotesOf(*changed), before) << type << "::" << name;
            ++attributes;
        }
    }
    EXPECT_EQ(attributes, values.size());
}

TEST(Collective, AMessageThatNobodyReceivesIsNamed)
{
    EXPECT_EQ(RefusalOf<FabricError>([&] {
                  Rehearse("ns3::tests::ForgetfulCollective",
                           ShapeOf(CollectiveType::BROADCAST, 4, 100));
              }),
              "ns3::tests::ForgetfulCollective: a message that nobody receives, from rank 0 "
              "to rank 3 of 4, label 2; each message needs a receive of the same label and "
              "length");
    EXPECT_THROW(CollectiveAlgorithm::Create("rings"), FabricError);
}

namespace
{

/// An algorithm of which nobody can see that its parts are chains of steps.
class HiddenCollective : public CollectiveAlgorithm
{
  public:
    explicit HiddenCollective(Ptr<CollectiveAlgorithm> algorithm)
        : m_algorithm(algorithm)
    {
    }

    bool Does(CollectiveType type) const override
    {
        return m_algorithm->Does(type);
    }

    std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const override
    {
        return std::make_unique<Part>(m_algorithm->Make(shape));
    }

  private:
    class Part : public CollectivePart
    {
      public:
        explicit Part(std::unique_ptr<CollectivePart> part)
            : m_part(std::move(part))
        {
        }

        void Start(CollectivePort& port) override
        {
            m_part->Start(port);
        }

        void Received(CollectivePort& port, uint32_t from, uint64_t label) override
        {
            m_part->Received(port, from, label);
        }

      private:
        std::unique_ptr<CollectivePart> m_part;
    };

    Ptr<CollectiveAlgorithm> m_algorithm;
};

/// @param seed of links and times @return a world in which ranks share links; each fourth is the
/// same again after two ranks
TimedRehearsal::World
DrawWorld(uint64_t seed)
{
    TimedRehearsal::World world;
    world.alone = [seed](uint32_t source, uint32_t destination, uint32_t channel, uint64_t bytes) {
        const bool isSame = seed % 4 == 0;
        std::mt19937_64 draw(seed + channel +
                             (isSame ? source % 2 : source * 1000 + destination * 10));
        const auto upTo = [&draw](uint64_t most) { return static_cast<int64_t>(draw() % most); };
        const auto length = static_cast<int64_t>(bytes);
        TimedRehearsal::Alone alone;
        const int64_t rest = upTo(1000) + length % 7;
        alone.loads.egress = {source / (1 + seed % 3), 1 + length / (1 + upTo(3)), rest};
        alone.loads.ingress = {destination / (1 + seed % 2), 1 + length / 2, upTo(500)};
        alone.loads.isInOrder = upTo(4) > 0;
        alone.delivery = alone.loads.egress.occupation + rest + upTo(2000);
        alone.completion = alone.delivery + 100;
        return alone;
    };
    if (seed % 2)
    {
        world.reduction = [](uint64_t bytes) { return static_cast<int64_t>(bytes / 3); };
    }
    return world;
}

} // namespace

TEST(Collective, ChainsAreRehearsedAsAllOthersAre)
{
    uint64_t seed = 0;
    for (const char* name : {"ring", "halving-doubling", "recursive-doubling", "pairwise", "bruck"})
    {
        const auto algorithm = CollectiveAlgorithm::Create(name);
        const auto hidden = CreateObject<HiddenCollective>(algorithm);
        for (const CollectiveType type : {CollectiveType::ALL_REDUCE,
                                          CollectiveType::ALL_GATHER,
                                          CollectiveType::REDUCE_SCATTER,
                                          CollectiveType::ALL_TO_ALL})
        {
            for (uint32_t ranks = 2; ranks < 10 && algorithm->Does(type); ++ranks)
            {
                const bool needsPower =
                    std::string(name) == "halving-doubling" && type != CollectiveType::ALL_REDUCE;
                for (const uint64_t bytes : {0, 3, 4096, 100003})
                {
                    if (needsPower && (ranks & (ranks - 1)) != 0)
                    {
                        continue;
                    }
                    const CollectiveShape shape = ShapeOf(type, ranks, bytes);
                    const CollectiveRehearsal one(*algorithm, shape);
                    const CollectiveRehearsal other(*hidden, shape);
                    EXPECT_EQ(one.GetMessages(), other.GetMessages());
                    ASSERT_EQ(one.GetPairs().size(), other.GetPairs().size());
                    for (const auto& [pair, sent] : one.GetPairs())
                    {
                        const CollectiveRehearsal::Sent& same = other.GetPairs().at(pair);
                        EXPECT_EQ(sent.messages, same.messages);
                        EXPECT_EQ(sent.bytes, same.bytes);
                        EXPECT_EQ(sent.longest, same.longest);
                        EXPECT_EQ(one.GetBytes(pair.first), other.GetBytes(pair.first));
                    }
                    const TimedRehearsal::World world = DrawWorld(++seed);
                    const std::vector<CollectiveShape> shapes(1 + seed % 3, shape);
                    EXPECT_EQ(TimedRehearsal::Run(*algorithm, shapes, world),
                              TimedRehearsal::Run(*hidden, shapes, world))
                        << name << " of " << ranks << " ranks, " << bytes << " B";
                }
            }
        }
    }
    EXPECT_GT(seed, 100U);
}
