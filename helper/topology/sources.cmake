# SPDX-License-Identifier: GPL-2.0-only

set(sources
    fabric-addresses.cc
    fabric-memory.cc
    fabric-objects.cc
    fabric-places.cc
    fabric-routes.cc
    fabric-topology.cc
    ideal-fct.cc
)
set(headers
    fabric-addresses.h
    fabric-index.h
    fabric-objects.h
    fabric-places.h
    fabric-routes.h
    fabric-topology.h
    ideal-fct.h
    switch-extensions.h
)
# Not installed.
set(private_headers
    fabric-memory.h
    fabric-ports.h
)
