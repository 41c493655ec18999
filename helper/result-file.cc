// SPDX-License-Identifier: GPL-2.0-only
#include "result-file.h"

#include "fabric-error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace ns3
{

ResultFile::ResultFile(const std::string& path)
    : m_path(path),
      m_part(path + ".part")
{
    std::error_code error;
    const auto folder = std::filesystem::path(path).parent_path();
    if (!folder.empty())
    {
        std::filesystem::create_directories(folder, error);
    }
    if (std::filesystem::is_directory(path, error))
    {
        throw FabricError(path, 0, "is a folder; give the name of a file");
    }
    m_stream.open(m_part);
    if (!m_stream)
    {
        throw FabricError(path, 0, std::string("cannot be written: ") + std::strerror(errno));
    }
}

ResultFile::~ResultFile()
{
    if (m_stream.is_open())
    {
        m_stream.close();
        std::error_code ignored;
        std::filesystem::remove(m_part, ignored);
    }
}

void
ResultFile::Commit()
{
    m_stream.flush();
    if (!m_stream)
    {
        throw FabricError(m_path, 0, "cannot be written to its end; is the disk full?");
    }
    m_stream.close();
    std::error_code error;
    std::filesystem::rename(m_part, m_path, error);
    if (error)
    {
        throw FabricError(m_path, 0, "cannot be given its name: " + error.message());
    }
}

} // namespace ns3
