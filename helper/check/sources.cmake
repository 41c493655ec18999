# SPDX-License-Identifier: GPL-2.0-only

set(sources
    loss-check.cc
    lossy-class.cc
    path-check.cc
    scheduler-check.cc
    switch-needs.cc
)
set(headers
)
# Not installed.
set(private_headers
    loss-check.h
    lossy-class.h
    path-check.h
    scheduler-check.h
    switch-needs.h
)
