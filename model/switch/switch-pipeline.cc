// SPDX-License-Identifier: GPL-2.0-only
#include "switch-pipeline.h"

#include "fabric-switch.h"

#include "ns3/node.h"
#include "ns3/simulation-clock.h"

#include <algorithm>

namespace ns3
{

void
SwitchPipeline::Configure(FabricSwitch& owner, int64_t delayTicks, bool cutsThrough)
{
    m_owner = &owner;
    m_delayTicks = delayTicks;
    m_cutsThrough = cutsThrough;
    const uint32_t ports = owner.GetNPorts();
    const bool isUsed = delayTicks > 0 || cutsThrough || IsOn();
    if (!isUsed || m_exits.size() == ports)
    {
        return; // frames on their way know their exit
    }
    m_nodeId = owner.GetPort(0)->GetNode()->GetId();
    m_exits.clear();
    for (uint32_t port = 0; port < ports; ++port)
    {
        m_exits.emplace_back(owner, static_cast<uint16_t>(port));
    }
    m_lastExits.resize(ports);
}

void
SwitchPipeline::Enter(Frame* frame, uint16_t outPort)
{
    const int64_t now = SimulationClock::Now();
    int64_t& last = m_lastExits[frame->inPort];
    last = std::max(last, now + m_delayTicks + AwaitTicks(*frame, outPort));
    frame->receiver = &m_exits[outPort];
    SimulationClock::Post(m_nodeId, last - now, frame);
}

int64_t
SwitchPipeline::AwaitTicks(const Frame& frame, uint16_t outPort) const
{
    if (!m_cutsThrough)
    {
        return 0;
    }
    const auto peer = m_owner->GetPort(frame.inPort)->GetPeer();
    const bool isFaster = m_owner->GetPort(outPort)->GetDataRate() > peer->GetDataRate();
    return isFaster ? peer->TailTicks(frame.WireBytes()) : 0;
}

void
SwitchPipeline::Exit::ReceiveFrame(Frame* frame)
{
    m_owner.QueueBooked(frame, m_outPort);
}

} // namespace ns3
