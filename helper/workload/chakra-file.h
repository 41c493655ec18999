// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHAKRA_FILE_H
#define LOSSLESS_CHAKRA_FILE_H

#include "byte-file.h"
#include "proto-wire.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// The records of an execution trace of Chakra, one after another. What the bytes cannot be is a
/// FabricError with the file and the byte.
class ChakraFile
{
  public:
    /// @param path of the file; FabricError unless it begins as such files do
    explicit ChakraFile(const std::string& path);

    /// Read the next node. @return false: the file ends
    bool Next();

    /// @return the node, up to the next one
    ProtoWire GetRecord() const
    {
        return {m_record.data(), m_record.size(), m_file.Offset() - m_record.size(), m_file.Path()};
    }

  private:
    /// @return the length of a record, read
    uint64_t TakeLength();
    /// Refuse the file. @param byte where @param what is wrong
    [[noreturn]] void Fail(uint64_t byte, const std::string& what) const;

    ByteFile m_file;
    std::vector<uint8_t> m_record;
};

} // namespace ns3

#endif // LOSSLESS_CHAKRA_FILE_H
