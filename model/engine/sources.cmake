# SPDX-License-Identifier: GPL-2.0-only

set(sources
    fabric-simulator-impl.cc
    wheel-scheduler.cc
)
set(headers
    event-wheel.h
    fabric-simulator-impl.h
    huge-page-allocator.h
    look-ahead-event.h
    wheel-scheduler.h
)
# Not installed.
set(private_headers
    fabric-event.h
    foreign-events.h
)
