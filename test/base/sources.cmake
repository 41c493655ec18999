# SPDX-License-Identifier: GPL-2.0-only

set(units
    counter-fields-unit.cc
    sole-owner-unit.cc
)

set(suites)
