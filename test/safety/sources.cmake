# SPDX-License-Identifier: GPL-2.0-only

set(units
    class-rewriter-unit.cc
    dependency-cycles-unit.cc
    fault-loss-unit.cc
    h3c-storm-unit.cc
    nic-stall-unit.cc
    pfc-storm-unit.cc
)

set(suites
    lossless-deadlock-prevention-test-suite.cc
    lossless-deadlock-random-test-suite.cc
    lossless-deadlock-test-suite.cc
    lossless-flooding-test-suite.cc
    lossless-watchdog-alarms-test-suite.cc
    lossless-watchdog-helper-test-suite.cc
    lossless-watchdog-nic-test-suite.cc
    lossless-watchdog-test-suite.cc
)
