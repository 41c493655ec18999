// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_INTERRUPT_H
#define LOSSLESS_RUN_INTERRUPT_H

#include <csignal>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * While a RunInterrupt exists, SIGINT, SIGTERM and SIGHUP stop the simulation after the event that
 * is under way, so that what a run has found so far is not lost. For one second from then on more
 * signals change nothing: a shell, and what stops a job, may send the same again at once. A later
 * one removes the files that are being written, and ends the program as the first would have done
 * without this class. A signal that is ignored, as under nohup, or that someone else handles, stays
 * as it is.
 */
class RunInterrupt
{
  public:
    RunInterrupt();
    ~RunInterrupt();
    RunInterrupt(const RunInterrupt&) = delete;
    RunInterrupt& operator=(const RunInterrupt&) = delete;

    /// @return number of the signal that came; 0: none
    int GetSignal() const;

    /// Let signals do what they did before. @return as GetSignal(); no signal gets lost between
    int Release();

    /// @param signal SIGINT, SIGTERM or SIGHUP @return its name
    static const char* NameOf(int signal);

    /// Stop as by a signal; a handler may call this. @param signal its number
    static void Tell(int signal);

  private:
    std::vector<std::pair<int, struct sigaction>> m_old; //!< signals, and what they did before
};

} // namespace ns3

#endif // LOSSLESS_RUN_INTERRUPT_H
