// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STOCK_APPLICATION_H
#define LOSSLESS_STOCK_APPLICATION_H

#include "ns3/application.h"
#include "ns3/inet-socket-address.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What the attributes of an application of ns-3 say of it.
namespace StockApplication
{

/// Payload of the longest datagram of UDP over IPv4, bytes.
constexpr uint32_t MOST_UDP_BYTES = 65507;

/// @param type of an application @return names of its attributes that hold an Address
std::vector<std::string> AddressesOf(TypeId type);

/// @param application any @param name of an attribute @return whether the application has it
bool Has(const Application& application, const std::string& name);

/// @param application any @param name of an attribute that is a whole number @return its value; 0:
/// there is none
uint64_t NumberOf(const Application& application, const std::string& name);

/// @param application any @return whether its sockets are of TCP
bool IsTcp(const Application& application);

/// @param application any @return the port on which it listens; 0: any or none
uint16_t LocalPortOf(const Application& application);

/// @param application any @return where it sends, over IPv4; empty: nowhere, or that cannot be seen
std::optional<InetSocketAddress> PeerOf(const Application& application);

/// @param application with a UDP or TCP socket @return bytes of its longest IP packet; 0: unknown
uint64_t LongestPacketOf(const Application& application);

/// Fix what is random in an application. @param application it @param stream the first to use
/// @return number of streams used
int64_t AssignStreamsOf(Application& application, int64_t stream);

} // namespace StockApplication
} // namespace ns3

#endif // LOSSLESS_STOCK_APPLICATION_H
