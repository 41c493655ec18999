// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_STREAM_H
#define LOSSLESS_PYTHON_STREAM_H

#include "python-support.h"

#include <cstdint>
#include <limits>
#include <string>

namespace lossless_python
{

/// ValueError unless it numbers a random stream from which to count on: ns-3 ends the program at a
/// negative number, which one too large becomes. @param otherwise what else is right
inline void
RequireStream(const std::string& what, int64_t stream, const std::string& otherwise = "")
{
    if (stream < 0 || stream > std::numeric_limits<int64_t>::max() / 2)
    {
        throw py::value_error(what + " is " + std::to_string(stream) + "; it must be 0 to 2^62" +
                              otherwise);
    }
}

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_STREAM_H
