# SPDX-License-Identifier: GPL-2.0-only

set(sources)
set(headers
    counter-fields.h
    enum-accessor.h
    fixed-accessor.h
    integer-power.h
)
# Not installed.
set(private_headers)
