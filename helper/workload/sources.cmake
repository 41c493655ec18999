# SPDX-License-Identifier: GPL-2.0-only

set(sources
    job-graph.cc
)
set(headers
    job-graph.h
)
set(private_headers
)
