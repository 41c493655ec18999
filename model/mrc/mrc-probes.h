// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_PROBES_H
#define LOSSLESS_MRC_PROBES_H

#include "mrc-plane-evs.h"
#include "mrc-terms.h"

#include "ns3/mrc-header.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Which entropy values (EVs) of a queue pair of MRC are probed, and when: each that is ASSUMED_BAD,
 * once in an interval (sheet 16, section 3.6). A probe without an answer until the next one has
 * failed. The class does not use the simulator: callers pass times in ticks.
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

    /// @param ticks between two probes of an EV
    void SetInterval(int64_t ticks)
    {
        m_interval = ticks;
    }

    /// @return a number for a probe, which no probe under way has
    uint16_t TakeNumber()
    {
        m_number = m_number == 0xffff ? 1 : m_number + 1;
        return m_number;
    }

    /// States of EVs may have changed. @param now tick
    void Update(int64_t now);

    /// @return when the next probe is due, ticks, or RDMA_NEVER
    int64_t NextAt() const;

    /// Send the probes that are due. @param now tick @param send called with plane, EV and number
    /// of the probe; returns whether the probe could be sent
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
            const bool isSent = send(probe.plane, probe.ev, number);
            probe.number = isSent ? number : 0;
            m_counters.probesSent += isSent;
        }
    }

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

    std::vector<MrcPlaneEvs>& m_evs;
    MrcCounters& m_counters;
    std::vector<Probe> m_probes;
    int64_t m_interval{0};
    uint16_t m_number{0}; //!< of the last probe
};

} // namespace ns3

#endif // LOSSLESS_MRC_PROBES_H
