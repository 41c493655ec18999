# SPDX-License-Identifier: GPL-2.0-only

set(sources
    due-events.cc
    event-partition.cc
    fabric-simulator-impl.cc
    fabric-windows.cc
    wheel-scheduler.cc
    window-events.cc
)
if(lossless_mpi)
  list(APPEND sources fabric-ranks-mpi.cc)
else()
  list(APPEND sources fabric-ranks-none.cc)
endif()
set(headers
    due-events.h
    event-partition.h
    event-wheel.h
    fabric-event.h
    fabric-ranks.h
    fabric-simulator-impl.h
    far-events.h
    huge-page-allocator.h
    look-ahead-event.h
    wheel-scheduler.h
    window-events.h
)
# Not installed.
set(private_headers
    fabric-windows.h
    foreign-events.h
)
