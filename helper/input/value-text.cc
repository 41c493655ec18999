// SPDX-License-Identifier: GPL-2.0-only
#include "value-text.h"

#include "ns3/address.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cstdint>
#include <sstream>
#include <vector>

namespace ns3
{
namespace ValueText
{
namespace
{

constexpr const char* DIGITS = "0123456789";
constexpr const char* HEXADECIMAL = "0123456789abcdef";

/// Each part of a text, the last one, too, if it is empty.
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text + separator);
    for (std::string part; std::getline(stream, part, separator);)
    {
        parts.push_back(part);
    }
    return parts;
}

/// @return whether a text is some of these characters, as many as a range allows
bool
IsMadeOf(const std::string& text, const char* characters, std::size_t least, std::size_t most)
{
    return text.size() >= least && text.size() <= most &&
           text.find_first_not_of(characters) == std::string::npos;
}

/// @return whether all texts are two hexadecimal digits each
bool
AreBytes(const std::vector<std::string>& texts)
{
    return std::all_of(texts.begin(), texts.end(), [](const std::string& text) {
        return IsMadeOf(text, HEXADECIMAL, 2, 2);
    });
}

/// Type, length and bytes.
bool
IsAddress(const std::string& text)
{
    std::vector<std::string> bytes = Split(text, ':');
    const std::vector<std::string> head = Split(bytes.front(), '-');
    if (head.size() != 3)
    {
        return false;
    }
    const std::size_t count = bytes.size();
    bytes.front() = head[2];
    bytes.push_back(head[0]);
    bytes.push_back(head[1]);
    return AreBytes(bytes) && std::stoul(head[1], nullptr, 16) == count &&
           count <= Address::MAX_SIZE;
}

bool
IsMac(const std::string& text)
{
    const std::vector<std::string> bytes = Split(text, ':');
    return bytes.size() == 6 && AreBytes(bytes);
}

bool
IsIpv4(const std::string& text)
{
    in_addr ignored{};
    return inet_pton(AF_INET, text.c_str(), &ignored) == 1 &&
           IsMadeOf(text, "0123456789.", 1, INET_ADDRSTRLEN);
}

bool
IsIpv6(const std::string& text)
{
    in6_addr ignored{};
    return inet_pton(AF_INET6, text.c_str(), &ignored) == 1 &&
           IsMadeOf(text, "0123456789abcdefABCDEF:.", 1, INET6_ADDRSTRLEN);
}

/// @return whether a text is a slash and a number of bits
bool
IsPrefix(const std::string& text, unsigned long most)
{
    return !text.empty() && text[0] == '/' && IsMadeOf(text.substr(1), DIGITS, 1, 3) &&
           std::stoul(text.substr(1)) <= most;
}

bool
IsIpv4Mask(const std::string& text)
{
    return IsPrefix(text, 32) || IsIpv4(text);
}

bool
IsIpv6Prefix(const std::string& text)
{
    return IsPrefix(text, 128);
}

/// Sixteen bands.
bool
IsPriomap(const std::string& text)
{
    const std::vector<std::string> bands = Split(text, ' ');
    return bands.size() == 16 &&
           std::all_of(bands.begin(), bands.end(), [](const std::string& band) {
               return IsMadeOf(band, DIGITS, 1, 4);
           });
}

/// A number and its unit.
bool
IsQueueSize(const std::string& text)
{
    const std::size_t unit = std::min(text.find_first_not_of(DIGITS), text.size());
    constexpr std::size_t digits = 9; // of 32 bits
    return unit > 0 && unit <= digits && IsMadeOf(text.substr(unit), "pkKMGiB", 0, 3);
}

bool
IsAny(const std::string&)
{
    return true;
}

/// What text of a kind of values looks like.
struct Form
{
    const char* kind;
    bool (*isRight)(const std::string& text);
    const char* example;
};

constexpr Form FORMS[] = {{"ns3::AddressValue", IsAddress, "01-04-0a:00:00:01"},
                          {"ns3::Ipv4AddressValue", IsIpv4, "10.0.0.1"},
                          {"ns3::Ipv4MaskValue", IsIpv4Mask, "255.255.255.0 or /24"},
                          {"ns3::Ipv6AddressValue", IsIpv6, "2001:db8::1"},
                          {"ns3::Ipv6PrefixValue", IsIpv6Prefix, "/64"},
                          {"ns3::Mac48AddressValue", IsMac, "00:00:00:00:00:01"},
                          {"ns3::PriomapValue", IsPriomap, "1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1"},
                          {"ns3::QueueSizeValue", IsQueueSize, "100p or 64KiB"},
                          {"ns3::StringValue", IsAny, ""}};

} // namespace

std::string
Expected(const std::string& kind, const std::string& text)
{
    for (const Form& form : FORMS)
    {
        if (form.kind == kind)
        {
            return form.isRight(text) ? "" : std::string("expected for example ") + form.example;
        }
    }
    return "a " + kind.substr(kind.rfind(':') + 1) + " cannot be set from text";
}

} // namespace ValueText
} // namespace ns3
