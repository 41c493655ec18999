# SPDX-License-Identifier: GPL-2.0-only

set(units
    sonic-config-unit.cc
)

set(suites
    lossless-sonic-test-suite.cc
)
