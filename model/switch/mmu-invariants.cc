// SPDX-License-Identifier: GPL-2.0-only
#include "mmu-invariants.h"

namespace ns3
{

MmuInvariants::MmuInvariants(const SwitchMmu& mmu)
    : m_mmu(mmu)
{
}

std::string
MmuInvariants::Where(uint32_t index)
{
    return " at port " + std::to_string(index / TRAFFIC_CLASSES) + " class " +
           std::to_string(index % TRAFFIC_CLASSES);
}

std::string
MmuInvariants::FindViolated() const
{
    if (const std::string wrong = FindInClasses(); !wrong.empty())
    {
        return wrong;
    }
    if (const std::string wrong = FindInPorts(); !wrong.empty())
    {
        return wrong;
    }
    const Sums sums = Sum();
    if (sums.stored != sums.queued)
    {
        return "I1: ingress books " + std::to_string(sums.stored) + ", egress books " +
               std::to_string(sums.queued) + " cells";
    }
    if (const std::string wrong = FindInPools(sums); !wrong.empty())
    {
        return wrong;
    }
    if (sums.headroom != m_mmu.m_headroomUsed || m_mmu.m_headroomUsed > m_mmu.m_headroomMost ||
        sums.paused != m_mmu.m_pausedCount)
    {
        return "I2: headroom or the number of paused classes is miscounted";
    }
    // Without a shared pool of headroom, its size is the sum of all headrooms.
    const uint64_t parts = sums.reserved + m_mmu.m_headroomPool + m_mmu.GetSharedPool();
    if (m_mmu.m_final && !m_mmu.m_sharesHeadroom && parts > m_mmu.m_bufferCells)
    {
        return "I5: the parts are larger than the buffer";
    }
    return "";
}

MmuInvariants::Sums
MmuInvariants::Sum() const
{
    Sums sums;
    for (uint32_t index = 0; index < m_mmu.m_ingress.size(); ++index)
    {
        const MmuIngress& in = m_mmu.m_ingress[index];
        sums.stored += in.Used();
        sums.queued += m_mmu.m_egress[index].used;
        sums.headroom += in.headroomUsed;
        sums.reserved += in.guaranteed;
        sums.paused += in.paused;
        sums.shared[in.pool] += in.sharedUsed;
        sums.lossy[in.pool] += in.lossless ? 0 : in.sharedUsed;
    }
    return sums;
}

std::string
MmuInvariants::FindInClasses() const
{
    for (uint32_t index = 0; index < m_mmu.m_ingress.size(); ++index)
    {
        const MmuIngress& in = m_mmu.m_ingress[index];
        if (in.guaranteedUsed > in.guaranteed || in.headroomUsed > in.headroom)
        {
            return "I2: guaranteed space or headroom is over its limit" + Where(index);
        }
        if (in.lossless && in.headroomUsed > 0 && !in.paused)
        {
            return "I3/I4: headroom in use without a pause" + Where(index);
        }
        const bool inMask =
            m_mmu.m_pausedMask[index / TRAFFIC_CLASSES] & (1U << (index % TRAFFIC_CLASSES));
        if (in.paused != inMask)
        {
            return "the mask of paused classes is wrong" + Where(index);
        }
    }
    return "";
}

std::string
MmuInvariants::FindInPorts() const
{
    for (uint32_t port = 0; port < m_mmu.m_ports.size(); ++port)
    {
        uint64_t held = 0;
        uint64_t waiting = 0;
        for (uint32_t index = port * TRAFFIC_CLASSES; index < (port + 1) * TRAFFIC_CLASSES; ++index)
        {
            const MmuIngress& in = m_mmu.m_ingress[index];
            const MmuEgress& out = m_mmu.m_egress[index];
            held += in.limited ? in.sharedUsed : 0;
            waiting += out.limited ? out.used : 0;
        }
        if (held != m_mmu.m_ports[port].shared || waiting != m_mmu.m_ports[port].queued)
        {
            return "I2: port " + std::to_string(port) + " counts wrongly against its limits";
        }
    }
    return "";
}

std::string
MmuInvariants::FindInPools(const Sums& sums) const
{
    for (std::size_t i = 0; i < m_mmu.m_pools.size(); ++i)
    {
        const MmuPool& pool = m_mmu.m_pools[i];
        if (sums.shared[i] != pool.used || sums.lossy[i] != pool.lossyUsed ||
            pool.used > m_mmu.m_poolMost[i])
        {
            return "I2: pool " + std::to_string(i) + " holds " + std::to_string(sums.shared[i]) +
                   ", booked " + std::to_string(pool.used) + " of " + std::to_string(pool.size) +
                   " cells, " + std::to_string(sums.lossy[i]) + " of them lossy, booked " +
                   std::to_string(pool.lossyUsed);
        }
    }
    return "";
}

} // namespace ns3
