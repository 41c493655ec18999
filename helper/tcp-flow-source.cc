// SPDX-License-Identifier: GPL-2.0-only
#include "tcp-flow-source.h"

#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>

namespace ns3
{
namespace
{

/// Most that is handed to the socket at a time, bytes.
constexpr uint64_t CHUNK_BYTES = 65536;

/// Up to ns-3.41 an address has a TOS byte, which connect() gives the socket.
template <typename T>
auto
SetTos(T& address, uint8_t tos, int /* preferred */) -> decltype(address.SetTos(tos))
{
    address.SetTos(tos);
}

/// Later versions have it at the socket alone.
template <typename T>
void
SetTos(T& /* address */, uint8_t /* tos */, long /* otherwise */)
{
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
TcpFlowSource::Setup(const Options& options)
{
    m_options = options;
}

void
TcpFlowSource::OnAbandon(std::function<void(const std::string&)> listener)
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
    m_socket->SetIpTos(m_options.tos);
    m_socket->SetConnectCallback(MakeCallback(&TcpFlowSource::Connected, this),
                                 MakeCallback(&TcpFlowSource::Failed, this));
    m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                MakeCallback(&TcpFlowSource::Failed, this));
    m_socket->SetSendCallback(MakeCallback(&TcpFlowSource::Send, this));
    auto peer = InetSocketAddress::ConvertFrom(m_options.peer);
    SetTos(peer, m_options.tos, 0);
    m_socket->Bind();
    m_socket->Connect(peer);
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
    Abandon(m_sent ? "the connection broke" : "there was no connection");
}

void
TcpFlowSource::Abandon(const std::string& why)
{
    m_open = false;
    if (const auto listener = std::exchange(m_onAbandon, nullptr))
    {
        listener(why);
    }
}

void
TcpFlowSource::StopApplication()
{
    const bool unsent = m_options.bytes == 0 || m_sent < m_options.bytes;
    if (m_socket && unsent)
    {
        m_socket->Close();
    }
    if (unsent)
    {
        Abandon("it was stopped");
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
    m_onAbandon = nullptr;
    Application::DoDispose();
}

} // namespace ns3
