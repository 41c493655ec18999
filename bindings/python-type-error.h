// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_TYPE_ERROR_H
#define LOSSLESS_PYTHON_TYPE_ERROR_H

#include "python-support.h"

namespace lossless_python
{

/// Let arguments of wrong types raise a TypeError of one line. @param m the module, complete: its
/// functions, and those of its classes
void ShortenTypeErrors(const py::module_& m);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_TYPE_ERROR_H
