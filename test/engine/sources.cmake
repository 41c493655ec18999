# SPDX-License-Identifier: GPL-2.0-only

set(units
    wheel-scheduler-unit.cc
    window-events-unit.cc
)

set(suites
    lossless-determinism-test-suite.cc
    lossless-engine-test-suite.cc
    lossless-ranks-test-suite.cc
    lossless-scheduler-test-suite.cc
    lossless-threads-faults-test-suite.cc
    lossless-threads-test-suite.cc
)
