// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TEXT_FILE_H
#define LOSSLESS_TEXT_FILE_H

#include "byte-file.h"
#include "fabric-text.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A file of lines of fields, read line by line: the base of all parsers of the module. Fields are
 * separated by blanks, tabs or commas; empty lines, and what follows a '#', are skipped, and so is
 * a byte order mark. Every error is a FabricError with file and line.
 */
class TextFile
{
  public:
    /// @param path the file; FabricError when it cannot be read
    explicit TextFile(const std::string& path);

    /// Go to the next line that has fields. @return false at the end of the file
    bool Next();

    /**
     * As Next(), where the file must go on.
     * @param expected what the line should hold, for the message
     */
    void Require(const std::string& expected);

    /**
     * Check the number of fields of the line.
     * @param count how many there must be
     * @param expected what they are, for the message
     */
    void RequireFields(std::size_t count, const std::string& expected) const;

    /// @return the fields of the line
    const std::vector<std::string>& Fields() const
    {
        return m_fields;
    }

    /// @return number of the line, from 1; of the last one after the end
    uint64_t Line() const
    {
        return m_file.Line();
    }

    /// @return path of the file
    const std::string& Path() const
    {
        return m_file.Path();
    }

    /// @param i a field @param what its name @param max largest value @param min smallest value
    /// @return as ToUint()
    uint64_t Uint(std::size_t i,
                  const std::string& what,
                  uint64_t max = std::numeric_limits<uint64_t>::max(),
                  uint64_t min = 0) const;
    /// @param i a field @param what its name @param min smallest value @param max largest value
    /// @return as ToReal()
    double Real(std::size_t i, const std::string& what, double min, double max) const;
    /// @param i a field @param what its name @return as ToRate()
    DataRate Rate(std::size_t i, const std::string& what) const;
    /// @param i a field @param what its name @return as ToTime(); no unit: seconds
    Time Duration(std::size_t i, const std::string& what) const;

    /**
     * Refuse the line.
     * @param wrong what is wrong
     * @param right what would be right, or empty
     */
    [[noreturn]] void Fail(const std::string& wrong, const std::string& right = "") const;

  private:
    /// @param i a field @param what its name @return the text
    const std::string& Field(std::size_t i, const std::string& what) const;

    ByteFile m_file;
    std::vector<std::string> m_fields;
};

} // namespace ns3

#endif // LOSSLESS_TEXT_FILE_H
