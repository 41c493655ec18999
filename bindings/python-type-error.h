// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_TYPE_ERROR_H
#define LOSSLESS_PYTHON_TYPE_ERROR_H

#include "python-support.h"

namespace lossless_python
{

/// Let arguments of wrong types raise a TypeError of one line. @param m the module, complete: its
/// functions, and those of its classes
/// @param any a function of that module: each module has an entry of its own
LOSSLESS_FOR_MODULES void ShortenTypeErrors(const py::module_& m, const py::cpp_function& any);

/// The same. @param m the module, which must be the caller's
inline void
ShortenTypeErrors(const py::module_& m)
{
    ShortenTypeErrors(m, py::cpp_function([] {}));
}

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_TYPE_ERROR_H
