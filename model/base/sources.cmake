# SPDX-License-Identifier: GPL-2.0-only

set(sources
    factory-like.cc
)
set(headers
    counter-fields.h
    enum-accessor.h
    factory-like.h
    integer-power.h
)
# Not installed.
set(private_headers)
