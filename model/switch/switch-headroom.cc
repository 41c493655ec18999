// SPDX-License-Identifier: GPL-2.0-only
#include "switch-headroom.h"

#include "ns3/apply-or-undo.h"
#include "ns3/log.h"
#include "ns3/lossless-link.h"
#include "ns3/qbb-net-device.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SwitchHeadroom");

HeadroomLink
SwitchHeadroom::LinkOf(const QbbNetDevice& port, uint32_t addedBytes)
{
    HeadroomLink link = GetHeadroomLink(port);
    link.addedBytes = addedBytes;
    return link;
}

void
SwitchHeadroom::Configure(SwitchMmu& mmu,
                          const std::vector<Ptr<QbbNetDevice>>& ports,
                          uint32_t addedBytes,
                          bool isRunning)
{
    m_chosen.resize(ports.size());
    mmu.Finalize(); // for the cell size, and to refuse what a script has set already
    const auto chosen = m_chosen;
    const auto forEach = [&ports](const auto& visit) {
        for (uint32_t port = 0; port < ports.size(); ++port)
        {
            for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
            {
                visit(port, cls);
            }
        }
    };
    std::vector<std::array<MmuClassConfig, TRAFFIC_CLASSES>> configs(ports.size());
    forEach([&](uint32_t port, uint32_t cls) { configs[port][cls] = mmu.GetConfig(port, cls); });
    ApplyOrUndo(
        [&] {
            const uint32_t cell = mmu.GetCellSize().Bytes();
            forEach([&](uint32_t port, uint32_t cls) {
                const bool pauses = ports[port]->GetPausingGroups() & (1U << cls);
                const uint64_t needed =
                    pauses ? HeadroomBytes(LinkOf(*ports[port], addedBytes), cell) : 0;
                Choose(mmu, *ports[port], port, cls, needed, isRunning);
            });
            mmu.Finalize();
        },
        [&] {
            forEach(
                [&](uint32_t port, uint32_t cls) { mmu.SetConfig(port, cls, configs[port][cls]); });
            m_chosen = chosen;
            mmu.Finalize();
        });
}

void
SwitchHeadroom::Choose(SwitchMmu& mmu,
                       const QbbNetDevice& device,
                       uint32_t port,
                       uint32_t cls,
                       uint64_t needed,
                       bool isRunning)
{
    // What is not as we left it, a script has set.
    const MmuClassConfig& config = mmu.GetConfig(port, cls);
    MmuClassConfig& chosen = m_chosen[port][cls];
    if (config.kind != chosen.kind || config.headroomBytes != chosen.headroomBytes)
    {
        return;
    }
    if (device.GetPausingGroups() & (1U << cls))
    {
        mmu.SetLossless(port, cls, std::max(needed, isRunning ? chosen.headroomBytes : 0));
    }
    else
    {
        mmu.SetLossy(port, cls);
    }
    chosen = mmu.GetConfig(port, cls);
    NS_LOG_LOGIC("port " << port << " class " << cls << ": headroom " << chosen.headroomBytes
                         << " bytes");
}

std::optional<LosslessMistake>
SwitchHeadroom::CheckClass(const SwitchMmu& mmu,
                           const QbbNetDevice& device,
                           uint32_t port,
                           uint32_t cls,
                           uint64_t needed)
{
    const uint32_t cell = mmu.GetCellSize().Bytes();
    const bool isLossless = mmu.IsLossless(port, cls);
    const bool isLossy = mmu.GetConfig(port, cls).kind == MmuClassConfig::LOSSY;
    const bool pauses = device.GetPausingGroups() & (1U << cls);
    const uint32_t priority = device.GetTrafficClassMap()->PfcPriorityOf(cls);
    const std::string named =
        priority == cls ? "the class" : "its PFC priority " + std::to_string(priority);
    if (!isLossless && isLossy && pauses)
    {
        return LosslessMistake{"pfc",
                               port,
                               cls,
                               "PFC is on at the port, but the class is lossy in the buffer",
                               "make it lossless there with a headroom of " +
                                   std::to_string(needed) + " bytes, or take " + named +
                                   " out of PfcClasses"};
    }
    if (isLossless && !pauses)
    {
        return LosslessMistake{"pfc",
                               port,
                               cls,
                               "lossless in the buffer, but PFC is off at the port",
                               "add " + named + " to PfcClasses, or make it lossy in the buffer"};
    }
    const uint64_t headroom = uint64_t{mmu.GetIngress(port, cls).headroom} * cell;
    if (isLossless && headroom < needed)
    {
        return LosslessMistake{"headroom",
                               port,
                               cls,
                               "headroom of " + std::to_string(headroom) + " bytes is " +
                                   std::to_string(needed - headroom) +
                                   " bytes short of what the link needs",
                               "give it a headroom of " + std::to_string(needed)};
    }
    return {};
}

std::vector<LosslessMistake>
SwitchHeadroom::Check(const SwitchMmu& mmu,
                      const std::vector<Ptr<QbbNetDevice>>& ports,
                      uint32_t addedBytes)
{
    std::vector<LosslessMistake> findings;
    const uint32_t cell = mmu.GetCellSize().Bytes();
    uint64_t together = 0; // headroom that all classes may need at once
    for (uint32_t port = 0; port < ports.size(); ++port)
    {
        const QbbNetDevice& device = *ports[port];
        if (!device.GetPeer())
        {
            continue; // nothing can arrive
        }
        const uint64_t needed = HeadroomBytes(LinkOf(device, addedBytes), cell);
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            together += mmu.IsLossless(port, cls) ? needed : 0;
            if (auto wrong = CheckClass(mmu, device, port, cls, needed))
            {
                findings.push_back(*std::move(wrong));
            }
        }
        const auto pauses = FindPauseMistakes(device);
        findings.insert(findings.end(), pauses.begin(), pauses.end());
    }
    UintegerValue pool;
    mmu.GetAttribute("SharedHeadroomPool", pool);
    const uint64_t shared = uint64_t{mmu.GetHeadroomPool()} * cell;
    if (shared > 0 && shared < together)
    {
        findings.push_back({"pool",
                            {},
                            {},
                            "the shared headroom pool of " + std::to_string(shared) + " bytes is " +
                                std::to_string(together - shared) +
                                " bytes short of what the lossless classes may need at once",
                            pool.Get() ? "set SharedHeadroomPool to " + std::to_string(together) +
                                             ", or to 0 for separate headrooms"
                                       : "set HeadroomOversubscription to 1, or to 0 for separate "
                                         "headrooms"});
    }
    return findings;
}

} // namespace ns3
