// SPDX-License-Identifier: GPL-2.0-only
//
// What the MMU says about itself: reports and invariants.
#include "switch-mmu.h"

#include <sstream>

namespace ns3
{

namespace
{

/// @return the (port, class) of an index, for messages
std::string
Where(uint32_t index)
{
    return " at port " + std::to_string(index / TRAFFIC_CLASSES) + " class " +
           std::to_string(index % TRAFFIC_CLASSES);
}

} // namespace

std::string
SwitchMmu::CheckInvariants() const
{
    uint64_t stored = 0;
    uint64_t shared = 0;
    uint64_t headroom = 0;
    uint64_t queued = 0;
    uint32_t paused = 0;
    uint64_t reserved = 0;
    for (uint32_t index = 0; index < m_ingress.size(); ++index)
    {
        const MmuIngress& in = m_ingress[index];
        stored += in.Used();
        shared += in.sharedUsed;
        headroom += in.headroomUsed;
        queued += m_egress[index].used;
        paused += in.paused;
        reserved += in.guaranteed;
        if (in.guaranteedUsed > in.guaranteed || in.headroomUsed > in.headroom)
        {
            return "I2: guaranteed space or headroom is over its limit" + Where(index);
        }
        if (in.lossless && in.headroomUsed > 0 && !in.paused)
        {
            return "I3/I4: headroom in use without a pause" + Where(index);
        }
        const bool inMask =
            m_pausedMask[index / TRAFFIC_CLASSES] & (1U << (index % TRAFFIC_CLASSES));
        if (in.paused != inMask)
        {
            return "the mask of paused classes is wrong" + Where(index);
        }
    }
    if (stored != queued || stored != m_totalUsed)
    {
        return "I1: ingress books " + std::to_string(stored) + ", egress books " +
               std::to_string(queued) + ", total " + std::to_string(m_totalUsed) + " cells";
    }
    if (shared != m_sharedUsed || m_sharedUsed > m_sharedPool)
    {
        return "I2: shared space " + std::to_string(shared) + ", booked " +
               std::to_string(m_sharedUsed) + " of " + std::to_string(m_sharedPool) + " cells";
    }
    if (headroom != m_headroomUsed || m_headroomUsed > m_headroomPool || paused != m_pausedCount)
    {
        return "I2: headroom or the number of paused classes is miscounted";
    }
    const uint64_t pool = m_headroomPool; // without a shared pool, the sum of all headrooms
    if (m_final && !m_sharesHeadroom && reserved + pool + m_sharedPool > m_bufferCells)
    {
        return "I5: the parts are larger than the buffer";
    }
    return "";
}

std::string
SwitchMmu::Explain(uint32_t port, uint32_t cls) const
{
    const MmuClassConfig& config = GetConfig(port, cls); // throws when out of range
    const MmuIngress& in = GetIngress(port, cls);
    const uint64_t cell = m_cell.Bytes();
    std::ostringstream text;
    text << "port " << port << " class " << cls << ": ";
    if (!in.lossless)
    {
        text << "PFC cannot fire: the class is lossy here"
             << (config.kind == MmuClassConfig::UNSET ? " (not configured)" : "");
    }
    else if (in.xoffCount > 0)
    {
        text << "PFC fired: " << in.xoffCount << " XOFF, " << in.xonCount << " XON";
    }
    else if (in.peak == 0)
    {
        text << "PFC did not fire: no frame arrived";
    }
    else
    {
        text << "PFC did not fire: it came no nearer to its threshold than "
             << in.smallestMargin * static_cast<int64_t>(cell) << " B";
    }
    text << "; threshold now " << GetThreshold(port, cls) * cell << " B";
    if (in.peak > 0)
    {
        text << ", lowest at an arrival " << in.lowestThreshold * cell << " B";
    }
    text << "; holds " << in.Used() * cell << " B, peak " << in.peak * cell << " B; headroom "
         << in.headroom * cell << " B, peak " << in.headroomPeak * cell << " B; drops";
    for (auto reason : {DropReason::HEADROOM_FULL,
                        DropReason::POOL_FULL,
                        DropReason::INGRESS_LIMIT,
                        DropReason::EGRESS_LIMIT})
    {
        text << " " << reason << " " << GetDrops(port, cls, reason);
    }
    return text.str();
}

} // namespace ns3
