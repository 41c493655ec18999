# SPDX-License-Identifier: GPL-2.0-only

set(units
    fabric-attributes-unit.cc
    fabric-program-unit.cc
    fabric-text-unit.cc
    input-files-unit.cc
)

set(suites)
