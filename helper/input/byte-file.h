// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BYTE_FILE_H
#define LOSSLESS_BYTE_FILE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct gzFile_s;

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A file read from its begin to its end, byte by byte: for files too long to be held, and for those
 * that are not made of lines of fields. A file that gzip has compressed reads as what it was
 * before.
 */
class ByteFile
{
  public:
    static constexpr int END = -1; //!< there is no byte

    /// @param path the file; FabricError when it cannot be read
    explicit ByteFile(const std::string& path);
    ~ByteFile();
    ByteFile(const ByteFile&) = delete;
    ByteFile& operator=(const ByteFile&) = delete;

    /// @return the next byte, or END; it stays the next one
    int Peek()
    {
        return m_at < m_buffer.size() || Fill() ? m_buffer[m_at] : END;
    }

    /// @return the next byte, or END
    int Get()
    {
        return m_at < m_buffer.size() || Fill() ? m_buffer[m_at++] : END;
    }

    /**
     * Read some bytes, or up to the end of the file. Takes no more memory than there are bytes.
     * @param to gets them instead of what it has @param count how many
     * @return whether there were as many
     */
    bool Read(std::vector<uint8_t>& to, uint64_t count);

    /**
     * Read a line.
     * @param to gets it without its end @param longest bytes that it may have; FabricError with
     * more
     * @return false: the file ends
     */
    bool ReadLine(std::string& to, std::size_t longest);

    /// @return lines that ReadLine() has read
    uint64_t Line() const
    {
        return m_line;
    }

    /// @return bytes read so far
    uint64_t Offset() const
    {
        return m_before + m_at;
    }

    /// @return path of the file
    const std::string& Path() const
    {
        return m_path;
    }

  private:
    /// Read on. @return false: the file ends
    bool Fill();

    std::string m_path;
    gzFile_s* m_file{nullptr};
    std::vector<uint8_t> m_buffer;
    std::size_t m_at{0};  //!< next byte of the buffer
    uint64_t m_before{0}; //!< bytes of the file before the buffer
    uint64_t m_line{0};
};

} // namespace ns3

#endif // LOSSLESS_BYTE_FILE_H
