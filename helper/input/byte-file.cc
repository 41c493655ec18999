// SPDX-License-Identifier: GPL-2.0-only
#include "byte-file.h"

#include "fabric-error.h"
#include "input-files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <zlib.h>

namespace ns3
{

namespace
{

constexpr std::size_t BLOCK = 64 * 1024; //!< bytes of a read

} // namespace

ByteFile::ByteFile(const std::string& path)
    : m_path(path),
      m_buffer(BLOCK)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
        throw FabricError(path, 0, "is a folder; give a file");
    }
    errno = 0;
    m_file = gzopen(path.c_str(), "rb");
    if (!m_file)
    {
        throw FabricError(path, 0, std::string("cannot be read: ") + std::strerror(errno));
    }
    gzbuffer(m_file, BLOCK);
    InputFiles::Add(path);
}

ByteFile::~ByteFile()
{
    gzclose_r(m_file);
}

bool
ByteFile::Fill()
{
    m_before += m_end;
    m_at = 0;
    m_end = 0;
    const int count = gzread(m_file, m_buffer.data(), BLOCK);
    int error = Z_OK;
    const char* const text = gzerror(m_file, &error);
    if (count < 0 || (count == 0 && error != Z_OK))
    {
        throw FabricError(m_path,
                          0,
                          "byte " + std::to_string(m_before) + ": cannot be read: " +
                              (error == Z_ERRNO       ? std::strerror(errno)
                               : error == Z_BUF_ERROR ? "what gzip has compressed is cut off"
                                                      : text));
    }
    m_end = static_cast<std::size_t>(count);
    return count > 0;
}

bool
ByteFile::Read(std::vector<uint8_t>& to, uint64_t count)
{
    to.clear();
    while (to.size() < count && Peek() != END)
    {
        const auto some =
            static_cast<std::ptrdiff_t>(std::min<uint64_t>(count - to.size(), m_end - m_at));
        const auto begin = m_buffer.begin() + static_cast<std::ptrdiff_t>(m_at);
        to.insert(to.end(), begin, begin + some);
        m_at += static_cast<std::size_t>(some);
    }
    return to.size() == count;
}

bool
ByteFile::ReadLine(std::string& to, std::size_t longest)
{
    to.clear();
    if (Peek() == END)
    {
        return false;
    }
    ++m_line;
    while (Peek() != END)
    {
        const auto begin = m_buffer.begin() + static_cast<std::ptrdiff_t>(m_at);
        const auto stop = m_buffer.begin() + static_cast<std::ptrdiff_t>(m_end);
        const auto end = std::find(begin, stop, '\n');
        to.append(begin, end);
        m_at += static_cast<std::size_t>(end - begin);
        if (to.size() > longest)
        {
            throw FabricError(m_path,
                              m_line,
                              "a line of more than " + std::to_string(longest) + " bytes");
        }
        if (end != stop)
        {
            ++m_at;
            break;
        }
    }
    return true;
}

} // namespace ns3
