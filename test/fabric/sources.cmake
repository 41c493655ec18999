# SPDX-License-Identifier: GPL-2.0-only

set(units
    qbb-helper-unit.cc
)

set(suites
    lossless-fabric-test-suite.cc
)
