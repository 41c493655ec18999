// SPDX-License-Identifier: GPL-2.0-only
#include "proto-wire.h"

#include "ns3/fabric-error.h"

namespace ns3
{

bool
ProtoWire::Next()
{
    if (m_at == m_size)
    {
        return false;
    }
    m_begin = m_at;
    constexpr uint64_t MOST_FIELDS = (uint64_t{1} << 29) - 1;
    const uint64_t tag = TakeVarint();
    if (tag >> 3 == 0 || tag >> 3 > MOST_FIELDS)
    {
        Fail("there is no field " + std::to_string(tag >> 3));
    }
    m_field = static_cast<uint32_t>(tag >> 3);
    m_type = static_cast<Type>(tag & 7);
    switch (m_type)
    {
    case VARINT:
        m_number = TakeVarint();
        return true;
    case FIXED64:
        m_number = TakeFixed(8);
        return true;
    case FIXED32:
        m_number = TakeFixed(4);
        return true;
    case LENGTH: {
        const uint64_t length = TakeVarint();
        if (length > m_size - m_at)
        {
            Fail("field " + std::to_string(m_field) + " of " + std::to_string(length) + " B, " +
                 std::to_string(m_size - m_at) + " left");
        }
        m_begin = m_at;
        m_length = static_cast<std::size_t>(length);
        m_at += m_length;
        return true;
    }
    }
    Fail("field " + std::to_string(m_field) + " has wire type " + std::to_string(tag & 7) +
         ", which is none");
}

uint64_t
ProtoWire::TakeVarint()
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7)
    {
        if (m_at == m_size)
        {
            Fail("a number without end");
        }
        const uint8_t byte = m_bytes[m_at++];
        number |= uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80)
        {
            return number;
        }
    }
    Fail("a number of more than 10 bytes");
}

uint64_t
ProtoWire::TakeFixed(std::size_t count)
{
    if (count > m_size - m_at)
    {
        Fail("a number of " + std::to_string(count) + " B, " + std::to_string(m_size - m_at) +
             " left");
    }
    uint64_t number = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        number |= uint64_t{m_bytes[m_at++]} << (8 * i);
    }
    return number;
}

void
ProtoWire::RequireLength(bool isLength) const
{
    if ((m_type == LENGTH) != isLength)
    {
        Fail("field " + std::to_string(m_field) +
             (isLength ? " is a number, expected text or a message" : " is no number"));
    }
}

uint64_t
ProtoWire::GetNumber() const
{
    RequireLength(false);
    return m_number;
}

std::string
ProtoWire::GetText() const
{
    RequireLength(true);
    const uint8_t* const begin = m_bytes + m_begin;
    return {begin, begin + m_length};
}

ProtoWire
ProtoWire::GetMessage() const
{
    RequireLength(true);
    return {m_bytes + m_begin, m_length, m_offset + m_begin, m_path};
}

void
ProtoWire::AppendNumbers(std::vector<uint64_t>& to) const
{
    if (m_type != LENGTH)
    {
        to.push_back(m_number);
        return;
    }
    ProtoWire packed = GetMessage();
    while (packed.m_at < packed.m_size)
    {
        packed.m_begin = packed.m_at;
        to.push_back(packed.TakeVarint());
    }
}

void
ProtoWire::Fail(const std::string& what) const
{
    throw FabricError(m_path, 0, "byte " + std::to_string(m_offset + m_begin) + ": " + what);
}

} // namespace ns3
