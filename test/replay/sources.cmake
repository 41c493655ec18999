# SPDX-License-Identifier: GPL-2.0-only

set(units
    hpcc-files-unit.cc
)

set(suites)
