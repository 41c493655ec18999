// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PROCESS_MEMORY_H
#define LOSSLESS_PROCESS_MEMORY_H

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// How much memory a process may still take, and what holds it to that.
struct MemoryLimit
{
    uint64_t bytes;   //!< the largest number if nothing does
    std::string what; //!< such as "the machine has"
};

/// @ingroup lossless
/// @return the lower one of what the machine can give to programs, and what the limit of the
/// process on its addresses (ulimit -v) leaves
MemoryLimit GetMemoryLimit();

/// @ingroup lossless
/// @param bytes how many @return them for people, such as "1.5 GB"
std::string BytesForPeople(uint64_t bytes);

/**
 * @ingroup lossless
 *
 * Something that takes much memory, as long as this lives. When there is none any more the program
 * can say what it was about to make; the innermost one counts.
 *
 * @code
 * const MemoryUse use("a fabric of 1000 hosts", "take fewer hosts");
 * @endcode
 */
class MemoryUse
{
  public:
    /// @param what is made @param right what would take less
    MemoryUse(std::string what, std::string right);
    ~MemoryUse();
    MemoryUse(const MemoryUse&) = delete;
    MemoryUse& operator=(const MemoryUse&) = delete;

    /// @return one line for the std::bad_alloc that was caught: what was made, the limit that held,
    /// and what would take less
    static std::string DescribeFailure();

    /// A program begins: nothing has failed.
    static void Reset();

  private:
    std::string m_what;
    std::string m_right;
    int m_exceptions; //!< that were thrown and not caught when it began
};

} // namespace ns3

#endif // LOSSLESS_PROCESS_MEMORY_H
