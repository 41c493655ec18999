// SPDX-License-Identifier: GPL-2.0-only

// Random operations on the MMU, step by step against a plain transcription of the rules in
// doc/switch.rst.

#include "mmu-test-util.h"

#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace ns3;

namespace
{

constexpr uint32_t PORTS = 4;
constexpr uint32_t GROUPS = PORTS * TRAFFIC_CLASSES;

/// The rules as pseudo code, slow and obvious: looks at every paused class after every release.
struct Transcription
{
    struct Group
    {
        int64_t g{0}, s{0}, h{0}, guaranteed{0}, headroom{0}, xonOffset{0}, fixed{-1};
        double alpha{1};
        bool lossless{false}, paused{false};
        int own{-1}; //!< pool that it has chosen
    };

    struct Pool
    {
        double share{1}; //!< of the shared space
        ServicePool::Kind kind{ServicePool::ANY};
        double cap{-1}; //!< share that lossy classes may hold; negative: none was set
        int64_t size{0}, used{0}, lossyUsed{0};
    };

    struct Queue
    {
        int64_t used{0}, guaranteed{0};
        double alpha{1};
        bool isOwn{false}; //!< alpha is its own: of lossless frames, too
    };

    struct Port
    {
        int64_t limit{0}, egressLimit{0}; //!< 0: none
    };

    /// @return shared space that the classes of the port of a group hold
    int64_t SharedOfPort(const Group& g) const
    {
        int64_t sum = 0;
        const auto first = (&g - group) / TRAFFIC_CLASSES * TRAFFIC_CLASSES;
        for (auto i = first; i < first + TRAFFIC_CLASSES; ++i)
        {
            sum += group[i].s;
        }
        return sum;
    }

    /// @return frames in the queues of a port
    int64_t QueuedAt(uint32_t port) const
    {
        int64_t sum = 0;
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            sum += queue[port * TRAFFIC_CLASSES + cls].used;
        }
        return sum;
    }

    const Port& PortOf(const Group& g) const
    {
        return port[(&g - group) / TRAFFIC_CLASSES];
    }

    /// @return whether the port of a group has reached its limit
    bool IsPortFull(const Group& g) const
    {
        return PortOf(g).limit > 0 && SharedOfPort(g) >= PortOf(g).limit;
    }

    /// @return whether a paused class may resume
    bool MayResume(const Group& g) const
    {
        const int64_t all = SharedOfPort(g);
        const bool portLets =
            PortOf(g).limit == 0 || all == 0 || all + g.xonOffset <= PortOf(g).limit;
        return g.h == 0 && (g.s == 0 || g.s + g.xonOffset <= Threshold(g)) && portLets;
    }

    int64_t Threshold(const Group& group) const
    {
        return group.fixed >= 0 ? group.fixed
                                : static_cast<int64_t>(std::floor(group.alpha * Free(group)));
    }

    static bool Takes(const Pool& pool, bool lossless)
    {
        return pool.kind == ServicePool::ANY || (pool.kind == ServicePool::LOSSLESS) == lossless;
    }

    /// @return the place of the pool of a group
    std::size_t PlaceOf(const Group& g) const
    {
        const auto found = std::find_if(pools.begin(), pools.end(), [&g](const Pool& one) {
            return Takes(one, g.lossless);
        });
        return g.own >= 0 ? static_cast<std::size_t>(g.own) : found - pools.begin();
    }

    const Pool& PoolOf(const Group& g) const
    {
        return pools[PlaceOf(g)];
    }

    int64_t Free(const Group& g) const
    {
        return std::max<int64_t>(PoolOf(g).size - PoolOf(g).used, 0);
    }

    int64_t LossyLimit(const Group& of) const
    {
        const Pool& pool = PoolOf(of);
        const auto size = static_cast<double>(pool.size);
        if (pool.cap >= 0)
        {
            return static_cast<int64_t>(pool.cap * size);
        }
        const bool protects = std::any_of(std::begin(group), std::end(group), [&](auto& g) {
            return g.lossless && PlaceOf(g) == PlaceOf(of);
        });
        return protects ? static_cast<int64_t>(lossyShare * size) : pool.size;
    }

    /// @return whether a class has reached its threshold
    bool HasReached(const Group& g) const
    {
        return g.lossless && (g.h > 0 || (g.s > 0 && g.s >= Threshold(g)) || IsPortFull(g));
    }

    /// Divide the buffer. @param before the same before the change @return whether it is large
    /// enough
    bool Divide(const Transcription& before)
    {
        int64_t left = buffer - std::max<int64_t>(headroomPool, 0);
        for (const auto& g : group)
        {
            left -= g.guaranteed + (headroomPool > 0 ? 0 : g.headroom);
        }
        if (left < 0)
        {
            return false;
        }
        shared = left;
        headroomUsed = 0;
        for (Pool& pool : pools)
        {
            pool.size = static_cast<int64_t>(pool.share * static_cast<double>(left));
            pool.used = pool.lossyUsed = 0;
        }
        for (auto& g : group)
        {
            if (!Takes(PoolOf(g), g.lossless))
            {
                return false;
            }
            Pool& pool = pools[PlaceOf(g)];
            const int64_t all = g.g + g.s + g.h;
            g.g = std::min(all, g.guaranteed);
            g.h = g.lossless ? std::min({g.h, g.headroom, all - g.g}) : 0;
            g.s = all - g.g - g.h;
            pool.used += g.s;
            pool.lossyUsed += g.lossless ? 0 : g.s;
            headroomUsed += g.h;
        }
        for (uint32_t i = 0; i < GROUPS; ++i)
        {
            Group& g = group[i];
            const bool resumes = !g.lossless || MayResume(g);
            const bool reaches = HasReached(g) && !before.HasReached(before.group[i]);
            g.paused = (g.paused && !resumes) || reaches;
        }
        return true;
    }

    bool Admit(uint32_t in, uint32_t out, int64_t c, DropReason& reason)
    {
        Group& p = group[in];
        Pool& pool = pools[PlaceOf(p)];
        Queue& q = queue[out];
        const int64_t g = std::min(c, p.guaranteed - p.g);
        const int64_t r = c - g;
        bool toHeadroom = false;
        if (r > 0)
        {
            const bool over = p.s + r > Threshold(p) || pool.used + r > pool.size ||
                              (!p.lossless && pool.lossyUsed + r > LossyLimit(p)) ||
                              (PortOf(p).limit > 0 && SharedOfPort(p) + r > PortOf(p).limit);
            toHeadroom = p.lossless && (p.h > 0 || over);
            if (!p.lossless && over)
            {
                reason = DropReason::INGRESS_LIMIT;
                return false;
            }
            if (toHeadroom && p.h + r > p.headroom)
            {
                reason = DropReason::HEADROOM_FULL;
                return false;
            }
            if (toHeadroom && headroomPool > 0 && headroomUsed + r > headroomPool)
            {
                reason = DropReason::POOL_FULL;
                return false;
            }
        }
        const auto limit = static_cast<int64_t>(std::floor(q.alpha * Free(p)));
        const uint32_t outPort = out / TRAFFIC_CLASSES;
        const bool overPort =
            port[outPort].egressLimit > 0 && QueuedAt(outPort) + c > port[outPort].egressLimit;
        if ((!p.lossless || q.isOwn) && q.used + c > q.guaranteed &&
            ((!p.lossless && overPort) || q.used + c - q.guaranteed > limit))
        {
            reason = DropReason::EGRESS_LIMIT;
            return false;
        }
        p.g += g;
        (toHeadroom ? p.h : p.s) += r;
        (toHeadroom ? headroomUsed : pool.used) += r;
        pool.lossyUsed += p.lossless ? 0 : r;
        q.used += c;
        if (p.lossless && (p.h > 0 || (p.s > 0 && p.s >= Threshold(p))))
        {
            p.paused = true;
        }
        const uint32_t first = in / TRAFFIC_CLASSES * TRAFFIC_CLASSES;
        for (uint32_t i = first; IsPortFull(p) && i < first + TRAFFIC_CLASSES; ++i)
        {
            group[i].paused = group[i].lossless;
        }
        return true;
    }

    void Release(uint32_t in, uint32_t out, int64_t c)
    {
        Group& p = group[in];
        Pool& pool = pools[PlaceOf(p)];
        queue[out].used -= c;
        const int64_t x = std::min(p.h, c);
        p.h -= x;
        headroomUsed -= x;
        const int64_t y = std::min(p.s, c - x);
        p.s -= y;
        pool.used -= y;
        pool.lossyUsed -= p.lossless ? 0 : y;
        p.g -= c - x - y;
        for (auto& other : group)
        {
            if (other.paused && MayResume(other) && (y > 0 || &other == &p))
            {
                other.paused = false;
            }
        }
    }

    Group group[GROUPS];
    Queue queue[GROUPS];
    Port port[PORTS];
    std::vector<Pool> pools{Pool()};
    int64_t buffer{0}, shared{0}, headroomUsed{0}, headroomPool{-1};
    double lossyShare{1};
};

/// A frame in the switch.
struct Stored
{
    uint32_t in, out, cells;
};

/// A random configuration in both, driven by random traffic.
class RandomMmu
{
  public:
    /// What a switch may have.
    enum Parts
    {
        PLAIN, //!< one pool, and ports without limits
        POOLS, //!< service pools
        LIMITS //!< ports with limits
    };

    /// @param seed of all that is random @param parts what the switch has
    explicit RandomMmu(uint32_t seed, Parts parts = PLAIN)
        : m_random(seed),
          m_parts(parts),
          // At an offset of 0 a class may be paused at a threshold at which it may resume, and a
          // departure from another pool may, but need not, be what resumes it.
          m_leastOffset(parts == PLAIN ? 0 : 1)
    {
        m_cell = seed % 3 ? 208 : 1;
        const uint64_t buffer = 2000 + Draw(20000);
        m_mmu = MakeMmu(PORTS, buffer * m_cell, m_cell);
        m_mmu->SetPauseSink(&m_sink);
        m_model.buffer = buffer;
        m_model.lossyShare = std::ldexp(1.0, -static_cast<int>(Draw(4)));
        m_mmu->SetAttribute("LossyShare", DoubleValue(m_model.lossyShare));
        if (Draw(3) == 0)
        {
            m_model.headroomPool = 100 + Draw(500);
            m_mmu->SetAttribute("SharedHeadroomPool", UintegerValue(m_model.headroomPool * m_cell));
        }
        for (uint32_t i = 0; i < GROUPS; ++i)
        {
            Configure(i);
        }
        for (uint32_t port = 0; parts == LIMITS && port < PORTS; ++port)
        {
            LimitPort(port)();
        }
        if (parts == POOLS)
        {
            m_mmu->SetAttribute("ServicePools",
                                StringValue("p0 lossless 40%; p1 lossy 25%; p2 any 20% 50%; "
                                            "p3 any 15%"));
            m_model.pools = {{0.4, ServicePool::LOSSLESS, -1},
                             {0.25, ServicePool::LOSSY, -1},
                             {0.2, ServicePool::ANY, 0.5},
                             {0.15, ServicePool::ANY, -1}};
            for (uint32_t i = 0; i < GROUPS; i += 1 + Draw(3))
            {
                ChoosePool(i, 2 + Draw(2))();
            }
        }
        EXPECT_TRUE(m_model.Divide(m_model));
        m_mmu->Finalize();
        m_sink.running = PeekPointer(m_mmu);
    }

    /// @param steps arrivals and departures @param changes the configuration, once in so many
    /// steps; 0: never
    void Run(uint32_t steps, uint32_t changes)
    {
        ASSERT_LE(m_mmu->GetSharedPool(), m_model.shared);
        ASSERT_GE(m_mmu->GetSharedPool() + m_model.pools.size(), m_model.shared);
        // Load goes up and down, so that classes pause and resume many times.
        uint32_t arrivalPercent = 60;
        for (uint32_t step = 0; step < steps; ++step)
        {
            if (step % 500 == 0)
            {
                arrivalPercent = 35 + Draw(35);
            }
            if (changes && Draw(changes) == 0)
            {
                Change();
            }
            else if (m_stored.empty() || Draw(100) < arrivalPercent)
            {
                Arrive();
            }
            else
            {
                Leave(Draw(4) ? 0 : Draw(m_stored.size()));
            }
            ASSERT_EQ(m_mmu->CheckInvariants(), "") << step;
            Compare(step);
            if (testing::Test::HasFailure())
            {
                return;
            }
        }
        while (!m_stored.empty())
        {
            Leave(0);
        }
        EXPECT_TRUE(m_mmu->IsIdle()); // I7
        EXPECT_TRUE(m_sink.paused.empty());
        EXPECT_TRUE(m_sink.consistent);
    }

    /// @return changes that were made, and those that were refused
    std::pair<uint32_t, uint32_t> Changes() const
    {
        return {m_changes, m_refused};
    }

    /// @return pauses begun
    uint32_t Pauses() const
    {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < GROUPS; ++i)
        {
            sum += m_mmu->GetIngress(i / 8, i % 8).xoffCount;
        }
        return sum;
    }

  private:
    uint32_t Draw(uint32_t below)
    {
        return m_random() % below;
    }

    /// @param i a group @param pool which it chooses in the model @return does so in the MMU
    std::function<void()> ChoosePool(uint32_t i, uint32_t pool)
    {
        m_model.group[i].own = static_cast<int>(pool);
        return [mmu = PeekPointer(m_mmu), i, pool] {
            mmu->SetServicePool(i / TRAFFIC_CLASSES,
                                i % TRAFFIC_CLASSES,
                                "p" + std::to_string(pool));
        };
    }

    /// @param port one @return gives it new limits, which are those of the model already
    std::function<void()> LimitPort(uint32_t port)
    {
        Transcription::Port& limits = m_model.port[port];
        limits.limit = Draw(4) ? 1 + Draw(3000) : 0;
        limits.egressLimit = Draw(4) ? 1 + Draw(3000) : 0;
        return [mmu = PeekPointer(m_mmu), port, limits, cell = m_cell] {
            mmu->SetPortLimit(port, limits.limit * cell);
            mmu->SetEgressPortLimit(port, limits.egressLimit * cell);
        };
    }

    /// Change one thing; what the buffer cannot hold must be refused, and change nothing.
    void Change()
    {
        const Transcription before = m_model;
        const uint32_t i = Draw(GROUPS);
        auto& group = m_model.group[i];
        const uint32_t port = i / TRAFFIC_CLASSES;
        const uint32_t cls = i % TRAFFIC_CLASSES;
        SwitchMmu* const mmu = PeekPointer(m_mmu);
        const uint32_t cell = m_cell;
        std::function<void()> change;
        switch (Draw(m_parts == PLAIN ? 7 : 8))
        {
        case 7:
            change = m_parts == POOLS ? ChoosePool(i, Draw(4)) : LimitPort(port);
            break;
        case 0:
            group.lossless = true;
            group.headroom = Draw(3000);
            change = [mmu, port, cls, bytes = group.headroom * cell] {
                mmu->SetLossless(port, cls, bytes);
            };
            break;
        case 1:
            group.lossless = false;
            group.headroom = 0;
            change = [mmu, port, cls] { mmu->SetLossy(port, cls); };
            break;
        case 2:
            group.guaranteed = Draw(200);
            change = [mmu, port, cls, bytes = group.guaranteed * cell] {
                mmu->SetGuaranteed(port, cls, bytes);
            };
            break;
        case 3:
            group.alpha = std::ldexp(1.0, static_cast<int>(Draw(11)) - 7);
            group.fixed = -1;
            change = [mmu, port, cls, alpha = group.alpha] { mmu->SetAlpha(port, cls, alpha); };
            break;
        case 4:
            group.xonOffset = m_leastOffset + Draw(30);
            change = [mmu, port, cls, bytes = group.xonOffset * cell] {
                mmu->SetXonOffset(port, cls, bytes);
            };
            break;
        case 5:
            m_model.buffer = 1 + Draw(22000);
            change = [mmu, bytes = m_model.buffer * cell] {
                mmu->SetAttribute("BufferSize", UintegerValue(bytes));
            };
            break;
        default:
            m_model.headroomPool = Draw(2) ? 0 : Draw(500);
            change = [mmu, bytes = m_model.headroomPool * cell] {
                mmu->SetAttribute("SharedHeadroomPool", UintegerValue(bytes));
            };
        }
        if (m_model.Divide(before))
        {
            change();
            ++m_changes;
            return;
        }
        m_model = before;
        EXPECT_THROW(change(), std::invalid_argument);
        ++m_refused;
    }

    void Configure(uint32_t i)
    {
        auto& group = m_model.group[i];
        const uint32_t port = i / TRAFFIC_CLASSES;
        const uint32_t cls = i % TRAFFIC_CLASSES;
        group.lossless = Draw(2);
        group.headroom = group.lossless ? Draw(60) : 0;
        group.guaranteed = Draw(3) ? 0 : Draw(20);
        group.xonOffset = m_leastOffset + (Draw(2) ? 0 : Draw(30));
        group.alpha = std::ldexp(1.0, static_cast<int>(Draw(11)) - 7);
        m_model.queue[i].isOwn = Draw(2);
        m_model.queue[i].alpha =
            m_model.queue[i].isOwn ? std::ldexp(1.0, static_cast<int>(Draw(8)) - 4) : 1;
        m_model.queue[i].guaranteed = Draw(10);
        if (group.lossless)
        {
            m_mmu->SetLossless(port, cls, group.headroom * m_cell);
        }
        m_mmu->SetGuaranteed(port, cls, group.guaranteed * m_cell);
        m_mmu->SetXonOffset(port, cls, group.xonOffset * m_cell);
        m_mmu->SetAlpha(port, cls, group.alpha);
        if (m_model.queue[i].isOwn)
        {
            m_mmu->SetEgressAlpha(port, cls, m_model.queue[i].alpha);
        }
        m_mmu->SetEgressGuaranteed(port, cls, m_model.queue[i].guaranteed * m_cell);
        if (Draw(4) == 0)
        {
            group.fixed = Draw(400);
            m_mmu->SetStaticThreshold(port, cls, group.fixed * m_cell);
        }
    }

    void Arrive()
    {
        const uint32_t in = Draw(GROUPS);
        const uint32_t out = Draw(PORTS) * TRAFFIC_CLASSES + in % TRAFFIC_CLASSES;
        const uint32_t bytes = m_cell == 1 ? 1 + Draw(45) : 64 + Draw(9153);
        const int64_t cells = (bytes + m_cell - 1) / m_cell;
        DropReason expected = DropReason::COUNT;
        const bool accepted = m_model.Admit(in, out, cells, expected);
        const MmuVerdict verdict = m_mmu->Admit(in / 8, in % 8, out / 8, out % 8, bytes);
        ASSERT_EQ(verdict.accepted, accepted);
        ASSERT_EQ(verdict.reason, expected);
        if (accepted)
        {
            ASSERT_EQ(verdict.cells, cells);
            m_stored.push_back({in, out, verdict.cells});
        }
    }

    void Leave(uint32_t index)
    {
        const Stored frame = m_stored[index];
        m_stored[index] = m_stored.back();
        m_stored.pop_back();
        m_model.Release(frame.in, frame.out, frame.cells);
        m_mmu->Release(frame.in / 8, frame.in % 8, frame.out / 8, frame.out % 8, frame.cells);
    }

    void Compare(uint32_t step) const
    {
        uint32_t cells = 0;
        for (const auto& frame : m_stored)
        {
            cells += frame.cells;
        }
        ASSERT_EQ(m_mmu->GetTotalUsed(), cells); // I1, from outside
        for (uint32_t i = 0; i < GROUPS; ++i)
        {
            const MmuIngress& in = m_mmu->GetIngress(i / 8, i % 8);
            const auto& group = m_model.group[i];
            ASSERT_EQ(in.guaranteedUsed, group.g) << step;
            ASSERT_EQ(in.sharedUsed, group.s) << step;
            ASSERT_EQ(in.headroomUsed, group.h) << step;
            ASSERT_EQ(in.paused, group.paused) << step << " group " << i;
            ASSERT_EQ(m_sink.paused.count({i / 8, i % 8}), group.paused) << step;
            ASSERT_EQ(in.pool, m_model.PlaceOf(group)) << step;
        }
        for (uint32_t i = 0; i < m_model.pools.size(); ++i)
        {
            ASSERT_EQ(m_mmu->GetPool(i).used, m_model.pools[i].used) << step;
            ASSERT_EQ(m_mmu->GetPool(i).lossyUsed, m_model.pools[i].lossyUsed) << step;
        }
        for (uint32_t port = 0; m_parts == LIMITS && port < PORTS; ++port)
        {
            const MmuPortLimits& limits = m_mmu->GetPortLimits(port);
            if (m_model.port[port].limit > 0)
            {
                const auto& first = m_model.group[port * TRAFFIC_CLASSES];
                ASSERT_EQ(limits.shared, m_model.SharedOfPort(first)) << step;
            }
            if (m_model.port[port].egressLimit > 0)
            {
                ASSERT_EQ(limits.queued, m_model.QueuedAt(port)) << step;
            }
        }
    }

    std::mt19937 m_random;
    Parts m_parts;
    int64_t m_leastOffset; //!< XonOffset, cells
    uint32_t m_cell;
    uint32_t m_changes{0};
    uint32_t m_refused{0};
    Ptr<SwitchMmu> m_mmu;
    RecordingSink m_sink;
    Transcription m_model;
    std::vector<Stored> m_stored;
};

} // namespace

class SwitchMmuRandom : public testing::TestWithParam<uint32_t>
{
};

TEST_P(SwitchMmuRandom, AgreesWithTheRulesAtEveryStep)
{
    RandomMmu mmu(GetParam());
    mmu.Run(100000, 0);
    EXPECT_GT(mmu.Pauses(), 20U); // else the run has shown nothing
}

TEST_P(SwitchMmuRandom, AgreesWithTheRulesWhileTheConfigurationChanges)
{
    RandomMmu mmu(GetParam());
    mmu.Run(50000, 20);
    EXPECT_GT(mmu.Pauses(), 20U);
    EXPECT_GT(mmu.Changes().first, 500U);
    EXPECT_GT(mmu.Changes().second, 20U);
}

TEST_P(SwitchMmuRandom, AgreesWithTheRulesOfServicePools)
{
    RandomMmu mmu(GetParam(), RandomMmu::POOLS);
    mmu.Run(50000, 0);
    EXPECT_GT(mmu.Pauses(), 20U);
}

TEST_P(SwitchMmuRandom, AgreesWithTheRulesWhileServicePoolsChange)
{
    RandomMmu mmu(GetParam(), RandomMmu::POOLS);
    mmu.Run(50000, 20);
    EXPECT_GT(mmu.Pauses(), 20U);
    EXPECT_GT(mmu.Changes().first, 500U);
    EXPECT_GT(mmu.Changes().second, 20U);
}

TEST_P(SwitchMmuRandom, AgreesWithTheRulesOfPortLimits)
{
    RandomMmu mmu(GetParam(), RandomMmu::LIMITS);
    mmu.Run(50000, 0);
    EXPECT_GT(mmu.Pauses(), 20U);
}

TEST_P(SwitchMmuRandom, AgreesWithTheRulesWhilePortLimitsChange)
{
    RandomMmu mmu(GetParam(), RandomMmu::LIMITS);
    mmu.Run(50000, 20);
    EXPECT_GT(mmu.Pauses(), 20U);
    EXPECT_GT(mmu.Changes().first, 500U);
    EXPECT_GT(mmu.Changes().second, 20U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SwitchMmuRandom, testing::Range(1U, 13U));
