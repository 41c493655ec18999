// SPDX-License-Identifier: GPL-2.0-only

// MttCache: against a list that is searched and shifted.

#include "ns3/mtt-cache.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/// The same, slow and plain: newest first.
class NaiveCache
{
  public:
    explicit NaiveCache(uint32_t entries)
        : m_entries(entries)
    {
    }

    bool Touch(uint32_t page)
    {
        const auto known = std::find(m_pages.begin(), m_pages.end(), page);
        const bool hit = known != m_pages.end();
        if (hit)
        {
            m_pages.erase(known);
        }
        m_pages.insert(m_pages.begin(), page);
        m_pages.resize(std::min<std::size_t>(m_pages.size(), m_entries));
        return hit;
    }

    std::size_t Used() const
    {
        return m_pages.size();
    }

  private:
    uint32_t m_entries;
    std::vector<uint32_t> m_pages;
};

TEST(MttCache, AgreesWithAList)
{
    std::mt19937_64 random(3);
    for (const uint32_t entries : {1, 2, 3, 7, 64, 200})
    {
        for (const uint32_t pages : {1, 2, 3, 8, 65, 300})
        {
            MttCache cache;
            cache.Reset(entries, pages);
            NaiveCache naive(entries);
            for (uint32_t i = 0; i < 3000; ++i)
            {
                // Mostly a few pages, so that hits and misses mix.
                const auto drawn = static_cast<uint32_t>(random() % pages);
                const uint32_t page = random() % 3 ? drawn % (pages / 4 + 1) : drawn;
                ASSERT_EQ(cache.Touch(page), naive.Touch(page)) << entries << " of " << pages;
                ASSERT_EQ(cache.GetUsed(), naive.Used());
            }
        }
    }
}

TEST(MttCache, LeastRecentlyUsedGoes)
{
    MttCache cache;
    cache.Reset(2, 4);
    EXPECT_FALSE(cache.Touch(0));
    EXPECT_FALSE(cache.Touch(1));
    EXPECT_TRUE(cache.Touch(0)); // 1 is the oldest now
    EXPECT_FALSE(cache.Touch(2));
    EXPECT_TRUE(cache.Touch(0));
    EXPECT_FALSE(cache.Touch(1));
    EXPECT_FALSE(cache.Touch(2));
}

TEST(MttCache, MissRatioOfUniformPages)
{
    std::mt19937_64 random(5);
    MttCache cache;
    cache.Reset(2048, 4096);
    uint32_t misses = 0;
    constexpr uint32_t TOUCHES = 200000;
    for (uint32_t i = 0; i < 20000 + TOUCHES; ++i)
    {
        const bool hit = cache.Touch(static_cast<uint32_t>(random() % 4096));
        misses += i >= 20000 && !hit;
    }
    EXPECT_NEAR(static_cast<double>(misses) / TOUCHES, 0.5, 0.005);
}

} // namespace
