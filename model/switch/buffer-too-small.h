// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BUFFER_TOO_SMALL_H
#define LOSSLESS_BUFFER_TOO_SMALL_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// The buffer of a switch does not hold what is set aside in it.
class BufferTooSmall : public std::invalid_argument
{
  public:
    /// @param message one line @param needed bytes that the buffer must have at least
    BufferTooSmall(const std::string& message, uint64_t needed)
        : std::invalid_argument(message),
          m_needed(needed)
    {
    }

    /// @return bytes that the buffer must have at least
    uint64_t GetNeeded() const
    {
        return m_needed;
    }

  private:
    uint64_t m_needed;
};

} // namespace ns3

#endif // LOSSLESS_BUFFER_TOO_SMALL_H
