# SPDX-License-Identifier: GPL-2.0-only

set(sources
    wheel-scheduler.cc
)
set(headers
    huge-page-allocator.h
    look-ahead-event.h
    wheel-scheduler.h
)
# Not installed.
set(private_headers)
