# SPDX-License-Identifier: GPL-2.0-only

set(sources
    exact-text.cc
    factory-like.cc
    sole-owner.cc
)
set(headers
    apply-or-undo.h
    counter-fields.h
    cut-time.h
    enum-accessor.h
    exact-text.h
    factory-like.h
    fixed-accessor.h
    integer-power.h
    lazy-trace.h
    live-accessor.h
    path-need.h
    sole-owner.h
    used-accessor.h
    watched-trace.h
    wrapped-accessor.h
)
# Not installed.
set(private_headers
    type-relation.h
    unit-factors.h
)
