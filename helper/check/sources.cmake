# SPDX-License-Identifier: GPL-2.0-only

set(sources
    finding.cc
)
set(headers
    finding.h
)
# Not installed.
set(private_headers)
