# SPDX-License-Identifier: GPL-2.0-only

set(units
    mrc-ev-fields-unit.cc
    mrc-plane-evs-unit.cc
    mrc-plane-turns-unit.cc
    mrc-requester-unit.cc
    mrc-responder-unit.cc
)
set(suites
    lossless-mrc-faults-test-suite.cc
    lossless-mrc-paths-test-suite.cc
    lossless-mrc-random-test-suite.cc
    lossless-mrc-test-suite.cc
)
