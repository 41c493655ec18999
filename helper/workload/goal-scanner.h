// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GOAL_SCANNER_H
#define LOSSLESS_GOAL_SCANNER_H

#include "byte-file.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// Words of a file in GOAL, one after another; comments are skipped.
class GoalScanner
{
  public:
    /// What the word is.
    enum Kind : uint8_t
    {
        WORD,    //!< a letter, then letters, digits and '_'
        NUMBER,  //!< digits
        SIGN,    //!< one of : { } -
        NEWLINE, //!< end of a line
        END      //!< end of the file
    };

    /// @param path the file; FabricError when it cannot be read
    explicit GoalScanner(const std::string& path);

    /// Go to the next word.
    void Next();

    /// @return what the word is
    Kind GetKind() const
    {
        return m_kind;
    }

    /// @return the word
    const std::string& GetText() const
    {
        return m_text;
    }

    /// @param text a word or a sign @return whether it is this one
    bool Is(const char* text) const
    {
        return (m_kind == WORD || m_kind == SIGN) && m_text == text;
    }

    /// @return the number; FabricError when it is none, or more than the largest allowed
    /// @param what its name @param max the largest allowed
    uint64_t GetNumber(const std::string& what, uint64_t max) const;

    /// @return line of the word
    uint64_t GetLine() const
    {
        return m_line;
    }

    /// @return the word for messages: "b", the end of the line
    std::string Describe() const;

    /// Refuse the file at the word. @param wrong what is wrong @param right what would be right
    [[noreturn]] void Fail(const std::string& wrong, const std::string& right = "") const;

    /// Go on behind the word, which must be this. @param text a word or a sign
    void Expect(const char* text);

    /// Skip ends of lines.
    void SkipLines();

  private:
    /// Skip a comment, which begins with the next byte but one.
    void SkipComment();

    ByteFile m_file;
    Kind m_kind{NEWLINE};
    std::string m_text;
    uint64_t m_line{1};
    uint64_t m_lines{1};  //!< line of the next byte
    bool m_isBegin{true}; //!< a statement may begin here
};

} // namespace ns3

#endif // LOSSLESS_GOAL_SCANNER_H
