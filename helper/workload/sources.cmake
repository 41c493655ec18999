# SPDX-License-Identifier: GPL-2.0-only

set(sources
    goal-reader.cc
    goal-scanner.cc
    goal-writer.cc
    job-graph.cc
)
set(headers
    goal-reader.h
    goal-writer.h
    job-graph.h
)
# Not installed.
set(private_headers
    goal-scanner.h
)
