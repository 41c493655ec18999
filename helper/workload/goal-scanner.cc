// SPDX-License-Identifier: GPL-2.0-only
#include "goal-scanner.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

namespace ns3
{

namespace
{

constexpr std::size_t LONGEST = 4096; //!< characters of a word

bool
IsDigit(int c)
{
    return c >= '0' && c <= '9';
}

bool
IsLetter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

} // namespace

GoalScanner::GoalScanner(const std::string& path)
    : m_file(path)
{
    const int first = m_file.Peek();
    const bool isText = first == ByteFile::END || (first >= ' ' && first < 0x7f) || first == '\n' ||
                        first == '\r' || first == '\t';
    const std::string end = ".bin";
    if (!isText || (path.size() > end.size() && path.substr(path.size() - end.size()) == end))
    {
        throw FabricError(path, 1, "a binary form of GOAL is not read; give the text, .goal");
    }
    Next();
}

void
GoalScanner::Next()
{
    m_isBegin = m_kind == NEWLINE || (m_kind == SIGN && (m_text == "{" || m_text == "}"));
    for (;;)
    {
        const int c = m_file.Peek();
        if (c == '/')
        {
            m_line = m_lines;
            SkipComment();
        }
        else if (c == ' ' || c == '\t' || c == '\r')
        {
            m_file.Get();
        }
        else
        {
            break;
        }
    }
    m_line = m_lines;
    m_text.clear();
    const int first = m_file.Get();
    m_kind = first == ByteFile::END ? END
             : first == '\n'        ? NEWLINE
             : IsDigit(first)       ? NUMBER
             : IsLetter(first)      ? WORD
                                    : SIGN;
    if (m_kind == END)
    {
        return;
    }
    if (m_kind == NEWLINE)
    {
        ++m_lines;
        return;
    }
    m_text += static_cast<char>(first);
    if (m_kind == SIGN && m_text.find_first_of(":{}-") == std::string::npos)
    {
        Fail("\"" + m_text + "\" has no meaning here");
    }
    for (int c = m_file.Peek(); m_kind != SIGN; c = m_file.Peek())
    {
        if (!IsDigit(c) && (m_kind == NUMBER || (!IsLetter(c) && c != '_')))
        {
            break;
        }
        m_text += static_cast<char>(m_file.Get());
        if (m_text.size() > LONGEST)
        {
            Fail("a word of more than " + std::to_string(LONGEST) + " characters");
        }
    }
}

void
GoalScanner::SkipComment()
{
    m_file.Get();
    const int second = m_file.Get();
    if (second != '/' && second != '*')
    {
        Fail("\"/\" has no meaning here", "a comment begins with // or /*");
    }
    if (!m_isBegin)
    {
        Fail("a comment behind a statement", "put it on a line of its own");
    }
    if (second == '/')
    {
        while (m_file.Peek() != '\n' && m_file.Peek() != ByteFile::END)
        {
            m_file.Get();
        }
        return;
    }
    for (int c = m_file.Get(); c != '*' || m_file.Peek() != '/'; c = m_file.Get())
    {
        m_lines += c == '\n';
        if (c == ByteFile::END)
        {
            Fail("a comment without end", "it ends with */");
        }
    }
    m_file.Get();
}

uint64_t
GoalScanner::GetNumber(const std::string& what, uint64_t max) const
{
    if (m_kind != NUMBER)
    {
        Fail("expected " + what + ", got " + Describe());
    }
    try
    {
        return FabricText::ToUint(m_text, what, max);
    }
    catch (const FabricError& error)
    {
        Fail(error.what());
    }
}

std::string
GoalScanner::Describe() const
{
    switch (m_kind)
    {
    case NEWLINE:
        return "the end of the line";
    case END:
        return "the end of the file";
    default:
        return "\"" + m_text + "\"";
    }
}

void
GoalScanner::Fail(const std::string& wrong, const std::string& right) const
{
    throw FabricError(m_file.Path(), m_line, FabricError(wrong, right).what());
}

void
GoalScanner::Expect(const char* text)
{
    if (!Is(text))
    {
        Fail(std::string("expected \"") + text + "\", got " + Describe());
    }
    Next();
}

void
GoalScanner::SkipLines()
{
    while (m_kind == NEWLINE)
    {
        Next();
    }
}

} // namespace ns3
