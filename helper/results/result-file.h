// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RESULT_FILE_H
#define LOSSLESS_RESULT_FILE_H

#include <csignal>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A file of results that appears under its name only when it is complete: it is written as
 * `name.part` and renamed by Commit(). What was not committed, because the program failed, is
 * removed, so that nobody takes half a file for a result. A symbolic link stays, and its target is
 * the file. What is no regular file, such as /dev/null or a pipe, is written directly.
 */
class ResultFile
{
  public:
    /// @param path the file; its folder is made. FabricError when it cannot be written
    explicit ResultFile(const std::string& path);
    ~ResultFile();
    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    /// @return where to write
    std::ostream& Stream()
    {
        return m_stream;
    }

    /// Write a file at once. @param path the file @param write writes its content; as the
    /// constructor and Commit()
    static void Make(const std::string& path, const std::function<void(std::ostream&)>& write);

    /// @param text goes to the end of the file; FabricError when the disk is found full
    void Write(std::string_view text);

    /// Write to the disk what is there so far. FabricError when the disk is full.
    void Flush();

    /// The file is complete: give it its name. FabricError when the disk is full.
    void Commit();

    /**
     * @param path name of an output
     * @return the file that has the result in the end: absolute, links followed. Empty: a device or
     * a pipe, which several may write
     */
    static std::string Target(const std::string& path);

    /// Remove what was not committed. Calls only what a signal handler may call.
    static void RemoveParts();

  private:
    /// FabricError if a write has failed.
    void RequireGood() const;

    std::string m_path;
    std::string m_target; //!< empty: m_path is written directly
    std::string m_part;
    std::ofstream m_stream;
};

/**
 * @ingroup lossless
 *
 * While a SignalPause exists, signals that end a program wait.
 */
class SignalPause
{
  public:
    SignalPause();
    ~SignalPause();
    SignalPause(const SignalPause&) = delete;
    SignalPause& operator=(const SignalPause&) = delete;

  private:
    sigset_t m_before; //!< signals that waited before
};

/**
 * @ingroup lossless
 *
 * A folder of results belongs to one run as long as this lives: another one is refused, in this
 * process or in another. The lock of a process that has died is no hindrance.
 */
class FolderLock
{
  public:
    /// @param folder the folder; it is made. FabricError when it cannot be written, or when another
    /// run writes there
    explicit FolderLock(const std::string& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    std::string m_path; //!< of a file in the folder
    int m_file{-1};
};

} // namespace ns3

#endif // LOSSLESS_RESULT_FILE_H
