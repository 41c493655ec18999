// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-path.h"

#include "unit-factors.h"

#include <algorithm>

namespace ns3
{

HpccLink::HpccLink(double bitsPerSecond, double baseRttNs)
{
    if (bitsPerSecond > 0)
    {
        m_perTxByte = BITS * NS_PER_SECOND / bitsPerSecond;
        m_perQueueByte = m_perTxByte / baseRttNs;
    }
}

HpccPath::HpccPath(const IntFormat& format, double baseRttNs)
    : m_txUnit(static_cast<double>(format.GetTxUnit())),
      m_queueUnit(static_cast<double>(format.GetQueueUnit())),
      m_perBaseRtt(1 / baseRttNs)
{
    // Half of a wrap, so that a record that is older than the one before is seen too.
    constexpr double HALF = 0.5;
    constexpr double TIME_WRAP_NS = 1U << IntRecord::TIME_BITS;
    constexpr double TX_WRAP = 1U << IntRecord::TX_BITS;
    for (uint32_t code = 0; code < IntFormat::SPEEDS; ++code)
    {
        const double speed = format.GetSpeed(code);
        m_links[code] = HpccLink(speed, baseRttNs);
        const double txWrapNs =
            speed > 0 ? TX_WRAP * m_txUnit * BITS * NS_PER_SECOND / speed : TIME_WRAP_NS;
        m_longestNs[code] = static_cast<uint32_t>(HALF * std::min(TIME_WRAP_NS, txWrapNs));
    }
}

bool
HpccPath::Restart(const IntTelemetry& telemetry)
{
    m_count = telemetry.hops;
    m_pathId = telemetry.pathId;
    for (uint32_t i = 0; i < m_count; ++i)
    {
        m_last[i] = IntRecord::Unpack(telemetry.records[i]);
    }
    return false;
}

bool
HpccPath::Compare(const IntTelemetry& telemetry, int64_t nowPs, bool onlyQueues)
{
    const bool stale = nowPs - m_lastPs > STALE_PS;
    m_lastPs = nowPs;
    if (stale || telemetry.hops != m_count || telemetry.pathId != m_pathId)
    {
        return Restart(telemetry);
    }
    for (uint32_t i = 0; i < m_count; ++i)
    {
        const IntRecord now = IntRecord::Unpack(telemetry.records[i]);
        IntRecord& last = m_last[i];
        Hop& hop = m_hops[i];
        hop = {};
        if (onlyQueues && now.queueUnits == 0)
        {
            continue;
        }
        const uint32_t elapsedNs = now.NsSince(last);
        if (elapsedNs > m_longestNs[now.speedCode])
        {
            return Restart(telemetry);
        }
        if (elapsedNs > 0) // else two packets in the same nanosecond
        {
            hop.utilisation = m_links[now.speedCode].Utilisation(
                std::min(now.queueUnits, last.queueUnits) * m_queueUnit,
                now.TxUnitsSince(last) * m_txUnit,
                elapsedNs);
            hop.share = std::min(elapsedNs * m_perBaseRtt, 1.0);
        }
        last = now;
    }
    return true;
}

HpccPath::Hop
HpccPath::GetBusiest() const
{
    Hop busiest;
    for (uint32_t i = 0; i < m_count; ++i)
    {
        const Hop& hop = m_hops[i];
        if (hop.share > 0 && (busiest.share == 0 || hop.utilisation > busiest.utilisation))
        {
            busiest = hop;
        }
    }
    return busiest;
}

} // namespace ns3
