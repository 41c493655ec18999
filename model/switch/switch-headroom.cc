// SPDX-License-Identifier: GPL-2.0-only
#include "switch-headroom.h"

#include "buffer-too-small.h"

#include "ns3/apply-or-undo.h"
#include "ns3/credit-link.h"
#include "ns3/log.h"
#include "ns3/lossless-link.h"
#include "ns3/qbb-net-device.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SwitchHeadroom");

namespace
{

/// The most that priority groups can hold together: guaranteed space, shared space and headroom.
class WorstCase
{
  public:
    /// @param mmu of the switch
    explicit WorstCase(const SwitchMmu& mmu)
        : m_mmu(mmu),
          m_pools(mmu.GetPoolCount())
    {
    }

    /// @param port an ingress port @param groups mask of its priority groups that count @param
    /// frameBytes longest frame that arrives there
    void Add(uint32_t port, uint8_t groups, uint32_t frameBytes)
    {
        const uint32_t frame = m_mmu.GetCellSize().OfFrame(frameBytes);
        for (uint32_t group = 0; group < TRAFFIC_CLASSES; ++group)
        {
            if (!(groups & (1U << group)))
            {
                continue;
            }
            const MmuIngress& in = m_mmu.GetIngress(port, group);
            m_guaranteed += in.guaranteed;
            m_headroom += in.headroom;
            m_hasLossless = m_hasLossless || in.lossless;
            // One after the other, each takes its threshold of what the others have left; it does
            // not know yet of the frame that comes in.
            Pool& pool = m_pools[in.pool];
            const double alpha =
                std::ldexp(in.threshold.alphaFixed, -static_cast<int>(MmuThreshold::ALPHA_SHIFT));
            pool.fixed += in.threshold.Cells(0);
            pool.left /= 1 + alpha;
            pool.frames += frame * alpha / (1 + alpha);
        }
    }

    /// @return whether one of the groups is lossless
    bool HasLossless() const
    {
        return m_hasLossless;
    }

    /// @return cells of all groups together
    uint64_t Cells() const
    {
        const uint64_t shared = m_mmu.GetHeadroomPool();
        uint64_t cells = m_guaranteed + (shared ? std::min(m_headroom, shared) : m_headroom);
        for (uint32_t i = 0; i < m_pools.size(); ++i)
        {
            const uint64_t size = m_mmu.GetPool(i).size;
            const Pool& pool = m_pools[i];
            const double moving = static_cast<double>(size) * (1 - pool.left) + pool.frames;
            cells += std::min(size, pool.fixed + static_cast<uint64_t>(std::ceil(moving)));
        }
        return cells;
    }

  private:
    /// Of a service pool.
    struct Pool
    {
        uint64_t fixed{0}; //!< sum of static thresholds, cells
        double left{1};    //!< share that dynamic thresholds leave
        double frames{0};  //!< cells by which a last frame exceeds them
    };

    const SwitchMmu& m_mmu;
    std::vector<Pool> m_pools;
    uint64_t m_guaranteed{0};
    uint64_t m_headroom{0};
    bool m_hasLossless{false};
};

/// SwitchMmu::Finalize(), with what to do where credits are too many for the buffer.
/// @param mmu the buffer @param ports the ports of the switch
void
FinalizeWithCredits(SwitchMmu& mmu, const std::vector<Ptr<QbbNetDevice>>& ports)
{
    try
    {
        mmu.Finalize();
    }
    catch (const BufferTooSmall& mistake)
    {
        const bool hasCredits = std::any_of(ports.begin(), ports.end(), [](const auto& port) {
            return port->GetCbfcClasses() != 0;
        });
        if (!hasCredits)
        {
            throw;
        }
        throw BufferTooSmall(std::string(mistake.what()) +
                                 ", credits (CBFC) included; set BufferSize to " +
                                 std::to_string(mistake.GetNeeded()) +
                                 " or more, or CbfcCredits of the ports to fewer",
                             mistake.GetNeeded());
    }
}

/// Find too little memory behind the credits of a class. @param mmu the buffer @param port index of
/// the port @param cls the class @param needed bytes @return the finding, if any
std::optional<LosslessMistake>
CheckCredits(const SwitchMmu& mmu, uint32_t port, uint32_t cls, uint64_t needed)
{
    const uint64_t cell = mmu.GetCellSize().Bytes();
    const uint64_t guaranteed = mmu.GetIngress(port, cls).guaranteed * cell;
    if (mmu.IsLossless(port, cls) && guaranteed >= needed)
    {
        return {};
    }
    return LosslessMistake{"credits",
                           port,
                           cls,
                           "credits stand for " + std::to_string(needed) + " bytes, and the " +
                               (mmu.IsLossless(port, cls) ? "" : "lossy ") +
                               "class is guaranteed " + std::to_string(guaranteed),
                           "make it lossless with " + std::to_string(needed) +
                               " bytes guaranteed, or set CbfcCredits to fewer"};
}

} // namespace

HeadroomLink
SwitchHeadroom::LinkOf(const QbbNetDevice& port, uint32_t addedBytes)
{
    HeadroomLink link = GetHeadroomLink(port);
    link.addedBytes = addedBytes;
    return link;
}

SwitchHeadroom::Need
SwitchHeadroom::NeedOf(const QbbNetDevice& port,
                       uint32_t cls,
                       uint32_t addedBytes,
                       uint32_t cellBytes)
{
    const uint8_t bit = 1U << cls;
    if (port.GetCbfcClasses() & bit)
    {
        return {0,
                CreditMemoryBytes(GetGrantedCredits(port),
                                  port.GetCreditUnit(),
                                  cellBytes,
                                  GetCreditLink(port).maxFrameBytes,
                                  addedBytes)};
    }
    return {port.GetPausingGroups() & bit ? HeadroomBytes(LinkOf(port, addedBytes), cellBytes) : 0,
            {}};
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
                Choose(mmu,
                       *ports[port],
                       port,
                       cls,
                       NeedOf(*ports[port], cls, addedBytes, cell),
                       isRunning);
            });
            FinalizeWithCredits(mmu, ports);
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
                       const Need& need,
                       bool isRunning)
{
    // What is not as we left it, a script has set.
    const MmuClassConfig& config = mmu.GetConfig(port, cls);
    MmuClassConfig& chosen = m_chosen[port][cls];
    if (config.kind != chosen.kind || config.headroomBytes != chosen.headroomBytes ||
        (need.guaranteedBytes && config.guaranteedBytes != chosen.guaranteedBytes))
    {
        return;
    }
    if (device.GetPausingGroups() & (1U << cls))
    {
        mmu.SetLossless(port,
                        cls,
                        std::max(need.headroomBytes, isRunning ? chosen.headroomBytes : 0));
        if (need.guaranteedBytes)
        {
            mmu.SetGuaranteed(port, cls, *need.guaranteedBytes);
        }
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

std::optional<LosslessMistake>
SwitchHeadroom::CheckQueue(const SwitchMmu& mmu,
                           const std::vector<Ptr<QbbNetDevice>>& ports,
                           uint32_t addedBytes,
                           uint32_t port,
                           uint32_t queue)
{
    const MmuEgress& out = mmu.GetEgress(port, queue);
    if (!out.bindsLossless || !ports[port]->GetPeer())
    {
        return {};
    }
    const uint8_t classes =
        ports[port]->GetTrafficClassMap()->GetTable()->ClassesOfQueues(1U << queue);
    WorstCase worst(mmu);
    uint32_t senders = 0;
    for (uint32_t from = 0; from < ports.size(); ++from)
    {
        const uint8_t groups =
            ports[from]->GetTrafficClassMap()->GetTable()->GroupsOfClasses(classes);
        if (from != port && ports[from]->GetPeer() && groups)
        {
            ++senders;
            const HeadroomLink link = LinkOf(*ports[from], addedBytes);
            worst.Add(from, groups, link.maxFrameBytes + link.addedBytes);
        }
    }
    // Others may take all shared space, which leaves a dynamic limit what is guaranteed.
    const uint64_t limit = uint64_t{out.guaranteed} + out.threshold.Cells(0);
    if (!worst.HasLossless() || worst.Cells() <= limit)
    {
        return {};
    }
    const uint64_t cell = mmu.GetCellSize().Bytes();
    return LosslessMistake{
        "egress",
        port,
        queue,
        "the queue is sure of " + std::to_string(limit * cell) + " bytes, and the " +
            std::to_string(senders) + " ports that send to it may hold " +
            std::to_string(worst.Cells() * cell) + " for it",
        "give it an EgressStaticThreshold of " +
            std::to_string((worst.Cells() - out.guaranteed) * cell) + ", or no limit"};
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
            if (const auto guarantee = NeedOf(device, cls, addedBytes, cell).guaranteedBytes)
            {
                if (auto wrong = CheckCredits(mmu, port, cls, *guarantee))
                {
                    findings.push_back(*std::move(wrong));
                }
                continue;
            }
            together += mmu.IsLossless(port, cls) ? needed : 0;
            if (auto wrong = CheckClass(mmu, device, port, cls, needed))
            {
                findings.push_back(*std::move(wrong));
            }
        }
        const auto pauses = FindPauseMistakes(device);
        findings.insert(findings.end(), pauses.begin(), pauses.end());
    }
    for (uint32_t index = 0; index < ports.size() * TRAFFIC_CLASSES; ++index)
    {
        const uint32_t port = index / TRAFFIC_CLASSES;
        const uint32_t queue = index % TRAFFIC_CLASSES;
        if (auto wrong = CheckQueue(mmu, ports, addedBytes, port, queue))
        {
            findings.push_back(*std::move(wrong));
        }
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
