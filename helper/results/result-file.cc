// SPDX-License-Identifier: GPL-2.0-only
#include "result-file.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3
{
namespace
{

namespace fs = std::filesystem;

/// Names of the parts that are being written, for RemoveParts(); null: free. A part too many stays
/// behind when the program is interrupted.
std::array<std::atomic<const char*>, 64> g_parts;

void
Enlist(const char* part)
{
    for (auto& entry : g_parts)
    {
        const char* expected = nullptr;
        if (entry.compare_exchange_strong(expected, part))
        {
            return;
        }
    }
}

/// @param part a part @return whether it is being written
bool
IsListed(const std::string& part)
{
    return std::any_of(g_parts.begin(), g_parts.end(), [&part](const auto& entry) {
        const char* name = entry.load();
        return name && part == name;
    });
}

void
Delist(const char* part)
{
    for (auto& entry : g_parts)
    {
        const char* expected = part;
        entry.compare_exchange_strong(expected, nullptr);
    }
}

} // namespace

std::string
ResultFile::Target(const std::string& path)
{
    std::error_code error;
    fs::path target = path;
    const fs::file_status status = fs::status(target, error);
    if (fs::exists(status) && !fs::is_regular_file(status))
    {
        return "";
    }
    constexpr int longest = 40; // links in a row, as Linux has it
    for (int i = 0; i < longest && fs::is_symlink(target, error); ++i)
    {
        const fs::path next = fs::read_symlink(target, error);
        target = target.parent_path() / next; // next alone, if it is absolute
    }
    const fs::path whole = fs::weakly_canonical(fs::absolute(target, error), error);
    return error ? path : whole.string();
}

void
ResultFile::RemoveParts()
{
    for (auto& entry : g_parts)
    {
        if (const char* part = entry.load())
        {
            unlink(part);
        }
    }
}

ResultFile::ResultFile(const std::string& path)
    : m_path(path)
{
    std::error_code error;
    const auto folder = fs::path(path).parent_path();
    if (!folder.empty())
    {
        fs::create_directories(folder, error);
    }
    if (fs::is_directory(path, error))
    {
        throw FabricError(path, 0, "is a folder; give the name of a file");
    }
    m_target = Target(path);
    m_part = m_target.empty() ? "" : m_target + ".part";
    if (IsListed(m_part))
    {
        throw FabricError(path, 0, "is being written already; give each output its own file");
    }
    m_stream.open(m_part.empty() ? path : m_part);
    if (!m_stream)
    {
        throw FabricError(path, 0, std::string("cannot be written: ") + std::strerror(errno));
    }
    if (!m_part.empty())
    {
        Enlist(m_part.c_str());
    }
}

ResultFile::~ResultFile()
{
    if (m_stream.is_open())
    {
        m_stream.close();
        std::error_code ignored;
        if (!m_part.empty())
        {
            fs::remove(m_part, ignored);
        }
    }
    Delist(m_part.c_str());
}

void
ResultFile::Make(const std::string& path, const std::function<void(std::ostream&)>& write)
{
    ResultFile file(path);
    write(file.Stream());
    file.Commit();
}

void
ResultFile::RequireGood() const
{
    if (!m_stream)
    {
        throw FabricError(m_path, 0, "cannot be written to its end; is the disk full?");
    }
}

void
ResultFile::Write(std::string_view text)
{
    m_stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    RequireGood();
}

void
ResultFile::Flush()
{
    m_stream.flush();
    RequireGood();
}

void
ResultFile::Commit()
{
    Flush();
    m_stream.close();
    if (m_part.empty())
    {
        return;
    }
    std::error_code error;
    fs::rename(m_part, m_target, error);
    Delist(m_part.c_str());
    if (error)
    {
        throw FabricError(m_path, 0, "cannot be given its name: " + error.message());
    }
}

// ---- signals

SignalPause::SignalPause()
{
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    {
        sigaddset(&ending, signal);
    }
    pthread_sigmask(SIG_BLOCK, &ending, &m_before);
}

SignalPause::~SignalPause()
{
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

// ---- folders

FolderLock::FolderLock(const std::string& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (!fs::is_directory(folder, error))
    {
        throw FabricError(folder, 0, "is no folder and cannot be made one; name another one");
    }
    m_path = fs::weakly_canonical(fs::absolute(folder, error), error) / ".lossless-lock";
    while (m_file < 0)
    {
        m_file = open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (m_file < 0)
        {
            throw FabricError(folder, 0, std::string("cannot be written: ") + std::strerror(errno));
        }
        // The kernel forgets the lock of a process that dies. A file system that knows no locks
        // answers with another error: then there is none.
        if (flock(m_file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        {
            char holder[32] = {};
            const bool isKnown = read(m_file, holder, sizeof(holder) - 1) > 0;
            close(m_file);
            const std::string who = !isKnown ? "another run"
                                    : std::to_string(getpid()) == holder
                                        ? "another run of this program"
                                        : std::string("process ") + holder;
            throw FabricError(folder,
                              0,
                              "is being written by " + who + "; give each run a folder of its own");
        }
        struct stat ours = {};
        struct stat there = {};
        if (fstat(m_file, &ours) != 0 || stat(m_path.c_str(), &there) != 0 ||
            ours.st_ino != there.st_ino)
        {
            close(m_file); // its last owner has removed it meanwhile
            m_file = -1;
        }
    }
    const std::string self = std::to_string(getpid());
    if (ftruncate(m_file, 0) == 0 && write(m_file, self.data(), self.size()) > 0)
    {
        Enlist(m_path.c_str()); // else who holds it is not known, and it is locked all the same
    }
}

FolderLock::~FolderLock()
{
    unlink(m_path.c_str());
    Delist(m_path.c_str());
    flock(m_file, LOCK_UN); // a process that was forked has the file, too
    close(m_file);
}

} // namespace ns3
