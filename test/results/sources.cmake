# SPDX-License-Identifier: GPL-2.0-only

set(units
    results-unit.cc
)

set(suites
    lossless-fct-test-suite.cc
    lossless-flow-times-test-suite.cc
    lossless-monitors-test-suite.cc
    lossless-pause-tree-test-suite.cc
    lossless-skippable-test-suite.cc
)
