// SPDX-License-Identifier: GPL-2.0-only
#include "random-faults.h"

namespace ns3
{
namespace tests
{

RandomFaults::RandomFaults(uint32_t index)
    : m_dice(7000 + index),
      m_random(index)
{
}

void
RandomFaults::AddFlows(RdmaFlowHelper& flows)
{
    const uint64_t timeout = m_dice.Pick<uint64_t>({100, 300, 1000});
    flows.SetQueuePair("RetransmitTimeout", TimeValue(MicroSeconds(timeout)));
    m_random.AddFlows(flows);
}

void
RandomFaults::AddFaults(FaultHelper& faults, const Fabric& fabric)
{
    switch (m_dice.Below(4))
    {
    case 0:
        faults.GetConvergence().SetUniform(MicroSeconds(m_dice.Below(100)));
        break;
    case 1:
        faults.GetConvergence().SetByDistance(MicroSeconds(5), MicroSeconds(m_dice.Below(50)));
        break;
    case 2:
        faults.GetConvergence().SetRandom(MicroSeconds(1), MicroSeconds(100));
        break;
    default:
        break;
    }
    faults.AssignStreams(50000);
    for (uint64_t count = m_dice.Between(1, 6); count > 0; --count)
    {
        AddFault(faults, fabric, m_dice.Below(KINDS));
    }
}

void
RandomFaults::AddFault(FaultHelper& faults, const Fabric& fabric, uint64_t kind)
{
    const FabricTopology& topology = fabric.GetTopology();
    const Time at = NanoSeconds(m_dice.Below(150000));
    const Time some = NanoSeconds(m_dice.Between(1000, 300000));
    const Time lasts = m_dice.Chance(15) ? Time(0) : some;
    const auto link = static_cast<uint32_t>(m_dice.Below(topology.GetLinks().size()));
    const auto host = static_cast<uint32_t>(m_dice.Below(fabric.GetNHosts()));
    const auto index = static_cast<uint32_t>(m_dice.Below(fabric.GetNSwitches()));
    const NodeId node = topology.GetLink(link).a;
    const uint32_t port = topology.GetPort(node, link);
    const uint32_t cls = m_dice.Pick(m_random.GetClasses());
    ObjectFactory slow("ns3::NicReceiveBuffer");
    ++m_kinds[kind];
    m_text += " " + std::to_string(kind);
    switch (kind)
    {
    case 0:
        return faults.CutLink(link, at, lasts);
    case 1:
        return faults.FlapLink(link, at, some / 4, some, 3);
    case 2:
        return faults.RebootSwitch(index, at, some);
    case 3:
        return faults.KillHost(host, at, lasts);
    case 4:
        return faults.SilencePort(node, port, at, lasts);
    case 5:
        return faults.StickXoff(node, port, 1U << cls, at, lasts);
    case 6:
        return faults.StormHost(host, at, lasts);
    case 7:
        return faults.LoseXon(node, port, cls, 2, at);
    case 8:
        return faults.LoseRandomly(node, port, 0.03, at, some);
    case 9:
        return faults.LoseIpIds(node, port, 0xff, 0xff, at, lasts);
    case 10:
        return faults.SlowReceiver(host, slow, at, lasts);
    default:
        return faults.StopReceiver(host, at, lasts);
    }
}

} // namespace tests
} // namespace ns3
