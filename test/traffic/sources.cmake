# SPDX-License-Identifier: GPL-2.0-only

set(units
    flow-size-distribution-unit.cc
)

set(suites
    lossless-flows-test-suite.cc
    lossless-ping-mesh-test-suite.cc
    lossless-socket-flow-test-suite.cc
)
