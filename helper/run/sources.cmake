# SPDX-License-Identifier: GPL-2.0-only

set(sources
    run-progress.cc
    run-watch.cc
)
set(headers
    run-progress.h
    run-watch.h
)
# Not installed.
set(private_headers)
