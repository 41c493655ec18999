// SPDX-License-Identifier: GPL-2.0-only
#include "inof-message.h"

namespace ns3
{

namespace
{

/// Octets in network order, at the end of a vector.
class Writer
{
  public:
    explicit Writer(std::vector<uint8_t>& bytes)
        : m_bytes(bytes)
    {
    }

    /// @param value a number @param octets how many of its low octets
    void Put(uint64_t value, int octets)
    {
        for (int i = octets - 1; i >= 0; --i)
        {
            m_bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
        }
    }

    /// @param list numbers, preceded by how many
    void PutList(const std::vector<uint32_t>& list)
    {
        Put(list.size(), 2);
        for (const uint32_t item : list)
        {
            Put(item, 4);
        }
    }

  private:
    std::vector<uint8_t>& m_bytes;
};

/// The reverse. What is not there reads as 0 and makes Good() false.
class Reader
{
  public:
    Reader(const uint8_t* data, std::size_t size)
        : m_data(data),
          m_left(size)
    {
    }

    uint64_t Get(int octets)
    {
        if (m_left < static_cast<std::size_t>(octets))
        {
            m_good = false;
            m_left = 0;
            return 0;
        }
        uint64_t value = 0;
        for (int i = 0; i < octets; ++i)
        {
            value = value << 8 | *m_data++;
        }
        m_left -= octets;
        return value;
    }

    /// A number of at most `highest`.
    uint8_t GetUpTo(uint8_t highest)
    {
        const auto value = static_cast<uint8_t>(Get(1));
        m_good = m_good && value <= highest;
        return value;
    }

    std::vector<uint32_t> GetList()
    {
        const std::size_t count = Get(2);
        m_good = m_good && count <= InofDatagram::MAX_LIST;
        std::vector<uint32_t> list;
        for (std::size_t i = 0; i < count && m_good; ++i)
        {
            list.push_back(static_cast<uint32_t>(Get(4)));
        }
        return list;
    }

    std::string GetName()
    {
        const std::size_t length = GetUpTo(InofDatagram::MAX_NAME);
        std::string name;
        for (std::size_t i = 0; i < length && m_good; ++i)
        {
            name += static_cast<char>(Get(1));
        }
        return name;
    }

    /// @return whether all was there and in range so far
    bool Good() const
    {
        return m_good;
    }

    /// @return whether, besides, nothing is left
    bool Done() const
    {
        return m_good && m_left == 0;
    }

  private:
    const uint8_t* m_data;
    std::size_t m_left;
    bool m_good{true};
};

void
WriteHost(Writer& writer, const InofHostInfo& host)
{
    writer.Put(host.id, 4);
    writer.Put(host.address, 4);
    writer.Put(static_cast<uint8_t>(host.role), 1);
    writer.Put(host.pfcClasses, 1);
}

InofHostInfo
ReadHost(Reader& reader)
{
    InofHostInfo host;
    host.id = static_cast<uint32_t>(reader.Get(4));
    host.address = static_cast<uint32_t>(reader.Get(4));
    host.role = static_cast<InofRole>(reader.GetUpTo(static_cast<uint8_t>(InofRole::DISK)));
    host.pfcClasses = static_cast<uint8_t>(reader.Get(1));
    return host;
}

void
WriteMessage(Writer& writer, const InofMessage& message)
{
    writer.Put(message.type, 1);
    switch (message.type)
    {
    case InofMessage::HOST_EVENT:
    case InofMessage::ROUTE:
        writer.Put(message.up, 1);
        writer.Put(static_cast<uint8_t>(message.reason), 1);
        WriteHost(writer, message.host);
        if (message.type == InofMessage::ROUTE)
        {
            writer.Put(message.originator, 4);
            writer.Put(message.serial, 8);
            writer.PutList(message.clusterList);
        }
        break;
    case InofMessage::WITHDRAW:
        writer.Put(message.host.id, 4);
        writer.Put(message.originator, 4);
        break;
    case InofMessage::ZONE_BEGIN:
        writer.Put(message.version, 4);
        writer.Put(message.autoJoin, 1);
        break;
    case InofMessage::ZONE:
        writer.Put(message.zone, 2);
        writer.Put(message.name.size(), 1);
        for (const char letter : message.name)
        {
            writer.Put(static_cast<uint8_t>(letter), 1);
        }
        writer.PutList(message.members);
        break;
    case InofMessage::ZONE_END:
        writer.Put(message.version, 4);
        break;
    case InofMessage::SYNC_END:
        break;
    }
}

InofMessage
ReadMessage(Reader& reader)
{
    InofMessage message;
    message.type = static_cast<InofMessage::Type>(reader.GetUpTo(InofMessage::ZONE_END));
    switch (message.type)
    {
    case InofMessage::HOST_EVENT:
    case InofMessage::ROUTE:
        message.up = reader.GetUpTo(1);
        message.reason =
            static_cast<InofReason>(reader.GetUpTo(static_cast<uint8_t>(InofReason::PFC_DISABLED)));
        message.host = ReadHost(reader);
        if (message.type == InofMessage::ROUTE)
        {
            message.originator = static_cast<uint32_t>(reader.Get(4));
            message.serial = reader.Get(8);
            message.clusterList = reader.GetList();
        }
        break;
    case InofMessage::WITHDRAW:
        message.host.id = static_cast<uint32_t>(reader.Get(4));
        message.originator = static_cast<uint32_t>(reader.Get(4));
        break;
    case InofMessage::ZONE_BEGIN:
        message.version = static_cast<uint32_t>(reader.Get(4));
        message.autoJoin = reader.GetUpTo(1);
        break;
    case InofMessage::ZONE:
        message.zone = static_cast<uint16_t>(reader.Get(2));
        message.name = reader.GetName();
        message.members = reader.GetList();
        break;
    case InofMessage::ZONE_END:
        message.version = static_cast<uint32_t>(reader.Get(4));
        break;
    case InofMessage::SYNC_END:
        break;
    }
    return message;
}

} // namespace

const char*
ToString(InofReason reason)
{
    switch (reason)
    {
    case InofReason::NONE:
        return "none";
    case InofReason::REMOVED:
        return "removed";
    case InofReason::LINK_DOWN:
        return "linkDown";
    case InofReason::TIMEOUT:
        return "timeout";
    case InofReason::PORT_FAULT:
        return "portFault";
    case InofReason::PFC_DISABLED:
        return "pfcDisabled";
    }
    return "unknown";
}

std::vector<uint8_t>
InofDatagram::Serialise() const
{
    std::vector<uint8_t> bytes;
    Writer writer(bytes);
    writer.Put(VERSION, 1);
    writer.Put(kind, 1);
    writer.Put(0, 2); // the length, when it is known
    writer.Put(sender, 4);
    writer.Put(senderEpoch, 4);
    writer.Put(receiverEpoch, 4);
    writer.Put(message ? sequence : 0, 4);
    writer.Put(acknowledge, 4);
    if (kind == HELLO)
    {
        WriteHost(writer, hello);
    }
    else if (message)
    {
        WriteMessage(writer, *message);
    }
    bytes[2] = static_cast<uint8_t>(bytes.size() >> 8);
    bytes[3] = static_cast<uint8_t>(bytes.size());
    return bytes;
}

std::optional<InofDatagram>
InofDatagram::Parse(const uint8_t* data, std::size_t size)
{
    Reader reader(data, size);
    InofDatagram datagram;
    const bool isOurs = reader.Get(1) == VERSION;
    datagram.kind = static_cast<Kind>(reader.GetUpTo(ACK));
    const bool isWhole = reader.Get(2) == size;
    datagram.sender = static_cast<uint32_t>(reader.Get(4));
    datagram.senderEpoch = static_cast<uint32_t>(reader.Get(4));
    datagram.receiverEpoch = static_cast<uint32_t>(reader.Get(4));
    datagram.sequence = static_cast<uint32_t>(reader.Get(4));
    datagram.acknowledge = static_cast<uint32_t>(reader.Get(4));
    if (!reader.Good() || !isOurs || !isWhole || datagram.kind < HELLO)
    {
        return std::nullopt;
    }
    if (datagram.kind == HELLO)
    {
        datagram.hello = ReadHost(reader);
    }
    else if (datagram.sequence > 0)
    {
        datagram.message = ReadMessage(reader);
    }
    const bool typeIsGood = !datagram.message || datagram.message->type >= InofMessage::HOST_EVENT;
    return reader.Done() && typeIsGood ? std::optional(datagram) : std::nullopt;
}

} // namespace ns3
