// SPDX-License-Identifier: GPL-2.0-only

// The extension module lossless._lossless: the areas, and what errors become in Python.

#include "python-buffers.h"
#include "python-support.h"

#include "ns3/nstime.h"

PYBIND11_MODULE(_lossless, m)
{
    using namespace lossless_python;

    m.doc() = "The C++ part of the package lossless.";
    m.attr("__version__") = LOSSLESS_VERSION;
    // Serialisation at 100 Gb/s is not a whole number of nanoseconds. Before any Time is kept.
    ns3::Time::SetResolution(ns3::Time::PS);
    TranslateErrors();
    BindTime(m);
    BindObject(m);
    BindConfig(m);
    BindSimulator(m);
    BindLink(m);
    BindSwitch(m);
    BindRdma(m);
    BindCongestion(m);
    BindFinding(m);
    BindFabric(m);
    BindFlows(m);
    BindSafety(m);
    BindFaults(m);
    BindSockets(m);
    BindRun(m);
    BindInof(m);
    BindMonitors(m);
    BindWorkloads(m);
    BindCsv(m);
    BindBuffers(m);
}
