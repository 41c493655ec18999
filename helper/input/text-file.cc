// SPDX-License-Identifier: GPL-2.0-only
#include "text-file.h"

#include "fabric-error.h"
#include "input-files.h"

#include <algorithm>

namespace ns3
{
namespace
{

/// Run a conversion; its error gets the place.
template <typename F>
auto
AtPlace(const TextFile& file, F convert)
{
    try
    {
        return convert();
    }
    catch (const FabricError& error)
    {
        throw FabricError(file.Path(), file.Line(), error.what());
    }
}

} // namespace

TextFile::TextFile(const std::string& path)
    : m_file(path)
{
}

bool
TextFile::Next()
{
    std::string line;
    while (m_file.ReadLine(line, InputFiles::MOST_TEXT))
    {
        if (Line() == 1 && line.compare(0, 3, "\xEF\xBB\xBF") == 0)
        {
            line.erase(0, 3); // a byte order mark, as editors put it before UTF-8
        }
        line.erase(std::min(line.find('#'), line.size()));
        m_fields.clear();
        static const char* separators = " \t\r,";
        std::size_t end = 0;
        for (;;)
        {
            const std::size_t begin = line.find_first_not_of(separators, end);
            if (begin == std::string::npos)
            {
                break;
            }
            end = std::min(line.find_first_of(separators, begin), line.size());
            m_fields.push_back(line.substr(begin, end - begin));
        }
        if (!m_fields.empty())
        {
            return true;
        }
    }
    return false;
}

void
TextFile::Require(const std::string& expected)
{
    if (!Next())
    {
        throw FabricError(Path(), Line(), "the file ends here; expected " + expected);
    }
}

void
TextFile::RequireFields(std::size_t count, const std::string& expected) const
{
    if (m_fields.size() != count)
    {
        Fail(std::to_string(m_fields.size()) + (m_fields.size() == 1 ? " field" : " fields"),
             "expected " + std::to_string(count) + ": " + expected);
    }
}

uint64_t
TextFile::Uint(std::size_t i, const std::string& what, uint64_t max, uint64_t min) const
{
    const std::string& field = Field(i, what);
    return AtPlace(*this, [&] { return FabricText::ToUint(field, what, max, min); });
}

double
TextFile::Real(std::size_t i, const std::string& what, double min, double max) const
{
    const std::string& field = Field(i, what);
    return AtPlace(*this, [&] { return FabricText::ToReal(field, what, min, max); });
}

DataRate
TextFile::Rate(std::size_t i, const std::string& what) const
{
    const std::string& field = Field(i, what);
    return AtPlace(*this, [&] { return FabricText::ToRate(field, what); });
}

Time
TextFile::Duration(std::size_t i, const std::string& what) const
{
    const std::string& field = Field(i, what);
    return AtPlace(*this, [&] { return FabricText::ToTime(field, what, "s"); });
}

void
TextFile::Fail(const std::string& wrong, const std::string& right) const
{
    throw FabricError(Path(), Line(), FabricError(wrong, right).what());
}

const std::string&
TextFile::Field(std::size_t i, const std::string& what) const
{
    if (i >= m_fields.size())
    {
        Fail(what + " is missing", "expected it as field " + std::to_string(i + 1));
    }
    return m_fields[i];
}

} // namespace ns3
