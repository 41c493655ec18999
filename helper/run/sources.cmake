# SPDX-License-Identifier: GPL-2.0-only

set(sources
    fabric-run.cc
    run-comparison.cc
    run-division.cc
    run-interrupt.cc
    run-options.cc
    run-progress.cc
    run-ranks.cc
    run-results.cc
    run-seed.cc
    run-stats.cc
    run-warnings.cc
    run-watch.cc
)
set(headers
    fabric-run.h
    run-comparison.h
    run-options.h
    run-progress.h
    run-results.h
    run-watch.h
)
# Not installed.
set(private_headers
    run-division.h
    run-interrupt.h
    run-ranks.h
    run-seed.h
    run-stats.h
    run-time.h
    run-warnings.h
)
