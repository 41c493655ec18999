// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_TERMINATE_H
#define LOSSLESS_PYTHON_TERMINATE_H

namespace lossless_python
{

/**
 * Say, before one of ns-3's own checks ends the program, which line of Python has led there and
 * what ns-3 has said: one line on the standard error stream. What then ends the program is what
 * would have done so without.
 */
void InstallTerminateHandler();

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_TERMINATE_H
