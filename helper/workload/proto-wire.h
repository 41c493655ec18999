// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PROTO_WIRE_H
#define LOSSLESS_PROTO_WIRE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The fields of a message in the wire format of Protocol Buffers, one after another. What the bytes
 * cannot be is a FabricError with the file and the byte.
 */
class ProtoWire
{
  public:
    /// How a value is written.
    enum Type : uint8_t
    {
        VARINT = 0,
        FIXED64 = 1,
        LENGTH = 2, //!< text, bytes, a message or packed numbers
        FIXED32 = 5
    };

    /// @param bytes the message @param size its bytes @param offset of it in the file @param path
    /// of the file; all must live as long as this
    ProtoWire(const uint8_t* bytes, std::size_t size, uint64_t offset, const std::string& path)
        : m_bytes(bytes),
          m_size(size),
          m_offset(offset),
          m_path(path)
    {
    }

    /// Go to the next field. @return false: the message ends
    bool Next();

    /// @return number of the field
    uint32_t GetField() const
    {
        return m_field;
    }

    /// @return how its value is written
    Type GetType() const
    {
        return m_type;
    }

    /// @return the value, a whole number or the bits of a real one
    uint64_t GetNumber() const;

    /// @return the value, text or bytes
    std::string GetText() const;

    /// @return the value, a message
    ProtoWire GetMessage() const;

    /// @param to gets the numbers of the value, one or many
    void AppendNumbers(std::vector<uint64_t>& to) const;

    /// Refuse the field. @param what is wrong
    [[noreturn]] void Fail(const std::string& what) const;

  private:
    /// Read a number of 7 bits a byte. @return it
    uint64_t TakeVarint();
    /// Read a number of so many bytes. @param count of bytes @return it
    uint64_t TakeFixed(std::size_t count);
    /// FabricError unless the field is written so. @param isLength as LENGTH, else as a number
    void RequireLength(bool isLength) const;

    const uint8_t* m_bytes;
    std::size_t m_size;
    uint64_t m_offset;
    const std::string& m_path;
    std::size_t m_at{0};    //!< next byte
    std::size_t m_begin{0}; //!< of the field; of the bytes of a value of LENGTH
    std::size_t m_length{0};
    uint64_t m_number{0};
    uint32_t m_field{0};
    Type m_type{VARINT};
};

} // namespace ns3

#endif // LOSSLESS_PROTO_WIRE_H
