// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_PROBES_H
#define LOSSLESS_MRC_PROBES_H

#include "mrc-plane-evs.h"
#include "mrc-requester.h"
#include "mrc-terms.h"

#include "ns3/mrc-header.h"
#include "ns3/rdma-end.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Which probes a queue pair of MRC sends, and when (sheet 16, section 3.6): one for each entropy
 * value (EV) that is ASSUMED_BAD, once in an interval, which has failed without an answer until the
 * next one; and one in each silence, when the connection waits for answers and has heard nothing
 * for the time of ProbeAfter. That one is a question: it takes the way of the packet that has
 * waited longest, which is the way least recently known to be good.
 *
 * The class does not use the simulator: callers pass times in ticks.
 */
class MrcProbes
{
  public:
    /// @param evs of the queue pair, plane by plane; must outlive this object
    /// @param counters of the queue pair, likewise
    MrcProbes(std::vector<MrcPlaneEvs>& evs, MrcCounters& counters)
        : m_evs(evs),
          m_counters(counters)
    {
    }

    /// @param interval ticks between two probes of an EV @param patience ticks without an answer
    /// after which a question goes
    void SetTimes(int64_t interval, int64_t patience)
    {
        m_interval = interval;
        m_patience = patience;
    }

    /// States of EVs may have changed. @param now tick
    void Update(int64_t now);

    /// An answer of the peer has come. @param now tick
    void Heard(int64_t now)
    {
        m_heardAt = now;
        m_hasAsked = false;
    }

    /// @param since when the packet that waits longest has left, ticks; RDMA_NEVER: none waits
    /// @return when the next probe is due, ticks, or RDMA_NEVER
    int64_t NextAt(int64_t since) const;

    /// Send the probes of EVs that are due. @param now tick @param send called with plane, value of
    /// the EV and number of the probe; returns whether the probe could be sent
    template <typename Send>
    void SendDue(int64_t now, Send&& send)
    {
        for (Probe& probe : m_probes)
        {
            if (probe.nextAt > now)
            {
                continue;
            }
            if (probe.number)
            {
                m_evs[probe.plane].Probed(probe.ev, false, false);
            }
            probe.nextAt = now + m_interval;
            const uint16_t number = TakeNumber();
            const bool isSent = send(probe.plane, m_evs[probe.plane].GetValue(probe.ev), number);
            probe.number = isSent ? number : 0;
            m_counters.probesSent += isSent;
        }
    }

    /// Ask a question if it is due. @param now tick @param waiting what it asks about; nothing:
    /// none waits @param send as that of SendDue()
    template <typename Send>
    void Ask(int64_t now, const std::optional<MrcRequester::Waiting>& waiting, Send&& send)
    {
        if (waiting && QuestionAt(waiting->since) <= now)
        {
            m_hasAsked = true;
            m_question = waiting;
            m_asked = TakeNumber();
            const uint32_t value = m_evs[waiting->plane].GetValue(waiting->ev);
            m_counters.probesSent += send(waiting->plane, value, m_asked);
        }
    }

    /// @param answer a SACK @return the question that it answers; none: it answers none
    std::optional<MrcRequester::Waiting> TakeQuestion(const MrcHeader& answer);

    /// An answer to a probe has come. @param answer the SACK
    void Answered(const MrcHeader& answer);

  private:
    /// An EV that is probed.
    struct Probe
    {
        uint8_t plane;
        uint16_t ev;
        uint16_t number; //!< of the probe that is under way; 0: none
        int64_t nextAt;  //!< when it has failed and the next one goes, ticks
    };

    /// @return a number for a probe, which no probe under way has
    uint16_t TakeNumber()
    {
        m_number = m_number == 0xffff ? 1 : m_number + 1;
        return m_number;
    }

    /// @param since as of NextAt() @return when a question is due, ticks, or RDMA_NEVER
    int64_t QuestionAt(int64_t since) const
    {
        return m_hasAsked || since == RDMA_NEVER ? RDMA_NEVER
                                                 : std::max(m_heardAt, since) + m_patience;
    }

    std::vector<MrcPlaneEvs>& m_evs;
    MrcCounters& m_counters;
    std::vector<Probe> m_probes;
    int64_t m_interval{0};
    int64_t m_patience{0};
    int64_t m_heardAt{0};
    bool m_hasAsked{false};                          //!< in this silence
    uint16_t m_number{0};                            //!< of the last probe
    uint16_t m_asked{0};                             //!< of the last question
    std::optional<MrcRequester::Waiting> m_question; //!< that; none: it is answered
};

} // namespace ns3

#endif // LOSSLESS_MRC_PROBES_H
