// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FUZZ_SCRATCH_FOLDER_H
#define LOSSLESS_FUZZ_SCRATCH_FOLDER_H

#include "ns3/fabric-error.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace ns3
{
namespace fuzz
{

/// A folder for files of inputs, gone at the end.
class ScratchFolder
{
  public:
    ScratchFolder()
        : m_path(std::filesystem::temp_directory_path() /
                 ("lossless-fuzz-" + std::to_string(getpid())))
    {
        std::filesystem::create_directories(m_path);
    }

    ~ScratchFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }

    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    /// @param name of a file @param text what it gets @return its path
    std::string Write(const std::string& name, const std::string& text) const
    {
        const std::string path = (m_path / name).string();
        if (!(std::ofstream(path, std::ios::binary) << text).flush())
        {
            throw FabricError(path, 0, "cannot be written");
        }
        return path;
    }

    /// @return its path
    const std::filesystem::path& Path() const
    {
        return m_path;
    }

  private:
    std::filesystem::path m_path;
};

/// @param path of a file @return all of it
inline std::string
ReadWhole(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file || text.empty())
    {
        throw FabricError(path, 0, "cannot be read, or is empty");
    }
    return text;
}

} // namespace fuzz
} // namespace ns3

#endif // LOSSLESS_FUZZ_SCRATCH_FOLDER_H
