# SPDX-License-Identifier: GPL-2.0-only

set(units
    credit-counters-unit.cc
    egress-scheduler-unit.cc
    line-clock-unit.cc
    llr-unit.cc
    lost-frames-unit.cc
    pfc-machines-unit.cc
    qbb-net-device-unit.cc
    shaped-scheduler-unit.cc
    traffic-class-map-unit.cc
)

set(suites
    lossless-cbfc-link-test-suite.cc
    lossless-cbfc-test-suite.cc
    lossless-link-test-suite.cc
    lossless-llr-test-suite.cc
    lossless-shaping-test-suite.cc
    lossless-stack-test-suite.cc
)
