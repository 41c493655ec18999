# SPDX-License-Identifier: GPL-2.0-only

set(units
    fabric-index-unit.cc
    fabric-memory-unit.cc
    fabric-places-unit.cc
    fabric-routes-unit.cc
    fabric-topology-unit.cc
    ideal-fct-unit.cc
)
