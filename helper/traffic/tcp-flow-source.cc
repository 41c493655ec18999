// SPDX-License-Identifier: GPL-2.0-only
#include "tcp-flow-source.h"

#include "ns3/callback.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"

#include <algorithm>

namespace ns3
{
namespace
{

/// Most that is handed to the socket at a time, bytes.
constexpr uint64_t CHUNK_BYTES = 65536;

/// Give a packet that a TCP socket is about to send its class; ns-3 has chosen its ECN bits.
void
MarkPacket(uint8_t tos,
           Ptr<const Packet> packet,
           const TcpHeader& /* header */,
           Ptr<const TcpSocketBase> /* socket */)
{
    SocketIpTosTag tag;
    const int ecn = packet->PeekPacketTag(tag) ? tag.GetTos() & 0x03 : 0;
    tag.SetTos(static_cast<uint8_t>((tos & 0xfc) | ecn));
    // The packet was made for this transmission, and the trace is the last to see it above IP.
    const auto sent = ConstCast<Packet>(packet);
    sent->ReplacePacketTag(tag);
    SocketPriorityTag priority; // for queue discs
    priority.SetPriority(Socket::IpTos2Priority(tos));
    sent->ReplacePacketTag(priority);
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(TcpFlowSource);

TypeId
TcpFlowSource::GetTypeId()
{
    static const TypeId tid = TypeId("ns3::TcpFlowSource")
                                  .SetParent<Application>()
                                  .SetGroupName("Lossless")
                                  .AddConstructor<TcpFlowSource>();
    return tid;
}

void
TcpFlowSource::MarkPackets(const Ptr<Socket>& socket, uint8_t tos)
{
    if (tos)
    {
        socket->TraceConnectWithoutContext("Tx", MakeBoundCallback(&MarkPacket, tos));
    }
}

void
TcpFlowSource::Setup(const Options& options)
{
    m_options = options;
}

void
TcpFlowSource::OnStart(std::function<void()> listener)
{
    m_onStart = std::move(listener);
}

void
TcpFlowSource::OnAbandon(std::function<void(bool, const std::string&)> listener)
{
    m_onAbandon = std::move(listener);
}

void
TcpFlowSource::StartApplication()
{
    const auto tcp = GetNode()->GetObject<TcpL4Protocol>();
    m_socket = m_options.congestion.empty()
                   ? tcp->CreateSocket()
                   : tcp->CreateSocket(TypeId::LookupByName(m_options.congestion));
    for (const auto& [name, value] : m_options.attributes)
    {
        m_socket->SetAttribute(name, *value);
    }
    MarkPackets(m_socket, m_options.tos);
    m_socket->SetConnectCallback(MakeCallback(&TcpFlowSource::Connected, this),
                                 MakeCallback(&TcpFlowSource::Failed, this));
    m_socket->SetCloseCallbacks(MakeCallback(&TcpFlowSource::Closed, this),
                                MakeCallback(&TcpFlowSource::Failed, this));
    m_socket->SetSendCallback(MakeCallback(&TcpFlowSource::Send, this));
    if (const auto listener = std::exchange(m_onStart, nullptr))
    {
        listener();
    }
    m_socket->Bind();
    m_socket->Connect(m_options.peer);
    m_socket->ShutdownRecv();
}

void
TcpFlowSource::Connected(Ptr<Socket> socket)
{
    m_open = true;
    Send(socket, 0);
}

void
TcpFlowSource::Send(Ptr<Socket> socket, uint32_t /* room */)
{
    while (m_open)
    {
        const uint64_t left =
            m_options.bytes ? m_options.bytes - m_sent : uint64_t{socket->GetTxAvailable()};
        const uint64_t chunk = std::min({left, uint64_t{socket->GetTxAvailable()}, CHUNK_BYTES});
        const int taken = chunk ? socket->Send(Create<Packet>(static_cast<uint32_t>(chunk))) : 0;
        if (taken <= 0)
        {
            return; // it calls again when it has room
        }
        m_sent += static_cast<uint64_t>(taken);
        if (m_sent == m_options.bytes)
        {
            m_open = false;
            socket->Close(); // when all is acknowledged
        }
    }
}

void
TcpFlowSource::Failed(Ptr<Socket> /* socket */)
{
    Abandon(true, m_sent ? "the connection broke" : "there was no connection");
}

void
TcpFlowSource::Closed(Ptr<Socket> /* socket */)
{
    // By itself once all has arrived, and then nobody cares.
    Abandon(true, "the other end has closed the connection");
}

void
TcpFlowSource::Abandon(bool failed, const std::string& why)
{
    m_open = false;
    if (const auto listener = std::exchange(m_onAbandon, nullptr))
    {
        listener(failed, why);
    }
}

void
TcpFlowSource::StopApplication()
{
    const bool unsent = m_options.bytes == 0 || m_sent < m_options.bytes;
    if (unsent)
    {
        Abandon(false, "it was stopped"); // before Close(), which calls Failed() without connection
        if (m_socket)
        {
            m_socket->Close();
        }
    }
}

void
TcpFlowSource::Release()
{
    if (m_socket)
    {
        m_socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                     MakeNullCallback<void, Ptr<Socket>>());
        m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                    MakeNullCallback<void, Ptr<Socket>>());
        m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
        m_socket = nullptr;
    }
}

void
TcpFlowSource::DoDispose()
{
    Release();
    m_onStart = nullptr;
    m_onAbandon = nullptr;
    Application::DoDispose();
}

} // namespace ns3
