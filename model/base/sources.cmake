# SPDX-License-Identifier: GPL-2.0-only

set(sources
    factory-like.cc
    sole-owner.cc
)
set(headers
    apply-or-undo.h
    counter-fields.h
    cut-time.h
    enum-accessor.h
    factory-like.h
    fixed-accessor.h
    integer-power.h
    live-accessor.h
    sole-owner.h
    wrapped-accessor.h
)
# Not installed.
set(private_headers)
