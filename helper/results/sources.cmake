# SPDX-License-Identifier: GPL-2.0-only

set(sources
    config-monitor.cc
    deadlock-stats.cc
    fabric-stats.cc
    fct-stats.cc
    log-histogram.cc
    pause-monitor.cc
    pfc-stats.cc
    queue-stats.cc
    result-file.cc
    run-totals.cc
    socket-flow-report.cc
    throughput-stats.cc
    unfinished-flows.cc
    watchdog-stats.cc
)
set(headers
    config-monitor.h
    deadlock-stats.h
    fabric-stats.h
    fct-stats.h
    log-histogram.h
    pause-monitor.h
    pfc-stats.h
    queue-stats.h
    result-file.h
    run-totals.h
    throughput-stats.h
    unfinished-flows.h
    watchdog-stats.h
)
# Not installed.
set(private_headers)
