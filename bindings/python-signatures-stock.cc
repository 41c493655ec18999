// SPDX-License-Identifier: GPL-2.0-only
#include "python-signatures.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/queue-item.h"
#include "ns3/seq-ts-size-header.h"
#include "ns3/sequence-number.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"

#include <sstream>

// Addresses become text, sequence numbers numbers, states their names, headers objects with the
// fields of the header.

namespace lossless_python
{

using namespace ns3;
using namespace py::literals;

namespace
{

/// @return a value as ns-3 writes it
template <typename T>
std::string
Print(const T& value)
{
    std::ostringstream text;
    text << value;
    return text.str();
}

} // namespace

template <>
struct AsObject<Address> : std::true_type
{
    static py::object Make(const Address& address)
    {
        if (InetSocketAddress::IsMatchingType(address))
        {
            const auto inet = InetSocketAddress::ConvertFrom(address);
            return py::str(Print(inet.GetIpv4()) + ":" + std::to_string(inet.GetPort()));
        }
        if (Inet6SocketAddress::IsMatchingType(address))
        {
            const auto inet = Inet6SocketAddress::ConvertFrom(address);
            return py::str("[" + Print(inet.GetIpv6()) + "]:" + std::to_string(inet.GetPort()));
        }
        return py::str(Print(address));
    }
};

template <>
struct AsObject<Ipv4Address> : std::true_type
{
    static py::object Make(const Ipv4Address& address)
    {
        return py::str(Print(address));
    }
};

template <>
struct AsObject<Ipv4Header> : std::true_type
{
    static py::object Make(const Ipv4Header& header)
    {
        return SimpleObject("source"_a = Print(header.GetSource()),
                            "destination"_a = Print(header.GetDestination()),
                            "protocol"_a = header.GetProtocol(),
                            "ttl"_a = header.GetTtl(),
                            "tos"_a = header.GetTos(),
                            "identification"_a = header.GetIdentification(),
                            "payload_bytes"_a = header.GetPayloadSize());
    }
};

template <>
struct AsObject<Ipv6Header> : std::true_type
{
    static py::object Make(const Ipv6Header& header)
    {
        return SimpleObject("source"_a = Print(header.GetSource()),
                            "destination"_a = Print(header.GetDestination()),
                            "next_header"_a = header.GetNextHeader(),
                            "hop_limit"_a = header.GetHopLimit(),
                            "traffic_class"_a = header.GetTrafficClass(),
                            "payload_bytes"_a = header.GetPayloadLength());
    }
};

template <>
struct AsObject<TcpHeader> : std::true_type
{
    static py::object Make(const TcpHeader& header)
    {
        return SimpleObject("source_port"_a = header.GetSourcePort(),
                            "destination_port"_a = header.GetDestinationPort(),
                            "sequence"_a = header.GetSequenceNumber().GetValue(),
                            "acknowledgement"_a = header.GetAckNumber().GetValue(),
                            "flags"_a = TcpHeader::FlagsToString(header.GetFlags()),
                            "window"_a = header.GetWindowSize());
    }
};

template <>
struct AsObject<SeqTsSizeHeader> : std::true_type
{
    static py::object Make(const SeqTsSizeHeader& header)
    {
        return SimpleObject("sequence"_a = header.GetSeq(),
                            "sent"_a = header.GetTs(),
                            "bytes"_a = header.GetSize());
    }
};

template <>
struct AsObject<SequenceNumber32> : std::true_type
{
    static py::object Make(const SequenceNumber32& number)
    {
        return py::int_(number.GetValue());
    }
};

template <>
struct AsObject<Ptr<const QueueDiscItem>> : std::true_type
{
    static py::object Make(const Ptr<const QueueDiscItem>& item)
    {
        return SimpleObject("bytes"_a = item->GetSize(),
                            "packet"_a = item->GetPacket(),
                            "protocol"_a = item->GetProtocol(),
                            "queued_since"_a = item->GetTimeStamp());
    }
};

template <>
struct AsObject<TcpSocketState::TcpCongState_t> : std::true_type
{
    static py::object Make(TcpSocketState::TcpCongState_t state)
    {
        return py::str(TcpSocketState::TcpCongStateName[state]);
    }
};

template <>
struct AsObject<TcpSocketState::EcnState_t> : std::true_type
{
    static py::object Make(TcpSocketState::EcnState_t state)
    {
        return py::str(TcpSocketState::EcnStateName[state]);
    }
};

template <>
struct AsObject<TcpSocket::TcpStates_t> : std::true_type
{
    static py::object Make(TcpSocket::TcpStates_t state)
    {
        return py::str(TcpSocket::TcpStateName[state]);
    }
};

template <>
struct AsObject<Ipv4L3Protocol::DropReason> : std::true_type
{
    static py::object Make(Ipv4L3Protocol::DropReason reason)
    {
        switch (reason)
        {
        case Ipv4L3Protocol::DROP_TTL_EXPIRED:
            return py::str("TTL_EXPIRED");
        case Ipv4L3Protocol::DROP_NO_ROUTE:
            return py::str("NO_ROUTE");
        case Ipv4L3Protocol::DROP_BAD_CHECKSUM:
            return py::str("BAD_CHECKSUM");
        case Ipv4L3Protocol::DROP_INTERFACE_DOWN:
            return py::str("INTERFACE_DOWN");
        case Ipv4L3Protocol::DROP_ROUTE_ERROR:
            return py::str("ROUTE_ERROR");
        case Ipv4L3Protocol::DROP_FRAGMENT_TIMEOUT:
            return py::str("FRAGMENT_TIMEOUT");
        default:
            return py::str("DUPLICATE");
        }
    }
};

template <>
struct AsObject<Ipv6L3Protocol::DropReason> : std::true_type
{
    static py::object Make(Ipv6L3Protocol::DropReason reason)
    {
        switch (reason)
        {
        case Ipv6L3Protocol::DROP_TTL_EXPIRED:
            return py::str("TTL_EXPIRED");
        case Ipv6L3Protocol::DROP_NO_ROUTE:
            return py::str("NO_ROUTE");
        case Ipv6L3Protocol::DROP_INTERFACE_DOWN:
            return py::str("INTERFACE_DOWN");
        case Ipv6L3Protocol::DROP_ROUTE_ERROR:
            return py::str("ROUTE_ERROR");
        case Ipv6L3Protocol::DROP_UNKNOWN_PROTOCOL:
            return py::str("UNKNOWN_PROTOCOL");
        case Ipv6L3Protocol::DROP_UNKNOWN_OPTION:
            return py::str("UNKNOWN_OPTION");
        case Ipv6L3Protocol::DROP_MALFORMED_HEADER:
            return py::str("MALFORMED_HEADER");
        default:
            return py::str("FRAGMENT_TIMEOUT");
        }
    }
};

const SinkTable&
StockSinks()
{
    using PacketPtr = Ptr<const Packet>;
    using ItemPtr = Ptr<const QueueDiscItem>;
    using CongState = TcpSocketState::TcpCongState_t;
    using EcnState = TcpSocketState::EcnState_t;
    static const SinkTable sinks{
        {"ns3::Packet::AddressTracedCallback", &MakeSink<PacketPtr, const Address&>},
        {"ns3::Packet::SizeTracedCallback", &MakeSink<uint32_t, uint32_t>},
        {"ns3::Packet::TwoAddressTracedCallback",
         &MakeSink<PacketPtr, const Address&, const Address&>},
        {"ns3::PacketSink::SeqTsSizeCallback",
         &MakeSink<PacketPtr, const Address&, const Address&, const SeqTsSizeHeader&>},
        {"ns3::Ipv4Address::TracedCallback", &MakeSink<const Ipv4Address&>},
        {"ns3::Ipv4L3Protocol::DropTracedCallback",
         &MakeSink<const Ipv4Header&, PacketPtr, Ipv4L3Protocol::DropReason, Ptr<Ipv4>, uint32_t>},
        {"ns3::Ipv4L3Protocol::SentTracedCallback",
         &MakeSink<const Ipv4Header&, PacketPtr, uint32_t>},
        {"ns3::Ipv4L3Protocol::TxRxTracedCallback", &MakeSink<PacketPtr, Ptr<Ipv4>, uint32_t>},
        {"ns3::Ipv6L3Protocol::DropTracedCallback",
         &MakeSink<const Ipv6Header&, PacketPtr, Ipv6L3Protocol::DropReason, Ptr<Ipv6>, uint32_t>},
        {"ns3::Ipv6L3Protocol::SentTracedCallback",
         &MakeSink<const Ipv6Header&, PacketPtr, uint32_t>},
        {"ns3::Ipv6L3Protocol::TxRxTracedCallback", &MakeSink<PacketPtr, Ptr<Ipv6>, uint32_t>},
        {"ns3::QueueDiscItem::TracedCallback", &MakeSink<ItemPtr>},
        // These give a reason as well.
        {"ns3::QueueDisc::DropBeforeEnqueue", &MakeSink<ItemPtr, const char*>},
        {"ns3::QueueDisc::DropAfterDequeue", &MakeSink<ItemPtr, const char*>},
        {"ns3::QueueDisc::Mark", &MakeSink<ItemPtr, const char*>},
        {"ns3::CobaltQueueDisc::DropNext", &MakeSink<int64_t, int64_t>},
        {"ns3::SequenceNumber32TracedValueCallback", &MakeSink<SequenceNumber32, SequenceNumber32>},
        {"ns3::TracedValueCallback::SequenceNumber32",
         &MakeSink<SequenceNumber32, SequenceNumber32>},
        {"ns3::TcpDctcp::CongestionEstimateTracedCallback", &MakeSink<uint32_t, uint32_t, double>},
        {"ns3::TcpSocketBase::TcpTxRxTracedCallback",
         &MakeSink<PacketPtr, const TcpHeader&, Ptr<const TcpSocketBase>>},
        {"ns3::TcpSocketState::EcnStatesTracedValueCallback", &MakeSink<EcnState, EcnState>},
        {"ns3::TracedValueCallback::EcnState", &MakeSink<EcnState, EcnState>},
        {"ns3::TcpSocketState::TcpCongStatesTracedValueCallback", &MakeSink<CongState, CongState>},
        {"ns3::TracedValueCallback::TcpCongState", &MakeSink<CongState, CongState>},
        {"ns3::TcpStatesTracedValueCallback",
         &MakeSink<TcpSocket::TcpStates_t, TcpSocket::TcpStates_t>},
    };
    return sinks;
}

} // namespace lossless_python
