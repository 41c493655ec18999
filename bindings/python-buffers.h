// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_BUFFERS_H
#define LOSSLESS_PYTHON_BUFFERS_H

#include "python-support.h"

namespace lossless_python
{

/// Findings of buffer checks, before the Fabric that returns them. @param m the module
void BindFinding(py::module_& m);
/// Headroom tables and budgets of switches. @param m the module
void BindBuffers(py::module_& m);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_BUFFERS_H
