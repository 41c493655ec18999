// SPDX-License-Identifier: GPL-2.0-only
#include "random-scene.h"

#include "ns3/double.h"
#include "ns3/headroom.h"
#include "ns3/lossless-link.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <utility>

namespace ns3
{
namespace tests
{
namespace
{

constexpr uint64_t GBPS = 1000000000;

Time
PauseOf(const LinkEnd& host, const LinkEnd& port)
{
    return PicoSeconds(
        static_cast<int64_t>(512e12 * port.quanta / static_cast<double>(host.rate.GetBitRate())));
}

std::string
Text(const LinkEnd& end)
{
    return std::to_string(end.rate.GetBitRate() / GBPS) + "G MTU " + std::to_string(end.mtu) + " " +
           end.dialect + " quanta " + std::to_string(end.quanta) + " refresh " +
           std::to_string(end.refresh.GetNanoSeconds()) + " reaction " +
           std::to_string(end.reaction.GetNanoSeconds()) +
           (end.format == FRAMES_HPCC ? " Hpcc" : "") + (end.unit.IsZero() ? "" : " cut");
}

} // namespace

RandomScene::RandomScene(Dice dice)
    : m_dice(std::move(dice))
{
    using Classes = std::vector<uint32_t>;
    m_classes = m_dice.Pick<Classes>({{3}, {3}, {3, 4}, {0, 3, 5}});
    scene = std::make_unique<WorstCase>(m_classes);
    DrawMmu();
    const uint64_t senders = m_dice.Between(1, 4);
    // In half of the cases nothing is wrong on purpose.
    m_flawed = m_dice.Chance(50) ? static_cast<uint32_t>(m_dice.Below(senders + 1)) : NOBODY;
    for (uint32_t i = 0; i < senders; ++i)
    {
        DrawSender(i == m_flawed);
    }
    DrawBuffer();
    if (m_dice.Chance(30))
    {
        DrawNic(m_flawed == senders);
    }
    if (m_dice.Chance(25))
    {
        text += ", lossy traffic";
        scene->AddLossyTraffic(1000);
    }
    scene->CutBuffer(m_dice.Pick<uint64_t>({0, 1, 1000, 10000, 100000, 1000000}));
    DrawParts();
}

double
RandomScene::Factor(uint32_t low, uint32_t high)
{
    return static_cast<double>(m_dice.Between(low, high)) / 100;
}

void
RandomScene::DrawMmu()
{
    const auto mmu = scene->fabricSwitch->GetMmu();
    const uint64_t cell = m_dice.Pick<uint64_t>({1, 80, 144, 208, 208, 256, 1024});
    const double alpha = std::ldexp(8, -static_cast<int>(m_dice.Below(11))); // 8 .. 1/128
    const uint64_t guaranteed = m_dice.Pick<uint64_t>({0, 1518, 1518, 9238});
    mmu->SetAttribute("CellBytes", UintegerValue(cell));
    mmu->SetAttribute("Alpha", DoubleValue(alpha));
    mmu->SetAttribute("GuaranteedBytes", UintegerValue(guaranteed));
    mmu->SetAttribute("XonOffset", UintegerValue(m_dice.Pick<uint64_t>({0, 3072})));
    const bool lastBit = m_dice.Chance(50);
    scene->fabricSwitch->SetAttribute("ReleaseAt",
                                      StringValue(lastBit ? "LastBit" : "DequeueStart"));
    text = std::to_string(m_classes.size()) + " classes, cell " + std::to_string(cell) +
           ", alpha " + std::to_string(alpha) + ", guaranteed " + std::to_string(guaranteed);
}

LinkEnd
RandomScene::DrawEnd()
{
    LinkEnd end;
    end.rate = DataRate(GBPS * m_dice.Pick<uint64_t>({1, 10, 25, 40, 100, 200, 400, 800, 1600}));
    end.mtu = m_dice.Pick<uint32_t>({576, 1500, 1500, 4200, 9000, 9198});
    end.reaction = m_dice.Chance(50) ? Time(0) : NanoSeconds(m_dice.Between(1, 3000));
    end.pfcClasses = 0;
    for (const uint32_t cls : m_classes)
    {
        end.pfcClasses |= 1U << cls;
    }
    return end;
}

Time
RandomScene::DrawLink(LinkEnd& host, LinkEnd& port)
{
    host = DrawEnd();
    port = DrawEnd();
    if (m_dice.Chance(60))
    {
        host.rate = port.rate;
    }
    if (m_dice.Chance(25))
    {
        host.format = port.format = FRAMES_HPCC;
        host.unit = port.unit = m_dice.Chance(50) ? NanoSeconds(1) : Time(0);
    }
    port.quanta = m_dice.Pick<uint32_t>({65535, 65535, 30000, 5000});
    if (m_dice.Chance(20))
    {
        host.dialect = "EndlessXoff";
        port.dialect = m_dice.Pick<std::string>({"EndlessXoff", "Standard", "ShortQuanta"});
    }
    if (m_dice.Chance(20))
    {
        port.refresh = PauseOf(host, port) * static_cast<int64_t>(m_dice.Between(20, 80)) / 100;
    }
    const Time delay = m_dice.Chance(10)
                           ? Time(0)
                           : NanoSeconds(m_dice.Between(1, m_dice.Chance(70) ? 1500 : 10000));
    text += "; " + Text(host) + " to " + Text(port) + " over " +
            std::to_string(delay.GetNanoSeconds()) + " ns";
    return delay;
}

void
RandomScene::SpoilPauses(LinkEnd& host, LinkEnd& port)
{
    switch (m_dice.Below(6))
    {
    case 0:
        port.refresh = PauseOf(host, port) * static_cast<int64_t>(m_dice.Between(90, 130)) / 100;
        break;
    case 1:
        port.refresh = Time(0);
        break;
    case 2:
        port.dialect = m_dice.Pick<std::string>({"EndlessXoff", "ShortQuanta"});
        break;
    case 3:
        port.quanta = m_dice.Between(1, 400);
        break;
    case 4:
        host.pfcClasses &= ~(1U << m_dice.Pick(m_classes));
        break;
    default:
        port.pfcClasses &= ~(1U << m_dice.Pick(m_classes));
        break;
    }
}

void
RandomScene::DrawSender(bool flawed)
{
    LinkEnd host;
    LinkEnd port;
    Time delay = DrawLink(host, port);
    const bool spoilt = flawed && m_dice.Chance(60);
    if (spoilt)
    {
        SpoilPauses(host, port);
        text += " (spoilt: " + Text(host) + " to " + Text(port) + ")";
    }
    // ACKs of a queue of their own, which pauses may not stop, spoil the sender, too.
    host.ackClass = static_cast<int8_t>(m_dice.Below(9)) - 1;
    host.ackQueue = flawed && m_dice.Chance(30) ? static_cast<int8_t>(m_dice.Below(8))
                                                : m_dice.Pick<int8_t>({-1, host.ackClass});
    host.cnpClass = static_cast<uint8_t>(m_dice.Below(8));
    text += ", ACKs of class " + std::to_string(host.ackClass) + " in queue " +
            std::to_string(host.ackQueue) + ", CNPs in " + std::to_string(host.cnpClass);
    const uint32_t index = scene->AddSender(host, port, delay);
    const auto mmu = scene->fabricSwitch->GetMmu();
    mmu->SetAttribute("BufferSize", UintegerValue(uint64_t{1} << 30));
    const uint32_t cls = m_dice.Pick(m_classes);
    if (m_dice.Chance(30))
    {
        const uint64_t bytes = m_dice.Pick<uint64_t>({0, 1, 3000, 30000, 200000, 1 << 29});
        mmu->SetStaticThreshold(index, cls, bytes);
        text += " static " + std::to_string(bytes);
    }
    if (!flawed || spoilt)
    {
        return;
    }
    if (m_dice.Chance(15))
    {
        mmu->SetLossy(index, cls);
        text += " (SetLossy)";
        return;
    }
    UintegerValue cell;
    mmu->GetAttribute("CellBytes", cell);
    const auto link = GetHeadroomLink(*scene->fabricSwitch->GetPort(index));
    const uint64_t headroom = HeadroomBytes(link, cell.Get()) * m_dice.Between(20, 130) / 100;
    mmu->SetLossless(index, cls, headroom);
    text += " (headroom " + std::to_string(headroom) + ")";
}

void
RandomScene::DrawBuffer()
{
    if (!m_dice.Chance(25))
    {
        return;
    }
    uint64_t needed = 0;
    const auto mmu = scene->fabricSwitch->GetMmu();
    scene->fabricSwitch->Start();
    for (uint32_t port = 0; port < scene->hosts.size(); ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const auto link = GetHeadroomLink(*scene->fabricSwitch->GetPort(port));
            needed +=
                mmu->IsLossless(port, cls) ? HeadroomBytes(link, mmu->GetCellSize().Bytes()) : 0;
        }
    }
    const double factor = m_flawed == NOBODY ? Factor(100, 130) : Factor(30, 120);
    const auto pool = static_cast<uint64_t>(factor * static_cast<double>(needed));
    mmu->SetAttribute("SharedHeadroomPool", UintegerValue(pool));
    text += ", pool " + std::to_string(pool);
}

void
RandomScene::DrawParts()
{
    const auto mmu = scene->fabricSwitch->GetMmu();
    if (m_dice.Chance(30))
    {
        const uint64_t roce = m_dice.Between(0, 80);
        const std::string pools = "roce lossless " + std::to_string(roce) + "%; rest any " +
                                  std::to_string(m_dice.Between(1, 100 - roce)) + "% " +
                                  std::to_string(m_dice.Between(0, 100)) + "%";
        mmu->SetAttribute("ServicePools", StringValue(pools));
        text += ", pools " + pools;
        for (uint32_t port = 0; port < mmu->GetPortCount(); ++port)
        {
            if (m_dice.Chance(30))
            {
                mmu->SetServicePool(port, m_classes.front(), "rest");
            }
        }
    }
    if (m_dice.Chance(30))
    {
        const uint64_t limit = m_dice.Pick<uint64_t>({1, 5000, 50000, 500000});
        mmu->SetAttribute("PortLimit", UintegerValue(limit));
        mmu->SetAttribute("EgressPortLimit", UintegerValue(m_dice.Pick<uint64_t>({0, 1, 50000})));
        text += ", port limit " + std::to_string(limit);
    }
}

void
RandomScene::DrawNic(bool flawed)
{
    LinkEnd host;
    LinkEnd port;
    text += ", NIC";
    const Time delay = DrawLink(host, port);
    if (flawed && m_dice.Chance(50))
    {
        SpoilPauses(host, port);
        text += " (spoilt: " + Text(host) + " to " + Text(port) + ")";
    }
    scene->AddNic(host, port, delay, 1000000);
    const uint64_t needed = HeadroomBytes(GetHeadroomLink(*scene->nic), 1);
    const double factor = flawed ? Factor(30, 150) : Factor(100, 300);
    const auto bytes = static_cast<uint64_t>(factor * static_cast<double>(needed)) + 1;
    scene->rdma->GetReceiveBuffer(0)->SetAttribute("BufferBytes", UintegerValue(bytes));
    text += " buffer " + std::to_string(bytes);
}

} // namespace tests
} // namespace ns3
