// SPDX-License-Identifier: GPL-2.0-only
#include "input-files.h"

#include "fabric-error.h"

#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <vector>

namespace ns3
{
namespace
{

namespace fs = std::filesystem;

/// Names of files, with the lock that guards them.
struct Names
{
    std::mutex mutex;
    std::set<std::string> files; //!< absolute, links followed
};

/// @return the files that were read
Names&
Read()
{
    static Names names;
    return names;
}

/// @param path of a file @return its one name; empty: no file that could be lost is there
std::string
NameOf(const std::string& path)
{
    std::error_code failed;
    return fs::is_regular_file(path, failed) ? fs::canonical(path, failed).string() : "";
}

} // namespace

std::string
InputFiles::ReadText(const std::string& path, const std::string& expected)
{
    std::ifstream stream(path);
    stream.peek(); // a folder opens, and cannot be read
    if (!stream.is_open() || stream.bad())
    {
        throw FabricError(path, 0, FabricError("cannot be read", expected).what());
    }
    Add(path);
    std::string text;
    std::vector<char> block(64 * 1024);
    while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) ||
           stream.gcount() > 0)
    {
        text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > MOST_TEXT)
        {
            throw FabricError(path, 0, "file is longer than 64 MiB");
        }
    }
    return text;
}

void
InputFiles::Add(const std::string& path)
{
    const std::string name = NameOf(path);
    if (!name.empty())
    {
        const std::lock_guard<std::mutex> guard(Read().mutex);
        Read().files.insert(name);
    }
}

bool
InputFiles::Has(const std::string& path)
{
    const std::string name = NameOf(path);
    const std::lock_guard<std::mutex> guard(Read().mutex);
    return !name.empty() && Read().files.count(name) > 0;
}

void
InputFiles::RequireOther(const std::string& path)
{
    if (Has(path))
    {
        throw FabricError(path,
                          0,
                          "is an input, and results would replace it; write them elsewhere");
    }
}

} // namespace ns3
