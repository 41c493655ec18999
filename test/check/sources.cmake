# SPDX-License-Identifier: GPL-2.0-only

set(units
    finding-unit.cc
)

set(suites)
