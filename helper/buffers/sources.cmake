# SPDX-License-Identifier: GPL-2.0-only

set(sources
    headroom-table.cc
    switch-budget.cc
    text-columns.cc
)
set(headers
    headroom-table.h
    switch-budget.h
)
# Not installed.
set(private_headers
    text-columns.h
)
