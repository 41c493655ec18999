// SPDX-License-Identifier: GPL-2.0-only
#include "service-pools.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{

namespace
{

constexpr const char* EXAMPLE = "such as \"roce lossless 60%; bulk lossy 4MiB\"";

/// @param what is wrong, and what would be right
[[noreturn]] void
Fail(const std::string& what)
{
    throw std::invalid_argument("ServicePools: " + what);
}

/// @param text "4MiB", "500000" or "60%" @return the size
ServicePool::Size
ToSize(const std::string& text)
{
    std::size_t end = 0;
    double number = -1;
    try
    {
        number = std::stod(text, &end);
    }
    catch (const std::exception&)
    {
        // no number
    }
    static const std::pair<const char*, double> UNITS[] = {{"", 1},
                                                           {"B", 1},
                                                           {"k", 1e3},
                                                           {"K", 1e3},
                                                           {"kB", 1e3},
                                                           {"KB", 1e3},
                                                           {"M", 1e6},
                                                           {"MB", 1e6},
                                                           {"G", 1e9},
                                                           {"GB", 1e9},
                                                           {"Ki", 0x1p10},
                                                           {"KiB", 0x1p10},
                                                           {"Mi", 0x1p20},
                                                           {"MiB", 0x1p20},
                                                           {"Gi", 0x1p30},
                                                           {"GiB", 0x1p30}};
    const std::string unit = text.substr(std::min(end, text.size()));
    ServicePool::Size size;
    if (unit == "%" && number >= 0 && number <= 100)
    {
        size.share = number / 100;
        return size;
    }
    const auto* const found = std::find_if(std::begin(UNITS), std::end(UNITS), [&](auto& one) {
        return unit == one.first;
    });
    if (found == std::end(UNITS) || !(number >= 0) || number * found->second > 1e15)
    {
        Fail("\"" + text + "\" is no size; such as 4MiB, 500000 or 60%");
    }
    size.bytes = static_cast<uint64_t>(std::llround(number * found->second));
    return size;
}

/// @param text of one pool @return it
ServicePool
ToPool(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
    {
        words.push_back(word);
    }
    if (words.size() < 3 || words.size() > 4)
    {
        Fail("\"" + text + "\" is not name, kind, size and perhaps a cap of lossy classes; " +
             EXAMPLE);
    }
    ServicePool pool;
    pool.name = words[0];
    static const std::pair<const char*, ServicePool::Kind> KINDS[] = {
        {"lossless", ServicePool::LOSSLESS},
        {"lossy", ServicePool::LOSSY},
        {"any", ServicePool::ANY}};
    const auto* const kind = std::find_if(std::begin(KINDS), std::end(KINDS), [&](auto& one) {
        return words[1] == one.first;
    });
    if (kind == std::end(KINDS))
    {
        Fail("pool " + pool.name + " is of kind \"" + words[1] +
             "\"; it may be lossless, lossy or any");
    }
    pool.kind = kind->second;
    pool.size = ToSize(words[2]);
    if (words.size() == 4)
    {
        if (pool.kind == ServicePool::LOSSLESS)
        {
            Fail("pool " + pool.name +
                 " is lossless, and has a cap of lossy classes; leave it out");
        }
        pool.cap = ToSize(words[3]);
    }
    return pool;
}

} // namespace

uint64_t
ServicePool::Size::Cells(uint64_t whole, const CellSize& cell) const
{
    return share ? static_cast<uint64_t>(*share * static_cast<double>(whole)) : cell.RoundUp(bytes);
}

std::vector<ServicePool>
ServicePool::Parse(const std::string& text)
{
    std::vector<ServicePool> pools;
    if (text.find_first_not_of(" \t") == std::string::npos)
    {
        return pools;
    }
    std::string separated = text;
    std::replace(separated.begin(), separated.end(), ',', ';');
    std::istringstream stream(separated);
    for (std::string one; std::getline(stream, one, ';');)
    {
        if (one.find_first_not_of(" \t") == std::string::npos)
        {
            continue; // after the last
        }
        pools.push_back(ToPool(one));
        const std::string& name = pools.back().name;
        if (std::any_of(pools.begin(), pools.end() - 1, [&name](const ServicePool& other) {
                return other.name == name;
            }))
        {
            Fail("two pools are called " + name + "; each needs a name of its own");
        }
    }
    if (pools.size() > MOST)
    {
        Fail(std::to_string(pools.size()) + " pools; a switch has at most " + std::to_string(MOST));
    }
    return pools;
}

} // namespace ns3
