# SPDX-License-Identifier: GPL-2.0-only

set(sources
    buffer-dependency-graph.cc
    convergence.cc
    deadlock-helper.cc
    dependency-walk.cc
    fault-helper.cc
    mrc-controller.cc
    watchdog-helper.cc
)
set(headers
    buffer-dependency-graph.h
    convergence.h
    deadlock-helper.h
    fault-helper.h
    mrc-controller.h
    watchdog-helper.h
)
# Not installed.
set(private_headers
    dependency-walk.h
)
