// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_TIME_H
#define LOSSLESS_PYTHON_TIME_H

#include "python-support.h"

#include "ns3/nstime.h"

#include <cstdlib>
#include <string>

namespace lossless_python
{

/// ValueError if a text is a number without a unit, which ns-3 would take as seconds.
/// @param what what the text is for @param text a time as text
inline void
RequireUnit(const std::string& what, const std::string& text)
{
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (!text.empty() && *end == '\0' && number != 0)
    {
        throw py::value_error(what + " is a time: \"" + text +
                              "\" has no unit; write for example \"5us\"");
    }
}

/// @param time a time @return seconds, rounded once: ns-3's own GetSeconds() is off in the last
/// digits
inline double
Seconds(const ns3::Time& time)
{
    return static_cast<double>(time.GetPicoSeconds()) / 1e12;
}

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_TIME_H
