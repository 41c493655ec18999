// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-text.h"

#include "fabric-error.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace ns3
{
namespace FabricText
{
namespace
{

/// What follows a number, and what it multiplies it with.
struct Unit
{
    const char* name;
    long double factor;
};

[[noreturn]] void
Fail(const std::string& text, const std::string& what, const std::string& right)
{
    throw FabricError(what + " is \"" + text + "\"", "it must be " + right);
}

/// Split "12.5Gbps" into a number, 0 or more, and its unit.
long double
SplitUnit(const std::string& text, const std::string& what, const char* right, std::string& unit)
{
    // Not for strtold(): it takes hexadecimal, "inf" and "nan" for numbers.
    const std::size_t end = text.find_first_not_of("0123456789.+-eE");
    const std::size_t start = text.find_first_of("0123456789.");
    errno = 0;
    char* rest = nullptr;
    const long double value = std::strtold(text.c_str(), &rest);
    const auto used = static_cast<std::size_t>(rest - text.c_str());
    if (used == 0 || start > 1 || used > std::min(end, text.size()) || errno == ERANGE)
    {
        Fail(text, what, right);
    }
    if (value < 0)
    {
        Fail(text, what, std::string(right) + ", and not negative");
    }
    unit = text.substr(used);
    return value;
}

/// SplitUnit() and multiply.
template <std::size_t N>
long double
Scale(const std::string& text, const std::string& what, const char* right, const Unit (&units)[N])
{
    std::string name;
    const long double value = SplitUnit(text, what, right, name);
    for (const Unit& unit : units)
    {
        if (name == unit.name)
        {
            return value * unit.factor;
        }
    }
    Fail(text, what, right);
}

/// @return the whole number that a number is, but for what a double cannot tell from it ("0.3us"
/// may be 0.1 + 0.2); negative: it is none
long double
ToWhole(long double value)
{
    constexpr long double noise = 0x1p-50L; // of a few operations with doubles
    const long double whole = std::round(value);
    return std::abs(value - whole) <= noise * value ? whole : -1;
}

/// @return the unit of the clock, for people
std::string
Resolution()
{
    switch (Time::GetResolution())
    {
    case Time::PS:
        return "picoseconds";
    case Time::NS:
        return "nanoseconds";
    default:
        return "units of the clock";
    }
}

/// Edit distance, letter case ignored.
std::size_t
Distance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
    {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                              std::tolower(static_cast<unsigned char>(b[j - 1]));
            const std::size_t replaced = diagonal + (same ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

/// @param name such as "ns3::TcpCubic" @return it without its namespace
std::string
WithoutNamespace(const std::string& name)
{
    const std::size_t colons = name.rfind("::");
    return colons == std::string::npos ? name : name.substr(colons + 2);
}

/// @return whether a name ends so, letter case ignored; a few letters are no end
bool
EndsWith(const std::string& name, const std::string& end)
{
    constexpr std::size_t least = 4;
    return end.size() >= least && name.size() >= end.size() &&
           Distance(name.substr(name.size() - end.size()), end) == 0;
}

} // namespace

uint64_t
ToUint(const std::string& text, const std::string& what, uint64_t max, uint64_t min)
{
    const std::string right =
        max == std::numeric_limits<uint64_t>::max()
            ? "a whole number, " + std::to_string(min) + " or more"
            : "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
    {
        Fail(text, what, right);
    }
    errno = 0;
    const unsigned long long value = std::strtoull(text.c_str(), nullptr, 10);
    if (errno == ERANGE || value < min || value > max)
    {
        Fail(text, what, right);
    }
    return value;
}

double
ToReal(const std::string& text, const std::string& what, double min, double max)
{
    std::ostringstream right;
    right << "a number";
    if (min != std::numeric_limits<double>::lowest())
    {
        right << ", " << min;
        max == std::numeric_limits<double>::max() ? right << " or more" : right << " to " << max;
    }
    if (text.empty() || text.find_first_not_of("0123456789.+-eE") != std::string::npos)
    {
        Fail(text, what, right.str());
    }
    char* rest = nullptr;
    const double value = std::strtod(text.c_str(), &rest);
    if (*rest != '\0' || !std::isfinite(value) || value < min || value > max)
    {
        Fail(text, what, right.str());
    }
    return value;
}

bool
ToBool(const std::string& text, const std::string& what)
{
    for (const char* name : {"1", "true", "yes", "on", "t"})
    {
        if (text == name)
        {
            return true;
        }
    }
    for (const char* name : {"0", "false", "no", "off", "f"})
    {
        if (text == name)
        {
            return false;
        }
    }
    Fail(text, what, "1 or 0, true or false");
}

uint64_t
ToBytes(const std::string& text, const std::string& what)
{
    constexpr long double k = 1000;
    constexpr long double ki = 1024;
    static const Unit units[] = {{"", 1},
                                 {"B", 1},
                                 {"k", k},
                                 {"K", k},
                                 {"kB", k},
                                 {"KB", k},
                                 {"Ki", ki},
                                 {"KiB", ki},
                                 {"M", k * k},
                                 {"MB", k * k},
                                 {"Mi", ki * ki},
                                 {"MiB", ki * ki},
                                 {"G", k * k * k},
                                 {"GB", k * k * k},
                                 {"Gi", ki * ki * ki},
                                 {"GiB", ki * ki * ki},
                                 {"T", k * k * k * k},
                                 {"TB", k * k * k * k},
                                 {"Ti", ki * ki * ki * ki},
                                 {"TiB", ki * ki * ki * ki}};
    static const char* right = "a size such as 1500, 64KiB or 32MiB";
    const long double bytes = Scale(text, what, right, units);
    if (bytes != std::floor(bytes) || bytes >= 0x1p63L)
    {
        Fail(text, what, "a whole number of bytes below 2^63, such as 1500, 64KiB or 32MiB");
    }
    return static_cast<uint64_t>(bytes);
}

DataRate
ToRate(const std::string& text, const std::string& what, uint64_t min)
{
    static const Unit units[] = {{"", 1},
                                 {"bps", 1},
                                 {"b/s", 1},
                                 {"kbps", 1e3L},
                                 {"kb/s", 1e3L},
                                 {"Kbps", 1e3L},
                                 {"Kb/s", 1e3L},
                                 {"Mbps", 1e6L},
                                 {"Mb/s", 1e6L},
                                 {"Gbps", 1e9L},
                                 {"Gb/s", 1e9L},
                                 {"Tbps", 1e12L},
                                 {"Tb/s", 1e12L},
                                 {"Bps", 8},
                                 {"B/s", 8},
                                 {"kBps", 8e3L},
                                 {"kB/s", 8e3L},
                                 {"KBps", 8e3L},
                                 {"KB/s", 8e3L},
                                 {"MBps", 8e6L},
                                 {"MB/s", 8e6L},
                                 {"GBps", 8e9L},
                                 {"GB/s", 8e9L},
                                 {"Kibps", 0x1p10L},
                                 {"KiB/s", 0x1p13L},
                                 {"Mibps", 0x1p20L},
                                 {"MiB/s", 0x1p23L},
                                 {"Gibps", 0x1p30L},
                                 {"GiB/s", 0x1p33L}};
    static const char* right = "a rate above 0, such as 100Gbps or 25Gb/s";
    const long double bits = Scale(text, what, right, units);
    const bool isBare = std::isdigit(static_cast<unsigned char>(text.back())) || text.back() == '.';
    const long double rate = isBare ? std::round(bits) : ToWhole(bits);
    if (rate < 0 && bits <= 1e15L)
    {
        Fail(text, what, "a whole number of bit/s, such as 100Gbps or 25Gb/s");
    }
    if (rate < static_cast<long double>(min) || rate > 1e15L)
    {
        Fail(text, what, right);
    }
    return DataRate(static_cast<uint64_t>(rate));
}

Time
ToTime(const std::string& text, const std::string& what, const std::string& bareUnit)
{
    static const Unit units[] = {{"s", 1},
                                 {"ms", 1e-3L},
                                 {"us", 1e-6L},
                                 {"ns", 1e-9L},
                                 {"ps", 1e-12L},
                                 {"fs", 1e-15L},
                                 {"min", 60},
                                 {"h", 3600}};
    static const char* right = "a time such as 1us or 0.5ms";
    std::string unit;
    const bool isZero = SplitUnit(text, what, right, unit) == 0;
    if (unit.empty() && bareUnit.empty() && !isZero)
    {
        throw FabricError(what + " is \"" + text + "\", which has no unit",
                          std::string("it must be ") + right);
    }
    const std::string bare = text + (isZero ? "s" : bareUnit);
    const long double seconds = Scale(unit.empty() ? bare : text, what, right, units);
    const long double exact = seconds * static_cast<long double>(Seconds(1).GetTimeStep());
    const long double ticks = unit.empty() ? std::round(exact) : ToWhole(exact);
    if (ticks < 0)
    {
        Fail(text, what, "a whole number of " + Resolution() + ", such as 1us or 0.5ms");
    }
    if (ticks >= 0x1p62L)
    {
        const auto end = static_cast<uint64_t>(TimeStep(uint64_t{1} << 62).GetSeconds());
        Fail(text, what, "a time below " + std::to_string(end) + "s, such as 1us");
    }
    return TimeStep(static_cast<uint64_t>(ticks));
}

std::string
DidYouMean(const std::string& text, const std::vector<std::string>& names)
{
    std::string best;
    std::size_t bestDistance = std::max<std::size_t>(2, text.size() / 3) + 1;
    std::string longer;
    std::string all;
    for (const std::string& name : names)
    {
        // The distance is at least the difference of the lengths: no long text is compared in vain.
        const std::size_t longest = std::max(text.size(), name.size());
        if (longest - std::min(text.size(), name.size()) < bestDistance)
        {
            const std::size_t distance = Distance(text, name);
            if (distance < bestDistance)
            {
                bestDistance = distance;
                best = name;
            }
        }
        if (EndsWith(name, WithoutNamespace(text)) &&
            (longer.empty() || name.size() < longer.size()))
        {
            longer = name;
        }
        all += (all.empty() ? "" : ", ") + name;
    }
    if (bestDistance > 1 && !longer.empty())
    {
        best = longer; // "Cubic" means TcpCubic, though TcpBic has fewer letters that differ
    }
    if (names.empty())
    {
        return "there are none";
    }
    if (best.empty())
    {
        constexpr std::size_t readable = 24; // names on one line
        return names.size() > readable ? "no known name is near it" : "known: " + all;
    }
    return "did you mean " + best + "?";
}

} // namespace FabricText
} // namespace ns3
