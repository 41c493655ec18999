// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CLASS_RATES_H
#define LOSSLESS_CLASS_RATES_H

#include "ns3/fabric-frame.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// A rate, or a share of the rate of a line. Of the default there is no limit.
struct LineShare
{
    double percent{0};         //!< of the line, above 0 and at most 100; 0: see bitsPerSecond
    uint64_t bitsPerSecond{0}; //!< 0, without a percentage: no limit

    /// @param line rate of the line, bit/s @return the rate, bit/s; 0: no limit
    uint64_t Of(uint64_t line) const;

    /// @return the text that Read() takes; empty: no limit
    std::string Text() const;

    /// @param text such as "5%" or "10Gbps"; empty: no limit @param name of an attribute, for
    /// messages @return what it says; throws std::invalid_argument where it cannot be read
    static LineShare Read(const std::string& text, const std::string& name);
};

/// @ingroup lossless
/// A LineShare of each class.
using ClassRates = std::array<LineShare, TRAFFIC_CLASSES>;

/// @param text such as "3:10Gbps,6:5%": class and rate; empty: no limits @param name of an
/// attribute, for messages @return the rates; throws std::invalid_argument where it cannot be read
ClassRates ReadClassRates(const std::string& text, const std::string& name);

/// @param rates of the classes @return the text that ReadClassRates() takes
std::string WriteClassRates(const ClassRates& rates);

} // namespace ns3

#endif // LOSSLESS_CLASS_RATES_H
