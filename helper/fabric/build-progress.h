// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BUILD_PROGRESS_H
#define LOSSLESS_BUILD_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <unistd.h>

namespace ns3
{

/// @ingroup lossless
/// A line on a terminal while a fabric is built that takes long.
class BuildProgress
{
  public:
    /// @param steps how many there will be
    explicit BuildProgress(uint64_t steps)
        : m_steps(steps)
    {
    }

    ~BuildProgress()
    {
        if (m_isShown)
        {
            std::fprintf(stderr, "\r%-78s\r", "");
        }
    }

    BuildProgress(const BuildProgress&) = delete;
    BuildProgress& operator=(const BuildProgress&) = delete;

    /// One more is done.
    void Step()
    {
        constexpr uint64_t few = 64; // steps between looks at the clock
        if (!m_isTerminal || ++m_done % few)
        {
            return;
        }
        const auto now = Clock::now();
        if (now >= m_next)
        {
            m_next = now + std::chrono::milliseconds(500);
            m_isShown = true;
            std::fprintf(stderr,
                         "\rbuilding the fabric: %llu %%",
                         static_cast<unsigned long long>(100 * m_done / m_steps));
            std::fflush(stderr);
        }
    }

  private:
    using Clock = std::chrono::steady_clock;

    uint64_t m_steps;
    uint64_t m_done{0};
    Clock::time_point m_next{Clock::now() + std::chrono::seconds(1)};
    bool m_isTerminal{isatty(STDERR_FILENO) != 0};
    bool m_isShown{false};
};

} // namespace ns3

#endif // LOSSLESS_BUILD_PROGRESS_H
