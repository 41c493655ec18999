# SPDX-License-Identifier: GPL-2.0-only

set(units
    collective-unit.cc
    job-cost-unit.cc
    job-random-unit.cc
    job-results-unit.cc
    message-tables-unit.cc
    rank-placement-unit.cc
    simai-topology-unit.cc
)

set(suites
    lossless-collective-times-test-suite.cc
    lossless-job-bounds-test-suite.cc
    lossless-job-results-test-suite.cc
    lossless-job-test-suite.cc
    lossless-message-times-test-suite.cc
    lossless-transport-test-suite.cc
)
