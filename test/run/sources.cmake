# SPDX-License-Identifier: GPL-2.0-only

set(units)

set(suites
    lossless-run-refusals-test-suite.cc
    lossless-run-results-test-suite.cc
    lossless-run-test-suite.cc
    lossless-second-run-test-suite.cc
)
