# SPDX-License-Identifier: GPL-2.0-only

set(units
    inof-message-unit.cc
    inof-random-unit.cc
    inof-reflection-unit.cc
    inof-switch-unit.cc
)

set(suites
    lossless-inof-test-suite.cc
    lossless-inof-failover-test-suite.cc
)
