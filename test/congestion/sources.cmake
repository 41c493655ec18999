# SPDX-License-Identifier: GPL-2.0-only

set(units
    dcqcn-unit.cc
    dctcp-unit.cc
    fixed-window-unit.cc
    hpcc-unit.cc
    icc-formula-unit.cc
    icc-unit.cc
    integer-power-unit.cc
    nscc-unit.cc
    pcn-unit.cc
    rdma-hpcc-unit.cc
    swift-unit.cc
    timely-unit.cc
)

set(suites
    lossless-congestion-test-suite.cc
    lossless-fairness-test-suite.cc
    lossless-hpcc-test-suite.cc
    lossless-icc-fixed-point-test-suite.cc
    lossless-icc-test-suite.cc
    lossless-nscc-test-suite.cc
    lossless-pcn-test-suite.cc
    lossless-swift-test-suite.cc
    lossless-timely-test-suite.cc
)
