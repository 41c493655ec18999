// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INPUT_FILES_H
#define LOSSLESS_INPUT_FILES_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The files that this process has read as inputs. All readers of the module note theirs here, so
 * that results of a run replace none of them, whatever names the user gives to both. Like the
 * files themselves, the list belongs to the process, and not to one run: a reader does not know
 * which run its file is for.
 */
class InputFiles
{
  public:
    static constexpr uint64_t MOST_TEXT = 64 * 1024 * 1024; //!< bytes of a text that is held

    /// Read a text file that is held as a whole, and note it. @param path the file
    /// @param expected what it should be, for the message; or empty
    /// @return the text; FabricError when it cannot be read, or has more than MOST_TEXT bytes
    static std::string ReadText(const std::string& path, const std::string& expected = "");

    /// A reader has opened a file. @param path it; devices and pipes do not count
    static void Add(const std::string& path);

    /// @param path of any file @return whether it has been read, under this name or another one
    static bool Has(const std::string& path);

    /// FabricError if results would replace an input. @param path of a file of results
    static void RequireOther(const std::string& path);
};

} // namespace ns3

#endif // LOSSLESS_INPUT_FILES_H
