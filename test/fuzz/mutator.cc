// SPDX-License-Identifier: GPL-2.0-only
#include "mutator.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ns3
{
namespace fuzz
{
namespace
{

/// Numbers at which readers go wrong.
const std::vector<std::string> NUMBERS{"0",
                                       "1",
                                       "-1",
                                       "2",
                                       "7",
                                       "8",
                                       "255",
                                       "256",
                                       "65535",
                                       "65536",
                                       "1e9",
                                       "1e15",
                                       "1e300",
                                       "1e-9",
                                       "4294967295",
                                       "4294967296",
                                       "16777216",
                                       "0.5",
                                       "100",
                                       "1000",
                                       "inf",
                                       "nan",
                                       "0x10",
                                       "00",
                                       "1.",
                                       ".5",
                                       "1e",
                                       "999999",
                                       "+1",
                                       "- 1",
                                       "1e400",
                                       "9223372036854775807",
                                       "",
                                       "100.01",
                                       "63",
                                       "64",
                                       "99999999999999999999",
                                       "18446744073709551615"};

} // namespace

Mutator::Mutator(uint64_t seed, std::vector<std::string> inputs, std::vector<std::string> words)
    : m_random(seed),
      m_inputs(std::move(inputs)),
      m_words(std::move(words))
{
}

std::size_t
Mutator::Below(std::size_t n)
{
    return m_random() % n;
}

std::string
Mutator::Next()
{
    std::string text = m_inputs[Below(m_inputs.size())];
    // Few changes most of the time: with many no input gets past the first check.
    for (std::size_t changes = std::size_t{1} << Below(1 + Below(4)); changes > 0; --changes)
    {
        Change(text);
    }
    text.resize(std::min(text.size(), LONGEST));
    return text;
}

void
Mutator::Change(std::string& text)
{
    const std::size_t kind = text.empty() ? 7 : Below(8);
    switch (kind)
    {
    case 0:
    case 1:
        ChangeByte(text);
        break;
    case 2:
    case 3:
        ChangeNumber(text);
        break;
    case 4:
        ChangeLine(text);
        break;
    case 5:
        ChangePart(text);
        break;
    case 6:
        Splice(text);
        break;
    default:
        text.insert(Below(text.size() + 1), m_words.empty() ? " " : m_words[Below(m_words.size())]);
    }
}

void
Mutator::ChangeByte(std::string& text)
{
    static const std::string special{" \t\n\r,#=|[]:-+.\0\x7f\xff", 18};
    const std::size_t at = Below(text.size());
    switch (Below(4))
    {
    case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << Below(8)));
        break;
    case 1:
        text[at] = static_cast<char>(Below(256));
        break;
    case 2:
        text[at] = special[Below(special.size())];
        break;
    default:
        text.insert(at, 1, static_cast<char>(' ' + Below(95)));
    }
}

void
Mutator::ChangeNumber(std::string& text)
{
    const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto middle = text.begin() + static_cast<std::ptrdiff_t>(Below(text.size()));
    auto begin = std::find_if(middle, text.end(), isDigit);
    if (begin == text.end())
    {
        begin = std::find_if(text.begin(), middle, isDigit);
    }
    const auto end = std::find_if_not(begin, text.end(), isDigit);
    if (begin == end)
    {
        return;
    }
    std::string number = NUMBERS[Below(NUMBERS.size())];
    const std::string before(begin, end);
    if (Below(2) == 0 && before.size() < 10) // one more, or one less
    {
        number = std::to_string(std::stoll(before) + (Below(2) == 0 ? 1 : -1));
    }
    text.replace(begin, end, number);
}

void
Mutator::ChangeLine(std::string& text)
{
    const std::size_t middle = Below(text.size());
    const std::size_t before = middle == 0 ? std::string::npos : text.rfind('\n', middle - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', middle), text.size() - 1) + 1;
    const std::string line = text.substr(begin, end - begin);
    const std::size_t what = Below(3);
    if (what != 0)
    {
        text.erase(begin, end - begin);
    }
    if (what != 1)
    {
        const std::size_t next = text.find('\n', Below(text.size() + 1));
        text.insert(next == std::string::npos ? text.size() : next + 1, line);
    }
}

void
Mutator::ChangePart(std::string& text)
{
    const std::size_t begin = Below(text.size());
    const std::size_t size = 1 + Below(std::min<std::size_t>(text.size() - begin, 64));
    if (Below(2) == 0)
    {
        text.erase(begin, size);
        return;
    }
    std::string part = text.substr(begin, size);
    for (std::size_t doublings = Below(8); doublings > 0; --doublings)
    {
        part += part.size() < LONGEST ? part : "";
    }
    text.insert(begin, part);
}

void
Mutator::Splice(std::string& text)
{
    const std::string& other = m_inputs[Below(m_inputs.size())];
    if (other.empty())
    {
        return;
    }
    const std::size_t begin = Below(other.size());
    const std::size_t size = 1 + Below(other.size() - begin);
    const std::size_t at = Below(text.size() + 1);
    text.replace(at, Below(2) == 0 ? 0 : text.size() - at, other, begin, size);
}

} // namespace fuzz
} // namespace ns3
