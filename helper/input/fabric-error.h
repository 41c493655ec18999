// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_ERROR_H
#define LOSSLESS_FABRIC_ERROR_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the user gave cannot be used: a file, an attribute, an argument of a helper. Thrown before
 * anything has been changed, where ns-3 itself would abort. The message is one line,
 *
 *     file:line: what is wrong; what would be right
 *
 * where the file, the line and the second half may be missing. Control characters in it are escaped
 * as hexadecimal numbers, and the middle of a text that no terminal shows at once is left out.
 * FabricProgram prints it and ends the program with status 2.
 */
class FabricError : public std::runtime_error
{
  public:
    /**
     * @param wrong what is wrong
     * @param right what would be right, or empty
     */
    explicit FabricError(const std::string& wrong, const std::string& right = "")
        : std::runtime_error(Printable(right.empty() ? wrong : wrong + "; " + right))
    {
    }

    /**
     * @param file path of the file at fault
     * @param line its line, from 1; 0: the file as a whole
     * @param what message of an error without a place
     */
    FabricError(const std::string& file, uint64_t line, const std::string& what)
        : std::runtime_error(
              Printable(file + ":" + (line ? std::to_string(line) + ": " : " ") + what))
    {
    }

  private:
    /// @param text a message @return it with its control characters escaped, without its middle if
    /// it is long then
    static std::string Printable(const std::string& text)
    {
        constexpr std::size_t longest = 2000;
        constexpr std::size_t end = 600; // what is kept of either end
        std::string printable;
        for (const char c : text)
        {
            static const char* digits = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(c);
            if (byte >= 0x20 && byte != 0x7f)
            {
                printable += c;
            }
            else
            {
                printable += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
            }
        }
        if (printable.size() <= longest)
        {
            return printable;
        }
        return printable.substr(0, end) + " [" + std::to_string(printable.size() - 2 * end) +
               " characters] " + printable.substr(printable.size() - end);
    }
};

/**
 * @ingroup lossless
 *
 * A strict run has lost something, or something had no effect. Its files are complete.
 * FabricProgram prints the summary, too.
 */
class StrictError : public FabricError
{
  public:
    /// @param wrong what is wrong @param right what would be right @param summary of the run
    StrictError(const std::string& wrong, const std::string& right, const std::string& summary)
        : FabricError(wrong, right),
          m_summary(summary)
    {
    }

    /// @return the summary of the run
    const std::string& GetSummary() const
    {
        return m_summary;
    }

  private:
    std::string m_summary;
};

/**
 * @ingroup lossless
 *
 * A signal has ended a run. Its files are complete up to then. FabricProgram prints the summary,
 * and ends the program with status 128 and the number of the signal.
 */
class FabricInterrupt : public std::runtime_error
{
  public:
    /// @param signal its number @param what one line: which signal, and when
    /// @param summary of the run up to then, for people
    FabricInterrupt(int signal, const std::string& what, const std::string& summary)
        : std::runtime_error(what),
          m_signal(signal),
          m_summary(summary)
    {
    }

    /// @return number of the signal
    int GetSignal() const
    {
        return m_signal;
    }

    /// @return the summary of the run up to then
    const std::string& GetSummary() const
    {
        return m_summary;
    }

  private:
    int m_signal;
    std::string m_summary;
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_ERROR_H
