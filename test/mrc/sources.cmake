# SPDX-License-Identifier: GPL-2.0-only

set(units
    mrc-requester-unit.cc
)
set(suites
    lossless-mrc-test-suite.cc
)
