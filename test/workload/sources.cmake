# SPDX-License-Identifier: GPL-2.0-only

set(units
    chakra-unit.cc
    goal-unit.cc
    json-lines-unit.cc
    simai-unit.cc
    training-job-unit.cc
)

set(suites)
