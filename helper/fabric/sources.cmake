# SPDX-License-Identifier: GPL-2.0-only

set(sources
    capture-file.cc
    fabric-helper.cc
    fabric-internet.cc
    fabric-memory.cc
    fabric-routes.cc
    fabric-topology.cc
    fabric.cc
    ideal-fct.cc
    qbb-helper.cc
    switch-needs.cc
)
set(headers
    callback-guard.h
    capture-file.h
    fabric-helper.h
    fabric-index.h
    fabric-routes.h
    fabric-topology.h
    fabric.h
    ideal-fct.h
    qbb-helper.h
    run-part.h
    switch-extensions.h
)
# Not installed.
set(private_headers
    fabric-internet.h
    fabric-memory.h
    fabric-ports.h
    switch-needs.h
)
