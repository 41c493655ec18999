# SPDX-License-Identifier: GPL-2.0-only

set(units
    buffer-dependency-graph-unit.cc
)

set(suites
    lossless-convergence-test-suite.cc
    lossless-faults-overlap-test-suite.cc
    lossless-faults-random-test-suite.cc
    lossless-faults-test-suite.cc
)
