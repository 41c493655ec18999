# SPDX-License-Identifier: GPL-2.0-only

set(units
    fabric-index-unit.cc
    fabric-memory-unit.cc
    fabric-places-unit.cc
    fabric-routes-unit.cc
    fabric-topology-unit.cc
    ideal-fct-unit.cc
    qbb-helper-unit.cc
)

set(suites
    lossless-effects-test-suite.cc
    lossless-fabric-test-suite.cc
    lossless-places-test-suite.cc
    lossless-settings-random-test-suite.cc
    lossless-settings-test-suite.cc
    lossless-unused-test-suite.cc
)
