// SPDX-License-Identifier: GPL-2.0-only
#include "chakra-file.h"

#include "ns3/fabric-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint64_t MOST_RECORD = uint64_t{64} << 20; //!< bytes of a node

/// FabricError if a file is JSON, as what Chakra converts is. @param path of the file
void
RequireBinary(const std::string& path)
{
    constexpr uint64_t enough = 64 * 1024;
    std::vector<uint8_t> bytes;
    ByteFile(path).Read(bytes, enough);
    const std::string begin(bytes.begin(), bytes.end());
    if (begin.empty() || (begin[0] != '{' && begin[0] != '['))
    {
        return;
    }
    // A record of 123 B begins with a brace as well; what follows in JSON is no field of it.
    const std::size_t next = begin.find_first_not_of(" \t\r\n", 1);
    if (next == std::string::npos || std::string("\"{[]}").find(begin[next]) == std::string::npos)
    {
        return;
    }
    const bool isKineto = begin.find("\"traceEvents\"") != std::string::npos;
    const bool isPyTorch = begin.find("\"nodes\"") != std::string::npos ||
                           begin.find("\"schema\"") != std::string::npos;
    throw FabricError(path,
                      0,
                      std::string("byte 0: ") +
                          (isKineto    ? "a trace of Kineto in JSON"
                           : isPyTorch ? "an execution trace of PyTorch in JSON"
                                       : "JSON") +
                          "; expected an execution trace of Chakra, into which chakra_converter "
                          "makes it");
}

} // namespace

ChakraFile::ChakraFile(const std::string& path)
    : m_file(path)
{
    RequireBinary(path);
    if (!Next())
    {
        Fail(0, "the file is empty; expected an execution trace of Chakra");
    }
    for (ProtoWire metadata = GetRecord(); metadata.Next();)
    {
        if (metadata.GetField() <= 2 && metadata.GetType() != ProtoWire::LENGTH)
        {
            metadata.Fail("the first record is no GlobalMetadata; is it a trace of Chakra?");
        }
    }
}

bool
ChakraFile::Next()
{
    if (m_file.Peek() == ByteFile::END)
    {
        return false;
    }
    const uint64_t begin = m_file.Offset();
    const uint64_t length = TakeLength();
    const std::string what = "record of " + std::to_string(length) + " B";
    if (length == 0)
    {
        Fail(begin, what + ", which is no node");
    }
    if (!m_file.Read(m_record, std::min(length, MOST_RECORD)))
    {
        Fail(begin, what + ", " + std::to_string(m_record.size()) + " left");
    }
    if (length > MOST_RECORD)
    {
        Fail(begin, what + "; a node has at most " + std::to_string(MOST_RECORD));
    }
    return true;
}

uint64_t
ChakraFile::TakeLength()
{
    const uint64_t begin = m_file.Offset();
    constexpr unsigned bits = 35; // of 5 bytes
    uint64_t length = 0;
    for (unsigned shift = 0; shift < bits; shift += 7)
    {
        const int byte = m_file.Get();
        if (byte == ByteFile::END)
        {
            Fail(begin, "the file ends within the length of a record");
        }
        length |= static_cast<uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80)
        {
            return length;
        }
    }
    Fail(begin, "the length of a record has more than 5 bytes; is it a trace of Chakra?");
}

void
ChakraFile::Fail(uint64_t byte, const std::string& what) const
{
    throw FabricError(m_file.Path(), 0, "byte " + std::to_string(byte) + ": " + what);
}

} // namespace ns3
