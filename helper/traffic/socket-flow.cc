// SPDX-License-Identifier: GPL-2.0-only
#include "socket-flow.h"

#include "tcp-flow-source.h"

#include "ns3/callback.h"
#include "ns3/onoff-application.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

SocketFlow::SocketFlow(const Plan& plan)
    : m_plan(plan)
{
}

SocketFlow::~SocketFlow() = default;

void
SocketFlow::Watch(const Ptr<Application>& source,
                  const Ptr<PacketSink>& sink,
                  std::function<void()> tellStart,
                  std::function<void()> tellEnd)
{
    m_source = source;
    m_sink = sink;
    m_tcp = DynamicCast<TcpFlowSource>(source);
    m_tellStart = std::move(tellStart);
    m_tellEnd = std::move(tellEnd);
    sink->TraceConnectWithoutContext("Rx",
                                     Callback<void, Ptr<const Packet>, const Address&>(m_guard.Wrap(
                                         [this](const Ptr<const Packet>& packet, const Address&) {
                                             Received(packet->GetSize());
                                         })));
    if (m_tcp)
    {
        m_tcp->OnStart(m_guard.Wrap([this] { Started(); }));
        m_tcp->OnAbandon(
            m_guard.Wrap([this](bool failed, const std::string& why) { Abandoned(failed, why); }));
    }
    else
    {
        source->TraceConnectWithoutContext(
            "Tx",
            Callback<void, Ptr<const Packet>>(m_guard.Wrap(
                [this](const Ptr<const Packet>& packet) { m_sent += packet->GetSize(); })));
    }
}

void
SocketFlow::OnStart(std::function<void()> listener)
{
    m_onStart = std::move(listener);
}

void
SocketFlow::Started()
{
    if (const auto listener = std::exchange(m_onStart, nullptr))
    {
        listener();
    }
    m_tellStart();
}

void
SocketFlow::Received(uint32_t bytes)
{
    m_received += bytes;
    m_last = Simulator::Now();
    if (m_plan.bytes && m_received >= m_plan.bytes && m_completed.IsZero())
    {
        m_completed = Simulator::Now();
        if (m_reason.empty())
        {
            m_tellEnd();
        }
    }
}

void
SocketFlow::Abandoned(bool failed, const std::string& why)
{
    if (!m_completed.IsZero())
    {
        return; // all has arrived
    }
    m_failed = failed;
    m_reason = why;
    m_tellEnd();
}

void
SocketFlow::Stop()
{
    m_tellStart = [] {};
    m_tellEnd = [] {};
    if (m_completed.IsZero() && m_reason.empty())
    {
        m_reason = "its run was over";
        m_plan.stop = Simulator::Now();
    }
    for (const auto& socket : {GetSocket(), m_sink->GetListeningSocket()})
    {
        if (socket)
        {
            socket->Close();
        }
    }
    for (const Ptr<Application>& application : {m_source, Ptr<Application>(m_sink)})
    {
        application->Initialize(); // else it would start, though it was disposed of
        application->Dispose();
    }
}

SocketFlow::State
SocketFlow::GetState() const
{
    const Time now = Simulator::Now();
    if (!m_completed.IsZero())
    {
        return COMPLETED;
    }
    if (now < m_plan.start)
    {
        return NOT_STARTED;
    }
    if (m_failed)
    {
        return FAILED;
    }
    return !m_plan.stop.IsZero() && now >= m_plan.stop ? STOPPED : RUNNING;
}

const char*
SocketFlow::NameOf(State state)
{
    static const char* const names[] = {"not-started", "running", "completed", "stopped", "failed"};
    return names[state];
}

uint64_t
SocketFlow::GetBytesSent() const
{
    return m_tcp ? m_tcp->GetSent() : m_sent;
}

double
SocketFlow::GetThroughput() const
{
    if (m_last <= m_plan.start)
    {
        return 0; // nothing has arrived, or all of it at once
    }
    return static_cast<double>(m_received) * 8 / (m_last - m_plan.start).GetSeconds();
}

Ptr<Socket>
SocketFlow::GetSocket() const
{
    return m_tcp ? m_tcp->GetSocket() : DynamicCast<OnOffApplication>(m_source)->GetSocket();
}

bool
SocketFlow::IsAwaited() const
{
    return m_plan.isTcp && m_plan.bytes && m_completed.IsZero() && m_reason.empty();
}

} // namespace ns3
