// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-endpoint.h"

#include "mrc-planes.h"

#include "ns3/make-event.h"
#include "ns3/node.h"
#include "ns3/rdma-hw.h"
#include "ns3/simulation-clock.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

MrcEndpoint&
MrcEndpoint::Of(RdmaHw& hw)
{
    if (!hw.GetEndpoint())
    {
        hw.SetEndpoint(Ptr<RdmaEndpoint>(new MrcEndpoint(hw), false));
    }
    return static_cast<MrcEndpoint&>(*hw.GetEndpoint());
}

MrcEndpoint::MrcEndpoint(RdmaHw& hw)
    : m_hw(hw)
{
}

MrcEndpoint::~MrcEndpoint()
{
    m_timer.Cancel();
}

void
MrcEndpoint::Join(RdmaMrc& mrc)
{
    m_told = m_isUsed ? m_told : PortsUp();
    m_isUsed = true;
    m_users.push_back(&mrc);
}

void
MrcEndpoint::Leave(RdmaMrc& mrc)
{
    AddCounters(m_gone, mrc.GetCounters());
    m_users.erase(std::remove(m_users.begin(), m_users.end(), &mrc), m_users.end());
}

void
MrcEndpoint::SetDenial(const Denial& denial)
{
    m_denial = denial;
    Review();
}

void
MrcEndpoint::Review()
{
    for (RdmaMrc* user : m_users)
    {
        user->ReviewEvs();
    }
}

std::optional<MrcCounters>
MrcEndpoint::GetCountersOf(const RdmaHw& hw)
{
    const auto endpoint = dynamic_cast<const MrcEndpoint*>(hw.GetEndpoint());
    if (!endpoint || !endpoint->m_isUsed)
    {
        return std::nullopt;
    }
    MrcCounters sum = endpoint->m_gone;
    for (const RdmaMrc* user : endpoint->m_users)
    {
        AddCounters(sum, user->GetCounters());
    }
    return sum;
}

uint32_t
MrcEndpoint::PortsUp() const
{
    uint32_t ports = 0;
    for (uint32_t port = 0; port < std::min<uint32_t>(m_hw.GetNPorts(), 32); ++port)
    {
        ports |= (m_hw.GetDevice(port)->IsLinkUp() ? 1U : 0U) << port;
    }
    return ports;
}

void
MrcEndpoint::PortsChanged()
{
    const uint32_t ports = PortsUp();
    if (ports == m_told)
    {
        return; // another queue pair of the host has said so
    }
    m_told = ports;
    m_requests.clear();
    ++m_number;
    std::vector<RdmaAddress> told; // peers by their address in the first plane
    for (const RdmaMrc* user : m_users)
    {
        const auto& planes = user->GetPlanes().all;
        const auto up = std::find_if(planes.begin(), planes.end(), [](const auto& plane) {
            return plane->port.Device().IsLinkUp() && plane->peerUp;
        });
        const RdmaAddress& name = planes[0]->remote;
        if (up != planes.end() && std::find(told.begin(), told.end(), name) == told.end())
        {
            told.push_back(name);
            m_requests.push_back({(*up)->remote, (*up)->port.Device().GetPortIndex(), m_number, 0});
        }
    }
    Repeat();
}

void
MrcEndpoint::Repeat()
{
    // Without queue pairs there is no class to send in, and nobody whose peer would wait.
    const auto isHopeless = [this](const Request& request) {
        return request.tries == MOST_TRIES || m_users.empty();
    };
    m_requests.erase(std::remove_if(m_requests.begin(), m_requests.end(), isHopeless),
                     m_requests.end());
    for (Request& request : m_requests)
    {
        Send(request);
    }
    Simulator::Remove(m_timer); // a cancelled event would keep the simulation alive
    if (!m_requests.empty())
    {
        m_timer = SimulationClock::Schedule(m_hw.GetDevice(0)->GetNode()->GetId(),
                                            m_users.front()->GetTerms()->timeoutTicks,
                                            MakeEvent(&MrcEndpoint::Repeat, this));
    }
}

void
MrcEndpoint::Send(Request& request)
{
    ++request.tries;
    const RdmaMrc& user = *m_users.front();
    const uint32_t ev = user.GetSource().GetNth(request.number + request.tries);
    auto frame = new Frame;
    frame->psn = request.number;
    frame->srcPort = static_cast<uint16_t>(ev);
    frame->flowLabel = static_cast<uint16_t>(ev >> 16);
    frame->telemetryKind = TelemetryKind::MRC;
    frame->telemetry.mrc = {};
    frame->telemetry.mrc.operation = MrcOperation::PORT_STATUS;
    frame->telemetry.mrc.ports = m_told;
    frame->telemetry.mrc.time = user.GetTerms()->StampOf(m_hw.Port(request.port).Device().Now());
    SendTo(request.peer, request.port, frame, RoceOpcode::MRC_ENDPOINT_REQUEST);
}

void
MrcEndpoint::SendTo(const RdmaAddress& peer, uint32_t port, Frame* frame, RoceOpcode opcode)
{
    RdmaConnection connection;
    connection.local = m_hw.Port(port).Address();
    connection.remote = peer;
    connection.remoteQp = QUEUE_PAIR;
    connection.udpPort = frame->srcPort;
    const RdmaMrc& user = *m_users.front();
    connection.Address(*frame, opcode, user.GetPlanes().all[0]->controlMarking);
    user.GetSource().NameWay(*frame, connection.local, peer);
    m_hw.Port(port).SendControl(frame);
}

void
MrcEndpoint::Receive(Frame* frame, uint32_t port)
{
    const RdmaAddress peer{frame->src, frame->srcHigh, frame->ipVersion};
    if (frame->opcode == RoceOpcode::MRC_ENDPOINT_RESPONSE || m_users.empty())
    {
        const auto isAnswered = [&peer, number = frame->psn](const Request& request) {
            return request.number == number && request.peer == peer;
        };
        m_requests.erase(std::remove_if(m_requests.begin(), m_requests.end(), isAnswered),
                         m_requests.end());
        frame->Release();
        return;
    }
    if (frame->telemetry.mrc.operation == MrcOperation::PORT_STATUS)
    {
        const int64_t now = m_hw.Port(port).Device().Now();
        const std::vector<RdmaMrc*> users = m_users; // user code may close some
        for (RdmaMrc* user : users)
        {
            user->PeerPorts(peer, frame->telemetry.mrc.ports, now);
        }
    }
    // Source port and flow label, the EV of the request, are those of the answer.
    SendTo(peer, port, frame, RoceOpcode::MRC_ENDPOINT_RESPONSE);
}

} // namespace ns3
