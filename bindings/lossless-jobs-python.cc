// SPDX-License-Identifier: GPL-2.0-only

// The extension module lossless._lossless_jobs, which Python loads when it first needs a job. It
// uses the classes and functions of lossless._lossless, which is there before it.

#include "python-job.h"
#include "python-support.h"

PYBIND11_MODULE(_lossless_jobs, m)
{
    using namespace lossless_python;

    m.doc() = "The C++ part of jobs in the package lossless.";
    TranslateErrors();
    BindJobs(m);
    BindJobOptions(m);
    BindJobResults(m);
}
