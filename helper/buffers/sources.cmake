# SPDX-License-Identifier: GPL-2.0-only

set(sources
    buffer-check.cc
    class-map-check.cc
    effective-pmax.cc
    frame-arrivals.cc
    headroom-table.cc
    late-marks.cc
    switch-budget.cc
    text-columns.cc
)
set(headers
    buffer-check.h
    effective-pmax.h
    headroom-table.h
    switch-budget.h
)
# Not installed.
set(private_headers
    class-map-check.h
    frame-arrivals.h
    late-marks.h
    text-columns.h
)
