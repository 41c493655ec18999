// SPDX-License-Identifier: GPL-2.0-only
#include "run-interrupt.h"

#include "ns3/fabric-ranks.h"
#include "ns3/result-file.h"
#include "ns3/simulator.h"

#include <atomic>
#include <cstdint>
#include <ctime>

namespace ns3
{
namespace
{

/// The signal that came. A handler can reach nothing else than this.
volatile std::sig_atomic_t g_signal = 0;

/// When it came, a time of NowNs().
std::atomic<int64_t> g_cameNs;

/// From the first signal on, more of them change nothing for so long.
constexpr int64_t GRACE_NS = 1000000000;

/// @return the time of a clock that nobody sets; a handler may call this
int64_t
NowNs()
{
    struct timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

/// Calls only what a handler may call: Stop() stores a flag in the simulator that runs.
void
OnSignal(int signal)
{
    if (g_signal == 0)
    {
        RunInterrupt::Tell(signal);
        return;
    }
    if (NowNs() - g_cameNs < GRACE_NS)
    {
        return;
    }
    ResultFile::RemoveParts();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// Over ranks a signal to one of them ends the program: mpirun then ends the others. Calls only
/// what a handler may call.
void
OnSignalOverRanks(int signal)
{
    ResultFile::RemoveParts();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

} // namespace

RunInterrupt::RunInterrupt()
{
    g_signal = 0;
    Simulator::Now(); // there is a simulator: a handler must not make one
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    {
        struct sigaction old = {};
        if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_DFL)
        {
            struct sigaction action = {};
            action.sa_handler = FabricRanks::IsOn() ? OnSignalOverRanks : OnSignal;
            sigaction(signal, &action, nullptr);
            m_old.emplace_back(signal, old);
        }
    }
}

RunInterrupt::~RunInterrupt()
{
    Release();
}

int
RunInterrupt::Release()
{
    for (const auto& [signal, old] : m_old)
    {
        sigaction(signal, &old, nullptr);
    }
    m_old.clear();
    return g_signal;
}

const char*
RunInterrupt::NameOf(int signal)
{
    return signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGHUP";
}

void
RunInterrupt::Tell(int signal)
{
    g_cameNs = NowNs();
    g_signal = signal;
    Simulator::Stop();
}

int
RunInterrupt::GetSignal() const
{
    return g_signal;
}

} // namespace ns3
